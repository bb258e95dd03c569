"""The patterns `parallel` and `parallel_then_sequential`: independent goals in one request."""

from collections import Counter

from interplay.generators.blueprints.growth.follow_ups import add_sibling_goal
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern, reading_tool
from interplay.schemas.records.recipe import Recipe

MORE_SIBLINGS = 0.2
"""Chance of a third goal in the request."""


async def parallel(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow a request of two independent goals, now and then three."""
    await growth.request(name)
    for more in range(2):
        if more == 0 or growth.rng.random() < MORE_SIBLINGS:
            await add_sibling_goal(growth)


def _ends_together(grown: Grown) -> bool:
    """Tell whether the last steps of two goals of one request have the same level, so that they can run in parallel."""
    draft = grown.draft
    for goals in draft.requests:
        last = [[step for step in draft.steps if step.goal == goal][-1] for goal in goals if draft.goals[goal].tool]
        if len({(step.request, step.level) for step in last}) < len(last):
            return True
    return False


def _goes_on_after(grown: Grown) -> bool:
    """Tell whether a level of a request with several steps is followed by another level."""
    waves = Counter((step.request, step.level) for step in grown.draft.steps)
    return any(count > 1 and waves[request, level + 1] for (request, level), count in waves.items())


PARALLEL = TaskPattern("parallel", _ends_together, parallel, reading_tool)
PARALLEL_THEN_SEQUENTIAL = TaskPattern("parallel_then_sequential", _goes_on_after, parallel)
