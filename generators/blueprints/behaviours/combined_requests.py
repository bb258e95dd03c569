"""The user brings up two requests at once."""

from collections.abc import Iterator

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.growth.dialogue_moments import assign_levels
from interplay.generators.blueprints.growth.growth import Growth


async def merge(growth: Growth) -> bool:
    """Merge two adjacent requests of which neither depends on the other; tell whether there are such."""
    draft = growth.draft
    if any(done.kind in ("changes_mind_late", "long_memory") for done in draft.behaviours):
        return False
    for request in range(len(draft.requests) - 1):
        both = (*draft.requests[request], *draft.requests[request + 1])
        plain = not any(draft.goals[goal].condition or not draft.goals[goal].tool for goal in both)
        if not plain or any(_leans(growth, one, other) for one in (request, request + 1) for other in range(one)):
            continue
        if _reads_again(growth, request + 1):
            continue
        draft.requests[request : request + 2] = [both]
        for step in list(draft.steps):
            if step.request > request:
                draft.revise(step, request=step.request - 1)
        draft.behaviours[:] = [
            done.model_copy(update={"request": done.request - (done.request > request)}) for done in draft.behaviours
        ]
        assign_levels(draft)
        return True
    return False


def _reads_again(growth: Growth, request: int) -> bool:
    """Tell whether a request repeats a call of an earlier one, which makes sense only after a write in between."""
    steps = growth.draft.steps
    return any(
        step.tool == other.tool and step.arguments == other.arguments
        for step in (step for step in steps if step.request == request)
        for other in (other for other in steps if other.request < request)
    )


def _leans(growth: Growth, request: int, other: int) -> bool:
    """Tell whether a request uses results of another one, other than the user's identity."""
    own = growth.world.environment.toolset.user_resource
    requests = {step.id: step.request for step in growth.draft.steps}
    return any(
        origin.action is not None
        and requests[origin.action] == other
        and growth.role(step.tool).references.get(pointer) != own
        for step in growth.draft.steps
        if step.request == request
        for pointer, origin in step.origins.items()
    )


def _combined(growth: Growth) -> Iterator[int]:
    """Yield the requests that hold several goals with tools."""
    goals = growth.draft.goals
    for number, indices in enumerate(growth.draft.requests):
        if len([goal for goal in indices if goals[goal].tool]) > 1:
            yield number


COMBINED_REQUESTS = UserBehaviour(name="several_at_once", extend=merge, notice=_combined)
