"""A text and how somebody writes -> the text in that hand; the values in it stay to the letter."""

import re
from collections.abc import Sequence
from random import Random

from interplay.schemas.blueprint import Habit, Persona

SHORT = {"please": "pls", "Please": "Pls", "thanks": "thx", "Thanks": "Thx", "because": "bc", "with": "w/", "tomorrow": "tmrw"}
"""Words that people abbreviate in chats."""

SHORTENED, EXCLAIMED, TRAILED, HEDGED = 0.8, 0.6, 0.5, 0.35
HEDGES = ("I think", "I guess", "if I'm not mistaken,", "I suppose")
_WORDS = re.compile(r"[A-Za-z]+")


def styled(text: str, spoken: Sequence[str], persona: Persona, rng: Random) -> str:
    """Return a text with the habits of a person; what is `spoken` stays as it is."""
    if not persona.habits or not text:
        return text
    pieces = _around(text, spoken)
    for habit in persona.habits:
        pieces = [(piece if fixed else _changed(piece, habit, rng), fixed) for piece, fixed in pieces]
    written = "".join(piece for piece, _ in pieces)
    if "hedges" in persona.habits and not written.endswith("?") and rng.random() < HEDGED:
        written = f"{rng.choice(HEDGES)} {_lowered(written, spoken)}".replace("i think", "I think", 1)
        written = written[0].upper() + written[1:] if "lowercase" not in persona.habits else written
    return written


def _around(text: str, spoken: Sequence[str]) -> list[tuple[str, bool]]:
    """Cut a text into what may be changed and what is a value."""
    values = sorted({value for value in spoken if value}, key=len, reverse=True)
    if not values:
        return [(text, False)]
    pattern = re.compile("(" + "|".join(map(re.escape, values)) + ")")
    return [(piece, place % 2 == 1) for place, piece in enumerate(pattern.split(text)) if piece]


def _changed(piece: str, habit: Habit, rng: Random) -> str:
    if habit == "lowercase":
        return re.sub(r"\bI\b(?!')", "i", piece[:1].lower() + re.sub(r"([.!?] )([A-Z])", lambda m: m[1] + m[2].lower(), piece[1:]))
    if habit == "abbreviates":
        return _WORDS.sub(lambda found: SHORT.get(found[0], found[0]) if rng.random() < SHORTENED else found[0], piece)
    if habit == "exclaims":
        return re.sub(r"(?<=[a-z])\.(?=\s|$)", lambda _: "!" if rng.random() < EXCLAIMED else ".", piece)
    if habit == "ellipses":
        return re.sub(r"(?<=[a-z])\.(?=\s|$)", lambda _: "..." if rng.random() < TRAILED else ".", piece)
    return piece


def _lowered(text: str, spoken: Sequence[str]) -> str:
    """Return a text that goes on after other words: its first letter small, unless a value or a name stands there."""
    first = text.split(" ", 1)[0]
    kept = first == "I" or first.startswith("I'") or any(value.startswith(first) for value in spoken) or first[1:2].isupper()
    return text if kept else text[:1].lower() + text[1:]
