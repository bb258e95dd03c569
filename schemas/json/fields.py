"""Reading the fields of JSON Schemas: their types, and the leaves below an object."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import pointer_token, split_pointer

CONSTRAINTS = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")
"""Keys that say of a text or a number which ones will do."""

SCALARS = ("string", "integer", "number", "boolean")
IDENTIFYING = ("string", "integer", "number")
"""Types of the values that tell things apart, and that one thing can refer to another by."""


def schema_type(schema: Mapping[str, Any]) -> str:
    """Return the one type to generate or speak: the first that is not null, guessed where none is declared."""
    declared = schema.get("type")
    if type(declared) is str:  # most schemas
        return declared
    if isinstance(declared, list):
        declared = next((item for item in declared if item != "null"), "null")
        if isinstance(declared, str):
            return declared
    if "properties" in schema or "required" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    for key in ("const", "enum", "examples"):
        if key in schema:
            sample = schema[key][0] if key != "const" and schema[key] else schema[key]
            return _type_of(sample)
    for key in ("allOf", "oneOf", "anyOf"):
        kinds = (schema_type(branch) for branch in schema.get(key, ()) if isinstance(branch, (dict, Mapping)))
        kind = next((kind for kind in kinds if kind != "null"), None)
        if kind is not None:
            return kind
    if "minimum" in schema or "maximum" in schema:
        return "number"
    return "object" if "additionalProperties" in schema else "string"


def same_kind(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether values of two schemas are of one type; whole numbers are numbers."""
    kinds = {schema_type(one), schema_type(other)}
    return len(kinds) == 1 or kinds == {"integer", "number"}


def _type_of(value: Any) -> str:
    kinds = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def object_properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of an object schema, those of all its branches included."""
    properties = dict(schema.get("properties", ()))
    if "allOf" in schema or "oneOf" in schema or "anyOf" in schema:
        for key in ("allOf", "oneOf", "anyOf"):
            for branch in schema.get(key, ()):
                for name, item in object_properties(branch).items():
                    properties.setdefault(name, item)
    return properties


NESTED = 12
"""Schemas within each other that are looked through for fields."""


def described_fields(schema: Any, depth: int = 0) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the name and the schema of each field that a schema describes, in whatever branch, list or object."""
    inner = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, held in fields.items() if isinstance(fields, Mapping) else ():
        if isinstance(held, Mapping):
            yield name, held
    for each in inner if depth < NESTED else ():
        yield from described_fields(each, depth + 1)


_DEEPEST = 6
"""Objects within each other whose leaves are read."""


def leaf_schemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield pointer, name and schema of each scalar (or list of scalars) below an object schema; `*` for list items."""
    way = [("", iter(object_properties(schema).items()))]  # generators within each other would pass each leaf on
    while way:
        above, fields = way[-1]
        for key, item in fields:
            here, kind = f"{above}/{pointer_token(str(key))}", schema_type(item)
            if kind == "array" and isinstance(item.get("items"), Mapping) and schema_type(item["items"]) == "object":
                here, kind, item = f"{here}/*", "object", item["items"]
            if kind != "object":
                yield here, key, item
            elif len(way) < _DEEPEST:
                way.append((here, iter(object_properties(item).items())))
                break
        else:
            way.pop()


def field_path(name: str, fields: Collection[str]) -> tuple[str, ...]:
    """Return the way to a field: `metadata.name` leads into an object, unless a field is called just that."""
    return tuple(name.split(".")) if "." in name and name not in fields and all(name.split(".")) else (name,)


def field_value(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field, which `metadata.name` says to stand in an object; none where there is none."""
    value: Any = row
    for part in field_path(name, row):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def is_number(value: Any) -> bool:
    """Tell whether a value is a number: true and false, which Python counts among them, are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def schema_at(schema: Mapping[str, Any] | None, pointer: str) -> dict[str, Any]:
    """Return the part of a schema that describes what stands at a pointer, not a copy; empty where it says nothing."""
    here: Any = schema or {}
    for part in split_pointer(pointer):
        if (part == "*" or part.isdigit()) and schema_type(here) == "array":
            here = here.get("items", {})
        elif part in here.get("properties", ()):
            here = here["properties"][part]
        else:
            here = next((options[part] for options in _property_maps(here) if part in options), {})
        if not isinstance(here, (dict, Mapping)):
            return {}
    return here if isinstance(here, dict) else dict(here)


def _property_maps(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema.get("properties", {})
    for key in ("oneOf", "anyOf", "allOf"):
        for branch in schema.get(key, ()):
            yield from _property_maps(branch)
