"""Singular and plural of English nouns: movies <-> movie, criteria <-> criterion, data <-> data.

Identifiers keep their case: "comicSeries", "userIDs" -> "userID". Nouns that inflect gets wrong are in data/en/nouns.yaml.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from interplay.schemas.words.lists import table, word_set
from interplay.schemas.words.word_tables import lexicon

if TYPE_CHECKING:
    from inflect import engine

UNCOUNTED = word_set("nouns", "same")
"""Nouns whose singular and plural are the same."""

PERSON_NOUNS = word_set("people", "served", "traders", "actors", "staff")
"""What people are called by what they are to somebody: customer, buyer, author, nurse."""

_ONE = UNCOUNTED | word_set("nouns", "one")
_SINGULARS, _PLURALS = table("nouns", "singulars"), table("nouns", "plurals")
_MANY = {one: many for many, one in _SINGULARS.items()} | dict(_PLURALS)
_LAST = re.compile(r"(?:[A-Z]+s|[A-Z]?[a-z]+|[A-Z]+)\Z")
"""The last word of a phrase or an identifier."""


@cache
def english() -> "engine":
    """Return the `inflect` engine; imported on first use, since that takes some hundredths of a second."""
    from inflect import engine

    return engine()


@lru_cache(maxsize=16_384)
def singular(noun: str) -> str:
    """Return the singular of a noun, of a phrase that ends in one, or of an identifier."""
    found = _LAST.search(noun)
    return noun if found is None else noun[: found.start()] + _spelt(found[0], _singular(found[0].lower()))


@lru_cache(maxsize=16_384)
def plural(noun: str) -> str:
    """Return the plural of a noun, of a phrase that ends in one, or of an identifier: "conversations by status"."""
    joint = _JOINT.search(noun)
    if joint is not None:
        return plural(noun[: joint.start()]) + noun[joint.start() :]
    found = _LAST.search(noun)
    return f"{noun}s" if found is None else noun[: found.start()] + _spelt(found[0], _plural(found[0].lower()))


_JOINT = re.compile(r"(?<=\w) (?:by|of|for|with|per) ")
"""Prepositions that end the head noun of a phrase."""


@lru_cache(maxsize=16_384)
def is_plural(noun: str) -> bool:
    """Tell whether a noun is plural; a unit after "in" is ignored: "duration in minutes"."""
    head = noun.partition(" in ")[0]
    return singular(head) != head


def _singular(word: str) -> str:
    if word in _SINGULARS:
        return str(_SINGULARS[word])
    if word in _ONE or not word.endswith("s") or len(word) < len("ids") or word.endswith(("ss", "us", "is")):
        return word
    return str(english().singular_noun(word) or word)


def _plural(word: str) -> str:
    if word in UNCOUNTED or _singular(word) != word:
        return word
    made = str(_MANY.get(word) or english().plural_noun(word))
    return (_of_clipped(word) or made) if made.endswith("oes") else made


def _of_clipped(word: str) -> str:
    """Return the lexicon's plural of a noun in -o, which knows clipped words: todos and promos, but heroes."""
    return str(next(iter(lexicon().getInflection(word, "NNS")), ""))


def _spelt(word: str, other: str) -> str:
    """Return `other`, a form of `word`, with the case of `word` as far as their letters agree: IDs, id -> ID."""
    same = next((place for place, (a, b) in enumerate(zip(word.lower(), other, strict=False)) if a != b), None)
    same = min(len(word), len(other)) if same is None else same
    return word[:same] + other[same:]
