"""What one call returns goes into the next."""

from interplay.generators.blueprints.growth.follow_ups import add_follow_up
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.linked_goals import LED, add_linked_goals
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.schemas.records.recipe import Recipe


async def sequential(growth: Growth, name: str, recipe: Recipe) -> None:
    """Bring up a goal whose calls depend on each other, by an edge that leads to it or by a follow-up."""
    if (recipe.edge or growth.rng.random() < LED) and await add_linked_goals(growth, name, recipe, together=True):
        return
    await growth.request(name)
    if all(step.level == 0 for step in growth.draft.steps):
        await add_follow_up(growth)


SEQUENTIAL = TaskPattern("sequential", lambda grown: True, sequential)  # noqa: ARG005
