"""Several requests, one after the other, mostly about what was spoken of before."""

from interplay.generators.blueprints.growth.follow_ups import add_request
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.linked_goals import LED, add_linked_goals
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.schemas.records.recipe import Recipe


async def multi_goal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Bring up as many requests as the recipe asks for."""
    led = (recipe.edge or growth.rng.random() < LED) and await add_linked_goals(growth, name, recipe, together=False)
    if not led:
        await growth.request(name)
    for _ in range(recipe.goals - 2 if led else recipe.goals - 1):
        await add_request(growth, tries=6)


MULTI_GOAL = TaskPattern("multi_goal", lambda grown: len(grown.draft.requests) > 1, multi_goal)
