"""Reading numbers from prose: digits with separators, currencies, units and signs, and small numbers in words."""

import re
from collections.abc import Iterable, Iterator

from interplay.schemas.words.lists import word_set, words

COMMON = 20
"""Numbers below this occur in many contexts, so that hearing one is weak evidence."""

_DIGIT = re.compile("[0-9]")
_NUMBER = re.compile(r"(?<![\w])(?<!\w[.,])(\d+(?:[.,'’]\d+)*)")
_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})+(?![\w.,]\d|\d)")
_TAIL = re.compile(r"[^\W\d_]*")
_SCALE = re.compile(r"\s?(hundred|thousand|million|billion|dozen|bn|k|m|%|percent|per cent)(?![^\W_])")
_SCALES = {
    "hundred": 100.0,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "dozen": 12.0,
    "bn": 1e9,
    "k": 1e3,
    "m": 1e6,
    "%": 0.01,
    "percent": 0.01,
    "per cent": 0.01,
}
_UNITS = word_set("numbers", "units")
_THOUSANDS = re.compile(r"\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?")
_SMALL = words("numbers", "small")
_TENS = {name: 10 * index for index, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_WORDS = {
    **{name: index for index, name in enumerate(_SMALL)},
    **_TENS,
    "twenty": 20,
    "single": 1,
    "once": 1,
    "twice": 2,
    "couple": 2,
    "both": 2,
    "dozen": 12,
    "first": 1,
    "second": 2,
    "third": 3,
}
_WORDED = re.compile(
    r"\b(" + "|".join(sorted(_WORDS, key=len, reverse=True)) + r")(?:[ -](" + "|".join(_SMALL[1:10]) + r"))?\b"
    r"(?: (hundred|thousand|million))?"
)


def has_digits(text: str) -> bool:
    """Tell whether a text contains a digit of any script."""
    return _DIGIT.search(text) is not None if text.isascii() else any(map(str.isdigit, text))


def read_numbers(text: str, without: Iterable[tuple[int, int]] = ()) -> frozenset[float]:
    """Read all numbers in `text`, which must be in lower case, except in the spans `without`."""
    text = blank(text, without)
    return frozenset((*_digits(text), *_spaced(text), *_worded(text)))


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Replace spans of `text` by underscores, which no number may be adjacent to."""
    for start, end in spans:
        text = f"{text[:start]}{'_' * (end - start)}{text[end:]}"
    return text


def _digits(text: str) -> Iterator[float]:
    for found in _NUMBER.finditer(text):
        sign = _sign(text, found.start())
        tail = _TAIL.match(text, found.end())
        word = tail.group() if tail is not None else ""
        after = text[found.end() + len(word) :][:1]
        if sign is None or after.isdigit() or after == "_" or (0 < len(word) < 3 and word not in _UNITS):
            continue
        scale = _SCALE.match(text, found.end())
        for reading in _readings(found[1]):
            yield sign * reading
            if scale is not None:
                yield sign * reading * _SCALES[scale[1]]


def _sign(text: str, start: int) -> float | None:
    """Return the sign before a number; None if a hyphen ties it to a word, as in an identifier."""
    before = text[max(0, start - 3) : start].rstrip("$€£¥")
    if not before or before[-1] not in "-−":
        return 1.0
    tied = before[-2:-1]
    if tied.isdigit():
        return 1.0
    return None if tied.isalpha() or tied == "_" else -1.0


def _readings(digits: str) -> Iterator[float]:
    plain = digits.replace("’", "'")
    if _THOUSANDS.fullmatch(plain):
        comma_groups = "," in plain and (plain.find(".") == -1 or plain.find(",") < plain.find("."))
        if "'" in plain or comma_groups:
            yield float(plain.replace(",", "").replace("'", ""))
        else:
            yield float(plain.replace(".", "").replace(",", "."))
    parts = re.split(r"[.,']", plain)
    if len(parts) == 1:
        yield float(plain)
    elif len(parts) == 2 and "'" not in plain:
        yield float(f"{parts[0]}.{parts[1]}")
    if "," in plain and "." not in plain and not _THOUSANDS.fullmatch(plain) and len(parts) > 2:
        yield from (float(part) for part in parts)


def _spaced(text: str) -> Iterator[float]:
    for found in _SPACED.finditer(text):
        yield float(found.group().replace(" ", ""))


def _worded(text: str) -> Iterator[float]:
    for found in _WORDED.finditer(text):
        number = float(_WORDS[found[1]])
        if found[2]:
            yield number + _WORDS[found[2]] if number >= 20 else number
        elif found[3]:
            yield number * _SCALES[found[3]]
        else:
            yield number
