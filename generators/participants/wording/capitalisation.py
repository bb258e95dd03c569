"""A text joined with capitals at the beginning of sentences -> the same with the original case of names."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from interplay.generators.participants.wording.value_phrases import begun, capital

_VALUE_FIRST = "{value}"


def to_the_letter(text: str, names: Collection[str], spoken: Collection[str]) -> str:
    """Return a text in which `names` have their original case, even at the beginning of a sentence.

    Other `spoken` values stay as they are: they may begin like a name. A word at the beginning of a sentence is no name if all
    spoken names occur elsewhere: "Done, the status is done."
    """
    if not any(way in text for name in names for way in _altered(name)):
        return text
    names = [name for name in names if len(_standing(name, text)) < max(1, list(spoken).count(name))]
    altered = {
        way: name
        for name in sorted(names)  # two names may be altered to the same text
        for way in _altered(name)
        if way in text
    }
    if not altered:
        return text
    told = {**altered, **{value: value for value in (*names, *spoken) if value and value in text}}
    ways = "|".join(map(re.escape, sorted(told, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{ways})(?!\w)", lambda found: told[found[0]], text)


def _standing(name: str, text: str) -> list[str]:
    """Return the exact occurrences of a name in a text."""
    return re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name in text else []


@lru_cache(maxsize=16_384)
def _altered(name: str) -> tuple[str, ...]:
    """Return the forms that a name may get at the beginning of a text or sentence, if different."""
    return tuple(way for way in (capital(name), begun(name), capital(begun(name))) if way != name)


def begun_otherwise(wordings: Sequence[str]) -> Sequence[str]:
    """Return the wordings that do not begin with a value, since that may be in lower case; all of them if there are none."""
    return [wording for wording in wordings if not wording.startswith(_VALUE_FIRST)] or wordings
