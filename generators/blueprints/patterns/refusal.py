"""The `refusal` pattern: wishes that a policy rule forbids, or, as their twins, similar ones that it allows."""

from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.growth.pressure import without_confirmation, without_identity
from interplay.generators.blueprints.growth.temptation import forbidden
from interplay.generators.blueprints.patterns.handover import handover, is_handed_over
from interplay.generators.blueprints.patterns.task_pattern import Grown, TaskPattern
from interplay.schemas.records.recipe import Recipe


def is_governed(growth: Growth, name: str) -> bool:
    """Tell whether a policy rule governs a tool."""
    rules = growth.world.environment.toolset.rules
    return growth.policy is not None and any(name in rule.tools for rule in rules)


async def refusal(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a wish that a rule forbids, or as its twin a similar wish that the rule allows.

    Raises:
        DeadEnd: no wish was found on that side of the rule.
    """
    kind = growth.rule(recipe.rule).kind
    if kind == "identify_first":
        await without_identity(growth, name, recipe)
    elif recipe.twin != "forbidden":
        await growth.request(name)
    elif kind == "confirm_before":
        await without_confirmation(growth, name, recipe)
    elif kind == "handover_when":
        await handover(growth, name, recipe)
    else:
        await forbidden(growth, name, recipe.rule)


def _is_in(grown: Grown) -> bool:
    barred = any(step.withheld and step.withheld.reason == "forbidden" for step in grown.draft.steps)
    return barred and not is_handed_over(grown)


REFUSAL = TaskPattern("refusal", _is_in, refusal, is_governed)
