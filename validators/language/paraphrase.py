"""What people say for a deed: the telling words of a wish, other words for the same, and whether a text has them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from interplay.schemas.words.dates import relative_days
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import alternatives, beside, rows, word_set
from interplay.schemas.words.lists import words as listed
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import Text, akin, fold, words
from interplay.validators.language.phrases import pattern

_LISTS = beside(__file__)
_JOINED = re.compile(rf"^({alternatives(listed(_LISTS, 'prefixes'))})zu(?=\w{{3}})")
_FILLING = word_set(_LISTS, "filling")
_ALIKE = tuple((tuple(row["names"].split()), tuple(row["others"])) for row in rows(_LISTS, "alike"))
"""Words for the same deed: one who hears of one of them has heard of a call that is named after one of the first."""
_BOTH_WAYS = word_set(_LISTS, "both_ways")
_SEVERAL = pattern("several", re.NOFLAG)
_COUNTED = pattern("counted", re.NOFLAG)
"""Words for more than one thing: as they are, or where the thing follows."""
_DAYS = rows(_LISTS, "days")


@dataclass(frozen=True)
class SaidBefore:
    """Words that were said before a call; `today` is the day on which they were, where it is known."""

    texts: tuple[Text, ...]
    today: date | None = None

    @cached_property
    def _heard(self) -> tuple[str, ...]:
        """All that is said, each word once."""
        return tuple(dict.fromkeys(word for text in self.texts for word in _plain_words(text.words)))

    def has(self, word: str) -> bool:
        """Tell whether a word is said, or one with its stem."""
        return shares_stem(word, self._heard)

    def has_all(self, found: Sequence[str]) -> bool:
        """Tell whether all of some words are said."""
        return all(self.has(word) for word in found)

    def says(self, value: Any, name: str, hint: Mapping[str, Any] | None = None) -> bool:
        """Tell whether a value is said: as it is, or, where it is a day, by the day of the week or as tomorrow."""
        if said(self.texts, value, hint, name):
            return True
        try:
            day = date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
        except ValueError:
            return False
        if day is None:
            return False
        if any(weekday in text.words for text in self.texts for weekday in _DAYS[day.weekday()]):
            return True
        known = (day.year, day.month, day.day)
        return self.today is not None and any(known in relative_days(text.folded, self.today) for text in self.texts)

    def several(self, nouns: Collection[str]) -> bool:
        """Tell whether more than one thing is spoken of at once: both, two bookings, bookings, for a noun among these."""
        for text in self.texts:
            heard = " ".join(text.words)
            counted = (word for found in _COUNTED.finditer(heard) for word in found[1].split())
            plural = any(word in text.words for noun in nouns for word in _plurals(noun) if word not in nouns)
            if plural or _SEVERAL.search(heard) or any(akin(word, noun) for word in counted for noun in nouns):
                return True
        return False


def content_words(wish: str) -> tuple[str, ...]:
    """Return the words of a wish, or of a name in code, that tell it from others."""
    spelt = wish if " " in wish else " ".join(name_tokens(wish))
    return tuple(word for word in _plain_words(words(fold(spelt))) if len(word) > 2 and word not in _FILLING)


def _plurals(noun: str) -> tuple[str, ...]:
    """Return how many of what a noun names may be called, in English and German."""
    return (f"{noun}s", f"{noun}es", f"{noun}e", f"{noun}en", f"{noun}n", f"{noun[:-1]}ies")


def _plain_words(found: Collection[str]) -> tuple[str, ...]:
    """Return words with infinitives as they stand alone: abzusagen, absagen."""
    return tuple(_JOINED.sub(r"\1", word) for word in found)


def says_deed(asked: SaidBefore, word: str, elsewhere: Collection[str]) -> bool:
    """Tell whether a word is said, or another for the same deed that is none of the other calls'."""
    if asked.has(word):
        return True
    alike = [other for heads, more in _ALIKE if word in heads for other in (*heads, *more)]
    if (word in _ALIKE[0][0] or word in _ALIKE[1][0]) and not any(
        shares_stem(other, elsewhere) for other in _BOTH_WAYS
    ):
        alike += _BOTH_WAYS
    return any(asked.has_all(other.split()) for other in alike if not shares_stem(other, elsewhere))


def shares_stem(word: str, others: Collection[str]) -> bool:
    """Tell whether a word, or one with its stem, is among others."""
    return any(akin(word, other) for other in others)
