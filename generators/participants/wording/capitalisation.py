"""A text that was joined and begun with capitals -> the same, with the names in it to the letter."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from interplay.generators.participants.wording.value_phrases import begun, capital

_VALUE_FIRST = "{value}"


def to_the_letter(text: str, names: Collection[str], spoken: Collection[str]) -> str:
    """Return a text in which `names` have the letters that they have, at the beginning of a sentence too.

    What else was `spoken` stays as it stands: it may begin like a name. A word at a beginning is none where all names that
    were spoken stand elsewhere: "Done, the status is done."
    """
    if not any(way in text for name in names for way in _altered(name)):
        return text
    names = [name for name in names if len(_standing(name, text)) < max(1, list(spoken).count(name))]
    altered = {
        way: name
        for name in sorted(names)  # two of them may be altered alike
        for way in _altered(name)
        if way in text
    }
    if not altered:
        return text
    told = {**altered, **{value: value for value in (*names, *spoken) if value and value in text}}
    ways = "|".join(map(re.escape, sorted(told, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{ways})(?!\w)", lambda found: told[found[0]], text)


def _standing(name: str, text: str) -> list[str]:
    """Return a name as often as it stands in a text to the letter."""
    return re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name in text else []


@lru_cache(maxsize=16_384)
def _altered(name: str) -> tuple[str, ...]:
    """Return what becomes of a name that begins a text or a sentence, where that is something else."""
    return tuple(way for way in (capital(name), begun(name), capital(begun(name))) if way != name)


def begun_otherwise(wordings: Sequence[str]) -> Sequence[str]:
    """Return those of several wordings that do not begin with a value, if there are any: its letter stays small."""
    return [wording for wording in wordings if not wording.startswith(_VALUE_FIRST)] or wordings
