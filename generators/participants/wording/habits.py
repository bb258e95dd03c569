"""A text and a persona's writing habits -> the text in that style; the values in it stay unchanged."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from interplay.generators.participants.wording.languages import load_language
from interplay.schemas.records.recipe import Habit, Persona

SHORTENED, EXCLAIMED, TRAILED, SMILED = 0.8, 0.35, 0.3, 0.3
EMOJI = ("🙂", "😊", "👍", "🙏")


def styled(
    text: str, spoken: Sequence[str], persona: Persona, rng: Random, speech: Mapping[str, Any] | None = None
) -> str:
    """Return a text with a persona's writing habits; `spoken` values stay unchanged."""
    if not persona.habits or not text:
        return text
    pieces, speech = _around(text, spoken), speech or load_language().speech
    for habit in persona.habits:
        pieces = [(piece if fixed else _changed(piece, habit, rng, speech), fixed) for piece, fixed in pieces]
    written = "".join(piece for piece, _ in pieces)
    return f"{written} {rng.choice(EMOJI)}" if "emoji" in persona.habits and rng.random() < SMILED else written


def _around(text: str, spoken: Sequence[str]) -> list[tuple[str, bool]]:
    """Split a text into pieces that may be changed and values."""
    pieces, begin = list[tuple[str, bool]](), 0
    while True:
        places = ((text.find(value, begin), -len(value), value) for value in spoken if value)
        place, _, value = min((found for found in places if found[0] >= 0), default=(len(text), 0, ""))
        pieces += [(text[begin:place], False), (value, True)]
        if not value:
            return [(piece, fixed) for piece, fixed in pieces if piece]
        begin = place + len(value)


def _changed(piece: str, habit: Habit, rng: Random, speech: Mapping[str, Any]) -> str:
    if habit == "lowercase":
        if not speech["lowercase"]:
            return piece.lower()
        pattern, text = speech["lowercase"]
        small = re.sub(r"([.!?:] )([A-Z])", lambda found: found[1] + found[2].lower(), _lower(piece))
        return re.sub(pattern, text, small)
    if habit == "abbreviates":
        short = speech["short"]
        return _words(speech["letters"]).sub(
            lambda found: short.get(found[0], found[0]) if rng.random() < SHORTENED else found[0], piece
        )
    if habit == "exclaims":
        return re.sub(r"(?<=[a-zäöüß])\.(?=\s|$)", lambda _: "!" if rng.random() < EXCLAIMED else ".", piece)
    if habit == "ellipses":
        return re.sub(r"(?<=[a-zäöüß])\.(?=\s|$)", lambda _: "..." if rng.random() < TRAILED else ".", piece)
    return piece


@lru_cache(maxsize=8)
def _words(letters: str) -> re.Pattern[str]:
    return re.compile(f"[{letters}]+")


def _lower(text: str) -> str:
    """Return a text with a lower-case first letter; a first word in capitals becomes lower-case as a whole."""
    first, gap, rest = text.partition(" ")
    letters = first.rstrip(".,!?:;")
    small = first.lower() if len(letters) > 1 and letters.isupper() else first[:1].lower() + first[1:]
    return f"{small}{gap}{rest}"
