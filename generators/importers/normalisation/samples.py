"""Enums, defaults and examples of a source -> values that fit their type, and schemas inferred from samples."""

import json
import re
from typing import Any

TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
MAX_EXAMPLES = 3
MAX_EXAMPLE_CHARACTERS = 4_000
MAX_SAMPLE_DEPTH = 8
MAX_SAMPLE_FIELDS = 400

_FORMATS = (
    ("uuid", re.compile(r"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")),
    (
        "date-time",
        re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9.]+)?([Zz]|[-+][0-9]{2}:?[0-9]{2})"),
    ),
    ("date", re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")),
    ("uri", re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s]+")),
    ("email", re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}")),
)


def type_of(value: Any) -> str:
    """Name the JSON Schema type of a value; whole floats are numbers."""
    kinds = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"))
    return "null" if value is None else next((name for kind, name in kinds if isinstance(value, kind)), "object")


def types_of(schema: dict[str, Any]) -> tuple[str, ...]:
    """Return the types that a normalised schema names; empty if it names none."""
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(named)


def fits(value: Any, types: tuple[str, ...]) -> bool:
    """Tell whether a value is of one of the types; no types means any."""
    actual = type_of(value)
    if not types or actual in types:
        return True
    return ("number" in types and actual == "integer") or ("integer" in types and actual == "number" and value % 1 == 0)


def coerce(value: Any, types: tuple[str, ...]) -> tuple[Any, bool]:
    """Convert a value to one of `types`; return (value, True), or the unchanged value and False if it does not fit."""
    if fits(value, types):
        return value, True
    if isinstance(value, str):
        text = value.strip()
        if "boolean" in types and text.lower() in ("true", "false"):
            return text.lower() == "true", True
        if "integer" in types and re.fullmatch(r"[-+]?[0-9]{1,300}", text):
            return int(text), True
        if "number" in types and re.fullmatch(r"[-+]?[0-9]{1,300}(\.[0-9]{1,300})?", text):
            return float(text), True
        if ("array" in types and text.startswith("[")) or ("object" in types and text.startswith("{")):
            return _parsed(text, types)
    elif "string" in types and not isinstance(value, (dict, list)) and value is not None:
        return json.dumps(value), True
    return value, False


def _parsed(text: str, types: tuple[str, ...]) -> tuple[Any, bool]:
    try:
        value = json.loads(text[:MAX_EXAMPLE_CHARACTERS], parse_constant=str)
    except (ValueError, RecursionError):
        return text, False
    return (value, True) if fits(value, types) else (text, False)


def distinct(values: list[Any]) -> list[Any]:
    """Return the distinct JSON values, in order; true and 1 are distinct."""
    seen: dict[Any, Any] = {}
    for value in values:
        key = json.dumps(value, sort_keys=True) if isinstance(value, (dict, list)) else value
        seen.setdefault((type(value), key), value)
    return list(seen.values())


def unlike(schemas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the distinct schemas, in order."""
    kept: list[dict[str, Any]] = []
    for schema in schemas:
        alike = any(other == schema and json.dumps(other) == json.dumps(schema) for other in kept)
        kept += [] if alike else [schema]
    return kept


def small(value: Any, limit: int = MAX_EXAMPLE_CHARACTERS) -> bool:
    """Tell whether a value is small enough to keep; `limit` counts characters of texts and 1 per other node."""
    budget = [limit]

    def spend(item: Any) -> bool:
        budget[0] -= len(item) if isinstance(item, str) else 1
        if budget[0] < 0:
            return False
        if isinstance(item, dict):
            return all(spend(key) and spend(inner) for key, inner in item.items())
        return all(spend(inner) for inner in item) if isinstance(item, list) else True

    return spend(value)


def named_examples(raw: Any) -> list[Any]:
    """Return the values of an `examples` field: a list of values, or a map of example objects (OpenAPI 3)."""
    if isinstance(raw, list):
        return raw
    if isinstance(raw, dict):
        return [item["value"] for item in raw.values() if isinstance(item, dict) and "value" in item]
    return [] if raw is None else [raw]


def keep_examples(values: list[Any], types: tuple[str, ...], enum: list[Any] | None) -> list[Any]:
    """Return the first `MAX_EXAMPLES` values that fit the types and the enum, converted."""
    kept = []
    for value in values[: 4 * MAX_EXAMPLES]:
        meant, usable = coerce(value, types)
        if usable and small(meant) and not _is_elided(meant) and (enum is None or meant in enum):
            kept.append(meant)
    return distinct(kept)[:MAX_EXAMPLES]


def _is_elided(value: Any) -> bool:
    """Tell whether an example is a text without spaces of which only the beginning is given: "eyJhbGciOi..."."""
    return isinstance(value, str) and _ELIDED.fullmatch(value) is not None


_ELIDED = re.compile(r"\S+(?:\.{3}|…)")


def infer_schema(sample: Any) -> dict[str, Any]:
    """Infer a schema from one sample result; each leaf keeps the sample's value in `examples`."""
    return _infer(sample, MAX_SAMPLE_DEPTH, [MAX_SAMPLE_FIELDS])


def _infer(sample: Any, depth: int, budget: list[int]) -> dict[str, Any]:
    kind = type_of(sample)
    budget[0] -= 1
    if kind == "null":
        return {}
    if kind == "object":
        fields = list(sample.items()) if depth > 0 else []
        return {"type": "object", "properties": {k: _infer(v, depth - 1, budget) for k, v in fields if budget[0] > 0}}
    if kind == "array":
        items = [_infer(item, depth - 1, budget) for item in sample[:5] if depth > 0 and budget[0] > 0]
        merged = items[0] if items else {}
        for item in items[1:]:
            merged = _union(merged, item)
        return {"type": "array", "items": merged} if merged else {"type": "array"}
    schema: dict[str, Any] = {"type": kind}
    if kind == "string":
        found = next((name for name, shape in _FORMATS if len(sample) < 500 and shape.fullmatch(sample)), None)
        schema |= {"format": found} if found else {}
    return schema | ({"examples": [sample]} if small(sample) and not _is_elided(sample) else {})


def _union(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that both of two inferred schemas satisfy."""
    if not one or not other:
        return one or other
    types = list(dict.fromkeys((*types_of(one), *types_of(other))))
    if {"integer", "number"} <= set(types):
        types.remove("integer")
    union: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if "properties" in one or "properties" in other:
        mine, yours = one.get("properties", {}), other.get("properties", {})
        union["properties"] = {
            key: _union(mine[key], yours[key]) if key in mine and key in yours else mine.get(key, yours.get(key))
            for key in dict.fromkeys((*mine, *yours))
        }
    if "items" in one or "items" in other:
        union["items"] = _union(one.get("items", {}), other.get("items", {}))
    if one.get("format") and one.get("format") == other.get("format"):
        union["format"] = one["format"]
    examples = distinct([*one.get("examples", []), *other.get("examples", [])])[:MAX_EXAMPLES]
    return union | ({"examples": examples} if examples else {})
