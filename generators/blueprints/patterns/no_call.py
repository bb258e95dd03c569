"""The `no_call` pattern: no tool serves what the user wants, so that nothing should be called."""

from interplay.generators.blueprints.drafting.barred_tools import barred_wish
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.generators.phrases.unserved_wishes import nearby_wishes, unserved_wishes
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.recipe import Recipe

TWICE = 0.2
"""Chance of a second wish."""


async def no_call(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow one wish, now and then two, that no offered tool serves.

    Where tools can be left out of the offer, the wish is one that they would serve.

    Raises:
        DeadEnd: there are too few such wishes.
    """
    environment = growth.world.environment
    barred = barred_wish(environment, recipe, (), growth.rng)
    near = nearby_wishes(environment.toolset, environment.resources, recipe.language)
    options = unserved_wishes(environment.toolset)
    count = 1 + (growth.rng.random() < TWICE)
    if len(options) < count:
        raise DeadEnd("the tools serve all wishes that are known")
    wishes = growth.rng.sample(near if len(near) >= count else options, count)
    if barred is not None:
        wishes, growth.draft.barred = [barred.intent], barred.tools
    for number, wish in enumerate(wishes):
        growth.draft.requests.append((number,))
        growth.draft.goals.append(Goal(intent=wish, tool="", topic=" ".join(wish.split()[-2:])))


NO_CALL = TaskPattern("no_call", lambda grown: not grown.draft.steps, no_call)
