"""Seed, dimension and index -> numbers that fill every prefix of indices evenly, without coordination."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

_T = TypeVar("_T")

DIMENSIONS = (
    "goals",
    "vague",
    "tool_search",
    "asks_unknown",
    "out_of_scope",
    "described",
    "late",
    "pressure",
    "tone",
    "patience",
    "verbosity",
    "expertise",
    "age",
    "distractors",
    "difficulty",
    "evolved",
    "retold",
    "written",
    "inspiration",
    "top_up",
)


@lru_cache
def _ratio(dimensions: int) -> float:
    """Return the generalised golden ratio of the R-sequence for a number of dimensions. Source: M. Roberts, 2018."""
    root = 2.0
    for _ in range(40):
        root = (1 + root) ** (1 / (dimensions + 1))
    return root


_STEPS = {name: _ratio(len(DIMENSIONS)) ** -(position + 1) for position, name in enumerate(DIMENSIONS)}
"""The step of each dimension in the R-sequence."""

_PACE = math.sqrt(47) % 1
"""The step of the sequence of languages."""


@lru_cache(maxsize=4096)
def offset(key: str) -> float:
    """Return where the sequence of a key begins, from 0 to 1."""
    return Random(key).random()


def even(key: str, index: int) -> float:
    """Return the value of a separate even sequence at an index, from 0 to 1, which affects no other draw."""
    return math.fmod(offset(key) + (index + 1) / _ratio(1), 1.0)


def draws_at(seed: int, index: int) -> dict[str, float]:
    """Return the value of each dimension at an index."""
    return {name: draw(seed, name, index) for name in _STEPS}


def draws_of_chance(rng: Random) -> dict[str, float]:
    """Return a random value for each dimension."""
    return {name: rng.random() for name in _STEPS}


def draw(seed: int, dimension: str, index: int) -> float:
    """Return the value of a dimension at an index, from 0 to 1."""
    return math.fmod(_offsets(seed)[dimension] + (index + 1) * _STEPS[dimension], 1.0)


@lru_cache(maxsize=64)
def _offsets(seed: int) -> dict[str, float]:
    """Return where each dimension begins."""
    return {name: offset(f"{seed}/{name}") for name in _STEPS}


def order_at(tools: Sequence[str], seed: int, index: int) -> tuple[str, ...]:
    """Return the order of tools in the round of targets that an index belongs to."""
    return _order(tuple(tools), seed, index // len(tools))


@lru_cache(maxsize=64)
def _order(tools: tuple[str, ...], seed: int, number: int) -> tuple[str, ...]:
    order = list(tools)
    Random(f"{seed}/order/{number}").shuffle(order)
    return tuple(order)


def weighted(weights: Mapping[_T, float], drawn: float) -> _T:
    """Return the option at a position from 0 to 1, where each takes space in proportion to its weight."""
    left = drawn * sum(weights.values())
    for option, weight in weights.items():
        left -= weight
        if left < 0:
            return option
    return next(reversed(list(weights)))


def pick(options: Sequence[_T], drawn: float) -> _T:
    """Return the option at a position from 0 to 1, where all take the same space."""
    return options[int(drawn * len(options)) % len(options)]


def language_at(shares: Mapping[str, float], seed: int, index: int) -> str:
    """Return the language of an index: each by its share in every prefix of indices, without affecting other draws."""
    if len(shares) == 1:
        return next(iter(shares))
    drawn = math.fmod(Random(f"{seed}/language").random() + (index + 1) * _PACE, 1.0)
    passed, whole = 0.0, sum(shares.values())
    for language, share in shares.items():
        passed += share / whole
        if drawn < passed:
            return language
    return [language for language, share in shares.items() if share][-1]
