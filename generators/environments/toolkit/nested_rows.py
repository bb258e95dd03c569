"""Attributes of any shape -> the rows inside them, by their keys: lists of objects, and rows nested deeper.

self.orders = [Order(order_id="o1", items=[...])]    orders = {"o1": {...}}, orders.items = {"i1": {..., "_parents": ...}}
self.bookings = {"ada": [{"id": 7}]}                 bookings.bookings = {7: {...}}
self.home = Home(rooms=[Room(name="hall")])          home.rooms = {"hall": {...}}

A dict attribute whose values are rows is a table already (see tracker). Other rows are found here, if a tool has a parameter for
their identity.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import Any
from uuid import UUID

from interplay.generators.environments.toolkit.plain_json import as_json, attributes_of
from interplay.generators.environments.toolkit.tracked_containers import is_trackable
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

DEPTH = 4
"""Steps from an attribute to rows at most."""

ROWS = 2_000
"""Rows of one place that are examined to find their identity."""

PARTS = 500
"""Values inside one row at most; a larger one is a graph of objects, not a record."""

OBJECTS = 2
"""Levels of nested objects whose attributes are searched."""

_ANY = "*"
_PLAIN = (str, int, float, bool, bytes, type(None), Enum, date, time, timedelta, Decimal, UUID)
_IDENTIFYING = ("id", "key", "code", "number", "name")


@dataclass(frozen=True)
class Place:
    """Where rows are: the path to their container, with `*` for each item, and the field that identifies them.

    `parent` is the table whose rows contain the container; `identity` is empty if the rows are identified by dict keys.
    """

    table: str
    path: tuple[str, ...]
    identity: str
    parent: str = ""


def find_places(attributes: Mapping[str, Any], tables: Mapping[str, Any], taken: Collection[str]) -> tuple[Place, ...]:
    """Return the places of rows besides `tables`, each under a unique name; `taken` are the parameters of all tools."""
    wanted = {tuple(name_tokens(name)) for name in taken}
    found: dict[str, Place] = {}
    for name, value in attributes.items():
        if not name.startswith("_"):
            for place in _places(value, (name,), wanted, name if name in tables else "", 0):
                called = place.table if place.table not in {*tables, *found} else f"{place.table}.{name}"
                found[called] = replace(place, table=called)
    return tuple(found.values())


class NestedRows(Mapping[Any, Any]):
    """The rows at a place as they are now, each converted to JSON when it is accessed."""

    def __init__(self, place: Place, attributes: Mapping[str, Any]) -> None:
        self._place, self._attributes = place, attributes
        self._shown: dict[Any, Any] = {}

    @cached_property
    def _held(self) -> dict[Any, tuple[Any, Any]]:
        """Key -> (live row, key of the row that contains it)."""
        place, found = self._place, dict[Any, tuple[Any, Any]]()
        start = self._attributes.get(place.path[0])
        for container, above in _containers(start, place.path[1:], None, place.path[0]):
            items = container.items() if isinstance(container, Mapping) else enumerate(container)
            for number, item in items:
                fields = _fields(item)
                key = as_json((fields or {}).get(place.identity), lenient=True) if place.identity else number
                if fields is not None and isinstance(key, (str, int)) and not isinstance(key, bool):
                    found[key] = (item, above)
        return found

    def __getitem__(self, key: Any) -> Any:
        if key not in self._shown:
            item, above = self._held[key]
            row = as_json(item, lenient=True)
            parent = "_".join(_stem(self._place.parent))
            self._shown[key] = {**row, "_parents": {parent: above}} if parent and above is not None else row
        return self._shown[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def _places(
    value: Any, path: tuple[str, ...], wanted: set[tuple[str, ...]], parent: str, depth: int
) -> Iterator[Place]:
    """Yield the places of rows in the value at a path, outer ones first."""
    if depth > DEPTH:
        return
    name = next(step for step in reversed(path) if step != _ANY)
    if isinstance(value, (list, tuple)):
        rows = _rows(value[:ROWS])
        if rows and len(rows) == len(value[:ROWS]):
            identity = _identity(name, rows, wanted)
            if identity:
                yield Place(_table(path), path, identity, parent)
            yield from _inner(rows, (*path, _ANY), wanted, name if identity else "", depth)
        elif not value and _may_hold(name, wanted):
            yield Place(
                _table(path), path, "id" if (*_stem(name), "id") not in wanted else "_".join((*_stem(name), "id"))
            )
    elif isinstance(value, Mapping):
        held = list(value.values())[:ROWS]
        rows = _rows(held)
        table = bool(rows) and len(rows) == len(held) and _alike(rows)
        if table and depth and _may_hold(name, wanted):
            yield Place(_table(path), path, "", parent)
        if table:
            yield from _inner(rows, (*path, _ANY), wanted, name, depth)
        elif value and all(isinstance(item, (list, tuple)) for item in value.values()):
            joined = [item for items in value.values() for item in items]
            yield from _places(joined, (*path, _ANY), wanted, "", depth + 1)
        else:
            for key, item in value.items():
                if isinstance(key, str) and not key.startswith("_"):
                    yield from _places(item, (*path, key), wanted, "", depth + 1)
    elif _fields(value) is not None and depth < OBJECTS:
        for key, item in (_fields(value) or {}).items():
            if isinstance(item, (list, dict)) or depth + 1 < OBJECTS:
                yield from _places(item, (*path, key), wanted, "", depth + 1)


def _table(path: tuple[str, ...]) -> str:
    """Return the name of a table: the steps of its path without `*`."""
    return ".".join(step for step in path if step != _ANY)


def _inner(
    rows: list[dict[str, Any]], path: tuple[str, ...], wanted: set[tuple[str, ...]], parent: str, depth: int
) -> Iterator[Place]:
    """Yield the places of rows in the fields of rows."""
    for name in dict.fromkeys(name for row in rows for name in row):
        held = [row[name] for row in rows if isinstance(row.get(name), (list, dict))]
        if held and all(isinstance(value, list) for value in held):
            joined = [item for value in held for item in value]
            if joined and all(isinstance(item, dict) for item in joined):
                yield from _places(joined, (*path, name), wanted, parent, depth + 1)
        elif held and all(isinstance(value, dict) for value in held):
            united = {key: item for value in held for key, item in value.items()}
            if united and all(isinstance(item, dict) for item in united.values()):
                yield from _places(united, (*path, name), wanted, parent, depth + 1)


def _containers(value: Any, path: tuple[str, ...], key: Any, last: str) -> Iterator[tuple[Any, Any]]:
    """Yield each container at a path, with the key of the row that contains it."""
    if not path:
        if isinstance(value, (list, tuple, Mapping)):
            yield value, key
        return
    step, rest = path[0], path[1:]
    if step != _ANY:
        held = value if isinstance(value, Mapping) else _fields(value)
        if held is not None and step in held:
            yield from _containers(held[step], rest, key, step)
    elif isinstance(value, Mapping):
        for number, item in value.items():
            yield from _containers(item, rest, number, last)
    elif isinstance(value, (list, tuple)):
        for item in value:
            row = _fields(item) or {}
            yield from _containers(item, rest, own_key(last, row), last)


def own_key(name: str, row: Mapping[str, Any]) -> Any:
    """Return the value that identifies a row, by the usual names of such fields; none if there is none."""
    called = "_".join(_stem(name))
    fields = (field for ending in _IDENTIFYING for field in (f"{called}_{ending}", ending))
    return next((row[field] for field in fields if isinstance(row.get(field), (str, int))), None)


def _row(item: Any) -> dict[str, Any] | None:
    """Return an item as a row if it is a record: with named fields, and not too large."""
    if not isinstance(item, Mapping) and _fields(item) is None:
        return None
    if not item or next(_parts(item, PARTS), None) is not None:
        return None
    return item if type(item) is dict and is_trackable(item) else as_json(item, lenient=True)


def _rows(items: Sequence[Any]) -> list[dict[str, Any]]:
    """Return items as rows, up to the first that is not a record."""
    return [row for row in takewhile(lambda row: row is not None, map(_row, items)) if row is not None]


def _parts(value: Any, left: int) -> Iterator[str]:
    """Yield the reason why a value is not a record, if so: too many parts, or a part without named fields."""
    waiting, seen = [value], 0
    while waiting:
        held, seen = waiting.pop(), seen + 1
        if seen > left:
            yield "too large"
            return
        if isinstance(held, (list, tuple, set, frozenset)):
            waiting += held
        elif isinstance(held, _PLAIN):
            continue
        else:
            fields = _fields(held)
            if fields is None or any(not isinstance(key, (str, int)) for key in fields):
                yield "no record"
                return
            waiting += fields.values()


def _fields(value: Any) -> Mapping[Any, Any] | None:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, (*_PLAIN, list, tuple, set, frozenset)):
        return None
    return attributes_of(value)


def _identity(name: str, rows: list[dict[str, Any]], wanted: set[tuple[str, ...]]) -> str:
    """Return the field that identifies rows and that some tool has a parameter for; empty if there is none."""
    stem, fields = _stem(name), list(rows[0])
    unique = [field for field in fields if _is_unique(row.get(field) for row in rows)]

    def rank(field: str) -> tuple[bool, bool, int]:
        tokens = tuple(name_tokens(field))
        return tokens != (*stem, "id"), tokens != ("id",), fields.index(field)

    for field in sorted(unique, key=rank):
        tokens = tuple(name_tokens(field))
        last = _IDENTIFYING if len(tokens) > 1 or tokens[0] in _IDENTIFYING else ()
        forms = {tokens, (*stem, *tokens), (*stem[-1:], *tokens), *((stem, stem[-1:]) if last else ())}
        if forms & wanted:
            return field
    return ""


def _is_unique(values: Iterable[Any]) -> bool:
    held = list(values)
    scalars = all(isinstance(value, (str, int)) and not isinstance(value, bool) for value in held)
    return scalars and len(set(held)) == len(held)


def _may_hold(name: str, wanted: set[tuple[str, ...]]) -> bool:
    """Tell whether a tool has a parameter for the identity of rows in a container, by the container's name."""
    stem = _stem(name)
    return any(
        (*part, *ending) in wanted for part in (stem, stem[-1:]) for ending in ((), *((e,) for e in _IDENTIFYING))
    )


def _stem(name: str) -> tuple[str, ...]:
    tokens = name_tokens(name)
    return (*tokens[:-1], singular(tokens[-1])) if tokens else ()


def _alike(rows: list[dict[str, Any]]) -> bool:
    """Tell whether rows are of one kind: all share at least half of the fields of the largest."""
    shared = set(rows[0]).intersection(*rows[1:])
    return 2 * len(shared) >= max(map(len, rows))
