"""An assistant's words -> the values told in them that certainly come from nowhere: days, times, amounts, codes, addresses.

Only kinds of values that can be recognised reliably are judged, and only in statements: what is asked, offered, given as an
example or rounded is not. A value that can be computed from what is in the dialogue is not invented.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice

from interplay.schemas.words.dates import Clock, Day
from interplay.schemas.words.numbers import read_numbers
from interplay.schemas.words.text import Text, normalised
from interplay.validators.findings.arithmetic import Arithmetic
from interplay.validators.findings.provenance import Provenance

_SENTENCES = re.compile(
    r"(?<=[.!?])(?<!\b\d\.)(?<!(?<!:)\b[0-2]\d\.)(?<!(?<!:)\b3[01]\.)(?<!\b[A-Za-z]\.)(?<!\b[A-Z][a-z]\.)(?<!\b[A-Z][a-z]{2}\.)\s+|\n+"
)
_AMOUNT = re.compile(
    r"(?P<sign>[$€£¥]\s?|\b(?:usd|eur|gbp|chf)\s)?(?<![\w.,:/#])(?P<digits>\d(?:[\d.,'’]*\d)?)(?![\w:/-]|[.,]\d)"
    r"(?P<unit>\s?[€£¥]|\s(?:usd|eur|gbp|chf|euros?|dollars?|pounds?)\b)?(?P<scale>\s?(?:%|percent|thousand|million|billion|k|m|bn)(?!\w))?"
)
_CENTS = re.compile(r"[.,]\d\d$")
_TIME = re.compile(r"(?<![\d:.,+/\w-])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?(?![\d:])(?:\s*([ap])\.?\s?m\b)?")
_RUN = re.compile(r"\d{3,18}(?![\w@-]|[.,:/]\w)")
_PREFIX = re.compile(r"(?<![\w@./=])[a-z]{1,12}[-_]?$")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_UUID = re.compile(r"(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)")
QUESTIONS = ("?", "？", "؟")
CLOSING = " \n\t\"'”’)*_"
"""Characters that may follow the punctuation mark at the end of a sentence."""

_COUNT = re.compile(r"(?<![\w.,:/#+$€£¥-])(?<!\d )(?<![$€£¥] )\d{1,3}(?![\w:/-]|[.,]\d|[.)](?:\s|$)|\s?[%€£¥]| \d)")
MOST = 50
"""Maximum number of invented values reported of one message."""

SHORT = 4
"""Minimum number of digits of a standalone number that counts as a code, a year or a large number."""


def invented(
    text: Text, sources: Provenance, background: Callable[[], str], about: Callable[[Text], bool]
) -> list[str]:
    """Return the values that a message states and that nothing before it holds or implies.

    `background` returns what tools say about themselves. A question that is not `about` anything shown may offer a day, a time or
    an address, or give one as an example.
    """
    if not any(True for _ in _strange(text, sources, None)):
        return []
    reckoning = Arithmetic(sources, background())
    found: list[str] = []
    for sentence in sentences(text.raw):
        offers = sentence.raw.rstrip(CLOSING).endswith(QUESTIONS) and not about(sentence)
        found += islice(_strange(sentence, sources, reckoning, offers), MOST - len(found))
        if len(found) >= MOST:
            break
    return list(dict.fromkeys(found))


def sentences(text: str) -> list[Text]:
    """Split a text into its sentences and lines."""
    return [normalised(sentence) for sentence in _SENTENCES.split(text) if sentence.strip()]


def _strange(text: Text, sources: Provenance, reckoning: Arithmetic | None, offers: bool = False) -> Iterator[str]:
    """Yield values without a source; with `reckoning` None, a cheap first pass also yields those that might be computed."""
    yield from _amounts(text, sources, reckoning)
    yield from _counts(text, sources, reckoning)
    yield from _codes(text, sources, reckoning)
    if offers:
        return
    yield from _days(text, sources, reckoning)
    if ":" in text.raw:
        yield from _times(text, sources, reckoning)
    if "@" in text.raw or text.raw.count("-") > 3:
        yield from _addresses(text, sources, reckoning)


def _days(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    told = [day for day in text.moments.days if day[0] is not None or "/" not in text.folded]
    if not told or not (strange := _unknown(told, [*sources.user, *sources.given, *sources.results()])):
        return
    if reckoning is None:
        yield ""
        return
    strange = _unknown(strange, reckoning.texts)
    known = reckoning.days
    spans = {unit: reckoning.spans(unit, text) for unit in ("day", "week", "month", "year")}
    steps = {0, *spans["day"], *(7 * count for count in spans["week"])}
    months = spans["month"] | {12 * count for count in spans["year"]}
    strange = [day for day in strange if not _between(day, text) and not sources.names_day(*day)]
    open_days = set(strange)
    while reached := {day for day in open_days if _reached(day, known, steps, months)}:
        open_days -= reached
        known = known | {full for day in reached for full in _dates(day, known)}
    for year, month, day in sorted(open_days, key=str):
        twin = (year, day, month)
        if twin not in text.moments.days or twin in open_days:
            yield f"{year}-{month:02d}-{day:02d}" if year is not None else f"{month:02d}-{day:02d}"


def _between(day: Day, text: Text) -> bool:
    """Tell whether a day lies between two others named in the same sentence, as in a list of all days of a stay."""
    same = [other[2] for other in text.moments.days if other[:2] == day[:2]]
    return min(same) < day[2] < max(same)


def _unknown(days: Sequence[Day], texts: Sequence[Text]) -> list[Day]:
    named = {day for text in texts for day in text.moments.days}
    ends = {day[1:] for day in named}
    yearless = {day[1:] for day in named if day[0] is None}
    return [
        day for day in days if day not in named and (day[1:] not in ends if day[0] is None else day[1:] not in yearless)
    ]


def _dates(day: Day, known: frozenset[date]) -> list[date]:
    """Return the dates that a day may mean; if its year was omitted, those near the known dates."""
    years = [day[0]] if day[0] is not None else sorted({near.year + by for near in known for by in (-1, 0, 1)})
    found = []
    for year in years:
        try:
            found.append(date(year, day[1], day[2]))
        except ValueError:
            continue
    return found


def _reached(day: Day, known: frozenset[date], steps: set[int], months: set[int]) -> bool:
    """Tell whether a known date is as many days, weeks, months or years away from a day as some known number says."""
    if day[0] is None and not known:
        return True  # no known date to compute from
    for told in _dates(day, known):
        if any(told + timedelta(days=by) in known or told - timedelta(days=by) in known for by in steps):
            return True
        for near in known:
            apart = abs((told.year - near.year) * 12 + told.month - near.month)
            same_day = abs(told.day - near.day) <= 1 or told.day >= 28 <= near.day
            if same_day and apart in months:
                return True
    return False


def _times(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    for found in _TIME.finditer(text.folded):
        hour, minute = int(found[1]), int(found[2])
        if hour > 24:
            continue
        hours = _hours(hour, found[3])
        if any(sources.holds(f"{hour:02d}:{minute:02d}") for hour in hours) or sources.holds(found[0]):
            continue
        if reckoning is None or not _timely(hours, hour, minute, reckoning, text):
            yield found[0]


def _hours(hour: int, half: str | None) -> set[int]:
    if half:
        return {hour % 12 + (12 if half == "p" else 0)}
    return {hour % 24, (hour + 12) % 24} if hour <= 12 else {hour % 24}


def _timely(hours: set[int], told: int, minute: int, reckoning: Arithmetic, text: Text) -> bool:
    """Tell whether a time is known, in another time zone, some known minutes or hours away from a known one, or a duration."""
    known: set[Clock] = reckoning.times
    if any(clock[0] in hours and clock[1] == minute for clock in known):
        return True
    starts = {clock[0] * 60 + clock[1] for clock in known}
    ends = {hour * 60 + minute for hour in hours}
    if any((start + shift) % 1440 in ends for start in starts for shift in reckoning.shifts):
        return True
    lengths, length = reckoning.lengths(), told * 60 + minute
    if any(abs(n / unit - length) <= 1 or n == told * 100 + minute for n in lengths for unit in (1, 60, 1000, 60_000)):
        return True
    if minute in lengths and not hours.isdisjoint(lengths):
        return True
    spans = {*reckoning.spans("minute", text), *(60 * count for count in reckoning.spans("hour", text))}
    return any((start + by) % 1440 in ends or (start - by) % 1440 in ends for start in starts for by in spans)


def _amounts(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    told = list(_told_amounts(text))
    for place, (shown, readings, places) in enumerate(told):
        if any(sources.counted(number) or sources.heard(number) for number in readings):
            continue
        others = [min(other) for _, other, _ in told[:place] + told[place + 1 :]]
        if reckoning is None or not any(reckoning.gives(number, places, others, text) for number in readings):
            yield shown


def _told_amounts(text: Text) -> Iterator[tuple[str, frozenset[float], int]]:
    """Yield amounts with a currency or with cents: (as written, possible readings, number of decimals)."""
    for found in _AMOUNT.finditer(text.folded):
        cents = _CENTS.search(found["digits"])
        if found["scale"] or not (found["sign"] or found["unit"] or cents):
            continue
        if any(start < found.end("digits") and found.start("digits") < end for start, end in text.moments.spans):
            continue
        readings = read_numbers(found["digits"])
        if readings:
            yield found[0].strip(), readings, 2 if cents else 0


def _codes(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    """Yield unknown codes of a form that the dialogue uses, and unknown standalone numbers of `SHORT` or more digits."""
    for found in _RUN.finditer(text.folded):
        before = text.folded[max(0, found.start() - 14) : found.start()]
        length = len(found[0])
        if before[-1:].isalpha() or before[-1:] in ("-", "_"):
            named = _PREFIX.search(before)
            if named is None or sources.holds(named[0] + found[0]):
                continue
            kin = rf"(?<![a-z0-9]){re.escape(named[0])}\d{{{length}}}(?!\w)"
            if reckoning is None or (not reckoning.holds(named[0] + found[0]) and reckoning.says(kin)):
                yield named[0] + found[0]
        elif length >= SHORT and before[-1:] not in (*".,:/+=@",) and not sources.holds(found[0]):
            if any(start <= found.start() < end for start, end in text.moments.spans):
                continue
            number = float(found[0])
            if reckoning is None or not (
                reckoning.dials(found[0]) or reckoning.gives(number, 0, (), text) or reckoning.holds(found[0])
            ):
                yield found[0]


def _counts(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    """Yield small numbers that were neither shown nor said, and are not the number of rows shown."""
    for number, shown in _told_counts(text):
        if sources.counted(number) or sources.heard(number) or number in sources.counts_of_rows():
            continue
        if reckoning is None or not reckoning.counts(number):
            yield shown


def _told_counts(text: Text) -> Iterator[tuple[float, str]]:
    """Yield standalone whole numbers of one to three digits, except those that number lines."""
    for found in _COUNT.finditer(text.folded):
        if any(start < found.end() and found.start() < end for start, end in text.moments.spans):
            continue
        yield float(found[0]), found[0]


def _addresses(text: Text, sources: Provenance, reckoning: Arithmetic | None) -> Iterator[str]:
    for shape in (_MAIL, _UUID):
        for found in shape.finditer(text.raw.lower()):
            address = found[0].rstrip(".-")
            if not sources.holds(address) and (reckoning is None or not reckoning.holds(address)):
                yield address
