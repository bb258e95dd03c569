"""Everything said and returned -> whether a number can be computed from it, and which days and times it names."""

import math
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache, cached_property
from itertools import combinations
from zoneinfo import ZoneInfo

from interplay.schemas.words.calendar import unit_words
from interplay.schemas.words.dates import Clock, relative_days
from interplay.schemas.words.numbers import read_numbers
from interplay.schemas.words.text import Text, fold, normalised
from interplay.validators.findings.provenance import Provenance

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
"""Factors of unit conversions in speech: cents, percent, thousands, minutes, hours, bytes."""

_LANGUAGES = ("en", "de")
_PARTS = {"day": ("day", "night")}
"""Unit of time -> the CLDR units by which people count it: days also by nights."""

_MEASURES = (1.609344, 0.3048, 0.9144, 2.54, 0.45359237, 28.349523, 3.785411784)
"""A mile in km, a foot and a yard in m, an inch in cm, a pound in kg, an ounce in g and a gallon in l (NIST Handbook 44)."""

_ZONE = re.compile(r"\b[A-Z][A-Za-z]{2,20}/[A-Z][A-Za-z_]{2,30}\b")
_OFFSET = re.compile(r"(?<=:\d\d)([+-])(\d\d):?(\d\d)\b")
_ZONES = 2
_SUMMED = 12
"""Maximum length of a list for which sums of two or three of its numbers are tried."""
_MANY = 2000
"""Maximum number of known amounts: from more, nearly any number could be computed."""
_COUNTS = 366.0
_FEW = 31
"""Largest factor of a multiplication, such as nights or people."""

_MEASURED = 100
"""Converted numbers above this count as equal if they agree without decimals."""

_ROUNDING = 0.06
_HALF = 0.5 + 1e-9
"""`_ROUNDING` is the maximum relative error of rounding, `_HALF` the maximum in units of the last digit given."""


class Arithmetic:
    """All numbers, days and times in a dialogue up to a message, ready for computation; built only if a value is in doubt."""

    def __init__(self, sources: Provenance, background: str) -> None:
        self._sources = sources
        self._background = normalised(background)
        self.texts = [*sources.user, *sources.given, *sources.results(), *sources.passed(), self._background]
        self._shares_of: tuple[str, list[float], list[float]] = ("", [], [])

    def holds(self, word: str) -> bool:
        """Tell whether a word, in lower case, occurs anywhere."""
        return any(word in text.folded or word in text.raw.lower() for text in self.texts)

    def dials(self, digits: str) -> bool:
        """Tell whether the digits occur in a row anywhere, or are a known number in another unit."""
        number = float(digits)
        return any(text.dials(digits) for text in self.texts) or self._scaled(number, 0.5)

    def says(self, pattern: str) -> bool:
        """Tell whether a pattern matches anything said or returned, ignoring case."""
        return any(re.search(pattern, text.raw, re.IGNORECASE) for text in self.texts)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The absolute values of all numbers."""
        found = {abs(number) for text in self.texts for number in text.numbers}
        return frozenset(found | {abs(number) for number in self._sources.numbers()})

    @cached_property
    def small(self) -> frozenset[float]:
        """The numbers that may count days, nights or people."""
        return frozenset(number for number in self.numbers if number.is_integer() and 1 <= number <= _COUNTS)

    def spans(self, name: str, told: Text) -> set[int]:
        """Return the numbers of a unit (`name`) in words, fields and arguments; 1 if only the unit is named ("a day")."""
        near = (*self._sources.user, *self._sources.results(), *self._sources.passed(), told)
        words = [text.folded for text in near]
        found = {number for text in words for match in _counted(name).finditer(text) for number in _count(match[1])}
        found |= {float(match[1]) for text in words for match in _field(name).finditer(text)}
        passed = {number for text in self._sources.passed() for number in text.numbers if name in ("day", "minute")}
        shown = self._sources.leaf_numbers() if name == "minute" else frozenset()
        return {int(number) for number in found | passed | shown if number.is_integer() and 1 <= number <= _COUNTS}

    def lengths(self) -> frozenset[float]:
        """Return the numbers in result fields, some of which are durations."""
        return self._sources.leaf_numbers()

    def counts(self, number: float) -> bool:
        """Tell whether a number may be a count: it is known in any notation, or is a sum or difference of two fields."""
        spoken = (*self._sources.user, *self._sources.given, *self._sources.passed())
        if (
            any(number in text.numbers for text in spoken)
            or number in self._sources.text_numbers()
            or self.rounds(number)
        ):
            return True
        leaves = self._sources.leaf_numbers()
        said = {other for text in self._sources.user for other in text.numbers}
        if any(abs(one - other) == number or one + other == number for one in leaves | said for other in leaves | said):
            return True
        return self._scaled(number, 1e-6) or any(
            _sums(group, number) for group in self._sources.groups() if len(group) > 1
        )

    @cached_property
    def shifts(self) -> frozenset[int]:
        """The differences in minutes between any two named time zones or offsets."""
        zones = {found[0] for text in self.texts for found in _ZONE.finditer(text.raw)}
        zones = zones if len(zones) <= _ZONES else set()  # a long list of zones is not the user's own
        offsets = {0} | {minutes for zone in zones for minutes in _offsets(zone)}
        offsets |= {
            (-1 if found[1] == "-" else 1) * (int(found[2]) * 60 + int(found[3]))
            for text in self.texts
            for found in _OFFSET.finditer(text.raw)
        }
        return frozenset(one - other for one in offsets for other in offsets)

    @cached_property
    def times(self) -> set[Clock]:
        """All times of day."""
        return {clock for text in self.texts for clock in text.moments.times} | {
            (moment.hour, moment.minute, moment.second) for moment in self._stamps
        }

    @cached_property
    def days(self) -> frozenset[date]:
        """All dates, including those that the user names relative to today."""
        found = {day for text in self.texts for day in text.moments.days}
        today = self._sources.today
        if today is not None:
            found |= {day for text in self.texts for day in relative_days(text.folded, today)}
        years = {year for year, _, _ in found if year is not None} | {moment.year for moment in self._stamps}
        dates = {full for year, *rest in found for full in _full([year] if year is not None else years, *rest)}
        return frozenset(dates | {moment.date() for moment in self._stamps})

    @cached_property
    def _stamps(self) -> list[datetime]:
        """The moments given as Unix timestamps in seconds or milliseconds."""
        seconds = [n / 1000 if n > 1e11 else n for n in self.numbers if 5e8 <= n < 4e9 or 5e11 <= n < 4e12]
        return [datetime.fromtimestamp(second, UTC) for second in seconds]

    @cached_property
    def amounts(self) -> frozenset[float]:
        """The numbers to add and multiply: those in fields, those that the user says or passes, and those with decimals."""
        said = {abs(number) for text in (*self._sources.user, *self._sources.passed()) for number in text.numbers}
        exact = {number for number in self.numbers if not number.is_integer()}
        return frozenset(round(number, 2) for number in self._sources.leaf_numbers() | said | exact)

    def gives(self, number: float, places: int, others: Sequence[float], told: Text) -> bool:
        """Tell whether `number`, with `places` decimals, can be computed from one known number, two, or a list of them."""
        close = 0.5 * 10**-places + 1e-9
        if len(self.amounts) > _MANY or self._scaled(number, close) or self._joined(number, told):
            return True
        if self.rounds(number):
            return True
        groups = [*self._sources.groups(), *self._products, list(others), [*others, *self._sources.last_passed()]]
        return any(len(group) > 1 and _sums(group, number) for group in groups)

    def rounds(self, number: float) -> bool:
        """Tell whether a number is a known one rounded: 470 for 466, but not 149 for 194."""
        return any(_is_rounded(number, known) for known in self.numbers)

    @cached_property
    def _products(self) -> list[list[float]]:
        """Products of two columns of a list, item by item: quantity times price."""
        columns = self._sources.columns()[:_SUMMED]
        pairs = (pair for pair in combinations(columns, 2) if len(pair[0]) == len(pair[1]))
        return [[one * other for one, other in zip(*pair, strict=True)] for pair in pairs]

    def _scaled(self, number: float, close: float) -> bool:
        known_numbers = self.numbers if number > _FEW else self._sources.leaf_numbers()
        if any(abs(known * factor - number) <= close for known in known_numbers for factor in _FACTORS):
            return True
        near = max(close, 0.5) if number.is_integer() and number > _MEASURED else close
        return any(
            abs(known * by - number) <= near or abs(known / by - number) <= near
            for known in self._sources.leaf_numbers()
            for by in _MEASURES
        )

    def _joined(self, number: float, words: Text) -> bool:
        """Tell whether a number is a sum, difference, multiple, share or percentage of known ones, or a multiple plus a rest."""
        large = {each for each in self.amounts if not each.is_integer() or each > _FEW}
        if self._shares_of[0] != words.raw:
            self._shares_of = (words.raw, *self._shares(words))
        _, asked, shares = self._shares_of
        for each in large:
            if {round(number - each, 2), round(each - number, 2), round(number + each, 2)} & large:
                return True
            if any(round(number - each * count, 2) in large for count in asked if 1 < count <= _FEW):
                return True
        if any(abs(each * part - number) < 0.006 for each in large for part in shares if part):
            return True
        return any(abs(each * count - number) < 0.006 for each in self._totals for count in asked if 1 < count <= _FEW)

    @cached_property
    def _totals(self) -> frozenset[float]:
        """The sums of short lists, such as the parts of a daily price."""
        return frozenset(round(math.fsum(group), 2) for group in self._sources.groups() if 1 < len(group) <= _SUMMED)

    def _shares(self, words: Text) -> tuple[list[float], list[float]]:
        """Return the counts that were said, and the factors to try: small counts, their reciprocals, and percentages."""
        told, signs = words.numbers, f"{self._signs} {words.raw}"
        counts = sorted(count for count in self.small | told if count.is_integer() and 1 <= count <= 100)
        shares: list[float] = []
        for count in counts:
            shares += (count, 1 / count) if count <= _FEW else ()
            if f"{count:g}%" in signs or f"{count:g} %" in signs:
                shares += (count / 100, 1 - count / 100, 1 + count / 100)
        return [count for count in counts if count in told or self._sources.heard(count)], shares

    @cached_property
    def _signs(self) -> str:
        return " ".join(text.raw for text in self.texts if "%" in text.raw)


@cache
def _names(unit: str) -> str:
    """Return the names of a unit as alternatives of a regular expression, longest first."""
    named = {
        fold(word)
        for part in _PARTS.get(unit, (unit,))
        for language in _LANGUAGES
        for word in unit_words(part, language)
    }
    return "|".join(sorted((re.escape(name) for name in named), key=lambda name: (-len(name), name)))


@cache
def _counted(unit: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(\w{{0,40}})[ -]?(?<![a-z])(?:{_names(unit)})(?![^\W\d_])")


@cache
def _field(unit: str) -> re.Pattern[str]:
    return re.compile(rf'"[^"\n]{{0,40}}(?:{_names(unit)})[^"\n]{{0,40}}":\s*"?(\d{{1,12}}(?:\.\d+)?)')


@cache
def _offsets(zone: str) -> tuple[int, ...]:
    """Return a time zone's offsets from UTC in minutes, in winter and in summer; empty if it is not a time zone."""
    try:
        known = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return ()
    moments = (datetime(2026, month, 1, tzinfo=known).utcoffset() for month in (1, 7))
    return tuple(int(offset.total_seconds() // 60) for offset in moments if offset is not None)


def _is_rounded(number: float, known: float) -> bool:
    """Tell whether `number` is `known` rounded to fewer significant digits."""
    if not known or not number or abs(number - known) > abs(known) * _ROUNDING:
        return False
    digits, own = f"{known:.10g}".replace(".", "").strip("0"), f"{number:.10g}".replace(".", "").strip("0")
    unit = 10.0 ** (math.floor(math.log10(abs(number))) + 1 - len(own))
    return len(own) < len(digits) and abs(number - known) <= unit * _HALF


def _count(word: str) -> frozenset[float]:
    """Parse the number before a unit; no number means one."""
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
    """Tell whether `number` is the sum or mean of a list, or the sum of two or three items of a short one."""
    total = math.fsum(group)
    if abs(total - number) < 0.01 or abs(total / len(group) - number) < 0.01:
        return True
    if len(group) > _SUMMED:
        return False
    return any(abs(math.fsum(some) - number) < 0.01 for size in (2, 3) for some in combinations(group, size))
