"""Patterns of tasks as operators: each lets a draft grow until it has that shape.

An operator is given a tool that suits it; the tool that the recipe aims at, where that is another one, is brought up as a
request of its own.
"""

from collections.abc import Awaitable, Callable, Mapping

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.follow_ups import another_request, follow_up, sibling
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.linked_goals import by_an_edge
from interplay.generators.blueprints.patterns import (
    conditional,
    fan_out,
    guided,
    handover,
    iterative_search,
    question,
    refusal,
)
from interplay.generators.blueprints.patterns.no_call import small_talk
from interplay.schemas.records.recipe import Pattern, Recipe
from interplay.schemas.records.tool import READING

Operator = Callable[[Growth, str, Recipe], Awaitable[None]]
Suits = Callable[[Growth, str], bool]

LED = 0.5
"""Chance that what a tool is about is shown by something that the user wants first, if anything shows it."""

MORE_SIBLINGS = 0.45
"""Chance that a request of independent goals gets one more."""


async def single(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """One request about one tool, with the look-ups that it needs."""
    await growth.request(name)


async def sequential(growth: Growth, name: str, recipe: Recipe) -> None:
    """What one call returns goes into the next."""
    if (recipe.edge or growth.rng.random() < LED) and await by_an_edge(growth, name, recipe, together=True):
        return
    await growth.request(name)
    if all(step.level == 0 for step in growth.draft.steps):
        await follow_up(growth)


async def parallel(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Independent wishes in one breath."""
    await growth.request(name)
    for more in range(3):
        if more == 0 or growth.rng.random() < MORE_SIBLINGS:
            await sibling(growth)


async def multi_goal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Several requests, one after the other, mostly about what was spoken of before."""
    led = (recipe.edge or growth.rng.random() < LED) and await by_an_edge(growth, name, recipe, together=False)
    if not led:
        await growth.request(name)
    for _ in range(recipe.goals - 2 if led else recipe.goals - 1):
        await another_request(growth, tries=6)


def _takes_several(growth: Growth, name: str) -> bool:
    """Tell whether a tool takes identities of more than one resource."""
    required = growth.world.tools[name].parameters.get("required", ())
    references = growth.role(name).references
    return len({resource for pointer, resource in references.items() if pointer.split("/")[1] in required}) > 1


def _any(growth: Growth, name: str) -> bool:  # noqa: ARG001
    return True


def _alone(growth: Growth, name: str) -> bool:
    """Tell whether a tool may be called without a look-up: it needs no identity."""
    required = growth.world.tools[name].parameters.get("required", ())
    return not any(pointer.split("/")[1] in required for pointer in growth.role(name).references)


def _reads(growth: Growth, name: str) -> bool:
    return growth.role(name).operation in READING


OPERATORS: Mapping[Pattern, tuple[Suits, Operator]] = {
    "single": (_alone, single),
    "sequential": (_any, sequential),
    "parallel": (_reads, parallel),
    "parallel_then_sequential": (_any, parallel),
    "fan_out": (fan_out.suits, fan_out.fan_out),
    "fan_in": (_takes_several, single),
    "conditional": (conditional.suits, conditional.conditional),
    "iterative_search": (iterative_search.suits, iterative_search.iterative_search),
    "question": (_reads, question.question),
    "multi_goal": (_any, multi_goal),
    "ask": (refusal.suits_ask, refusal.ask),
    "refusal": (refusal.is_governed, refusal.refusal),
    "handover": (handover.suits, handover.handover),
    "no_call": (_any, small_talk),
    "missing_tool": (_any, single),
    "guided": (guided.suits, guided.guided),
}


async def grow(growth: Growth, recipe: Recipe, suited: tuple[str, ...], elsewhere: bool = False) -> None:
    """Let a draft grow into the pattern of its recipe; `elsewhere` makes it of another tool than the one aimed at.

    Raises:
        DeadEnd: it does not have that shape with these choices.
    """
    suits, operator = OPERATORS[recipe.pattern]
    if suits(growth, recipe.target) and not (elsewhere and suited):
        growth.be_somebody(recipe.target)
        await operator(growth, recipe.target, recipe)
        return
    if not suited:
        raise DeadEnd(f"no tool suits the pattern {recipe.pattern}")
    name = growth.rng.choice(suited)
    growth.be_somebody(name, recipe.target)
    await operator(growth, name, recipe)
    if recipe.pattern != "single" and recipe.target not in [step.tool for step in growth.draft.steps]:
        await growth.request(recipe.target)
