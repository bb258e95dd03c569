"""What has been said and returned -> whether a number can be reckoned from it, and which days and times it names."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache, cached_property
from itertools import combinations

from interplay.schemas.words.dates import Clock, relative_days
from interplay.schemas.words.numbers import read_numbers
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.provenance import Provenance, today_in
from interplay.validators.language.phrases import pattern

_FACTORS = (
    1.0,
    100.0,
    0.01,
    1000.0,
    0.001,
    60.0,
    1 / 60,
    1 / 3600,
    24.0,
    1 / 24,
    1 / 60_000,
    1 / 1024,
    1 / 1024**2,
    1e-6,
)
"""Cents and units, parts of a thousand, minutes, hours, bytes: what one number becomes when it is said in another unit."""

_TOTALS = pattern("totals", re.NOFLAG)
_DAYS = "day|night|tage?n?\\b|nacht"
_WEEKS = "week|woche"
_MONTHS = "month|monat"
_YEARS = "year|jahr|annual"
_HOURS = "hour|stunde"
_MINUTES = "minute|duration|length"
_LENGTHS = "duration|length|time|seconds|minutes|_ms|_s"
UNITS = {"day": _DAYS, "week": _WEEKS, "month": _MONTHS, "year": _YEARS, "hour": _HOURS, "minute": _MINUTES}
"""How words and fields name the units in which one counts from a day or a time to another one."""

_SUMMED = 12
"""The longest list of which all sums are tried: 4,096 of them."""
_MANY = 400
"""From so many numbers on, nearly everything can be reckoned."""
_COUNTS = 366.0


class Arithmetic:
    """All that a dialogue holds up to a message, in the forms that are reckoned with; made only for what is in doubt."""

    def __init__(self, sources: Provenance, background: str) -> None:
        self._sources = sources
        self._background = normalised(background)
        self.texts = [*sources.user, *sources.given, *sources.results(), *sources.passed(), self._background]

    def holds(self, word: str) -> bool:
        """Tell whether a word in lower case stands somewhere."""
        return any(word in text.folded or word in text.raw.lower() for text in self.texts)

    def dials(self, digits: str) -> bool:
        """Tell whether these digits stand in a row somewhere, or are a number of it in another unit."""
        number = float(digits)
        return any(text.dials(digits) for text in self.texts) or self._scaled(number, 0.5)

    def says(self, pattern: str) -> bool:
        """Tell whether a pattern is found in what was said or returned, in letters of either case."""
        return any(re.search(pattern, text.raw, re.IGNORECASE) for text in self.texts)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """All numbers, without their signs."""
        found = {abs(number) for text in self.texts for number in text.numbers}
        return frozenset(found | {abs(number) for number in self._sources.numbers()})

    @cached_property
    def small(self) -> frozenset[float]:
        """The numbers that may count days, nights, people."""
        return frozenset(number for number in self.numbers if number.is_integer() and 1 <= number <= _COUNTS)

    def spans(self, name: str, told: Text) -> set[int]:
        """Return how many of a unit some words, a field or an argument name, one where they only name the unit."""
        unit = UNITS[name]
        words = [text.folded for text in (*self.texts, told)]
        found = {number for text in words for match in _counted(unit).finditer(text) for number in _count(match[1])}
        found |= {float(match[1]) for text in words for match in _field(unit).finditer(text)}
        passed = {number for text in self._sources.passed() for number in text.numbers if unit in (_DAYS, _MINUTES)}
        return {int(number) for number in found | passed if number.is_integer() and 1 <= number <= _COUNTS}

    def lengths(self) -> set[float]:
        """Return the numbers of fields that tell how long something takes."""
        return {float(match[1]) for text in self.texts for match in _field(_LENGTHS).finditer(text.folded)}

    @cached_property
    def times(self) -> set[Clock]:
        """All times of day."""
        return {clock for text in self.texts for clock in text.moments.times} | {
            (moment.hour, moment.minute, moment.second) for moment in self._stamps
        }

    @cached_property
    def days(self) -> frozenset[date]:
        """All days with a year, those that the user names by how far they are off among them."""
        found = {day for text in self.texts for day in text.moments.days}
        today = today_in(self._sources.given)
        if today is not None:
            found |= {day for text in self.texts for day in relative_days(text.folded, today)}
        years = {year for year, _, _ in found if year is not None} | {moment.year for moment in self._stamps}
        dates = {full for year, *rest in found for full in _full([year] if year is not None else years, *rest)}
        return frozenset(dates | {moment.date() for moment in self._stamps})

    @cached_property
    def _stamps(self) -> list[datetime]:
        """The moments that are told in seconds or milliseconds since 1970."""
        seconds = [n / 1000 if n > 1e11 else n for n in self.numbers if 5e8 <= n < 4e9 or 5e11 <= n < 4e12]
        return [datetime.fromtimestamp(second, UTC) for second in seconds]

    def gives(self, number: float, places: int, others: Sequence[float], told: Text) -> bool:
        """Tell whether a number with so many decimals can be reckoned: from one number, two of them, or a list in a total."""
        close = 0.5 * 10**-places + 1e-9
        if len(self.numbers) > _MANY or self._scaled(number, close) or self._joined(number, told.numbers):
            return True
        lists = [group for group in self._lists if len(group) > 1]
        if _TOTALS.search(told.folded) is None:
            return any(abs(total - number) < 0.01 for total in (sum(others), *map(sum, lists)))
        return any(len(group) > _SUMMED or _sums(group, number) for group in (*lists, list(others)))

    @cached_property
    def _lists(self) -> list[list[float]]:
        """The numbers at one place of the items of a list, and those of two places multiplied: how many, and for how much."""
        columns = self._sources.columns()[:_SUMMED]
        pairs = (pair for pair in combinations(columns, 2) if len(pair[0]) == len(pair[1]))
        return [*columns, *([one * other for one, other in zip(*pair, strict=True)] for pair in pairs)]

    def _scaled(self, number: float, close: float) -> bool:
        return any(abs(known * factor - number) <= close for known in self.numbers for factor in _FACTORS)

    def _joined(self, number: float, told: frozenset[float]) -> bool:
        """Tell whether a number is a sum, a difference, a multiple, a share or a percentage of others, or a multiple and a rest."""
        known = {round(each, 2) for each in self.numbers}
        counts = sorted(count for count in self.small | told if count.is_integer() and 1 <= count <= 100)
        asked = [count for count in counts if count in told or self._sources.heard(count)]
        for each in known:
            if {round(number - each, 2), round(each - number, 2)} & known:
                return True
            if any(round(number - each * count, 2) in known for count in asked):
                return True
        shares = [
            part for count in counts for part in (count, 1 / count, count / 100, 1 - count / 100, 1 + count / 100)
        ]
        return any(abs(each * part - number) < 0.006 for each in known for part in shares if part)


@cache
def _counted(unit: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(\w{{0,40}})[ -]?(?<![a-z])(?:{unit})")


@cache
def _field(unit: str) -> re.Pattern[str]:
    return re.compile(rf'"[^"\n]{{0,40}}(?:{unit})[^"\n]{{0,40}}":\s*"?(\d{{1,12}}(?:\.\d+)?)')


def _count(word: str) -> frozenset[float]:
    """Read the number before a unit: none is one."""
    return read_numbers(word) or frozenset({1.0})


def _full(years: Iterable[int], month: int, day: int) -> list[date]:
    found = []
    for year in years:
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    return found


def _sums(group: Sequence[float], number: float) -> bool:
    """Tell whether some of a list add up to a number, or are that on average."""
    for size in range(2, len(group) + 1):
        for some in combinations(group, size):
            total = sum(some)
            if abs(total - number) < 0.01 or abs(total / size - number) < 0.01:
                return True
    return False
