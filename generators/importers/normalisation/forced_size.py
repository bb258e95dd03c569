"""A normalised schema -> the number of values that an instance must have, and the schema without that demand.

{"type": "array", "minItems": 3, "items": {"type": "array", "minItems": 3, ...}}   40 levels deep: 3 ** 40 values
"""

from typing import Any

MAX_VALUES = 5_000
"""Most values that an instance may be forced to have."""

MAX_ITEMS = 20
"""Most items that a list may be forced to have."""

MAX_PARAMETERS = 500
"""Most parameters of a tool: more do not fit a dialogue, and parameters are compared pairwise."""

_TRIED = 5
"""Attempts at each item of a list of several, since items must differ."""

_BRANCHES = ("oneOf", "anyOf")


def forced_values(schema: Any) -> int:
    """Return how many values it takes to make an instance, by the largest branch of a choice.

    Optional fields count as well, since rows have them.
    """
    if not isinstance(schema, dict) or "const" in schema or "enum" in schema:
        return 1
    held = sum(map(forced_values, schema.get("properties", {}).values()))
    held += sum(map(forced_values, [*schema.get("prefixItems", ()), *schema.get("allOf", ())]))
    items = schema.get("minItems", 0)
    if isinstance(items, int) and items > MAX_ITEMS:
        return MAX_VALUES + 1
    if "items" in schema:
        held += (items * _TRIED if isinstance(items, int) and items > 1 else 1) * forced_values(schema["items"])
    for key in _BRANCHES:
        held += max(map(forced_values, schema.get(key, ())), default=0)
    return min(1 + held, MAX_VALUES + 1)


def without_forced_items(schema: Any) -> Any:
    """Return the schema without `minItems`, at any depth."""
    if isinstance(schema, list):
        return [without_forced_items(item) for item in schema]
    if not isinstance(schema, dict) or "const" in schema or "enum" in schema:
        return schema
    return {
        key: without_forced_items(value)
        for key, value in schema.items()
        if key != "minItems" or not isinstance(value, int)
    }


def too_many_parameters(schema: dict[str, Any]) -> str:
    """Return the reason to reject a tool with these parameters; empty if there is none."""
    count = len(schema.get("properties", {}))
    return f"has {count} parameters, {MAX_PARAMETERS} at most are used" if count > MAX_PARAMETERS else ""
