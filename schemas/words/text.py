"""A text in the forms in which values are looked for: words, numbers, moments, addresses, digit runs."""

import re
import unicodedata
from datetime import date
from functools import cache, cached_property, lru_cache

from interplay.schemas.words.dates import Clock, Day, Moments, read_moments, relative_days
from interplay.schemas.words.numbers import read_numbers

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3000-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7ff\uff00-\uffef"
"""Character ranges, for a regular expression's class, of scripts written without spaces between words or before particles:
Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?;。])\s")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s<>\"')\]]+")
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_DIGIT_RUN = re.compile(r"\d+(?:[\s().\-/]{1,3}\d+)*")
_JOINT = "·"
"""Separates digits of neighbouring words, so that "room 1, 5 beds" is never read as 15."""


def fold(text: str) -> str:
    """Return `text` in lower case without accents, with spaces around words of scripts that have none."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text))).casefold()
        text = _apart(text)
    return text.lower().replace("&", " and ")


def _apart(text: str) -> str:
    """Put spaces around words of scripts that have none, and after punctuation next to them."""
    beside, closed = _borders()
    return beside.sub(" ", closed.sub(lambda found: f"{found[0]} ", text))


def words(text: str) -> list[str]:
    """Split folded text into words of letters and digits."""
    return (_ASCII_WORD if text.isascii() else _word()).findall(text)


@cache
def _word() -> re.Pattern[str]:
    """Return the pattern of a word in any script; compiled on first use, since the large character classes take long."""
    return re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


@cache
def _borders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of borders between an unspaced script and another one ("10 am입니다"), and of clause-ending
    punctuation at such a border ("알겠습니다.343.44입니다").
    """
    other, unspaced = rf"[^\W_{UNSPACED}]", f"[{UNSPACED}]"
    beside = re.compile(f"(?<={other})(?={unspaced})|(?<={unspaced})(?={other})")
    closed = re.compile(f"(?<={unspaced})[.,:;!?]+(?={other})|(?<={other})[.,:;!?]+(?={unspaced})")
    return beside, closed


def akin(word: str, other: str) -> bool:
    """Tell whether two words share their stem: bicycle, bicycles; notify, notified, notification."""
    if word == other:
        return True
    shorter = min(len(word), len(other))
    stem = max(4, shorter - 2)
    return shorter >= 4 and word[:stem] == other[:stem]


def squash(text: str) -> tuple[str, frozenset[int], frozenset[int]]:
    """Join the words of folded `text` without spaces; return the result with the positions where words start and end."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    after_digit = False
    for word in words(text):
        if after_digit and word[0].isdigit():
            parts.append(_JOINT)
            position += 1
        starts.append(position)
        parts.append(word)
        position += len(word)
        ends.append(position)
        after_digit = word[-1].isdigit()
    return "".join(parts), frozenset(starts), frozenset(ends)


class Text:
    """A text whose forms are computed on first use. If `today` is given, days named relative to it are read too."""

    def __init__(self, raw: str, today: date | None = None) -> None:
        self.raw = raw
        self._today = today
        self.folded = fold(raw)

    @cached_property
    def _squashed(self) -> tuple[str, frozenset[int], frozenset[int]]:
        return squash(self.folded)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, folded."""
        return tuple(words(self.folded))

    @cached_property
    def beginnings(self) -> tuple[int, ...]:
        """For each word, the index of the first word of its sentence."""
        places: list[int] = []
        for sentence in _BETWEEN_SENTENCES.split(self.folded):
            places += [len(places)] * len(words(sentence))
        return tuple(places)

    @cached_property
    def moments(self) -> Moments:
        """The dates and times."""
        return read_moments(self.folded)

    @cached_property
    def _near(self) -> frozenset[Day]:
        """The days named relative to today; empty if today is unknown."""
        return frozenset() if self._today is None else relative_days(self.folded, self._today)

    def names_day(self, year: int, month: int, day: int) -> bool:
        """Tell whether this day is named: with its year, without any, or relative to today."""
        return self.moments.names_day(year, month, day) or (year, month, day) in self._near

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The email addresses and URLs, in lower case, without scheme and trailing punctuation."""
        text = self.raw.lower() if self.raw.isascii() else _apart(self.raw.lower())
        return frozenset(plain_address(found.group()) for found in _ADDRESS.finditer(text))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that are not part of a date, time, identifier or address."""
        spans = [*self.moments.spans]
        if "@" in self.folded or "://" in self.folded or "www." in self.folded:
            spans.extend(found.span() for found in _ADDRESS.finditer(self.folded))
        if self.folded.count("-") >= 4:
            spans.extend(found.span() for found in _UUID.finditer(self.folded))
        return read_numbers(self.folded, spans)

    @property
    def figures(self) -> frozenset[float | Day | Clock]:
        """All numbers, days and times."""
        return frozenset({*self.numbers, *self.moments.days, *self.moments.times})

    @cached_property
    def all_numbers(self) -> frozenset[float]:
        """The numbers including those within dates and times, and named months by their number."""
        months = {float(month) for _, month, _ in self.moments.days} | {
            float(month) for _, month in self.moments.months
        }
        loose = self.folded.replace(":", " ").replace("/", " ").replace("-", " ")
        return self.numbers | read_numbers(loose) | months

    @cached_property
    def digit_runs(self) -> tuple[tuple[str, frozenset[int]], ...]:
        """Runs of digit groups, joined, with the positions where groups meet: phone numbers in any notation."""
        return tuple(_joined(found.group()) for found in _DIGIT_RUN.finditer(self.folded))

    def contains(self, needle: str, *, plural: bool = False) -> bool:
        """Tell whether the squashed `needle` occurs between word boundaries; `plural` allows an s at its end."""
        hay, starts, ends = self._squashed
        place = hay.find(needle)
        while place != -1:
            end = place + len(needle)
            if place in starts and (end in ends or (plural and hay[end : end + 1] == "s" and end + 1 in ends)):
                return True
            place = hay.find(needle, place + 1)
        return False

    def dials(self, digits: str) -> bool:
        """Tell whether `digits` occur in a row as whole groups, whatever separates the groups."""
        for run, seams in self.digit_runs:
            place = run.find(digits)
            while place != -1:
                if place in seams and place + len(digits) in seams:
                    return True
                place = run.find(digits, place + 1)
        return False


def _joined(run: str) -> tuple[str, frozenset[int]]:
    groups = re.findall(r"\d+", run)
    seams = [0]
    for group in groups:
        seams.append(seams[-1] + len(group))
    return "".join(groups), frozenset(seams)


def plain_address(address: str) -> str:
    """Return an email address or URL in lower case, without scheme, `www.` and trailing punctuation."""
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", address.lower()).rstrip(".,;:!?/)'\"")


@lru_cache(maxsize=4096)
def normalised(text: str, today: date | None = None) -> Text:
    """Return the `Text` of `text`, said on the day `today`; cached, so that equal texts share one."""
    return Text(text, today)
