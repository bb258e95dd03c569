"""(settings, seed, index) -> Recipe: every prefix of indices covers tools and choices evenly, without coordination."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from pydantic import Field, field_validator

from interplay.generators.values import words
from interplay.schemas.blueprint import PATTERNS, Pattern, Persona, Recipe
from interplay.schemas.record import Record

_T = TypeVar("_T")

DIMENSIONS = (
    "pattern",
    "goals",
    "vague",
    "tool_search",
    "asks_unknown",
    "out_of_scope",
    "tone",
    "patience",
    "distractors",
)


def _ratio(dimensions: int) -> float:
    """Return the generalised golden ratio of the R-sequence. Source: M. Roberts, 2018."""
    root = 2.0
    for _ in range(40):
        root = (1 + root) ** (1 / (dimensions + 1))
    return root


_STEPS = {name: _ratio(len(DIMENSIONS)) ** -(position + 1) for position, name in enumerate(DIMENSIONS)}


REGISTRY_FROM, REGISTRY = 48, 0.1
"""Toolsets of more tools than this are searched like a registry in this share of the dialogues, unless settings say else."""


class RecipeSettings(Record):
    """What a run's recipes are drawn from; shares are from 0 to 1.

    A pattern is what is aimed at: where a tool needs look-ups, the blueprint has the pattern that these make of it.
    Of `registry`, `tool_changes` and `tool_search` a dialogue has one at most, the first of these if shares overlap.
    """

    patterns: Mapping[Pattern, float] = dict(zip(PATTERNS, (0.07, 0.15, 0.17, 0.21, 0.4), strict=True))
    max_goals: int = Field(5, ge=2, le=8)
    vague: float = Field(0.25, ge=0, le=1)
    tool_search: float = Field(0.15, ge=0, le=1)
    registry: float | None = Field(None, ge=0, le=1)
    tool_changes: float = Field(0.1, ge=0, le=1)
    asks_unknown: float = Field(0.3, ge=0, le=1)
    out_of_scope: float = Field(0.12, ge=0, le=1)

    @field_validator("patterns")
    @classmethod
    def _weights(cls, patterns: Mapping[Pattern, float]) -> Mapping[Pattern, float]:
        if min(patterns.values(), default=0) < 0 or sum(patterns.values()) <= 0:
            raise ValueError("weights of patterns must not be negative, and one must be positive")
        return patterns


def make_recipe(tools: Sequence[str], settings: RecipeSettings, seed: int, index: int) -> Recipe:
    """Return the recipe of one index; targets go round all tools, in another order each time."""
    order = list(tools)
    Random(f"{seed}/order/{index // len(order)}").shuffle(order)
    drawn = {
        name: math.fmod(Random(f"{seed}/{name}").random() + (index + 1) * step, 1.0) for name, step in _STEPS.items()
    }
    rng = Random(f"{seed}/persona/{index}")
    pattern = _weighted(settings.patterns, drawn["pattern"])
    goals = 2 + int(drawn["goals"] * (settings.max_goals - 1)) if pattern == "multi_goal" else 1
    offer = _offer(settings, len(order), drawn["tool_search"])
    return Recipe(
        index=index,
        seed=seed,
        target=order[index % len(order)],
        pattern=pattern,
        goals=goals,
        vague=drawn["vague"] < settings.vague,
        tool_search=offer == "tool_search",
        registry=offer == "registry",
        tool_changes=offer == "tool_changes",
        asks_unknown=drawn["asks_unknown"] < settings.asks_unknown,
        out_of_scope=drawn["out_of_scope"] < settings.out_of_scope,
        distractors=int(drawn["distractors"] * 12),
        persona=Persona(
            tone=_pick(("plain", "friendly", "formal", "terse", "chatty"), drawn["tone"]),
            patience=_pick(("low", "normal", "high"), drawn["patience"]),
            name=rng.choice(words.GIVEN_NAMES),
        ),
    )


def _offer(settings: RecipeSettings, tools: int, drawn: float) -> str:
    """Return how tools are offered: searched at the lower end of the draw, in a registry or changing at the upper one."""
    registry = settings.registry if settings.registry is not None else REGISTRY * (tools > REGISTRY_FROM)
    if drawn >= 1 - registry:
        return "registry"
    if drawn >= 1 - registry - settings.tool_changes:
        return "tool_changes"
    return "tool_search" if drawn < settings.tool_search else ""


def _weighted(weights: Mapping[Pattern, float], drawn: float) -> Pattern:
    left = drawn * sum(weights.values())
    for option, weight in weights.items():
        left -= weight
        if left < 0:
            return option
    return next(reversed(list(weights)))


def _pick(options: Sequence[_T], drawn: float) -> _T:
    return options[int(drawn * len(options)) % len(options)]
