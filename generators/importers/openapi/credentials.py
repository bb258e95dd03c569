"""The tools of one API -> the same without the key that nearly every call takes to pass: nobody speaks of it.

POST /webhooks/delete(key, id), POST /tags/list(key), ...  ->  POST /webhooks/delete(id), POST /tags/list(), ...
"""

from collections import Counter
from collections.abc import Sequence

from interplay.generators.importers.openapi.operations import Operation
from interplay.schemas.json.fields import lets_pass, name_tokens, schema_type
from interplay.schemas.records.tool import Tool

LEAST, SHARE = 6, 0.8
"""Tools that take a key at least, and of how many of those that write or need a body it is."""

_FURTHER = {("key",), ("token",), ("secret",), ("auth",), ("apikey",), ("api", "password"), ("user", "key"), ("user", "token"), ("license", "key")}  # fmt: skip
"""Further names of what lets a call pass, where nearly all calls bear it."""


def leave_out_shared_keys(operations: Sequence[Operation]) -> None:
    """Leave out the key that nearly all operations take in their query or body, and say so."""
    keys = shared_keys([operation.tool for operation in operations if operation.tool is not None])
    for operation in operations if keys else ():
        changed = without_keys(operation.tool, keys) if operation.tool is not None else None
        if changed is not operation.tool:
            operation.tool = changed
            operation.notes.remark(f"{', '.join(sorted(keys))} left out: nearly all operations take it to pass")


def shared_keys(tools: Sequence[Tool]) -> frozenset[str]:
    """Return the parameters, by name, that nearly all tools take to pass."""
    found = Counter(name for tool in tools for name in tool.parameters.get("properties", {}) if _is_key(name, tool))
    return frozenset(name for name, count in found.items() if count >= max(LEAST, SHARE * len(tools)))


def _is_key(name: str, tool: Tool) -> bool:
    locations = tool.http.locations if tool.http else {}
    plain = schema_type(tool.parameters["properties"][name]) == "string"
    named = lets_pass(name) or tuple(name_tokens(name)) in _FURTHER
    return plain and named and locations.get(name) in ("query", "form", "body")


def without_keys(tool: Tool, keys: frozenset[str]) -> Tool:
    """Return a tool without the keys among its parameters."""
    taken = [name for name in tool.parameters.get("properties", {}) if name in keys]
    if not taken or tool.http is None:
        return tool
    parameters = dict(tool.parameters)
    parameters["properties"] = {name: item for name, item in parameters["properties"].items() if name not in taken}
    if "required" in parameters:
        parameters["required"] = [name for name in parameters["required"] if name not in taken]
    places = {name: place for name, place in tool.http.locations.items() if name not in taken}
    wire = {name: own for name, own in tool.http.original_names.items() if name not in taken}
    http = tool.http.model_copy(update={"locations": places, "original_names": wire})
    return tool.model_copy(update={"parameters": parameters, "http": http})
