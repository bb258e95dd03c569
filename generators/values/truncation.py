"""A value with thousands of fields -> the same with the outer ones: what lies deep in it and need not be there is left out.

{"id": 7, "message": {"text": "Hi", "reply_to": {"text": "Ho", "reply_to": {...}}}}  ->  {"id": 7, "message": {"text": "Hi"}}
"""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.validation import is_valid

LEAVES = 160
"""Plain values that one row, or one answer that is none, has at most where its schema allows to leave some out."""

_DEEPEST = 5
"""Objects within each other that are made at most."""


def trimmed(value: Any, schema: Mapping[str, Any], limit: int = LEAVES) -> Any:
    """Return a value with about `limit` plain values at most; as it is where it has few.

    Optional objects that lie deep are left out first, then the largest that its schema allows to leave out.
    """
    if _leaves(value) <= limit:
        return value
    valid = value
    for deepest in range(_DEEPEST, 0, -1):
        shorter = _cut(value, schema, deepest)
        valid = shorter if is_valid(shorter, schema) else valid
        if _leaves(shorter) <= limit:
            break
    return _without_largest(valid, schema, limit)


def _without_largest(value: Any, schema: Mapping[str, Any], limit: int) -> Any:
    """Return a value without its largest optional objects, as many as are too much."""
    sizes = {name: _leaves(item) for name, item in value.items() if _is_deep(item)} if isinstance(value, dict) else {}
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if _leaves(value) <= limit:
            break
        shorter = {key: item for key, item in value.items() if key != name}
        value = shorter if is_valid(shorter, schema) else value
    return value


def _leaves(value: Any) -> int:
    if isinstance(value, (str, int, float)):  # most values
        return 1
    if isinstance(value, Mapping):
        return sum(map(_leaves, value.values()))
    return sum(map(_leaves, value)) if isinstance(value, list) else 1


def _cut(value: Any, schema: Mapping[str, Any], deepest: int) -> Any:
    """Return a value without the optional objects that lie more than `deepest` objects deep in it."""
    if isinstance(value, list):
        items = schema.get("items")
        return [_cut(item, items if isinstance(items, Mapping) else {}, deepest) for item in value]
    if not isinstance(value, Mapping):
        return value
    fields, needed = object_properties(schema), schema.get("required", ())
    kept = {name: item for name, item in value.items() if deepest > 0 or name in needed or not _is_deep(item)}
    return {name: _cut(item, fields.get(name, {}), deepest - 1) for name, item in kept.items()}


def _is_deep(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(item, (Mapping, list)) for item in value)
    )
