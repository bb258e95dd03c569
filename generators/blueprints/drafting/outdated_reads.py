"""The result of a read, and writes since -> whether the result still holds, or the read must be repeated.

list bookings, delete one, look at another   ->   the list is out of date: it is read again before the user chooses from it
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
    """Tell whether one tool changes rows of the resource that another one shows, so that the latter's result is outdated."""
    roles = environment.resources.by_tool
    if write not in roles or read not in roles or roles[write].operation not in WRITING:
        return False
    return roles[write].resource is not None and roles[write].resource == roles[read].resource


async def read_again(environment: Environment, call: ToolCall) -> Any:
    """Return what a read answers now, or None if it fails; the state is left as it was."""
    snapshot = environment.snapshot()
    try:
        result = await environment.call(call)
    finally:
        environment.restore(snapshot)
    return result.value if result.error is None else None


async def still_holds(environment: Environment, call: ToolCall, value: Any, pointer: str = "") -> bool:
    """Tell whether the result of a read has the same value at a pointer if it is repeated now."""
    return digest(value_at(value, pointer)) == digest(value_at(await read_again(environment, call), pointer))
