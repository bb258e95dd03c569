"""A value with thousands of fields -> the same with deeply nested optional objects left out.

{"id": 7, "message": {"text": "Hi", "reply_to": {"text": "Ho", "reply_to": {...}}}}  ->  {"id": 7, "message": {"text": "Hi"}}
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid

LEAVES = 160
"""Maximum leaves of a row, or of an answer without a row, as far as its schema allows to leave some out."""

_PLAIN = frozenset((str, int, float, bool, type(None)))
"""Types of leaves, tested first since most values are leaves."""

DEEPEST = 5
"""Maximum level of nested objects that are kept."""


def trimmed(value: Any, schema: Mapping[str, Any], limit: int = LEAVES, kept: Collection[str] = ()) -> Any:
    """Return a value with at most about `limit` leaves; unchanged if it has no more.

    Deeply nested optional objects are left out first, then the largest ones at the top that the schema allows to leave out,
    except those whose names are to be `kept`.
    """
    if _holds_at_most(value, limit) >= 0:
        return value
    counts = leaves_by_level(value, schema)
    left = {deepest: sum(counts[: deepest + 1]) for deepest in range(DEEPEST, 0, -1)}
    last = next((deepest for deepest, count in left.items() if count <= limit), 1)
    cuts = (_cut(value, schema, deepest) for deepest in range(last, DEEPEST + 1))
    return _without_largest(
        next((shorter for shorter in cuts if is_valid(shorter, schema)), value), schema, limit, kept
    )


def leaves_by_level(value: Any, schema: Mapping[str, Any]) -> list[int]:
    """Return the numbers of leaves by the level of the innermost optional object around them; index 0 is for leaves in none.

    An object at the top of the value has level 1. Leaves that are too deep to be kept are not counted.
    """
    counts = [0] * (DEEPEST + 1)
    _count(value, schema, counts)
    return counts


def level_of(path: Sequence[str], schema: Mapping[str, Any]) -> int:
    """Return the level of the innermost optional object at or around a path (`*` for the items of a list); 0 for none."""
    level, depth = 0, 0
    for name in path:
        if name == "*":
            items = schema.get("items")
            schema = items if isinstance(items, Mapping) else {}
            continue
        depth += 1
        level = level if name in schema.get("required", ()) else depth
        schema = _properties(schema).get(name, {})
    return level


def _count(value: Any, schema: Mapping[str, Any], counts: list[int], depth: int = 0, within: int = -1) -> None:
    """Add the leaves of a value to `counts`; `within` is the depth of the innermost optional object around it, -1 for none."""
    if within >= DEEPEST:
        return
    at = within + 1
    if isinstance(value, list):
        items = schema.get("items")
        for item in value:
            if type(item) in _PLAIN:
                counts[at] += 1
            else:
                _count(item, items if isinstance(items, Mapping) else {}, counts, depth, within)
    elif isinstance(value, Mapping):
        fields, needed = _properties(schema), schema.get("required", ())
        for name, item in value.items():
            if type(item) in _PLAIN:
                counts[at] += 1
            else:
                optional = name not in needed and _is_deep(item)
                _count(item, fields.get(name, {}), counts, depth + 1, depth if optional else within)
    else:
        counts[at] += 1


def _without_largest(value: Any, schema: Mapping[str, Any], limit: int, kept: Collection[str]) -> Any:
    """Return a value without its largest optional objects, until at most `limit` leaves remain."""
    sizes = {name: _leaves(item) for name, item in value.items() if _is_deep(item)} if isinstance(value, dict) else {}
    left = _leaves(value)
    for name in sorted((name for name in sizes if name not in kept), key=lambda name: -sizes[name]):
        if left <= limit:
            break
        shorter = {key: item for key, item in value.items() if key != name}
        if is_valid(shorter, schema):
            value, left = shorter, left - sizes[name]
    return value


def _leaves(value: Any) -> int:
    if not _is_held(value):
        return 1
    count = 0
    for item in value if isinstance(value, list) else value.values():
        count += 1 if type(item) in _PLAIN else _leaves(item)
    return count


def _holds_at_most(value: Any, limit: int) -> int:
    """Return how many leaves more a value may hold, so that counting stops where it holds too many; negative if it does."""
    if not _is_held(value):
        return limit - 1
    for item in value if isinstance(value, list) else value.values():
        limit = limit - 1 if type(item) in _PLAIN else _holds_at_most(item, limit)
        if limit < 0:
            break
    return limit


def _is_held(value: Any) -> bool:
    return type(value) is dict or isinstance(value, (list, Mapping))


_properties = ObjectCache(object_properties)


def _cut(value: Any, schema: Mapping[str, Any], deepest: int) -> Any:
    """Return a value without the optional objects that are nested more than `deepest` levels."""
    if isinstance(value, list):
        items = schema.get("items")
        return [_cut(item, items if isinstance(items, Mapping) else {}, deepest) for item in value]
    if type(value) is not dict and not isinstance(value, Mapping):
        return value
    fields, needed = _properties(schema), schema.get("required", ())
    kept = {name: item for name, item in value.items() if deepest > 0 or name in needed or not _is_deep(item)}
    return {
        name: item if type(item) in _PLAIN else _cut(item, fields.get(name, {}), deepest - 1)
        for name, item in kept.items()
    }


def _is_deep(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_held(item) for item in value)
    return _is_held(value)
