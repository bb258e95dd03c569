"""The user looks something up by a wrong value: nothing is found, and the user is asked again."""

from dataclasses import replace
from typing import Any

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, UserBehaviour
from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.blueprints.growth.alternative_values import others
from interplay.generators.blueprints.growth.dialogue_moments import (
    OWN_NAME,
    assign_levels,
    free_facts,
    fresh_id,
    users,
)
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.results.result_kinds import is_empty
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Fact, Origin
from interplay.schemas.records.dialogue import DialogueAct, ToolCall

WRONG = 6
"""The most wrong values that are tried."""


async def mistaken(growth: Growth) -> bool:
    """Plan a wrong value for a look-up: nothing is found, the user is asked again, and then it is found."""
    draft = growth.draft
    facts = [fact for fact in free_facts(draft, "opening", "asked") if fact.label not in OWN_NAME]
    growth.rng.shuffle(facts)
    for fact in facts:
        step = users(draft, fact.id)[0]
        pointer = next(pointer for pointer, origin in step.origins.items() if origin.fact == fact.id)
        if growth.role(step.tool).operation not in ("list", "read") or pointer.count("/") != 1 or step.withheld:
            continue
        if (
            fact.hint.get("type") == "boolean"
            or _used_elsewhere(growth, fact, step)
            or _has_a_fallback(draft, fact.goal)
        ):
            continue
        for number, value in enumerate(others(growth, fact)):
            if number >= WRONG:
                break
            if await _misses(growth, step, pointer, value):
                _insert(growth, step, pointer, fact, value)
                return True
    return False


def _used_elsewhere(growth: Growth, fact: Fact, step: Step) -> bool:
    """Tell whether another step needs a fact no later than a step does, so that it must be right by then."""
    return any(
        other.id != step.id and (other.request, other.level) <= (step.request, step.level)
        for other in users(growth.draft, fact.id)
    )


def _has_a_fallback(draft: Draft, goal: int) -> bool:
    """Tell whether a goal has a fallback value, which would be tried before the user is asked."""
    return any(fact.goal == goal and fact.instead_of for fact in draft.facts)


async def _misses(growth: Growth, step: Step, pointer: str, value: Any) -> bool:
    """Tell whether nothing is found by a value in the present state, which the rerun checks again in order."""
    arguments = {**step.arguments, pointer[1:]: value}
    call = ToolCall(id="compose01", name=step.tool, arguments=arguments)
    mark = growth.draft.environment.snapshot()
    try:
        result = await growth.draft.environment.call(call)
    finally:
        growth.draft.environment.restore(mark)
    return result.error is not None or is_empty(result.value)


def _insert(growth: Growth, step: Step, pointer: str, fact: Fact, value: Any) -> None:
    """Insert a call with the wrong value before a step, and let the right value be asked for after it."""
    draft = growth.draft
    wrong = Fact(
        id=fresh_id([other.id for other in draft.facts], "f"),
        goal=fact.goal,
        label=fact.label,
        value=value,
        hint=fact.hint,
        reveal=fact.reveal,
    )
    draft.facts.insert(draft.facts.index(fact), wrong)
    draft.revise_fact(fact.id, reveal="asked", instead_of=wrong.id)
    missed = replace(
        step,
        id=fresh_id([other.id for other in draft.steps], "a"),
        arguments={**step.arguments, pointer[1:]: value},
        origins={**step.origins, pointer: Origin(kind="user", fact=wrong.id)},
        value=None,
        misses=True,
        asked=(),
    )
    place = draft.steps.index(step)
    later = [other for other in users(draft, fact.id) if other.request == step.request]
    for other in later:
        draft.revise(other, depends_on=(*other.depends_on, missed.id))
    draft.steps.insert(place, missed)
    assign_levels(draft)
    draft.behaviours.append(
        PlannedBehaviour(kind="mistaken", request=step.request, fact=fact.id, value=value, when="question")
    )


def _notice(performance: Performance, done: PlannedBehaviour) -> tuple[DialogueAct, str]:  # noqa: ARG001
    performance.shown.append("mistaken")
    return "correct", performance.draw("mistaken")


MISTAKE = UserBehaviour(
    name="mistaken",
    extend=mistaken,
    prompt="First say {value} for the {label}. If nothing is found by it, notice your mistake: it is {right}.",
    act="correct",
    lead=_notice,
)
