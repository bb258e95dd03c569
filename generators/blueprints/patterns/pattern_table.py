"""The table of patterns: used to grow a draft by the pattern of its recipe, and to find the pattern of a draft."""

from collections.abc import Mapping

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.follow_ups import row_at_hand
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.ask import ASK
from interplay.generators.blueprints.patterns.conditional import CONDITIONAL
from interplay.generators.blueprints.patterns.fan_out import FAN_OUT
from interplay.generators.blueprints.patterns.guided import GUIDED
from interplay.generators.blueprints.patterns.handover import HANDOVER
from interplay.generators.blueprints.patterns.iterative_search import ITERATIVE_SEARCH
from interplay.generators.blueprints.patterns.no_call import NO_CALL
from interplay.generators.blueprints.patterns.parallel import PARALLEL, PARALLEL_THEN_SEQUENTIAL
from interplay.generators.blueprints.patterns.question import QUESTION
from interplay.generators.blueprints.patterns.recombined import RECOMBINED
from interplay.generators.blueprints.patterns.refusal import REFUSAL
from interplay.generators.blueprints.patterns.sequential import MULTI_GOAL, SEQUENTIAL
from interplay.generators.blueprints.patterns.single import FAN_IN, MISSING_TOOL, SINGLE
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.schemas.records.recipe import Pattern, Recipe

PATTERN_TABLE: tuple[TaskPattern, ...] = (
    MISSING_TOOL,
    GUIDED,
    NO_CALL,
    HANDOVER,
    REFUSAL,
    ASK,
    CONDITIONAL,
    FAN_OUT,
    ITERATIVE_SEARCH,
    QUESTION,
    RECOMBINED,
    MULTI_GOAL,
    SINGLE,
    PARALLEL_THEN_SEQUENTIAL,
    PARALLEL,
    FAN_IN,
    SEQUENTIAL,
)
"""All patterns, the most particular first: the order in which they are looked for in a draft."""

BY_NAME: Mapping[Pattern, TaskPattern] = {pattern.name: pattern for pattern in PATTERN_TABLE}


PLAINLY = 0.8
"""Chance of a plain sequential task where neither the target tool nor a related tool suits the pattern."""


async def grow(growth: Growth, recipe: Recipe, suited: tuple[str, ...], elsewhere: bool = False) -> None:
    """Grow a draft by the pattern of its recipe, with the target tool, or another of `suited` if need be or `elsewhere`.

    The other tool is related to the target if possible. Where no related tool suits the pattern, the task is mostly a
    plain one, since hardly anybody wants two unrelated things.

    Raises:
        DeadEnd: the pattern cannot be grown with these choices.
    """
    pattern = BY_NAME[recipe.pattern]
    if pattern.suits(growth, recipe.target) and not (elsewhere and suited):
        growth.settle_user(recipe.target)
        await pattern.grow(growth, recipe.target, recipe)
        return
    if not suited:
        raise DeadEnd(f"no tool suits the pattern {recipe.pattern}")
    world, target = growth.world, [recipe.target]
    near = world.kindred(suited, target) or world.kindred(suited, target, loosely=True)
    if not near and growth.rng.random() < PLAINLY:
        await SEQUENTIAL.grow(growth, recipe.target, recipe)
        return
    name = growth.rng.choice(near or suited)
    growth.settle_user(name, recipe.target)
    await pattern.grow(growth, name, recipe)
    if recipe.pattern != "single" and recipe.target not in [step.tool for step in growth.draft.steps]:
        await growth.request(recipe.target, row_at_hand(growth, recipe.target))


def pattern_of(grown: Grown, recipe: Recipe) -> Pattern:
    """Return the pattern that a draft has; the recipe's pattern if it is one of several."""
    if BY_NAME[recipe.pattern].is_in(grown):
        return recipe.pattern
    return next(one.name for one in PATTERN_TABLE if one.name != "missing_tool" and one.is_in(grown))
