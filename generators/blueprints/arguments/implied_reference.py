"""A row that an earlier goal was about -> whether "the same" refers to it, or the user has to name it again.

look at booking 1, look at booking 2, cancel it   ->   booking 2, mentioned last; booking 1 would have to be named
"""

from collections.abc import Iterable
from typing import Any

from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.graph.sampling.world import World
from interplay.schemas.calls.antecedent import Discourse
from interplay.schemas.records.blueprint import Origin


def is_other_row(draft: Draft, world: World, goal: int, resource: str, key: str, origin: Origin) -> bool:
    """Tell whether a row came up with an earlier goal, and "the same" would now refer to another row."""
    own = world.environment.toolset.user_resource
    condition = draft.goals[goal].condition
    instead = condition is not None and condition.otherwise  # an alternative goal is about the same row
    if resource == own or instead or origin.kind not in ("user", "output"):
        return False
    values = {step.id: step.value for step in draft.steps if step.withheld is None}
    told = {fact.id: fact.goal for fact in draft.facts}
    asked = {step.id: step.asked for step in draft.steps}
    talk = Discourse(draft.goals, draft.requests, draft.steps, values, told, asked, world.roles, world.resources, own)
    return talk.is_earlier(goal, origin) and talk.same(goal, resource) != key


def is_implied(
    draft: Draft, world: World, goal: int, resource: str, key: str, beside: Iterable[tuple[str | None, Any]]
) -> bool:
    """Tell whether a row is implied by a row `beside` it: "the same task" implies the task's project."""
    for kind, other in beside:
        held = world.resources.get(str(kind))
        known = draft.identities.get((str(kind), str(other)))
        if held is None or held.parent != resource or known is None:
            continue
        row = world.subject(str(kind), other)
        above = world.linked(row, resource) if row is not None else None
        same = above is not None and above.key == key
        if same and not is_other_row(draft, world, goal, str(kind), str(other), known):
            return True
    return False
