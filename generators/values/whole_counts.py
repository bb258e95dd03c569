"""Counts of things in some states -> the count of all of them.

{"trades_total": 35, "trades_won": 21, "trades_lost": 9}  ->  "trades_total": 30
"""

from functools import lru_cache
from typing import Any

from interplay.generators.values.dependent_fields import Fits
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import is_predicate

_LISTS = beside(__file__)
_COUNTING, _BOUNDS = word_set(_LISTS, "counting"), word_set(_LISTS, "bounds")


def sum_up(made: dict[str, Any], fits: Fits) -> None:
    """Let the count of all be the sum of the counts of those in each state, where there are several."""
    for whole, parts in _wholes(tuple(name for name, value in made.items() if type(value) is int)):
        total = sum(made[part] for part in parts)
        if fits(total, whole):
            made[whole] = total


@lru_cache(maxsize=4_096)
def _wholes(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the fields that count all of something, each with those that count the ones in some state."""
    counted = {name: [singular(token) for token in name_tokens(name) if token not in _COUNTING] for name in names}
    found = []
    for whole, things in counted.items():
        own = set(things)
        parts = tuple(name for name, said in counted.items() if own < {*said} and _tells_state(said, own))
        if things and len(parts) > 1 and not _COUNTING.isdisjoint(name_tokens(whole)):
            found.append((whole, parts))
    return tuple(found)


def _tells_state(said: list[str], things: set[str]) -> bool:
    """Tell whether the words of a count that do not say what is counted say how it is: won, lost."""
    state = [word for word in said if word not in things]
    return _BOUNDS.isdisjoint(state) and is_predicate(" ".join(state))
