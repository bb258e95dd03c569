"""The records of a tuple by their names: an index that is made once for each tuple.

It cannot be kept in the record that holds the tuple: copies of that record would have it too, whatever they change.
"""

from collections.abc import Mapping
from typing import Any

_INDEXED: dict[tuple[int, str], tuple[tuple[Any, ...], Mapping[str, Any]]] = {}
"""Tuples by their identity, and the field by which they are indexed, each with its index."""

_MOST = 256
"""Indexes that are kept."""


def indexed(records: tuple[Any, ...], field: str) -> Mapping[str, Any]:
    """Return records by one of their fields, in their order; the first of those that are called the same."""
    key = (id(records), field)
    held = _INDEXED.get(key)
    if held is not None and held[0] is records:
        return held[1]
    if len(_INDEXED) >= _MOST:
        _INDEXED.clear()
    made: dict[str, Any] = {}
    for record in records:
        made.setdefault(getattr(record, field), record)
    _INDEXED[key] = (records, made)
    return made
