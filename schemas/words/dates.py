"""Reading dates and times of day from English and German prose."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache

from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.lists import alternatives, table, words
from interplay.schemas.words.numbers import has_digits

Day = tuple[int | None, int, int]
"""Year (None if omitted), month, day."""

Clock = tuple[int, int, int]
"""Hour, minute, second."""

_LANGUAGES = ("en", "de")


@cache
def _months() -> Mapping[str, int]:
    """Return month name -> number for all languages, full and abbreviated, in lower case without accents."""
    found = {"maerz": 3}
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for number, name in enumerate(month_names(language, width), 1):
                plain = _plain(name).strip(".")
                found |= {plain: number, plain[:3]: number}
    return found


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKD", word.casefold()).encode("ascii", "ignore").decode()


def months_in(words: Iterable[str]) -> frozenset[int]:
    """Return the numbers of the months named among `words`, which must be folded."""
    return frozenset(number for word in words if (number := _months().get(word)) is not None)


_ONE = r"(?<![\d:])(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|\.(?=\s*[a-z]))?(?![\d:]|\s*[ap]\.?m\b|\w)"
_DAYS = rf"(?P<days>{_ONE}(?:\s*(?:-|–|to|and|or|until|through|till|bis|und|oder)\s*(?:(?:the|zum|den|der)\s+)?{_ONE}){{0,8}})"
_SUM = rf"(?!\d|[.,]\d|\s*(?:{alternatives(word.casefold() for word in words('money', 'codes'))})\b)"
"""A lookahead after a year: excludes amounts of money, as in "10 February, 2296 EUR"."""

_YEAR = rf"(?:,?\s+(?:of\s+)?(?P<year>\d{{4}}){_SUM})?"


@cache
def _worded_days() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a day before its month's name, a day after it, and a month with a year."""
    named = "|".join(sorted(_months(), key=lambda name: (-len(name), name)))
    month = rf"(?P<month>{named})\b\.?"
    return (
        re.compile(rf"{_DAYS}\s+(?:day\s+)?(?:of\s+)?{month}{_YEAR}"),
        re.compile(rf"\b{month}\s+(?:the\s+)?{_DAYS}{_YEAR}"),
        re.compile(rf"\b{month},?\s+(?:of\s+)?(?P<year>\d{{4}}){_SUM}"),
    )


@cache
def _month_name() -> re.Pattern[str]:
    """Return the pattern of a month's name, a quick test before the slower patterns."""
    return re.compile(rf"(?:{alternatives(_months())})\b")


@cache
def _spoken_days() -> tuple[Mapping[str, int], re.Pattern[str], re.Pattern[str]]:
    """Return ordinal word -> day of the month, and the patterns of such a word before and after the month's name."""
    spoken = {
        _plain(word): day
        for language in _LANGUAGES
        for day, word in enumerate(words("numbers", "ordinals", language=language), 1)
    }
    day = rf"\b(?P<day>{alternatives(spoken)})\b"
    month = rf"(?P<month>{alternatives(_months())})\b\.?"
    return (
        spoken,
        re.compile(rf"{day}\s+(?:day\s+)?(?:of\s+)?{month}{_YEAR}"),
        re.compile(rf"\b{month}\s+(?:the\s+)?{day}{_YEAR}"),
    )


_ISO = re.compile(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})(?P<mark>[/.-])(\d{1,2})(?P=mark)(\d{4}|\d{2})(?![\d/])")
_YEARLESS = re.compile(r"(?<![\d/.-])(\d{1,2})/(\d{1,2})(?![\d/])")
_PART_OF_DAY = r"in the (?P<part>morning|afternoon|evening)|(?P<late>at night|tonight|this evening|this afternoon)"
_TIME = re.compile(
    r"(?<![\d.,$€£/-])(?<!\d:)(?P<lead>at )?(?P<hour>\d{1,2})(?!\d)(?:[:.h](?P<minute>[0-5]\d)(?!\d))?"
    r"(?::(?P<second>[0-5]\d)(?:\.\d+)?)?"
    rf"(?:\s*(?:(?P<half>[ap])\.?\s?m\b|(?P<clock>o['’]?clock|uhr\b)|{_PART_OF_DAY}))?"
)
_RANGE = re.compile(
    r"(?<![\d:.,$€£/])(\d{1,2})(?:[:.]([0-5]\d))?\s*(?:-|–|to|and|until|till)\s*(\d{1,2})(?:[:.]([0-5]\d))?\s*([ap])\.?m\b"
)
_DASHED = re.compile(r"(?<=\d[-–])(\d{1,2}):([0-5]\d)(?!\d)")
_HALF = re.compile(r"[ap]\.?m\b")
_NAMES = ("noon", "midday", "midnight")
_NAMED = re.compile(rf"\b({alternatives(_NAMES)})\b")


@cache
def _relative(language: str) -> re.Pattern[str]:
    """Return the pattern of days named relative to today: `near`, `weekday` with `next`, or `count` with `unit`."""
    near, units, counts = (_alternatives(table("days", name, language)) for name in ("near", "units", "counts"))
    after, within = (words("days", name, language=language)[0] for name in ("next", "in"))
    weekdays = _alternatives(words("days", "weekdays", language=language))
    return re.compile(
        rf"\b(?:(?P<near>{near})|{within} (?P<count>\d+|{counts}) (?P<unit>{units})"
        rf"|(?P<next>{after} )?(?P<weekday>{weekdays}))\b"
    )


def _alternatives(patterns: Iterable[str]) -> str:
    return "|".join(patterns)


@dataclass(frozen=True)
class Moments:
    """The days, months and times that a text names; `spans` are the places of those that cannot be anything else."""

    days: frozenset[Day]
    months: frozenset[tuple[int, int]]
    times: frozenset[Clock]
    spans: tuple[tuple[int, int], ...]

    def names_day(self, year: int, month: int, day: int) -> bool:
        """Tell whether this day is named, with its year or without any."""
        return (year, month, day) in self.days or (None, month, day) in self.days


def read_moments(text: str) -> Moments:
    """Read all dates and times in `text`, which must be in lower case."""
    if not has_digits(text) and _NAMED.search(text) is None and _spoken_days()[1].search(text) is None:
        return _NOTHING
    spans: list[tuple[int, int]] = []
    days, months = set[Day](), set[tuple[int, int]]()
    if _month_name().search(text) is not None:
        days |= set(_worded(text, spans))
        months |= {(int(found["year"]), _months()[found["month"]]) for found in _worded_days()[2].finditer(text)}
    days |= set(_numeric(text, spans))
    times = set(_times(text, spans))
    return Moments(frozenset(days), frozenset(months), frozenset(times), tuple(spans))


_NOTHING = Moments(frozenset(), frozenset(), frozenset(), ())


def _worded(text: str, spans: list[tuple[int, int]]) -> Iterator[Day]:
    before, after = _worded_days()[:2]
    behind = list(after.finditer(text))
    taken = [found.span() for found in behind]
    for pattern, several in ((before, before.finditer(text)), (after, behind)):
        for found in several:
            if pattern is before and "." in found["days"] and any(begin < found.start() < end for begin, end in taken):
                continue  # "on March 14. May I": the day belongs to the month before it
            month = _months()[found["month"]]
            year = int(found["year"]) if found["year"] else None
            spans.append(found.span())
            for day in re.findall(r"\d{1,2}", found["days"]):
                yield year, month, int(day)
    spoken, *patterns = _spoken_days()
    for found in (found for pattern in patterns for found in pattern.finditer(text)):
        spans.append(found.span())
        yield int(found["year"]) if found["year"] else None, _months()[found["month"]], spoken[found["day"]]


def _numeric(text: str, spans: list[tuple[int, int]]) -> Iterator[Day]:
    for found in _ISO.finditer(text):
        spans.append(found.span())
        yield int(found[1]), int(found[2]), int(found[3])
    for found in _NUMERIC.finditer(text):
        year = int(found[4]) if len(found[4]) == 4 else 2000 + int(found[4])
        spans.append(found.span())
        yield from _both_orders(year, int(found[1]), int(found[3]))
    for found in _YEARLESS.finditer(text) if "/" in text else ():
        yield from _both_orders(None, int(found[1]), int(found[2]))


def _both_orders(year: int | None, first: int, second: int) -> Iterator[Day]:
    for month, day in ((first, second), (second, first)):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield year, month, day


def _times(text: str, spans: list[tuple[int, int]]) -> Iterator[Clock]:
    for found in _TIME.finditer(text):
        afternoon = found["half"] == "p" or found["late"] is not None or found["part"] in ("afternoon", "evening")
        morning = found["half"] == "a" or found["part"] == "morning"
        if not (found["minute"] or found["lead"] or found["clock"] or morning or afternoon):
            continue
        hour = int(found["hour"])
        if hour > 24:
            continue
        if found["half"] or found["clock"] or morning or afternoon or text[found.end("hour") :][:1] == ":":
            spans.append(found.span())
        rest = int(found["minute"] or 0), int(found["second"] or 0)
        for reading in _hours(hour, morning, afternoon, not found["minute"]):
            yield (reading, *rest)
    for found in _RANGE.finditer(text) if _HALF.search(text) is not None else ():
        end = _clock(int(found[3]), found[5])
        start = _clock(int(found[1]), found[5])
        yield (start if start <= end else (start - 12) % 24), int(found[2] or 0), 0
        yield end, int(found[4] or 0), 0
    for found in _DASHED.finditer(text):
        yield int(found[1]), int(found[2]), 0
    for found in _NAMED.finditer(text) if any(name in text for name in _NAMES) else ():
        yield (0 if found[1] == "midnight" else 12), 0, 0


def _hours(hour: int, morning: bool, afternoon: bool, bare: bool) -> tuple[int, ...]:
    if morning:
        return (_clock(hour, "a"),)
    if afternoon:
        return (_clock(hour, "p"),)
    return (hour, hour + 12) if bare and hour < 12 else (hour % 24,)


def _clock(hour: int, half: str) -> int:
    return hour % 12 + (12 if half == "p" else 0) if hour <= 12 else hour % 24


def relative_days(text: str, today: date) -> frozenset[Day]:
    """Read the days that a folded `text` names relative to `today`: tomorrow, in three days, next Monday, heute.

    A weekday yields both the next one and the one a week later.
    """
    found: set[Day] = set()
    for language in _LANGUAGES:
        for match in _relative(language).finditer(text):
            for offset in _offsets(match, today, language):
                day = today + timedelta(days=offset)
                found.add((day.year, day.month, day.day))
    return frozenset(found)


def _offsets(match: re.Match[str], today: date, language: str) -> tuple[int, ...]:
    if match["weekday"]:
        weekdays = words("days", "weekdays", language=language)
        day = next(place for place, name in enumerate(weekdays) if re.fullmatch(name, match["weekday"]))
        ahead = (day - today.weekday()) % 7
        return (ahead, ahead + 7) if ahead or match["next"] else (0, 7)
    if match["count"]:
        said = table("days", "counts", language).get(match["count"])
        count = min(int(match["count"]), 5000) if said is None else int(said)
        return (count * _told(match["unit"], "units", language),)
    return (_told(match["near"], "near", language),)


def _told(said: str, name: str, language: str) -> int:
    """Return the number for `said` in a table of data/<language>/days.yaml, whose keys are patterns."""
    found = (count for pattern, count in table("days", name, language).items() if re.search(rf"{pattern}$", said))
    return int(next(found))


@lru_cache(maxsize=1024)
def first_day(*texts: str) -> date | None:
    """Return the first date with a year in `texts`, line by line: in a system prompt, today; None if there is none."""
    for line in (line for text in texts for line in text.splitlines()):
        for year, month, day in sorted(found for found in read_moments(_plain(line)).days if found[0] is not None):
            try:
                return date(year or 1, month, day)
            except ValueError:
                continue
    return None
