"""Recorded results of a tool -> the JSON Schema of its results.

{"id": 7, "cards": {"card_81": {"id": "card_81"}}}, {"id": 8, "cards": {}, "tag": "x"}
->  {"type": "object", "required": ["id", "cards"], "properties": {"id": {"type": "integer", "examples": [7, 8]},
     "cards": {"type": "object", "additionalProperties": {...}, "propertyNames": {...}}, "tag": {...}}}
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.importers.normalisation.samples import type_of

FIELDS, DEPTH, EXAMPLES, EXAMPLE_LENGTH = 200, 8, 3, 80
ITEMS = 2_000
"""Most list items, over all results of a tool at one location, that are read."""

KEYS_OF_THINGS = 0.8
"""Share of keys that must look like identities rather than field names for an object to be a map."""

_FIELD = re.compile(r"[a-z_$@][A-Za-z_]*[0-9]{0,2}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,15}(Z|[+-][0-9:]{4,6})")
_SILENT = ("title", "description", "examples", "deprecated", "default", "readOnly", "writeOnly")


def schema_of_values(values: Sequence[Any], depth: int = 0) -> dict[str, Any]:
    """Return a schema that all values satisfy: types are merged, fields that all objects have are required."""
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    scalars = [value for value in values if value is not None and not isinstance(value, (dict, list))]
    branches: list[dict[str, Any]] = []
    if depth > DEPTH:
        return {}
    if objects:
        branches.append(_map(objects, depth) if _is_map(objects) else _object(objects, depth))
    if lists:
        items = [item for value in lists for item in value][:ITEMS]
        branches.append({"type": "array", "items": schema_of_values(items, depth + 1) if items else {}})
    if scalars:
        branches.append(_scalar(scalars))
    if any(value is None for value in values):
        if len(branches) == 1 and isinstance(branches[0].get("type"), str):
            return {**branches[0], "type": [branches[0]["type"], "null"]}
        branches.append({"type": "null"})
    return branches[0] if len(branches) == 1 else {"anyOf": branches} if branches else {}


def says_nothing(schema: Mapping[str, Any] | None) -> bool:
    """Tell whether a schema is missing or allows nearly anything, such as an object or array with undescribed parts."""
    telling = {key: value for key, value in (schema or {}).items() if key not in _SILENT}
    if not telling.get("properties", True):
        del telling["properties"]
    if telling.get("additionalProperties") in (True, False):
        del telling["additionalProperties"]
    if telling.get("items") is not None and isinstance(telling["items"], dict) and says_nothing(telling["items"]):
        del telling["items"]
    return set(telling) <= {"type"} and telling.get("type") in (None, "object", "array", ["object", "null"])


def _object(objects: list[dict[str, Any]], depth: int) -> dict[str, Any]:
    held: dict[str, list[Any]] = {}
    for value in objects:
        for key, item in value.items():
            if key in held or len(held) < FIELDS:
                held.setdefault(key, []).append(item)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: schema_of_values(items, depth + 1) for key, items in held.items()},
    }
    required = [key for key, items in held.items() if len(items) == len(objects)]
    return {**schema, "required": required} if required else schema


def _map(objects: list[dict[str, Any]], depth: int) -> dict[str, Any]:
    keys = list(dict.fromkeys(key for value in objects for key in value))
    items = [item for value in objects for item in value.values()][:ITEMS]
    named = {"type": "string", "examples": [key for key in keys if len(key) <= EXAMPLE_LENGTH][:EXAMPLES]}
    return {"type": "object", "additionalProperties": schema_of_values(items, depth + 1), "propertyNames": named}


def _is_map(objects: list[dict[str, Any]]) -> bool:
    """Tell whether keys are identities: they recur as fields of their values, or do not look like field names."""
    keys = {key for value in objects for key in value}
    if not keys:
        return False
    pairs = [(key, item) for value in objects for key, item in value.items()][:ITEMS]
    own = sum(isinstance(item, dict) and any(held == key for held in item.values()) for key, item in pairs)
    strange = sum(not _FIELD.fullmatch(key) for key in keys)
    alike = len({type(item) for _, item in pairs}) == 1
    return own >= KEYS_OF_THINGS * len(pairs) or (alike and len(keys) > 1 and strange >= KEYS_OF_THINGS * len(keys))


def _scalar(values: list[Any]) -> dict[str, Any]:
    kinds = list(dict.fromkeys(type_of(value) for value in values))
    if set(kinds) == {"integer", "number"}:
        kinds = ["number"]
    schema: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if kinds == ["string"]:
        for name, form in (("date", _DATE), ("date-time", _TIME)):
            if all(form.fullmatch(value[:EXAMPLE_LENGTH]) for value in values):
                schema["format"] = name
    if kinds != ["boolean"]:
        short = [value for value in values if not isinstance(value, str) or len(value) <= EXAMPLE_LENGTH]
        schema["examples"] = list(dict.fromkeys(short))[:EXAMPLES]
    return schema
