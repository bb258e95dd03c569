"""JSON:API documents -> the same with the value of each `type`, taken from descriptions or paths.

    GET /accounts/{id}  ->  {"data": {"type": {"type": "string"}, "id": ..., "attributes": {...}}}
    ->                      {"data": {"type": {"type": "string", "enum": ["accounts"]}, ...}}

Source: JSON:API 1.1, sections 5.2 (resource objects) and 5.2.8 (resource identifier objects).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.importers.documents.tool_names import split_words
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.nouns import singular

DEEPEST = 8
"""Deepest nesting of schemas that is searched."""

_TOLD = re.compile(r"[`'\"]([a-z][a-z0-9_-]{0,40})[`'\"]\s*\.?\s*$", re.IGNORECASE)
_RELATED = {"relationships"}


def with_resource_types(tools: Sequence[Tool]) -> list[Tool]:
    """Return the tools with the `type` of their resource objects as an enum; unchanged if no tool returns any."""
    kinds = {kind for tool in tools if _shows_resources(tool.returns) for kind in [_kind_of_path(tool)] if kind}
    return [_typed_tool(tool, kinds) for tool in tools] if kinds else list(tools)


def _shows_resources(schema: Any, depth: int = 0) -> bool:
    """Tell whether a result schema holds a resource object, which has a type and attributes."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return False
    if _is_resource(object_properties(schema)):
        return True
    inner = schema.get("items") if schema_type(schema) == "array" else object_properties(schema).get("data")
    return _shows_resources(inner, depth + 1)


def _is_resource(fields: Mapping[str, Any]) -> bool:
    return "type" in fields and schema_type(fields.get("attributes", {"type": "null"})) == "object"


def _kind_of_path(tool: Tool) -> str:
    """Return the last collection in a tool's path: `/accounts/{id}/transactions` -> transactions; empty if none."""
    parts = tool.http.path.split("/") if tool.http else []
    literals = [part for part in parts if part and not part.startswith("{")]
    if "relationships" in literals:
        literals = literals[: literals.index("relationships")]
    last = {part: (split_words(part) or [""])[-1] for part in literals}
    return next((part for part in reversed(literals) if singular(last[part]) != last[part]), "")


def _typed_tool(tool: Tool, kinds: set[str]) -> Tool:
    own = _kind_of_path(tool)
    returns = _typed(tool.returns, own, kinds) if tool.returns is not None else None
    parameters = _typed(tool.parameters, own, kinds)
    if returns is tool.returns and parameters is tool.parameters:
        return tool
    return tool.model_copy(update={"returns": returns, "parameters": parameters})


def _typed(schema: Any, kind: str, kinds: set[str], depth: int = 0) -> Any:
    """Return a schema with the values of each `type` in it; the same object if nothing changes."""
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return schema
    changed: dict[str, Any] = {}
    if isinstance(schema.get("items"), Mapping):
        changed["items"] = _typed(schema["items"], kind, kinds, depth + 1)
    fields = schema.get("properties")
    if isinstance(fields, Mapping):
        made = {name: _field(name, item, fields, kind, kinds, depth) for name, item in fields.items()}
        changed["properties"] = fields if all(made[name] is fields[name] for name in fields) else made
    return schema if all(schema[key] is value for key, value in changed.items()) else {**schema, **changed}


def _field(name: str, item: Any, fields: Mapping[str, Any], kind: str, kinds: set[str], depth: int) -> Any:
    if name == "type" and (_is_resource(fields) or ("id" in fields and set(fields) <= {"type", "id", "meta"})):
        return _told(item, kind)
    if name in _RELATED and _is_resource(fields):
        own = object_properties(item)
        made = {word: _typed(inner, _named(word, kinds), kinds, depth + 1) for word, inner in own.items()}
        return item if all(made[word] is own[word] for word in own) else {**item, "properties": made}
    if name == "data" or _is_resource(object_properties(item)):
        return _typed(item, kind, kinds, depth + 1)
    return item


def _named(word: str, kinds: set[str]) -> str:
    """Return the kind that a relationship's name refers to: `author` -> authors; empty if there is none."""
    own = "".join(split_words(word))
    alike = [kind for kind in sorted(kinds) if own in (joined := "".join(split_words(kind)), singular(joined))]
    return alike[0] if alike else ""


def _told(item: Any, kind: str) -> Any:
    """Return the schema of a `type` with its one value, from its description, else `kind`."""
    if not isinstance(item, Mapping) or schema_type(item) != "string" or item.keys() & {"enum", "const"}:
        return item
    found = _TOLD.search(str(item.get("description", ""))[:400])
    word = found[1] if found else kind
    return {**item, "enum": [word]} if word else item
