"""Fields of JSON Schemas: their types, the leaves below an object, and the values of fields in rows."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import pointer_token, split_pointer

CONSTRAINTS = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")
"""Schema keywords that restrict which strings or numbers are valid."""

SCALARS = ("string", "integer", "number", "boolean")
IDENTIFYING = ("string", "integer", "number")
"""Types of values that can identify a row or refer to one."""


def schema_type(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema: the first declared one that is not null, or a guess if none is declared."""
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
    """Tell whether two schemas have the same type; integer and number count as the same."""
    kinds = {schema_type(one), schema_type(other)}
    return len(kinds) == 1 or kinds == {"integer", "number"}


def _type_of(value: Any) -> str:
    kinds = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"), (dict, "object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")


def object_properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of an object schema, including those of its allOf, oneOf and anyOf branches."""
    properties = dict(schema.get("properties", ()))
    if "allOf" in schema or "oneOf" in schema or "anyOf" in schema:
        for key in ("allOf", "oneOf", "anyOf"):
            for branch in schema.get(key, ()):
                for name, item in object_properties(branch).items():
                    properties.setdefault(name, item)
    return properties


NESTED = 12
"""Maximum nesting depth searched by `described_fields`."""


def described_fields(schema: Any, depth: int = 0) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (name, schema) of every property described anywhere inside a schema."""
    inner = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    fields = schema.get("properties") if isinstance(schema, Mapping) else None
    for name, held in fields.items() if isinstance(fields, Mapping) else ():
        if isinstance(held, Mapping):
            yield name, held
    for each in inner if depth < NESTED else ():
        yield from described_fields(each, depth + 1)


_DEEPEST = 6
"""Maximum depth of nested objects whose leaves are read."""


def leaf_schemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield (pointer, name, schema) of each scalar or list of scalars below an object schema; `*` for list items."""
    way = [("", iter(object_properties(schema).items()))]  # a stack: nested generators would hand every leaf upwards
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
    """Split a field name into keys: `metadata.name` -> ("metadata", "name"), unless `fields` has that very name."""
    return tuple(name.split(".")) if "." in name and name not in fields and all(name.split(".")) else (name,)


def field_value(row: Mapping[str, Any], name: str) -> Any:
    """Return the value of a field of a row, nested ones by dotted name (`metadata.name`); None if it is missing."""
    value: Any = row
    for part in field_path(name, row):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def is_number(value: Any) -> bool:
    """Tell whether a value is an int or float; booleans, which Python counts as ints, are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def schema_at(schema: Mapping[str, Any] | None, pointer: str) -> dict[str, Any]:
    """Return the subschema (not a copy) for the value at `pointer`; empty if the schema does not describe it."""
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
