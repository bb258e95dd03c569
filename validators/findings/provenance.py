"""Everything that a dialogue has said, passed and returned up to a point: the possible sources of the assistant's values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from sys import float_info
from typing import Any, NamedTuple

from interplay.schemas.json.canonical import canonical_json, leaves
from interplay.schemas.json.fields import is_number
from interplay.schemas.json.json_text import json_value, read_result
from interplay.schemas.records.dialogue import Message
from interplay.schemas.words.dates import first_day, months_in, relative_days
from interplay.schemas.words.mentions import said
from interplay.schemas.words.numbers import has_digits
from interplay.schemas.words.text import Text, normalised

_INDEX = re.compile(r"/\d+(?=/|$)")
_ROWS = 200
"""Maximum number of rows of a list that are compared with each other."""
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d).*)?")
_DAY_NUMBER = re.compile(r"(?<![\w:.,/-])([12]?\d|3[01])(?:[^\W\d_]{1,2}|[.º°ª])?(?![\w:/])(?!\.\d)")
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?")


class _Held(NamedTuple):
    """The content of a result: its values, the lengths of its lists, its numbers, and its texts with digits."""

    values: frozenset[Any]
    counts: frozenset[float]
    leaves: frozenset[float]
    worded: frozenset[str]


@lru_cache(maxsize=256)
def _held_by(content: str) -> _Held:
    """Read the text of a result; cached, since many dialogues show the same results."""
    result = read_result(content)
    values, counts, numbers, worded = set[Any](), set[float](), set[float](), set[str]()
    _collect(result, values, counts)
    for _, value in leaves(result):
        if is_reckonable(value):
            numbers.add(abs(float(value)))
        elif isinstance(value, str) and has_digits(value):
            worded.add(value)
            if _PLAIN.fullmatch(value):
                numbers.add(float(value))
    return _Held(frozenset(values), frozenset(counts), frozenset(numbers), frozenset(worded))


class Provenance:
    """Everything said, passed and returned up to a point of a dialogue."""

    def __init__(self, system_prompt: str, policy: str) -> None:
        self.user: list[Text] = []
        self.given = [normalised(text) for text in (system_prompt, policy) if text]
        self.today = first_day(system_prompt, policy)
        self._results: list[str] = []
        self._values: set[Any] = set()
        self._counts: set[float] = set()
        self._passed: list[Mapping[str, Any]] = []
        self._judged: set[Any] = set()
        self._leaves: set[float] = set()
        self._worded: set[str] = set()
        self._groups: tuple[int, list[list[float]]] = 0, []
        self._row_counts: tuple[int, frozenset[float]] = 0, frozenset()
        self._heard: list[str] = [text.raw.lower() for text in self.given]

    def hear(self, message: Message) -> None:
        """Add a user's words or a tool's result."""
        if message.role == "user":
            self.user.append(normalised(message.content))
            self._heard.append(message.content.lower())
        elif message.role == "tool":
            self._results.append(message.content)
            self._heard.append(message.content.lower())
            held = _held_by(message.content)
            self._values |= held.values
            self._counts |= held.counts
            self._leaves |= held.leaves
            self._worded |= held.worded

    def take(self, arguments: Mapping[str, Any]) -> None:
        """Add the arguments of a call: they may be told afterwards, and are judged at the call itself."""
        self._passed.append(arguments)
        for _, value in leaves(arguments):
            self._judged.update(
                _hashable(item) for item in (value if isinstance(value, list) else [value]) if item != {}
            )

    def was_passed(self, value: Any) -> bool:
        """Tell whether a text was an argument of an earlier call, where it was judged."""
        return isinstance(value, str) and value in self._judged

    def passed(self) -> list[Text]:
        """Return the arguments of all calls as texts."""
        return [normalised(canonical_json(arguments)) for arguments in self._passed]

    def holds(self, word: str) -> bool:
        """Tell whether a word, in lower case, occurs in anything said, passed or returned."""
        return any(word in text for text in self._heard) or any(word in text.raw.lower() for text in self.passed())

    def heard(self, number: float) -> bool:
        """Tell whether the user, the policy or the system prompt says a number."""
        return any(number in text.numbers for text in (*self.user, *self.given))

    def numbers(self) -> list[float]:
        """Return the numbers in the results, and the lengths of their lists."""
        return [*self._counts, *(float(value) for value in self._values if isinstance(value, (int, float)))]

    def leaf_numbers(self) -> frozenset[float]:
        """Return the absolute values of numbers in result fields, including texts that consist of a number."""
        return frozenset(self._leaves)

    def text_numbers(self) -> frozenset[float]:
        """Return the numbers within texts of the results, such as "20 mg", and in results that are not JSON."""
        return frozenset(number for text in self._worded for number in normalised(text).numbers)

    def last_passed(self) -> list[float]:
        """Return the numbers in the arguments of the last call."""
        return [float(value) for _, value in leaves(self._passed[-1]) if is_reckonable(value)] if self._passed else []

    def groups(self) -> list[list[float]]:
        """Return lists of numbers that may be added up: columns of each list of rows, the same for rows that share a value, and
        objects that hold nothing but numbers."""
        if len(self._groups[1]) and self._groups[0] == len(self._results):
            return self._groups[1]
        found: list[list[float]] = self.columns()
        for result in map(json_value, self._results):
            for rows in _lists_of_rows(result):
                found += _grouped(rows)
            found += _parts(result)
        self._groups = len(self._results), found
        return found

    def counts_of_rows(self) -> frozenset[float]:
        """Return how many rows of each list share a value, how many do not, and the lengths of lists."""
        if self._row_counts[0] != len(self._results):
            found: set[float] = set()
            for result in map(json_value, self._results):
                for rows in _lists_of_rows(result):
                    found |= {float(count) for count in _counted_rows(rows)}
            self._row_counts = len(self._results), frozenset(found)
        return self._row_counts[1] | self._counts

    def columns(self) -> list[list[float]]:
        """Return the columns of the results: the numbers at the same place of each item of a list."""
        found: dict[tuple[int, str], list[float]] = {}
        for place, text in enumerate(self._results):
            for pointer, value in leaves(json_value(text)):
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    found.setdefault((place, _INDEX.sub("/*", pointer)), []).append(float(value))
        return list(found.values())

    def returned(self, value: Any) -> bool:
        """Tell whether a result holds exactly this value."""
        return _hashable(value) in self._values

    def counted(self, number: float) -> bool:
        """Tell whether a result holds this number, or a list of this length."""
        return number in self._values or number in self._counts or number in self._leaves

    def results(self) -> list[Text]:
        """Return the texts of all results."""
        return [normalised(text) for text in self._results]

    def named_relatively(self, value: Any) -> bool:
        """Tell whether the user named this day relative to today, the first date in the system prompt."""
        found = _DATE.fullmatch(value) if isinstance(value, str) else None
        today = self.today if found is not None else None
        if found is None or today is None:
            return False
        day = int(found[1]), int(found[2]), int(found[3])
        if not any(day in relative_days(text.folded, today) for text in self.user):
            return False
        return len(value) <= 10 or said([*self.user, *self.results()], value[11:16])

    def names_day(self, year: int | None, month: int, day: int) -> bool:
        """Tell whether the user names a day by its number alone ("the 10th"), in a month that was mentioned."""
        if not any(day == int(found[1]) for text in self.user for found in _DAY_NUMBER.finditer(text.folded)):
            return False
        texts = [*self.user, *self.given, *self.results()]
        known = {(told[0], told[1]) for text in texts for told in text.moments.days}
        known |= {told for text in texts for told in text.moments.months}
        known |= {(None, told) for text in self.user for told in months_in(text.words)}
        years = {other for other, _ in known if other is not None}
        fits = year is None or year in years or not years
        return fits and any(told == month and (year is None or other in (None, year)) for other, told in known)

    def names_parts(self, value: Any) -> bool:
        """Tell whether a value is composed of parts that were said: "the 10th" of a month that was mentioned, card_4410."""
        if not isinstance(value, str):
            return False
        found = _MOMENT.fullmatch(value)
        if found is not None:
            named = self.names_day(int(found[1]), int(found[2]), int(found[3]))
            return named and (found[4] is None or said([*self.user, *self.given, *self.results()], found[4]))
        parts = [part.lower() for part in _PARTS.findall(value)]
        return (
            len(parts) > 1
            and any(part.isdigit() and len(part) > 2 for part in parts)
            and any(all(part in text.words for part in parts) for text in self.user)
        )


def is_reckonable(value: Any) -> bool:
    """Tell whether a value is a finite number."""
    return is_number(value) and abs(value) <= float_info.max


def _lists_of_rows(value: Any) -> Iterator[list[Mapping[str, Any]]]:
    """Yield each list of two or more objects in a value; the values of an object count too if all have the same keys."""
    if isinstance(value, list):
        rows = [item for item in value if isinstance(item, Mapping)]
        if len(rows) > 1:
            yield rows
        for item in value:
            yield from _lists_of_rows(item)
    elif isinstance(value, Mapping):
        rows = [item for item in value.values() if isinstance(item, Mapping)]
        if len(rows) > 1 and all(rows[0].keys() == row.keys() for row in rows):
            yield rows
        for item in value.values():
            yield from _lists_of_rows(item)


def _by_value(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the groups of rows that have a value in common."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows[:_ROWS]:
        for key, value in leaves(row):
            if isinstance(value, (str, bool)):
                groups.setdefault((key, str(value)), []).append(row)
    yield from groups.values()


def _grouped(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[float]]:
    for group in _by_value(rows):
        if 1 < len(group) < len(rows):
            columns: dict[str, list[float]] = {}
            for row in group:
                for key, value in leaves(row):
                    if is_reckonable(value):
                        columns.setdefault(key, []).append(float(value))
            yield from columns.values()


def _parts(value: Any) -> Iterator[list[float]]:
    """Yield the numbers of each object that holds nothing else, such as the parts of a price."""
    if isinstance(value, Mapping):
        numbers = [float(item) for item in value.values() if is_reckonable(item)]
        if 1 < len(numbers) == len(value):
            yield numbers
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _parts(item)


def _counted_rows(rows: Sequence[Mapping[str, Any]]) -> set[int]:
    sizes = {len(group) for group in _by_value(rows)}
    return sizes | {len(rows) - size for size in sizes} | {len(rows)}


def _collect(value: Any, values: set[Any], counts: set[float]) -> None:
    if isinstance(value, (str, int, float)):  # most values; the checks below are slower
        values.add(_hashable(value))
    elif isinstance(value, list):
        counts.add(float(len(value)))
        for item in value:
            _collect(item, values, counts)
    elif isinstance(value, Mapping):
        for item in value.values():
            _collect(item, values, counts)
    else:
        values.add(value)


def _hashable(value: Any) -> Any:
    return ("boolean", value) if isinstance(value, bool) else value
