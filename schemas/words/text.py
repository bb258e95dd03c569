"""Prose in the forms in which values are looked for in it: letters, numbers, moments, addresses, digit runs."""

import re
import unicodedata
from datetime import date
from functools import cache, cached_property, lru_cache

from interplay.schemas.words.dates import Clock, Day, Moments, read_moments, relative_days
from interplay.schemas.words.numbers import read_numbers

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3000-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7ff\uff00-\uffef"
"""Characters, as a regular expression lists them, whose words stand beside others, or take particles, without a space:
Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?;。])\s")
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_MARKS = re.compile(r"[\u0300-\u036f]+")
_ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[^\s<>\"')\]]+")
_UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_DIGIT_RUN = re.compile(r"\d+(?:[\s().\-/]{1,3}\d+)*")
_JOINT = "·"
"""Stands between digits of neighbouring words, so that "room 1, 5 beds" never reads as 15."""


def fold(text: str) -> str:
    """Return `text` in lower case and without accents, with spaces around words of scripts that do without."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFKD", text))).casefold()
        text = _apart(text)
    return text.lower().replace("&", " and ")


def _apart(text: str) -> str:
    """Return a text with spaces around words of scripts that do without, and behind the marks beside them."""
    beside, closed = _borders()
    return beside.sub(" ", closed.sub(lambda found: f"{found[0]} ", text))


def words(text: str) -> list[str]:
    """Split folded text into words of letters and digits."""
    return (_ASCII_WORD if text.isascii() else _word()).findall(text)


@cache
def _word() -> re.Pattern[str]:
    """Return what a word is; such large sets of letters take long to compile, and many a run meets none of them."""
    return re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")


@cache
def _borders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return where a word without spaces around it begins or ends beside one of another script: "10 am입니다".

    And the marks beside one that close a clause without a space behind them: "알겠습니다.343.44입니다".
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
    """Join the words of folded `text` without spaces; return it with the places where words start and end."""
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
    """One text; each form is made when it is first asked for. Where `today` is known, so are days named relative to it."""

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
        """For each word the place of the first one of its sentence."""
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
        """The days that are named relative to today."""
        return frozenset() if self._today is None else relative_days(self.folded, self._today)

    def names_day(self, year: int, month: int, day: int) -> bool:
        """Tell whether this day is named: with or without its year, or by how far it is from today."""
        return self.moments.names_day(year, month, day) or (year, month, day) in self._near

    @cached_property
    def addresses(self) -> frozenset[str]:
        """The email addresses and URLs, in lower case, without scheme and closing punctuation."""
        text = self.raw.lower() if self.raw.isascii() else _apart(self.raw.lower())
        return frozenset(plain_address(found.group()) for found in _ADDRESS.finditer(text))

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers that are no part of a date, a time, an identifier or an address."""
        spans = [*self.moments.spans]
        if "@" in self.folded or "://" in self.folded or "www." in self.folded:
            spans.extend(found.span() for found in _ADDRESS.finditer(self.folded))
        if self.folded.count("-") >= 4:
            spans.extend(found.span() for found in _UUID.finditer(self.folded))
        return read_numbers(self.folded, spans)

    @property
    def figures(self) -> frozenset[float | Day | Clock]:
        """The numbers, days and times."""
        return frozenset({*self.numbers, *self.moments.days, *self.moments.times})

    @cached_property
    def all_numbers(self) -> frozenset[float]:
        """The numbers, with those in dates and times, and months by their number."""
        months = {float(month) for _, month, _ in self.moments.days} | {
            float(month) for _, month in self.moments.months
        }
        loose = self.folded.replace(":", " ").replace("/", " ").replace("-", " ")
        return self.numbers | read_numbers(loose) | months

    @cached_property
    def digit_runs(self) -> tuple[tuple[str, frozenset[int]], ...]:
        """Runs of digit groups, joined, with the places where groups meet: phone numbers in any writing."""
        return tuple(_joined(found.group()) for found in _DIGIT_RUN.finditer(self.folded))

    def contains(self, needle: str, *, plural: bool = False) -> bool:
        """Tell whether the squashed `needle` stands here between word boundaries; `plural` allows an s at its end."""
        hay, starts, ends = self._squashed
        place = hay.find(needle)
        while place != -1:
            end = place + len(needle)
            if place in starts and (end in ends or (plural and hay[end : end + 1] == "s" and end + 1 in ends)):
                return True
            place = hay.find(needle, place + 1)
        return False

    def dials(self, digits: str) -> bool:
        """Tell whether these digits stand here in a row, whatever separates their groups."""
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
    """Return an email address or URL in lower case, without scheme, `www.` and closing punctuation."""
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", address.lower()).rstrip(".,;:!?/)'\"")


@lru_cache(maxsize=4096)
def normalised(text: str, today: date | None = None) -> Text:
    """Return the forms of `text`, said on the day `today`; the same object for equal texts."""
    return Text(text, today)
