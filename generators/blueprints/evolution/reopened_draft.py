"""A finished blueprint -> its draft, run again, so that parts can be added or removed."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, Step
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import Action, Blueprint, Fact, Goal
from interplay.schemas.records.dialogue import ToolCall


async def reopened(blueprint: Blueprint, environment: Environment) -> Draft:
    """Run the actions of a blueprint in its opening state, and return it as a draft.

    Of the user's behaviours, only those that affect calls are kept.

    Raises:
        DeadEnd: an action fails.
    """
    told = {fact.id: f"f{number + 1}" for number, fact in enumerate(blueprint.scenario.facts)}
    draft = Draft(
        environment,
        facts=[_renamed(fact, told) for fact in blueprint.scenario.facts],
        goals=list(blueprint.goals),
        requests=list(blueprint.scenario.requests),
        unknown=list(blueprint.scenario.unknown),
        guided={action.goal for action in blueprint.actions if action.requestor == "user"},
        safety=blueprint.safety,
        motive=blueprint.scenario.motive,
        past=blueprint.start.history() if blueprint.start else (),
        behaviours=[
            done.model_copy(update={"fact": told.get(done.fact, ""), "at": told.get(done.at, "")})
            for done in blueprint.scenario.behaviours
            if done.kind in ("changes_mind_late", "mistaken", "comes_back") or done.for_good
        ],
    )
    request_of = {goal: number for number, goals in enumerate(draft.requests) for goal in goals}
    for action in blueprint.actions:
        draft.steps.append(await _step(blueprint, action, draft, request_of[action.goal], told))
    roles = environment.resources.by_tool
    for step in draft.steps:
        for pointer, origin in step.origins.items():
            resource = roles[step.tool].references.get(pointer)
            if resource is not None and (origin.action or origin.fact):
                draft.identities.setdefault((resource, str(at_pointer(step.arguments, pointer))), origin)
    return draft


def _renamed(fact: Fact, told: Mapping[str, str]) -> Fact:
    return fact.model_copy(update={"id": told[fact.id], "instead_of": told.get(fact.instead_of, "")})


async def _step(blueprint: Blueprint, action: Action, draft: Draft, request: int, told: Mapping[str, str]) -> Step:
    value = None
    healed = action.withheld is None or action.withheld.reason == "failed"
    if healed:
        call = ToolCall(id="compose01", name=action.tool, arguments=action.arguments, requestor=action.requestor)
        result = await draft.environment.call(call)
        if result.error is not None and not action.failed:
            raise DeadEnd(f"{action.tool} failed when run again: {result.error[:160]}")
        value = result.value
    goal = blueprint.goals[action.goal]
    asked = [output.pointer for output in blueprint.expected.outputs if output.action == action.id]
    levels = [step.level + 1 for step in draft.steps if step.id in action.depends_on and step.request == request]
    wrong = {fact.instead_of for fact in blueprint.scenario.facts if fact.instead_of and fact.reveal == "asked"}
    fact = action.withheld.fact if action.withheld else ""
    return Step(
        id=action.id,
        goal=action.goal,
        request=request,
        level=max(levels, default=0),
        tool=action.tool,
        requestor=action.requestor,
        arguments=action.arguments,
        origins={
            pointer: origin.model_copy(update={"fact": told.get(str(origin.fact))})
            for pointer, origin in action.origins.items()
        },
        depends_on=action.depends_on,
        value=value,
        withheld=None
        if healed
        else action.withheld and action.withheld.model_copy(update={"fact": told.get(fact, "")}),
        asked=tuple(asked) if (goal.asks or goal.amiss) and action.tool == goal.tool else (),
        misses=any(origin.fact in wrong for origin in action.origins.values()),
    )


def without(draft: Draft, dropped: Collection[int]) -> Draft:
    """Return a draft without some goals.

    Raises:
        DeadEnd: other goals need their steps, or no goal would be left.
    """
    gone = {step.id for step in draft.steps if step.goal in dropped}
    kept = [step for step in draft.steps if step.id not in gone]
    goals = [number for number in range(len(draft.goals)) if number not in dropped]
    needed = {name for step in kept for name in step.depends_on}
    needed |= {name for number in goals for name in _leant_on(draft.goals[number])}
    if not goals or needed & gone:
        raise DeadEnd("other goals need this one")
    place = {number: position for position, number in enumerate(goals)}
    requests = [tuple(place[goal] for goal in request if goal in place) for request in draft.requests]
    order = {number: position for position, number in enumerate(n for n, request in enumerate(requests) if request)}
    steps = [replace(step, goal=place[step.goal], request=order[step.request]) for step in kept]
    used = {str(origin.fact): step.goal for step in reversed(steps) for origin in step.origins.values()}
    alternatives = {fact.instead_of: fact.id for fact in draft.facts if fact.id in used}
    used |= {first: used[second] for first, second in alternatives.items() if first and first not in used}
    facts = [
        fact.model_copy(update={"goal": place.get(fact.goal, used[fact.id])})
        for fact in draft.facts
        if fact.id in used and (fact.action is None or fact.action not in gone)
    ]
    roles = draft.environment.resources.by_tool
    about = {resource for step in steps for resource in roles[step.tool].references.values()}
    unknown = [resource for resource in draft.unknown if resource in about]
    return Draft(
        draft.environment, steps, facts, [draft.goals[n] for n in goals], [r for r in requests if r], {}, unknown,
        guided={place[number] for number in draft.guided if number in place}, past=draft.past,
    )  # fmt: skip


def _leant_on(goal: Goal) -> set[str]:
    return {goal.each, goal.condition.action if goal.condition else ""} - {""}
