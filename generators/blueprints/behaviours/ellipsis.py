"""The user says "it" for the one row that its last request was about."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.dialogue_moments import identities, subject_of
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.phrases.pronouns import pronominal
from interplay.schemas.records.behaviour import PlannedBehaviour

TRIED = 6


async def want_more(growth: Growth) -> bool:
    """Add a request about the row that the last one was about; tell whether one was found."""
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
        if not wishes:
            continue
        with draft.trial():
            goal, request = growth.begin(tool.name)
            draft.revise_goal(goal, intent=growth.rng.choice(wishes))
            await growth.serve(goal, request, subject)
            if _same_one(growth, request):
                return True
            raise DeadEnd(f"{tool.name} is about something else")
    return False


def elliptical(growth: Growth) -> bool:
    """Plan that the user says "it" for the row of the request before, where that is unambiguous."""
    draft, found = growth.draft, False
    for request in range(1, len(draft.requests)):
        goals = draft.requests[request]
        goal = draft.goals[goals[0]]
        if len(goals) != 1 or not goal.tool or goal.condition or not pronominal(goal.intent, goal.topic):
            continue
        if not goal.asks and _same_one(growth, request):
            draft.behaviours.append(PlannedBehaviour(kind="elliptical", request=request))
            found = True
    return found


def _same_one(growth: Growth, request: int) -> bool:
    """Tell whether a request is about the same single row as the one before."""
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


ELLIPSIS = UserBehaviour(
    name="elliptical",
    extend=want_more,
    needs_live_state=True,
    plan=elliptical,
    prompt='In what you want as number {request}, say "it" for what you have just spoken of.',
)
