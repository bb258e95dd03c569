"""What a read answered, and what was written since -> whether that still holds, or one has to look again.

list bookings, delete one, look at another   ->   the list is out of date: it is read again before anybody chooses from it
"""

from typing import Any

from interplay.schemas.json.canonical import digest, value_at
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import WRITING


def writes(tool: str, environment: Environment) -> bool:
    """Tell whether a tool changes the state."""
    return environment.toolset.tool(tool).effect == "write"


def concerns(write: str, read: str, environment: Environment) -> bool:
    """Tell whether one tool changes rows of the resource that another one shows, so that its result is outdated."""
    roles = environment.resources.by_tool
    if write not in roles or read not in roles or roles[write].operation not in WRITING:
        return False
    return roles[write].resource is not None and roles[write].resource == roles[read].resource


async def read_again(environment: Environment, call: ToolCall) -> Any:
    """Return what a read answers now; nothing where it fails. The state is left as it was."""
    snapshot = environment.snapshot()
    try:
        result = await environment.call(call)
    finally:
        environment.restore(snapshot)
    return result.value if result.error is None else None


async def still_holds(environment: Environment, call: ToolCall, value: Any, pointer: str = "") -> bool:
    """Tell whether a read that answered a value answers the same at a pointer now."""
    return digest(value_at(value, pointer)) == digest(value_at(await read_again(environment, call), pointer))
