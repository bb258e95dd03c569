"""English nouns -> what several of them are called, and which are of several."""

from interplay.schemas.json.fields import singular

UNCOUNTED = frozenset(
    "media data metadata information info knowledge feedback software equipment news music series species staff people".split()
)
"""Nouns that are the same of one and of many."""

_ENDING_IN_S = {"alias", "canvas", "bias", "gas", "lens", "bonus"}


def is_several(noun: str) -> bool:
    """Tell whether a noun is that of several things."""
    last = noun.rpartition(" ")[2]
    return last.endswith("s") and singular(last) != last


def plural(noun: str) -> str:
    """Return the plural of an English noun, roughly."""
    last = noun.rpartition(" ")[2]
    if last in UNCOUNTED:
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith(("ss", "x", "ch", "sh", "us", "is")) or last in _ENDING_IN_S:
        return noun + "es"
    if noun.endswith("s"):
        return noun
    return noun + "s"
