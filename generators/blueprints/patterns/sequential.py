"""The patterns `sequential` and `multi_goal`: calls that use earlier results, in one request or several."""

from interplay.generators.blueprints.growth.follow_ups import add_follow_up, add_request
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.linked_goals import LED, add_linked_goals
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.schemas.records.recipe import Recipe


async def sequential(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a request whose calls depend on each other, by an edge into the tool or by a follow-up goal."""
    if (recipe.edge or growth.rng.random() < LED) and await add_linked_goals(growth, name, recipe, together=True):
        return
    await growth.request(name)
    if all(step.level == 0 for step in growth.draft.steps):
        await add_follow_up(growth)


async def multi_goal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow as many requests as the recipe asks for, mostly about rows that came up before."""
    led = (recipe.edge or growth.rng.random() < LED) and await add_linked_goals(growth, name, recipe, together=False)
    if not led:
        await growth.request(name)
        if not await growth.has_sense():
            return  # more requests would not make it any more plausible
    for _ in range(recipe.goals - 2 if led else recipe.goals - 1):
        await add_request(growth, tries=6)


SEQUENTIAL = TaskPattern("sequential", lambda grown: True, sequential)  # noqa: ARG005
MULTI_GOAL = TaskPattern("multi_goal", lambda grown: len(grown.draft.requests) > 1, multi_goal)
