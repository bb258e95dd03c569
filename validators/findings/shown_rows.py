"""Results and a sentence -> values told of one row that belong to another: this van, at the price of that one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import last_name, leaves, starred
from interplay.schemas.json.fields import is_number
from interplay.schemas.json.json_text import json_value
from interplay.schemas.words.identifiers import name_tokens, names_identity
from interplay.schemas.words.text import Text, fold

_MOMENT = re.compile(r"\d{4}-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d).*)?")
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::\d\d)?")
_NAME = re.compile(r".*[A-Z0-9].*", re.DOTALL)
_CODED = re.compile(r"\d")
_LONGEST = 80
_SHORTEST = 4
_COUNTS = 31
"""Whole numbers up to this are mostly counts, which identify no row."""

_BULLET = "- "

_MOST = 120
"""Maximum number of rows of one kind that are compared; among more, a sentence identifies none."""

Value = tuple[str, Any]
"""A kind (name, day, time, number) and the value to compare."""


@dataclass
class _Row:
    """A row with all values that it has had: place -> values."""

    values: dict[str, set[Value]] = field(default_factory=dict)

    def holds(self, value: Value) -> bool:
        """Tell whether the row has had a value at any place."""
        return any(value in values for values in self.values.values())


@dataclass(frozen=True)
class _ReadRow:
    """A row as read from a result: its field names, its identity, its words by name, and its values by place."""

    kind: tuple[str, ...]
    identity: str
    words: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, Value], ...]


class ShownRows:
    """The rows of all results up to a point, by kind; a row that is shown again keeps its earlier values too."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, ...], dict[str, _Row]] = {}
        self._words: dict[str, set[str]] = {}
        self._written: set[str] = set()
        self._all: set[Value] = set()

    def take(self, content: str, written: bool) -> None:
        """Add the text of a result; texts `written` by a call may be told later, beside another write."""
        if written:
            self._written |= {leaf for _, leaf in leaves(json_value(content)) if isinstance(leaf, str)}
        for number, row in enumerate(_read(content)):
            held = self._kinds.setdefault(row.kind, {})
            made = held.setdefault(row.identity or f"{len(held)} {number}", _Row())
            for name, word in row.words:
                self._words.setdefault(name, set()).add(word)
            for place, one in row.values:
                made.values.setdefault(place, set()).add(one)
                self._all.add(one)

    def mentioned(self, text: Text) -> bool:
        """Tell whether a text contains a value of some row."""
        return bool(_told_in(text, self._all))

    def denied(self, text: Text, content: str, wished: Iterable[Text]) -> list[str]:
        """Return values told in a sentence about the row just written (`content`) that only other rows have in that field.

        Values that the user wished for, or that were written before, do not count.
        """
        if self._lists(text):
            return []
        row = only_row(json_value(content))
        own = {last_name(path): value for path, value in leaves(row) if isinstance(value, str) and value} if row else {}
        longer = {fold(word) for words in self._words.values() for word in words if _stands(text.folded, fold(word))}
        told = {
            value
            for value in own.values()
            if len(value) >= _SHORTEST
            and _stands(text.folded, fold(value))
            and not any(len(word) > len(value) and _stands(word, fold(value)) for word in longer)
        }  # the value "team" is not told by "the team lunch", another row's longer name
        wished, found = tuple(wished), list[str]()
        for key, value in own.items():
            if not value[:1].isalpha() or any(mark.isdigit() for mark in value) or _stands(text.folded, fold(value)):
                continue
            others = self._words.get(key, set())
            if told <= others:
                continue  # it tells of rows with these values, or nothing about this row
            for other in others:
                free = (
                    other not in own.values()
                    and other not in self._written
                    and not any(_stands(wish.folded, fold(other)) for wish in wished)
                )
                if free and _stands(text.folded, fold(other)):
                    found.append(other)
        return list(dict.fromkeys(found))

    def _lists(self, text: Text) -> bool:
        """Tell whether a text is a bullet of a list that begins with a row's name and tells values of that row only."""
        if not text.raw.lstrip().startswith(_BULLET):
            return False
        told, rest = _told_in(text, self._all), text.folded.lstrip().removeprefix(_BULLET)
        rows = (row for held in self._kinds.values() for row in held.values())
        begins = any(kind == "name" and rest.startswith(name) for kind, name in told)
        return begins and any(all(map(row.holds, told)) for row in rows)

    def strays(self, text: Text, wished: Sequence[Text]) -> list[str]:
        """Return the values in a sentence that belong to another row than everything else the sentence tells.

        Values that the user mentioned do not count: a row may be wanted like another one.
        """
        told = _told_in(text, self._all)
        told = told.difference(*(_told_in(wish, told) for wish in wished)) if len(told) > 1 else set()
        found: list[Value] = []
        if not told:
            return []
        for kind, rows in self._kinds.items():
            for stray in _strays(rows, told) if 1 < len(rows) <= _MOST else ():
                elsewhere = any(
                    row.holds(stray) for other, held in self._kinds.items() if other != kind for row in held.values()
                )
                if not elsewhere and not _is_reckoned(stray, text, wished):
                    found.append(stray)
        return [_told(value) for value in dict.fromkeys(found)]


@lru_cache(maxsize=256)
def _read(content: str) -> tuple[_ReadRow, ...]:
    """Read the rows of a result; cached, since many dialogues show it and several checks read it."""
    return tuple(_read_row(row) for row in rows_in(json_value(content)))


def _read_row(row: Mapping[str, Any]) -> _ReadRow:
    words, values = list[tuple[str, str]](), list[tuple[str, Value]]()
    for path, leaf in leaves(row):
        if isinstance(leaf, str) and _SHORTEST <= len(leaf) <= _LONGEST and leaf != leaf.lower():
            words.append((last_name(path), leaf))
        values += _values(path, leaf)
    return _ReadRow(tuple(sorted(row)), _identity(row), tuple(words), tuple(values))


def _strays(rows: Mapping[str, _Row], told: Set[Value]) -> Iterator[Value]:
    said = {one for row in rows.values() for values in row.values.values() for one in values & told}
    said -= {one for one in said if any(one != other and _within(one, other) for other in said)}
    shares = {key: said & {one for values in row.values.values() for one in values} for key, row in rows.items()}
    best = max(len(share) for share in shares.values())
    if best == len(said) or best < 2 or best != len(said) - 1:
        return
    left = []
    for key, share in shares.items():
        if len(share) != best:
            continue
        [stray] = said - share
        if stray[0] == "name" and _CODED.search(stray[1]):
            return  # a row named by its code is what the sentence is about, as it may be in a wish
        fields = {token for place in rows[key].values for token in name_tokens(last_name(place))}
        if stray[0] == "name" and fields.issuperset(stray[1].split()):
            return  # it is a field's name: "expected on 2 May" tells `expected_date`, not a status
        places = {place for row in rows.values() for place, values in row.values.items() if stray in values}
        own = [rows[key].values.get(place, set()) for place in places]
        if any(not values for values in own) or any(values & said for values in own):
            return  # the row's own value is told too, or none is known
        if len([row for row in rows.values() if share <= {v for values in row.values.values() for v in values}]) > 1:
            return  # the other values do not identify the row
        left.append(stray)
    if left:
        yield left[0]


def _is_reckoned(value: Value, text: Text, wished: Sequence[Text]) -> bool:
    """Tell whether a day is a number of days away from another one that is said: "a day longer, until 1 April"."""
    if value[0] != "day":
        return False
    counts = {number for said in (text, *wished) for number in said.numbers}
    own = _of_year(value[1])
    others = [_of_year(day[1:]) for day in text.moments.days if day[1:] != value[1]]
    return own is not None and any(abs(own - other) in counts for other in others if other is not None)


def _of_year(day: tuple[int, int]) -> int | None:
    """Return the day of a leap year for (month, day); None if there is no such day."""
    try:
        return date(_LEAP_YEAR, *day).timetuple().tm_yday
    except ValueError:
        return None


_LEAP_YEAR = 2028


def _told(value: Value) -> str:
    kind, told = value
    return f"{told:g}" if kind == "number" else told if kind == "name" else "-".join(f"{part:02d}" for part in told)


def only_row(value: Any) -> Mapping[str, Any] | None:
    """Return a value if it is an object, without wrapper objects that hold a single object; None otherwise."""
    while isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), dict):
        value = next(iter(value.values()))
    return value if isinstance(value, dict) else None


def _within(one: Value, other: Value) -> bool:
    """Tell whether a value is only part of a name: the number of a house."""
    if other[0] != "name":
        return False
    return one[1] in other[1] if one[0] == "name" else one[0] == "number" and one[1] in Text(other[1]).numbers


def rows_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a value that have some field other than objects and lists."""
    if isinstance(value, list):
        for item in value:
            yield from rows_in(item)
    elif isinstance(value, dict):
        if any(not isinstance(item, (dict, list)) for item in value.values()):
            yield value
        else:
            for item in value.values():
                yield from rows_in(item)
        for item in value.values():
            if isinstance(item, list) and any(isinstance(one, dict) for one in item):
                yield from rows_in(item)


def _identity(row: Mapping[str, Any]) -> str:
    """Return a key for a row: its first identity, number or code, else its first text."""
    for key, value in row.items():
        if (
            isinstance(value, (str, int))
            and not isinstance(value, bool)
            and (names_identity(key) or key.lower().endswith(("number", "code")))
        ):
            return f"{key} {value}"
    return next((f"{key} {value}" for key, value in row.items() if isinstance(value, str)), "")


def _values(path: str, leaf: Any) -> Iterator[tuple[str, Value]]:
    place = starred(path)
    for value in leaf if isinstance(leaf, list) else [leaf]:
        if is_number(value):
            if abs(value) > _COUNTS or value != int(value):
                yield place, ("number", float(value))
        elif isinstance(value, str) and value:
            moment, clock = _MOMENT.fullmatch(value), _CLOCK.fullmatch(value)
            if moment is not None:
                yield f"{place} day", ("day", (int(moment[1]), int(moment[2])))
                if moment[3] is not None:
                    yield f"{place} time", ("time", (int(moment[3]), int(moment[4])))
            elif clock is not None:
                yield place, ("time", (int(clock[1]), int(clock[2])))
            elif _SHORTEST <= len(value) <= _LONGEST and _NAME.fullmatch(value):
                yield place, ("name", Text(value).folded)


def _told_in(text: Text, values: Set[Value]) -> set[Value]:
    """Return those of `values` that a text says."""
    kinds = {kind for kind, _ in values}
    figures: set[Value] = {("day", day[1:]) for day in text.moments.days} if "day" in kinds else set()
    figures |= {("time", clock[:2]) for clock in text.moments.times} if "time" in kinds else set()
    figures |= {("number", number) for number in text.numbers} if "number" in kinds else set()
    return (figures & values) | {(kind, told) for kind, told in values if kind == "name" and _stands(text.folded, told)}


def _stands(text: str, name: str) -> bool:
    place = text.find(name)
    while place != -1:
        before, after = text[place - 1 : place], text[place + len(name) : place + len(name) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        place = text.find(name, place + 1)
    return False
