"""A normalised schema -> how many values its instances are forced to have, and the schema without what forces too many.

{"type": "array", "minItems": 3, "items": {"type": "array", "minItems": 3, ...}}   40 levels deep: 3 ** 40 values
"""

from typing import Any

MAX_VALUES = 20_000
"""Values that one instance may be forced to have: beyond that, no call is written and no answer made up."""

_TRIED = 5
"""Items that are made for each that is wanted, where they must differ and do not."""

_ITEMS = 100
"""Items of a list that are made at most."""

_BRANCHES = ("oneOf", "anyOf")


def forced_values(schema: Any) -> int:
    """Return how many values it takes to make an instance, of the largest branch where there are several."""
    if not isinstance(schema, dict) or "const" in schema or "enum" in schema:
        return 1
    properties, required = schema.get("properties", {}), schema.get("required", ())
    held = sum(forced_values(properties.get(name)) for name in required)
    held += sum(map(forced_values, [*schema.get("prefixItems", ()), *schema.get("allOf", ())]))
    items = schema.get("minItems", 0)
    if isinstance(items, int) and items > 0:
        held += (1 if items == 1 else min(items, _ITEMS) * _TRIED) * forced_values(schema.get("items"))
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
