"""The user wants what was just done undone, or done differently, by a further request."""

from interplay.generators.blueprints.behaviours.user_behaviour import UserBehaviour
from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.blueprints.growth.dialogue_moments import identities, subject_of
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

TRIED, AGAIN = 3, 4
"""Requests that are tried to be taken back, and trials of the same tool with other values."""
_TAKING_BACK = word_set(beside(__file__), "taking_back")


async def changes_mind_late(growth: Growth) -> bool:
    """Add a request that undoes or changes what the last one did; tell whether one was found."""
    draft = growth.draft
    own = growth.world.environment.toolset.user_resource
    if any(
        growth.role(step.tool).operation == "create" and growth.role(step.tool).resource == own for step in draft.steps
    ):
        return False  # a user who has just signed up would become somebody else
    mark = draft.mark()
    for attempt in range(TRIED):
        step = _just_done(growth)
        subject = subject_of(growth, step) if step is not None else None
        if step is not None and subject is not None and await _undone(growth, step, subject):
            draft.behaviours.append(PlannedBehaviour(kind="changes_mind_late", request=len(draft.requests) - 1))
            return True
        draft.rewind(mark)
        if attempt + 1 < TRIED:
            await _something_done(growth)
    return False


def _just_done(growth: Growth) -> Step | None:
    """Return the create or update step of the last request, if its goal is the only one."""
    draft = growth.draft
    last = [step for step in draft.steps if step.request == len(draft.requests) - 1]
    if len(draft.requests[-1]) != 1 or not last:
        return None
    return last[-1] if growth.role(last[-1].tool).operation in ("create", "update") else None


async def _something_done(growth: Growth) -> None:
    """Add a request that creates or updates a row, so that it can be taken back."""
    own = growth.world.environment.toolset.user_resource
    tools = [
        tool.name
        for tool in growth.callable()
        if growth.role(tool.name).operation in ("create", "update") and growth.role(tool.name).resource != own
    ]
    with growth.draft.trial():
        if tools:
            await growth.request(growth.rng.choice(tools))


def _told(growth: Growth, step: Step) -> set[str]:
    """Return the labels of the facts that the user tells for a step."""
    told = {origin.fact for origin in step.origins.values() if origin.kind == "user"}
    return {fact.label for fact in growth.draft.facts if fact.id in told}


def _takes_back(growth: Growth, tool: Tool) -> bool:
    """Tell whether a tool deletes, updates or by its name takes back something."""
    operation = growth.role(tool.name).operation
    words = set(name_tokens(tool.original_name))
    return operation in ("delete", "update") or (operation == "action" and bool(words & _TAKING_BACK))


async def _undone(growth: Growth, step: Step, subject: Subject) -> bool:
    """Add a request that removes or changes the row of a step; tell whether one was found."""
    draft = growth.draft
    options = [
        tool.name
        for tool in growth.callable()
        if _takes_back(growth, tool)
        and subject.resource in growth.role(tool.name).references.values()
        and growth.role(tool.name).resource == subject.resource
        and (growth.role(step.tool).operation == "create" or growth.role(tool.name).operation != "delete")
    ]
    growth.rng.shuffle(options)
    tries = [name for name in options for _ in range(AGAIN if name == step.tool else 1)]
    for name in tries:
        with draft.trial():
            goal, request = growth.begin(name)
            arguments = growth.arguments(name, subject)
            if growth.knows(name, arguments) and not growth.is_always_forbidden(name, arguments):
                made = await growth.serve_by_arguments(goal, request, arguments)
                alone = [other for other in draft.steps if other.request == request] == [made]
                alike = name != step.tool or _told(growth, made) == _told(growth, step)
                if alone and alike and subject.key in identities(growth, made, subject.resource):
                    return True
            raise DeadEnd(f"{name} does not take back what was done")
    return False


LATE_CHANGE_OF_MIND = UserBehaviour(
    name="changes_mind_late",
    extend=changes_mind_late,
    needs_live_state=True,
    prompt="Bring up what you want as number {request} as a change of mind about what was just done.",
)
