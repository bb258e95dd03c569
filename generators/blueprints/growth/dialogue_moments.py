"""A draft -> the moments at which the user is asked something, and the facts that it tells then."""

from collections.abc import Iterator, Sequence

from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.json.canonical import value_at
from interplay.schemas.records.blueprint import Fact

OWN_NAME = {"name", "full name", "first name", "last name", "username"}
"""Labels of the user's own name, about which nobody makes a mistake or changes their mind."""


def users(draft: Draft, fact: str) -> list[Step]:
    """Return the steps that take a value from a fact, in order."""
    return _users(draft).get(fact, [])


def _users(draft: Draft) -> dict[str, list[Step]]:
    """Return, by fact id, the steps that take a value from the fact, in order."""
    found: dict[str, list[Step]] = {}
    for step in draft.steps:
        for fact in {origin.fact for origin in step.origins.values() if origin.fact is not None}:
            found.setdefault(fact, []).append(step)
    return found


def first_use(draft: Draft, fact: str) -> tuple[int, int] | None:
    """Return the request and level at which a fact is needed first, or None."""
    return _first(users(draft, fact))


def _first(steps: Sequence[Step]) -> tuple[int, int] | None:
    return min(((step.request, step.level) for step in steps), default=None)


def free_facts(draft: Draft, *reveals: str) -> Iterator[Fact]:
    """Yield plain facts that are told in the request that needs them first, and that no behaviour is about."""
    busy = {name for done in draft.behaviours for name in (done.fact, done.at)}
    replaced, takers = {other.instead_of for other in draft.facts}, _users(draft)
    for fact in draft.facts:
        steps = takers.get(fact.id, [])
        used = _first(steps)
        if (
            fact.reveal in reveals
            and fact.id not in busy
            and not fact.instead_of
            and fact.choice is None
            and used is not None
            and fact.goal in draft.requests[used[0]]
            and fact.id not in replaced
            and not any(step.withheld for step in steps)
            and _alone(draft, fact, used[0])
        ):
            yield fact


def _alone(draft: Draft, fact: Fact, request: int) -> bool:
    """Tell whether no other fact of a request has the same label, so that the label identifies the fact."""
    goals = draft.requests[request]
    return not any(
        other.label == fact.label and other.id != fact.id and other.goal in goals and other.choice is None
        for other in draft.facts
    )


def questions(draft: Draft, request: int) -> Iterator[tuple[Fact, int]]:
    """Yield the facts that the user is asked for or chooses in a request, with the level at which this happens.

    Facts that a planned behaviour is about are left out.
    """
    busy = {name for done in draft.behaviours for name in (done.fact, done.at)}
    takers = _users(draft)
    for fact in draft.facts:
        steps = takers.get(fact.id, [])
        used = _first(steps)
        plain = fact.reveal == "asked" and not fact.instead_of
        chosen = fact.choice is not None and fact.description is None and fact.reveal == "choice"
        undone = any(step.withheld or draft.goals[step.goal].condition for step in steps)
        if used is not None and not undone and used[0] == request and (plain or chosen) and fact.id not in busy:
            yield fact, used[1]


def later_question(growth: Growth, fact: Fact, request: int, level: int) -> str | None:
    """Return a random fact asked for between an opening fact being told and being used at `level`; None if there is none."""
    if fact.reveal != "opening":
        return None
    later = [asked.id for asked, when in questions(growth.draft, request) if when <= level and asked.id != fact.id]
    return growth.rng.choice(later) if later else None


def is_told_at_once(draft: Draft, fact: Fact) -> bool:
    """Tell whether a fact must come with its request, since a question could not say which fact it asks for."""
    used = first_use(draft, fact.id)
    goals = draft.requests[used[0]] if used else ()
    tools = [draft.goals[goal].tool for goal in goals]
    same = [
        other for other in draft.facts if other.goal in goals and other.label == fact.label and other.choice is None
    ]
    return fact.reveal == "opening" and (len(same) > 1 or len(set(tools)) < len(tools))


def is_needed(growth: Growth, fact: Fact) -> bool:
    """Tell whether all calls that take a fact require it, so that an assistant would ask for it.

    It would not ask for what narrows a list where it can show the whole list.
    """
    taking = [
        (step, pointer)
        for step in growth.draft.steps
        for pointer, origin in step.origins.items()
        if origin.fact == fact.id and origin.kind == "user"
    ]
    tools = growth.world.tools
    return bool(taking) and all(
        step.withheld is None
        and pointer[1:] in tools[step.tool].required
        and (tools[step.tool].phrases.wishes or not growth.world.narrows(step.tool))
        for step, pointer in taking
    )


def confirmation(growth: Growth, request: int) -> int | None:
    """Return the first level of a request at which the user has to confirm a call, if any.

    None as well where a behaviour is already planned for the confirmation.
    """
    if growth.policy is None or any(
        done.when == "confirmation" and done.request == request for done in growth.draft.behaviours
    ):
        return None
    levels = [
        step.level
        for step in growth.draft.steps
        if step.request == request and step.withheld is None and growth.policy.confirms(step.tool)
    ]
    return min(levels, default=None)


def assign_levels(draft: Draft) -> None:
    """Recompute the level of every step from the steps of the same request that it depends on."""
    levels: dict[str, int] = {}
    requests = {step.id: step.request for step in draft.steps}
    for step in list(draft.steps):
        waits = [levels[name] + 1 for name in step.depends_on if requests[name] == step.request]
        levels[step.id] = max(waits, default=0)
        draft.revise(step, level=levels[step.id])


def fresh_id(names: list[str], letter: str) -> str:
    """Return an id with the given letter that is not among `names`."""
    number = len(names) + 1
    while f"{letter}{number}" in names:
        number += 1
    return f"{letter}{number}"


def subject_of(growth: Growth, step: Step) -> Subject | None:
    """Return the row that a step created or acted on, if it is exactly one."""
    resource = str(growth.role(step.tool).resource)
    keys = set(identities(growth, step, resource)) if resource in growth.world.resources else set()
    return growth.world.subject(resource, keys.pop()) if len(keys) == 1 else None


def identities(growth: Growth, step: Step, resource: str) -> Iterator[str]:
    """Yield the identities of a resource that a step created or names."""
    role = growth.role(step.tool)
    if role.operation == "create":
        shown = [value_at(step.value, pointer) for pointer, kind in role.yields.items() if kind == resource]
        yield from (str(value) for value in shown if isinstance(value, (str, int)))
        return
    for pointer, kind in role.references.items():
        if kind == resource and pointer[1:] in step.arguments:
            yield str(step.arguments[pointer[1:]])


def interrupted(draft: Draft, step: Step) -> tuple[int, int, int]:
    """Return the sort key of a step in the order of calls.

    Steps that wait until the user comes back to an interrupted request run after the next request.
    """
    for done in draft.behaviours:
        if done.kind == "comes_back" and done.request == step.request:
            used = first_use(draft, done.at)
            if used is not None and step.level >= used[1]:
                return (step.request + 1, 1, step.level)
    return (step.request, 0, step.level)


def opening_facts(draft: Draft) -> set[str]:
    """Return the ids of facts that must come with their request, since a question for them would be ambiguous."""
    early: set[str] = set()
    for indices in draft.requests:
        told = [fact for fact in draft.facts if fact.goal in indices and fact.reveal in ("opening", "asked", "late")]
        told = [fact for fact in told if not (fact.instead_of and fact.reveal == "asked")]
        labels = [fact.label for fact in told]
        tools = [draft.goals[index].tool for index in indices]
        early |= {
            fact.id for fact in told if labels.count(fact.label) > 1 or tools.count(draft.goals[fact.goal].tool) > 1
        }
    return early
