"""A JSON Schema -> the strict form that providers can enforce during generation; None if that would change its meaning.

    {"type": "object", "properties": {"a": {...}}, "required": ["a"]}  ->  the same with "additionalProperties": false

In strict form, objects are closed and each property is required. A schema with optional or additional properties, or with
keywords that providers refuse, is requested without enforcement, and the answer checked afterwards.

Source: platform.openai.com/docs/guides/structured-outputs, "Supported schemas"; platform.claude.com, the same page.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

KEPT = {"$ref", "title", "description", "type", "enum", "const", "required"}
BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "pattern"}
DROPPED = {"$schema", "$id", "examples", "default"}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
DEEPEST = 10
"""Most levels of nesting that providers accept."""

MOST_UNIONS = 16
"""Most union types in one schema that Anthropic accepts; OpenAI accepts any number."""


_REFERENCE = re.compile(r'"\$ref": "([^"]*)"')


class _Inexpressible(Exception):
    """The schema has no strict form."""


def strict_schema(schema: Mapping[str, Any], bounds: bool = True) -> dict[str, Any] | None:
    """Return the strict form of `schema`; None if there is none.

    `bounds` tells whether the provider enforces limits on numbers, texts and lists. Without it (Anthropic) the schema must
    also be free of recursion and nested references, and have few union types.
    """
    if schema.get("type") != "object":
        return None
    made = _strict(_text(schema), bounds)
    return made if bounds or made is None or _is_simple(made) else None


def _text(schema: Mapping[str, Any]) -> bytes | str:
    try:
        return orjson.dumps(schema)
    except TypeError:  # integers beyond 64 bits, lone surrogates
        return json.dumps(schema)


@lru_cache(maxsize=256)
def _strict(text: bytes | str, bounds: bool) -> dict[str, Any] | None:
    try:
        made: dict[str, Any] = _closed(json.loads(text), bounds, 0)
    except _Inexpressible:
        return None
    return made


def _is_simple(schema: dict[str, Any]) -> bool:
    """Tell whether all references lead to definitions without further references, and there are few union types."""
    definitions = [item for name in ("$defs", "definitions") for item in schema.get(name, {}).values()]
    text = json.dumps(schema)
    return (
        all(place.startswith(("#/$defs/", "#/definitions/")) for place in _REFERENCE.findall(text))
        and '"$ref"' not in json.dumps(definitions)
        and (text.count('"anyOf": [') + text.count('"type": [') <= MOST_UNIONS)
    )


def _closed(schema: Any, bounds: bool, depth: int) -> dict[str, Any]:
    if not isinstance(schema, dict) or depth > DEEPEST:
        raise _Inexpressible
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in KEPT or (key in BOUNDS and bounds) or (key == "format" and value in FORMATS):
            made[key] = value
        elif key in ("properties", "$defs", "definitions"):
            made[key] = {name: _closed(item, bounds, depth + 1) for name, item in value.items()}
        elif key == "items":
            made[key] = _closed(value, bounds, depth + 1)
        elif key == "anyOf":
            made[key] = [_closed(item, bounds, depth + 1) for item in value]
        elif key not in DROPPED and not (key == "additionalProperties" and value is False):
            raise _Inexpressible
    return _object(made) if made.get("type") == "object" or "properties" in made else made


def _object(made: dict[str, Any]) -> dict[str, Any]:
    properties = made.get("properties")
    if not properties or set(made.get("required", ())) != set(properties):
        raise _Inexpressible
    return {**made, "additionalProperties": False}
