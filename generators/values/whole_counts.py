"""Counts by state -> their total.

{"trades_total": 35, "trades_won": 21, "trades_lost": 9}  ->  "trades_total": 30
{"total_tests": 35, "passed": 21, "failed": 9}            ->  "total_tests": 30
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from interplay.generators.values.dependent_fields import Fits
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import is_plural, singular
from interplay.schemas.words.word_classes import is_predicate

_LISTS = beside(__file__)
_COUNTING, _BOUNDS = word_set(_LISTS, "counting"), word_set(_LISTS, "bounds")


def sum_up(made: dict[str, Any], fits: Fits) -> None:
    """Set a total count to the sum of the counts by state, if there are at least two of these."""
    for whole, parts in _wholes(tuple(name for name, value in made.items() if type(value) is int)):
        total = sum(made[part] for part in parts)
        if fits(total, whole):
            made[whole] = total


@lru_cache(maxsize=4_096)
def _wholes(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the fields that hold total counts, each with the fields that hold its counts by state.

    The latter name the counted things too, or the state alone: then they belong to the last total before them.
    """
    counted = {name: [token for token in name_tokens(name) if token not in _COUNTING] for name in names}
    states = {name: said for name, said in counted.items() if _tells_state(said)}
    wholes = [name for name in names if name not in states and not _COUNTING.isdisjoint(name_tokens(name))]
    found = [(whole, _parts(counted[whole], counted)) for whole in wholes if counted[whole]]
    before = [name for name in names[: names.index(next(iter(states)))] if name in wholes] if states else []
    alone = [name for name in before if not counted[name] or is_plural(counted[name][-1])][-1:]
    return tuple(
        (whole, parts) for whole, parts in (*found, *((whole, tuple(states)) for whole in alone)) if len(parts) > 1
    )


def _parts(things: Sequence[str], counted: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the counts of the same things in one state: won, lost."""
    own = {*map(singular, things)}
    more = {name: [token for token in said if singular(token) not in own] for name, said in counted.items()}
    return tuple(name for name, said in counted.items() if own < {*map(singular, said)} and _tells_state(more[name]))


def _tells_state(said: Sequence[str]) -> bool:
    """Tell whether words name a state and not a limit."""
    return _BOUNDS.isdisjoint(said) and is_predicate(" ".join(said)) and not is_plural(said[-1])
