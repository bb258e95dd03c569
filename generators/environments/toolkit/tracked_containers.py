"""Dicts and lists that report the entry they belong to before they change, and otherwise behave as plain ones."""

from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from copy import deepcopy
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import wraps
from typing import Any
from uuid import UUID

Entry = tuple[Hashable, ...]
"""One unit of state: (attribute, key) for an item of a dict attribute, (attribute,) for any other attribute."""

Touch = Callable[[Entry], None]
SCALARS = frozenset((str, int, float, bool, type(None), bytes, complex, Decimal, UUID, date, time, timedelta))


class TrackedDict(dict[Any, Any]):
    """A dict inside an entry; copies of it are plain."""

    __slots__ = ("_touch", "entry")

    def __init__(self, values: dict[Any, Any], entry: Entry, touch: Touch) -> None:
        dict.__init__(self, values)
        self.entry, self._touch = entry, touch

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return {key: deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class TrackedList(list[Any]):
    """A list inside an entry; copies of it are plain."""

    __slots__ = ("_touch", "entry")

    def __init__(self, values: list[Any], entry: Entry, touch: Touch) -> None:
        list.__init__(self, values)
        self.entry, self._touch = entry, touch

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [deepcopy(value, memo) for value in self]

    def __reduce_ex__(self, _protocol: Any) -> Any:
        return list, (list(self),)


def _reporting(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of dict or list that reports the entry before it changes anything."""

    @wraps(method)
    def report(self: Any, *arguments: Any, **values: Any) -> Any:
        self._touch(self.entry)
        return method(self, *arguments, **values)

    return report


_CHANGES: Mapping[type, tuple[str, ...]] = {
    TrackedDict: ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"),
    TrackedList: (
        "__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend", "insert", "pop", "remove",
        "reverse", "sort",
    ),
}  # fmt: skip
for _kind, _names in _CHANGES.items():
    for _name in _names:
        setattr(_kind, _name, _reporting(getattr(_kind.__base__, _name)))


class Table(dict[Any, Any]):
    """A dict attribute with an entry for each key; `places` gives each key an ascending number that is never reused."""

    __slots__ = ("_free", "_touch", "attribute", "places")

    def __init__(self, attribute: str, values: dict[Any, Any], touch: Touch, free: Iterator[int]) -> None:
        dict.__init__(self, values)
        self.attribute, self._touch, self._free = attribute, touch, free
        self.places = dict(zip(values, free, strict=False))

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return {key: deepcopy(value, memo) for key, value in self.items()}

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._touch((self.attribute, key))
        if key not in self.places:
            self.places[key] = next(self._free)
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: Any) -> None:
        self._touch((self.attribute, key))
        dict.__delitem__(self, key)
        del self.places[key]

    def __ior__(self, other: Any) -> "Table":  # type: ignore[misc]
        self.update(other)
        return self

    def popitem(self) -> tuple[Any, Any]:
        if not self:
            return dict.popitem(self)
        key = next(reversed(self))
        return key, self.pop(key)

    def pop(self, key: Any, *default: Any) -> Any:
        if key not in self:
            return dict.pop(self, key, *default)
        value = self[key]
        del self[key]
        return value

    # These change the table only through the methods above, so that each entry is reported.
    clear, setdefault, update = MutableMapping.clear, MutableMapping.setdefault, MutableMapping.update

    def put(self, key: Any, value: Any) -> None:
        """Replace the value under an existing key without touching the entry."""
        dict.__setitem__(self, key, value)

    def put_back(self, rows: dict[Any, tuple[Any, int]], gone: set[Any]) -> None:
        """Set each row at its place and remove the keys in `gone`; a row put between others requires a reordering."""
        for key in gone:
            dict.pop(self, key, None)
            self.places.pop(key, None)
        last = self.places[next(reversed(self))] if self else -1
        ordered = True
        for key, (value, place) in sorted(rows.items(), key=lambda item: item[1][1]):
            if self.places.get(key) != place:
                ordered = ordered and place > last and key not in self
                last = place
                self.places[key] = place
            dict.__setitem__(self, key, value)
        if not ordered:
            values = dict(self)
            self.places = dict(sorted(self.places.items(), key=lambda item: item[1]))
            dict.clear(self)
            dict.update(self, {key: values[key] for key in self.places})


def is_trackable(value: Any) -> bool:
    """Tell whether `value` is made of plain dicts, lists and immutable scalars only."""
    kind = type(value)
    if kind in SCALARS:
        return True
    if kind in (dict, TrackedDict, Table):
        constant = SCALARS.issuperset(map(type, value)) or all(_is_constant(key) for key in value)
        return constant and (is_flat(value) or all(is_trackable(item) for item in value.values()))
    if kind in (list, TrackedList):
        return all(type(item) in SCALARS or is_trackable(item) for item in value)
    return _is_constant(value)


def is_flat(value: Mapping[Any, Any]) -> bool:
    """Tell whether a dict holds only plain scalars, as most rows do."""
    return SCALARS.issuperset(map(type, value.values()))


def _is_constant(value: Any) -> bool:
    kind = type(value)
    if kind in (tuple, frozenset):
        return all(_is_constant(item) for item in value)
    return kind in SCALARS or issubclass(kind, Enum | date)


def plain_copy(value: Any, memo: dict[int, Any]) -> Any:
    """Return a copy of a trackable value in plain containers; shared parts stay shared."""
    kind = type(value)
    if kind in (dict, TrackedDict, Table):
        if id(value) not in memo:
            memo[id(value)] = {
                key: item if type(item) in SCALARS else plain_copy(item, memo) for key, item in value.items()
            }
        return memo[id(value)]
    if kind in (list, TrackedList):
        if id(value) not in memo:
            memo[id(value)] = [item if type(item) in SCALARS else plain_copy(item, memo) for item in value]
        return memo[id(value)]
    return value
