"""A schema in the shorthand of tool data sets -> JSON Schema, with notes on what was expanded.

    {"ids": {"type": "List[int]"}, "limit": {"type": "int, optional", "default": 10}}  ->
    {"type": "object", "required": ["ids"], "properties": {
        "ids": {"type": "array", "items": {"type": "integer"}}, "limit": {"type": "int", "default": 10}}}

Source: the data sets xLAM (APIGen), ToolACE, ToolBench and ToolAlpaca; smolagents, Tool.inputs.
"""

import json
from typing import Any

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.normalisation.keywords import ALIASES
from interplay.generators.importers.normalisation.samples import TYPES
from interplay.generators.importers.normalisation.type_expressions import read_type, without_null

_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS = ("$defs", "definitions", "patternProperties")
_SHAPES: dict[str, tuple[type, ...]] = {
    "type": (str, list),
    "properties": (dict,),
    "required": (list,),
    "$ref": (str,),
    "$schema": (str,),
    "allOf": (list,),
    "anyOf": (list,),
    "oneOf": (list,),
    "additionalProperties": (bool,),
}
"""Keywords and the types of their values that mark a dict as a schema rather than a map of parameters."""


def parameters_schema(given: Any, notes: Notes) -> Any:
    """Return the schema of arguments given as a schema, a list or a map of parameters, or any of these as JSON text."""
    if isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
        notes.repair("parameters: a text that holds JSON")
        given = _read_json(given)
    if isinstance(given, list):
        notes.repair("parameters: a list instead of a schema")
        return expanded(_from_list(given), notes, "parameters")
    if isinstance(given, dict) and given and _is_bare_map(given):
        notes.repair("parameters: a map of names instead of a schema")
        return _from_map(given, notes)
    return expanded(given, notes, "parameters")


def from_two_lists(needed: Any, others: Any) -> list[Any]:
    """Join a list of required and a list of optional parameters, setting `required` on each."""
    lists = [each if isinstance(each, list) else [] for each in (needed, others)]
    return [
        {**item, "required": index == 0} if isinstance(item, dict) else item
        for index, items in enumerate(lists)
        for item in items
    ]


def expanded(raw: Any, notes: Notes, where: str) -> Any:
    """Return a schema with type expressions replaced by JSON Schema, and `required` flags moved to the object."""
    return _expanded(raw, notes, where)[0]


def _expanded(raw: Any, notes: Notes, where: str) -> tuple[Any, bool]:
    """Return the schema, and whether its type expression marks the value as optional."""
    if isinstance(raw, str):
        raw = {"type": raw} if read_type(raw) else {"description": raw}
    if not isinstance(raw, dict):
        return raw, False
    schema, is_optional = _typed(raw, notes, where)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict) or (key == "items" and isinstance(schema.get(key), str)):
            schema[key] = expanded(schema[key], notes, f"{where}/{key}")
    for key in _LISTS:
        if isinstance(schema.get(key), list):
            schema[key] = [expanded(part, notes, f"{where}/{key}") for part in schema[key]]
    for key in _MAPS:
        if isinstance(schema.get(key), dict):
            schema[key] = {name: expanded(part, notes, f"{where}/{key}") for name, part in schema[key].items()}
    if isinstance(schema.get("properties"), dict):
        schema |= _properties(schema, notes, where)
    return schema, is_optional


def _typed(raw: dict[str, Any], notes: Notes, where: str) -> tuple[dict[str, Any], bool]:
    """Replace a type expression, such as `List[int]`; plain type names are left to the normaliser."""
    text = raw.get("type")
    if not isinstance(text, str) or text.strip().lower() in TYPES or text.strip().lower() in ALIASES:
        return dict(raw), False
    read = read_type(text)
    if read is None:
        return dict(raw), False
    notes.repair(f"{where}: type {text[:60]!r} read as {json.dumps(read.schema)}")
    return {**{key: value for key, value in raw.items() if key != "type"}, **read.schema}, read.is_optional


def _properties(schema: dict[str, Any], notes: Notes, where: str) -> dict[str, Any]:
    """Return `properties` and `required`; flags on properties count only if the object has no `required` list."""
    listed = schema.get("required") if isinstance(schema.get("required"), list) else None
    flagged = []
    properties: dict[str, Any] = {}
    for name, raw in schema["properties"].items():
        made, is_optional = _expanded(raw, notes, f"{where}/properties/{name}")
        if is_optional and name not in (listed or ()):
            made = without_null(made)
        flag = made.get("required") if isinstance(made, dict) else None
        if isinstance(flag, bool) or flag in ("true", "false"):
            flagged += [name] if flag in (True, "true") else []
            made = {key: value for key, value in made.items() if key != "required"}
        properties[name] = made
    if listed is not None or not flagged:
        return {"properties": properties}
    return {"properties": properties, "required": flagged}


def _is_bare_map(given: dict[str, Any]) -> bool:
    if any(isinstance(given.get(key), shapes) for key, shapes in _SHAPES.items() if key in given):
        types = [value for value in given.values() if isinstance(value, str)]
        return len(types) == len(given) > 1 and all(read_type(value) for value in types)
    return all(isinstance(value, (dict, str)) for value in given.values())


def _from_map(given: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Return the object schema of a map of parameters.

    If any parameter has a `required` flag, flags decide; else all without default and not marked optional are required.
    """
    flags = {name: item.get("required") for name, item in given.items() if isinstance(item, dict)}
    says = any(isinstance(flag, bool) or flag in ("true", "false") for flag in flags.values())
    properties: dict[str, Any] = {}
    required = []
    for name, raw in given.items():
        made, is_optional = _expanded(raw, notes, f"parameters/properties/{name}")
        open_ended = is_optional or "default" in made or made.get("nullable") is True
        if flags.get(name) in (True, "true") if says else not open_ended:
            required.append(name)
        dropped = () if isinstance(made.get("required"), list) else ("required",)
        made = {key: value for key, value in made.items() if key not in dropped}
        properties[name] = without_null(made) if is_optional else made
    return {"type": "object", "properties": properties, "required": required}


def _from_list(given: list[Any]) -> dict[str, Any]:
    """Return the object schema of a list of parameters with `name` and `required`."""
    named = [item for item in given if isinstance(item, dict) and isinstance(item.get("name"), str)]
    required = [item["name"] for item in named if item.get("required") in (True, "true")]
    properties = {
        item["name"]: item["schema"]
        if isinstance(item.get("schema"), dict)
        else {
            key: value
            for key, value in item.items()
            if key != "name" and (key != "required" or isinstance(value, list))
        }
        for item in named
    }
    return {"type": "object", "properties": properties, "required": required}


def _read_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
