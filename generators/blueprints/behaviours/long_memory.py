"""The user refers to something told or chosen long before, without repeating it."""

from collections.abc import Iterator

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.growth.dialogue_moments import (
    first_use,
)
from interplay.generators.blueprints.growth.follow_ups import add_request
from interplay.generators.blueprints.growth.growth import Growth

AGO = 2
"""Number of requests after which something counts as long ago."""
TRIED = 6


async def long_memory(growth: Growth) -> bool:
    """Add a request about the row of the first request, with another request in between; tell whether one was found."""
    draft = growth.draft
    if len(list(remembered(growth))):
        return True
    first = [step for step in draft.steps if step.request == 0]
    step = first[-1] if first else None
    if step is None or growth.role(step.tool).resource == growth.world.environment.toolset.user_resource:
        return False
    while len(draft.requests) < AGO:
        if not await add_request(growth, tries=TRIED):
            return False
    subject = growth.row_shown(step)
    if subject is None:
        return False
    used = {other.tool for other in draft.steps}
    options = [
        tool.name
        for tool in growth.callable()
        if subject.resource in growth.role(tool.name).references.values() and tool.name not in used
    ]
    growth.rng.shuffle(options)
    for name in options[:TRIED]:
        with draft.trial():
            goal, request = growth.begin(name)
            await growth.serve(goal, request, subject)
            if request in remembered(growth):
                return True
            raise DeadEnd(f"{name} rests on nothing that was said before")
    return False


def remembered(growth: Growth) -> Iterator[int]:
    """Yield the requests that use what was told or chosen at least two requests before, and not since."""
    draft, own = growth.draft, growth.world.environment.toolset.user_resource
    requests = {step.id: step.request for step in draft.steps}
    for request in range(AGO, len(draft.requests)):
        between = [step for step in draft.steps if request - AGO < step.request < request]
        known = {(origin.action, origin.pointer, origin.fact) for step in between for origin in step.origins.values()}
        for step in (step for step in draft.steps if step.request == request):
            for pointer, origin in step.origins.items():
                told = origin.kind == "user" and _told_in(draft, str(origin.fact)) <= request - AGO
                chosen = origin.action is not None and requests[origin.action] <= request - AGO
                picked = first_use(draft, origin.fact) if origin.fact else None
                chosen = chosen and (picked is None or picked[0] <= request - AGO)
                chosen = chosen and growth.role(step.tool).references.get(pointer) not in (None, own)
                if (told or chosen) and (origin.action, origin.pointer, origin.fact) not in known:
                    yield request
                    break
            else:
                continue
            break


def _told_in(draft: Draft, fact: str) -> int:
    goal = next(other.goal for other in draft.facts if other.id == fact)
    return next(number for number, goals in enumerate(draft.requests) if goal in goals)


LONG_MEMORY = UserBehaviour(
    name="long_memory",
    extend=long_memory,
    needs_live_state=True,
    notice=remembered,
    prompt="In what you want as number {request}, do not repeat what you told long before.",
)
