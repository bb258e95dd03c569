"""Normalised schemas that must hold together (`allOf`, `$ref` with siblings) -> one schema.

{"properties": {"id": A}}  and  {"properties": {"name": B}, "required": ["id"]}
->  {"properties": {"id": A, "name": B}, "required": ["id"]}
"""

from typing import Any, Literal

from interplay.generators.importers.documents.import_notes import Notes
from interplay.generators.importers.normalisation.samples import types_of, unlike

Direction = Literal["request", "response", "both"]

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")
_ANNOTATIONS = ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format")
_CHOICES = ("anyOf", "oneOf", "not", "if", "then", "else", "contains", "pattern", "multipleOf", "propertyNames")
_BRANCHES = ("allOf", "anyOf", "oneOf")
HIDDEN = {"request": "readOnly", "response": "writeOnly", "both": ""}


def merge_all(own: dict[str, Any], parts: list[dict[str, Any]], notes: Notes, where: str) -> dict[str, Any]:
    """Return the schema that satisfies `own` and all parts; annotations of `own` win, then those of later parts."""
    if not parts:
        return own
    merged = parts[0]
    for part in parts[1:]:
        merged = merge(part, merged, notes, where)
    titled = [part for part in parts if "title" in part]
    adding = [part for part in parts if "properties" in part or "items" in part]
    if len(titled) > 1 or (titled and any(part is not titled[0] for part in adding)):
        merged = {key: value for key, value in merged.items() if key != "title"}
    if "properties" in own and len(adding) + ("properties" in own) > 1:
        merged = {key: value for key, value in merged.items() if key != "title"}
    return merge(own, merged, notes, where)


def merge(first: dict[str, Any], second: dict[str, Any], notes: Notes, where: str) -> dict[str, Any]:
    """Return one schema that satisfies both; `first` wins a contradiction, which is noted."""
    merged = {**second, **{key: first[key] for key in _ANNOTATIONS if key in first}}
    for key, value in first.items():
        if key in _ANNOTATIONS or (key in second and second[key] == value):
            continue
        merged[key] = _together(key, value, second[key], notes, where) if key in second else value
    for key in _CHOICES:
        if key in first and key in second and first[key] != second[key]:
            conditional = ("if", "then", "else")
            keys = conditional if key in conditional else (key,)
            side = {name: second[name] for name in keys if name in second}
            merged |= {name: first[name] for name in keys if name in first}
            if side not in merged.get("allOf", []):
                merged["allOf"] = [*merged.get("allOf", []), side]
    if first.get("type") != second.get("type") and "type" in first and "type" in second:
        merged["type"] = _common_type(first, second, notes, where)
    return merged


def _together(key: str, first: Any, second: Any, notes: Notes, where: str) -> Any:
    if key == "properties":
        merged = dict(second)
        for name, schema in first.items():
            known = second.get(name)
            merged[name] = (
                schema if known is None or known == schema else merge(schema, known, notes, f"{where}/{name}")
            )
        return merged
    if key == "required":
        return list(dict.fromkeys((*second, *first)))
    if key in _LOWER:
        return max(first, second)
    if key in _UPPER:
        return min(first, second)
    if key == "enum":
        plain = {value for value in second if not isinstance(value, (dict, list))}  # a set: enums may have thousands
        common = [value for value in first if (value in second if isinstance(value, (dict, list)) else value in plain)]
        if not common:
            notes.repair(f"{where}: enums of allOf parts share no value, one kept")
        return common or first
    if key == "allOf":
        return unlike([*second, *first])
    if key in ("items", "additionalProperties", "unevaluatedProperties"):
        if isinstance(first, dict) and isinstance(second, dict):
            return merge(first, second, notes, f"{where}/{key}")
        return False if first is False or second is False else first if isinstance(first, dict) else second
    if key in ("patternProperties", "dependentRequired", "dependentSchemas"):
        return {**second, **first}
    if key == "const" and first != second:
        notes.repair(f"{where}: allOf parts demand different constants, one kept")
    return first


def _common_type(first: dict[str, Any], second: dict[str, Any], notes: Notes, where: str) -> Any:
    mine, yours = types_of(first), types_of(second)
    common = [name for name in mine if name in yours or (name == "integer" and "number" in yours)]
    common += [name for name in yours if name == "integer" and "number" in mine and name not in common]
    if not common:
        notes.repair(f"{where}: allOf parts are of type {'/'.join(yours)} and {'/'.join(mine)}, the latter kept")
        return first["type"]
    return common[0] if len(common) == 1 else common


def without_other_direction(schema: dict[str, Any], direction: Direction, notes: Notes, where: str) -> dict[str, Any]:
    """Remove properties that are readOnly in requests or writeOnly in responses, and required names without a property."""
    if schema.get("additionalProperties") is False and _added(schema):
        notes.repair(where, "additionalProperties: false left out, for its branches add properties")
        schema = {key: value for key, value in schema.items() if key != "additionalProperties"}
    names: set[str] = set()
    hidden: set[str] = set()
    _collect(schema, HIDDEN[direction], names, hidden)
    if not names and "required" not in schema and not any(key in schema for key in _BRANCHES):
        return schema
    unknown: set[str] = set()
    finished = _finish(schema, names - hidden, hidden, unknown)
    if unknown:
        listed = ", ".join(sorted(unknown)[:5])
        notes.repair(f"{where}: required names no property, dropped: {listed}")
    return finished


def _added(schema: dict[str, Any]) -> bool:
    """Tell whether branches add properties that the schema's own `additionalProperties: false` would forbid."""
    own = schema.get("properties", {}).keys()
    return any(branch.get("properties", {}).keys() - own for key in _BRANCHES for branch in schema.get(key, ()))


def _collect(schema: dict[str, Any], flag: str, names: set[str], hidden: set[str]) -> None:
    properties = schema.get("properties", {})
    names.update(properties)
    if flag:
        hidden.update(name for name, inner in properties.items() if inner.get(flag) is True)
    lists = [branch for key in _BRANCHES for branch in schema.get(key, ())]
    for branch in lists + [schema[key] for key in ("not", "if", "then", "else") if key in schema]:
        _collect(branch, flag, names, hidden)


def _finish(schema: dict[str, Any], known: set[str], hidden: set[str], unknown: set[str]) -> dict[str, Any]:
    finished = dict(schema)
    if hidden and "properties" in schema:
        finished["properties"] = {name: inner for name, inner in schema["properties"].items() if name not in hidden}
    if "required" in schema:
        unknown.update(name for name in schema["required"] if name not in known and name not in hidden)
        finished["required"] = [name for name in schema["required"] if name in known]
        if not finished["required"]:
            del finished["required"]
    for key in _BRANCHES:
        if key in schema:
            finished[key] = [_finish(branch, known, hidden, unknown) for branch in schema[key]]
    for key in ("not", "if", "then", "else"):
        if key in schema:
            finished[key] = _finish(schema[key], known, hidden, unknown)
    return finished
