"""A draft -> the pattern that it has."""

from collections import Counter
from collections.abc import Iterator

from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.phrases.escalation import hands_over
from interplay.schemas.records.blueprint import Lineage
from interplay.schemas.records.recipe import Pattern, Recipe


def pattern_of(draft: Draft, recipe: Recipe, lineage: Lineage, early: bool) -> Pattern:
    """Return the pattern that a draft really has: the one that its recipe asks for where it has several."""
    found = list(_patterns(draft, lineage, early))
    return (
        recipe.pattern if recipe.pattern in found else next(pattern for pattern in found if pattern != "missing_tool")
    )


def _patterns(draft: Draft, lineage: Lineage, early: bool) -> Iterator[Pattern]:
    """Yield all patterns that a draft has, the most particular first."""
    if early:
        yield "missing_tool"
    if draft.guided:
        yield "guided"
    if not draft.steps:
        yield "no_call"
    reasons = {step.withheld.reason for step in draft.steps if step.withheld}
    tools = (draft.environment.toolset.tool(goal.tool) for goal in draft.goals if goal.tool)
    handed = ("forbidden" in reasons or not all(goal.tool for goal in draft.goals)) and any(map(hands_over, tools))
    if handed:
        yield "handover"
    elif "forbidden" in reasons:
        yield "refusal"
    if "unknown" in reasons:
        yield "ask"
    if any(goal.condition for goal in draft.goals):
        yield "conditional"
    if any(goal.each for goal in draft.goals):
        yield "fan_out"
    if any(fact.instead_of and fact.reveal == "opening" for fact in draft.facts):
        yield "iterative_search"
    if any(step.asked for step in draft.steps):
        yield "question"
    if lineage.operator == "recombine":
        yield "recombined"
    if len(draft.requests) > 1:
        yield "multi_goal"
    if len(draft.steps) == 1:
        yield "single"
    waves = Counter((step.request, step.level) for step in draft.steps)
    if any(count > 1 and waves[request, level + 1] for (request, level), count in waves.items()):
        yield "parallel_then_sequential"
    if any(
        len({(step.request, step.level) for step in last}) < len(last) for last in _last_steps(draft) if len(last) > 1
    ):
        yield "parallel"
    if any(len(_used(step)) > 1 for step in draft.steps):
        yield "fan_in"
    yield "sequential"


def _last_steps(draft: Draft) -> Iterator[list[Step]]:
    """Yield, for each request, the steps that its goals are about."""
    for goals in draft.requests:
        yield [[step for step in draft.steps if step.goal == goal][-1] for goal in goals if draft.goals[goal].tool]


def _used(step: Step) -> set[str]:
    return {str(origin.action) for origin in step.origins.values() if origin.action is not None}
