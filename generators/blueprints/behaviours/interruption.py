"""The user answers a question with its next request, and comes back to the first one afterwards."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.drafting.draft import Draft
from interplay.generators.blueprints.growth.dialogue_moments import questions
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.records.behaviour import PlannedBehaviour


def comes_back(growth: Growth) -> bool:
    """Plan that the user interrupts a request with the next one when asked something, and then comes back to it."""
    draft = growth.draft
    late = {done.request for done in draft.behaviours if done.kind == "changes_mind_late"}
    for request in range(len(draft.requests) - 1):
        if {request + 1, request + 2} & late:
            continue  # the write to take back would no longer be the last one
        found = [
            (fact, level) for fact, level in questions(draft, request) if not _needs(draft, request + 1, request, level)
        ]
        wished = [{draft.goals[goal].intent for goal in draft.requests[place]} for place in (request, request + 1)]
        if wished[0] & wished[1]:
            continue  # both requests would sound the same
        if found and not any(draft.goals[goal].condition for goal in draft.requests[request]):
            fact, _ = growth.rng.choice(found)
            draft.behaviours.append(PlannedBehaviour(kind="comes_back", request=request, when="question", at=fact.id))
            return True
    return False


def _needs(draft: Draft, request: int, other: int, level: int) -> bool:
    """Tell whether a request needs steps of another one from a level on, or facts that these use."""
    late = {step.id for step in draft.steps if step.request == other and step.level >= level}
    told = {
        origin.fact
        for step in draft.steps
        if step.id in late
        for origin in step.origins.values()
        if origin.fact is not None
    }
    return any(
        late & set(step.depends_on) or told & {origin.fact for origin in step.origins.values()}
        for step in draft.steps
        if step.request == request
    )


INTERRUPTION = UserBehaviour(
    name="comes_back",
    plan=comes_back,
    reorders=True,
    prompt="In what you want as number {request}, leave a question open, bring up the next thing first, and come back.",
    act="resume",
)
