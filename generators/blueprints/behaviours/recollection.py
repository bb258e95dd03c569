"""Users who leave unsaid what was said before, who go back to what was long ago, and who want several things at once."""

from collections.abc import Iterator

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.growth.dialogue_moments import first_use, identities, levelled, subject_of
from interplay.generators.blueprints.growth.follow_ups import another_request
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.phrases.pronouns import pronominal
from interplay.schemas.records.behaviour import Behave

AGO = 2
"""Requests after which something counts as long ago."""

TRIED = 6


async def long_memory(growth: Growth) -> bool:
    """Let the user want one more thing about what the first request was about, after another request between."""
    draft = growth.draft
    if len(list(remembered(growth))):
        return True
    first = [step for step in draft.steps if step.request == 0]
    step = first[-1] if first else None
    if step is None or growth.role(step.tool).resource == growth.world.environment.toolset.user_resource:
        return False
    while len(draft.requests) < AGO:
        if not await another_request(growth, tries=TRIED):
            return False
    subject = growth.seen(step)
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
        mark = draft.mark()
        try:
            goal, request = growth.begin(name)
            await growth.serve(goal, request, subject)
        except DeadEnd:
            draft.rewind(mark)
            continue
        if request in remembered(growth):
            return True
        draft.rewind(mark)
    return False


def remembered(growth: Growth) -> Iterator[int]:
    """Yield the requests that rest on what was told or chosen two requests before or more, and not since."""
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


def merge(growth: Growth) -> bool:
    """Let the user bring up two requests at once, where neither depends on the other."""
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
        levelled(draft)
        return True
    return False


def _reads_again(growth: Growth, request: int) -> bool:
    """Tell whether a request makes a call once more that was made before it, since something was written meanwhile."""
    steps = growth.draft.steps
    return any(
        step.tool == other.tool and step.arguments == other.arguments
        for step in (step for step in steps if step.request == request)
        for other in (other for other in steps if other.request < request)
    )


def _leans(growth: Growth, request: int, other: int) -> bool:
    """Tell whether a request is about what another one has brought up, but for who the user is."""
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


async def want_more(growth: Growth) -> bool:
    """Let the user want one more thing of what it has just been told about."""
    draft = growth.draft
    last = [step for step in draft.steps if step.request == len(draft.requests) - 1]
    subject = subject_of(growth, last[-1]) if last and len(draft.requests[-1]) == 1 else None
    if subject is None or any(done.kind == "changes_mind_late" for done in draft.behaviours):
        return False
    used = {step.tool for step in draft.steps}
    tools = [tool for tool in growth.callable() if growth.role(tool.name).resource == subject.resource]
    growth.rng.shuffle(tools)
    for tool in [tool for tool in tools if tool.name not in used][:TRIED]:
        wishes = [
            intent
            for intent in growth.resolver.chooser.inputs(tool.name).intents
            if pronominal(intent, growth.noun(subject.resource))
        ]
        mark = draft.mark()
        try:
            if wishes:
                goal, request = growth.begin(tool.name)
                draft.revise_goal(goal, intent=growth.rng.choice(wishes))
                await growth.serve(goal, request, subject)
                if _same_one(growth, request):
                    return True
        except DeadEnd:
            pass
        draft.rewind(mark)
    return False


def elliptical(growth: Growth) -> bool:
    """Let the user say "it" for what the request before was about, where that can be but one thing."""
    draft, found = growth.draft, False
    for request in range(1, len(draft.requests)):
        goals = draft.requests[request]
        goal = draft.goals[goals[0]]
        if len(goals) != 1 or not goal.tool or goal.condition or not pronominal(goal.intent, goal.topic):
            continue
        if not goal.asks and _same_one(growth, request):
            draft.behaviours.append(Behave(kind="elliptical", request=request))
            found = True
    return found


def _same_one(growth: Growth, request: int) -> bool:
    """Tell whether a request is about the one thing that the request before was about."""
    draft = growth.draft
    if len(draft.requests[request - 1]) != 1 or any(done.kind == "comes_back" for done in draft.behaviours):
        return False
    before = draft.goals[draft.requests[request - 1][0]]
    last = [step for step in draft.steps if step.request == request - 1]
    now = [step for step in draft.steps if step.request == request]
    if not last or len(now) != 1 or not before.resource or before.resource != growth.role(now[0].tool).resource:
        return False
    if (
        before.resource == growth.world.environment.toolset.user_resource
        or growth.role(last[-1].tool).operation == "list"
    ):
        return False
    mine = set(identities(growth, now[0], before.resource))
    return len(mine) == 1 and mine == set(identities(growth, last[-1], before.resource))
