"""A normalised schema -> how many values its instances are forced to have, and the schema without what forces too many.

{"type": "array", "minItems": 3, "items": {"type": "array", "minItems": 3, ...}}   40 levels deep: 3 ** 40 values
"""

from typing import Any

MAX_VALUES = 5_000
"""Values that one instance may be forced to have: beyond that, no call is written and no answer made up."""

MAX_ITEMS = 20
"""Items that a list may be forced to have; they differ, so that many are tried for each."""

MAX_PARAMETERS = 500
"""The most parameters of one tool: more do not fit a dialogue, and they are compared pairwise."""

_TRIED = 5
"""Items that are made for each that is wanted, where they must differ and do not."""

_BRANCHES = ("oneOf", "anyOf")


def forced_values(schema: Any) -> int:
    """Return how many values it takes to make an instance, of the largest branch where there are several.

    Fields that may be left out count as well: rows have them.
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
    """Return a schema that forces no list, at any depth, to have items."""
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
    """Return why a tool with these parameters is left out; empty where it is not."""
    count = len(schema.get("properties", {}))
    return f"has {count} parameters, {MAX_PARAMETERS} at most are used" if count > MAX_PARAMETERS else ""
