"""The patterns `single`, `fan_in` and `missing_tool`: one request about one tool."""

from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.schemas.records.recipe import Recipe


async def single(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow one request about one tool, with the look-ups that it needs."""
    await growth.request(name)


def _alone(growth: Growth, name: str) -> bool:
    """Tell whether a tool needs no identity, so that it can be called without a look-up."""
    return not growth.world.needed_references(name)


def _takes_several(growth: Growth, name: str) -> bool:
    """Tell whether a tool needs identities of more than one resource."""
    return len(set(growth.world.needed_references(name).values())) > 1


def _joins_results(grown: Grown) -> bool:
    """Tell whether a step takes values from more than one other step."""
    taken = ({origin.action for origin in step.origins.values()} - {None} for step in grown.draft.steps)
    return any(len(actions) > 1 for actions in taken)


SINGLE = TaskPattern("single", lambda grown: len(grown.draft.steps) == 1, single, _alone)
FAN_IN = TaskPattern("fan_in", _joins_results, single, _takes_several)
MISSING_TOOL = TaskPattern("missing_tool", lambda grown: grown.early, single)
