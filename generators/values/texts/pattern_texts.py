"""A regular expression of a schema -> a text that it matches, in bounded time and size."""

import re
import re._parser as grammar  # type: ignore[import-not-found]
from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from interplay.generators.values.texts.formatted_texts import TODAY, by_format
from interplay.generators.values.texts.pattern_writer import PatternWriter
from interplay.schemas.json.regex import compile_pattern, searcher

PATTERN_LENGTH_LIMIT = 2000
TEXT_LIMIT = 4000
"""Maximum length of a made-up text."""

TRIES = 4
DEEPEST = 50
"""Maximum nesting of groups in a pattern by which a text is written."""


def matches(pattern: str, text: str) -> bool:
    """Tell whether a text matches a pattern; one that cannot be matched in linear time admits everything."""
    return searcher(pattern)(text)


def by_pattern(pattern: str, schema: Mapping[str, Any], rng: Random, fallback: str) -> str:
    """Return a text that matches, else a matching example, else `fallback`."""
    if _SECONDS.search(pattern) and matches(pattern, moment := _moment(rng)):
        return moment
    if _DAY.search(pattern) and matches(pattern, day := by_format("date", rng)):
        return day
    for text in _in_words(fallback):
        if _WORDY.search(pattern) and matches(pattern, text):
            return text
    for parsed in _candidates(pattern):
        for _ in range(TRIES):
            try:
                text = PatternWriter(rng).text(parsed)
            except (ValueError, KeyError, IndexError, OverflowError):
                break
            if text.isprintable() and len(text) <= TEXT_LIMIT and matches(pattern, text):
                near = _FAR_YEAR.sub(str(TODAY.year), text) if _YEAR.match(pattern) else text
                return near if matches(pattern, near) else text
    samples = [item for item in schema.get("examples", ()) if isinstance(item, str) and matches(pattern, item)]
    return rng.choice(samples) if samples else fallback


_YEAR, _FAR_YEAR = re.compile(r"\^?\(?20(?:\[0-9\]|\\d)"), re.compile(r"^20\d\d(?!\d)")
"""A pattern that begins with any year of this century; only the current year is realistic."""
_WORDY = re.compile(r"[*+]|\{\d+,")
"""Patterns that leave the length of a text open, unlike those of codes."""


def _in_words(text: str) -> Iterator[str]:
    """Yield a text's words in the notations of identifiers: `amber-anchor`, `amber_anchor`, `AmberAnchor`."""
    words = re.findall(r"[A-Za-z]+", text)
    if not words or any(character.isdigit() for character in text):
        return
    small = [word.lower() for word in words]
    yield from ("-".join(small), "_".join(small), "".join(small), "".join(word.capitalize() for word in small))
    yield from (" ".join(small), "-".join(small).upper(), "_".join(small).upper(), "".join(small).upper())


_SECONDS = re.compile(r"^\^?(?:\\d|\[0-9\])\{10\}(?:\\\.|\[\.\])")
"""Patterns of seconds since 1970 with a fraction, which some APIs use as message ids: `1772445600.000219`."""


_DAY = re.compile(r"(?:\\d|\[0-9\])\{4\}.{0,12}(?:\\d|\[0-9\])\{2\}.{0,12}(?:\\d|\[0-9\])\{2\}")
"""Patterns of a year, a month and a day."""


def _moment(rng: Random) -> str:
    return f"{rng.randint(1_767_225_600, 1_780_000_000)}.{rng.randint(0, 99_999):05d}{rng.randint(1, 9)}"


@lru_cache(maxsize=4096)
def _candidates(pattern: str) -> tuple[Any, ...]:
    """Return the parsed expressions to write by: the pattern with short repeats, then the pattern itself."""
    if len(pattern) > PATTERN_LENGTH_LIMIT or compile_pattern(pattern) is None:
        return ()
    bounded = re.sub(r"(?<!\\)([*+])", lambda found: "{0,3}" if found[1] == "*" else "{1,4}", _outside_classes(pattern))
    bounded = re.sub(r"\{(\d+),\}", lambda found: f"{{{found[1]},{int(found[1]) + 3}}}", bounded)
    bounded = re.sub(r"\{(\d+),(\d{3,})\}", lambda found: f"{{{found[1]},{int(found[1]) + 4}}}", bounded)
    found = []
    for candidate in (bounded, pattern):
        try:
            found += [grammar.parse(candidate)] if _longest(candidate) <= TEXT_LIMIT else []
        except (re.error, ValueError, OverflowError, RecursionError):
            continue
    return tuple(found)


def _longest(pattern: str) -> int:
    """Return roughly the length of a pattern's longest match; unbounded repeats count as they are written."""
    levels, last, position = [0], 0, 0
    while position < len(pattern):
        atom = _ATOM.match(pattern, position)
        text = atom[0] if atom else pattern[position]
        position += len(text)
        if text.startswith("("):
            levels, last = [*levels, 0], 0
            if len(levels) > DEEPEST:
                return TEXT_LIMIT + 1
        elif text == ")":
            last = max(1, levels.pop()) if len(levels) > 1 else 0  # an empty group takes time too
            levels[-1] += last
        elif text[0] in "*+{" and (text[0] != "{" or text[1:-1].replace(",", "").isdigit()):
            bounds = [int(number) for number in re.findall(r"\d+", text)]
            times = min(max(bounds), TEXT_LIMIT) if bounds and not text.endswith(",}") else 100 + max(bounds, default=0)
            levels[-1] += last * (times - 1)
            last *= times
        elif text not in "?|^$":
            last = 1
            levels[-1] += 1
    return sum(levels)


_ATOM = re.compile(r"\[(?:\\.|[^\]\\])*\]|\\.|\{[\d,]+\}|\((?:\?(?:[:=!]|P?<\w+>))?", re.DOTALL)


def _outside_classes(pattern: str) -> str:
    """Return `pattern` with quantifier characters inside character classes escaped."""
    return re.sub(r"\[(?:\\.|[^\]\\])*\]", lambda found: re.sub(r"(?<!\\)([*+])", r"\\\1", found[0]), pattern)
