"""Users who say one thing and then another: by a slip, by a mistake, in two minds."""

from dataclasses import replace
from typing import Any

from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.generators.blueprints.growth.alternative_values import others
from interplay.generators.blueprints.growth.dialogue_moments import (
    OWN_NAME,
    confirmation,
    first_use,
    free_facts,
    fresh_id,
    levelled,
    questions,
    users,
)
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.results.result_kinds import is_empty
from interplay.schemas.records.behaviour import Behave
from interplay.schemas.records.blueprint import Fact, Origin
from interplay.schemas.records.dialogue import ToolCall

WRONG = 6
"""Values that a user may be wrong with."""

PERSONAL = {"birth date", "date of birth", "email", "phone number", "address", "city"}
"""What does not change with somebody's mind, unless it is the very thing that is to be changed."""

CONFIRMED = 0.7
"""Chance that a change of mind comes at the confirmation where there is one."""


def changes_mind(growth: Growth) -> bool:
    """Let the user replace a value before anything is done with it: at the confirmation, or when asked for something else."""
    draft = growth.draft
    facts = [fact for fact in free_facts(draft, "opening", "asked") if _optional(growth, fact)]
    growth.rng.shuffle(facts)
    for fact in facts:
        used = first_use(draft, fact.id)
        assert used is not None
        first = next(others(growth, fact), None)
        if first is None:
            continue
        request, level = used
        asked = _later_question(growth, fact, request, level)
        confirmed = confirmation(growth, request)
        known = confirmed is not None and (level == confirmed or (fact.reveal == "opening" and level >= confirmed))
        if known and (asked is None or growth.rng.random() < CONFIRMED):
            draft.behaviours.append(
                Behave(kind="changes_mind", request=request, fact=fact.id, value=first, when="confirmation")
            )
            return True
        if asked is not None:
            draft.behaviours.append(
                Behave(kind="changes_mind", request=request, fact=fact.id, value=first, when="question", at=asked)
            )
            return True
    return False


def _optional(growth: Growth, fact: Fact) -> bool:
    """Tell whether a fact is up to the user."""
    changed = growth.role(users(growth.draft, fact.id)[0].tool).operation == "update"
    return fact.label not in OWN_NAME and (fact.label not in PERSONAL or changed)


def _later_question(growth: Growth, fact: Fact, request: int, level: int) -> str | None:
    """Return a fact that is asked for after another one was told, and before that is used."""
    if fact.reveal != "opening":
        return None
    later = [asked.id for asked, when in questions(growth.draft, request) if when <= level and asked.id != fact.id]
    return growth.rng.choice(later) if later else None


def corrects_itself(growth: Growth) -> bool:
    """Let the user say a wrong value and the right one in the same breath, or when asked for something else."""
    free = free_facts(growth.draft, "opening", "asked")
    facts = [
        fact for fact in free if fact.label not in OWN_NAME and not isinstance(fact.value, bool)
    ]  # "no, with dogs"
    growth.rng.shuffle(facts)
    for fact in facts:
        slip = next(others(growth, fact), None)
        used = first_use(growth.draft, fact.id)
        if slip is None or used is None:
            continue
        asked = _later_question(growth, fact, *used) if growth.rng.random() < 0.5 else None
        growth.draft.behaviours.append(
            Behave(
                kind="corrects_itself",
                request=used[0],
                fact=fact.id,
                value=slip,
                when="question" if asked else "breath",
                at=asked or "",
            )
        )
        return True
    return False


def contradicts(growth: Growth) -> bool:
    """Let the user say two values for one thing in one message, so that the assistant has to ask which one holds."""
    facts = [fact for fact in free_facts(growth.draft, "opening") if fact.label not in OWN_NAME]
    growth.rng.shuffle(facts)
    for fact in facts:
        other, used = next(others(growth, fact), None), first_use(growth.draft, fact.id)
        if other is not None and used is not None and not isinstance(fact.value, bool):
            done = Behave(kind="contradicts", request=used[0], fact=fact.id, value=other)
            growth.draft.behaviours.append(done)
            return True
    return False


async def mistaken(growth: Growth) -> bool:
    """Let the user be wrong about what something is looked up by: nothing is found, it is asked again, and found then."""
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
    """Tell whether a fact is needed before or beside a step, so that it would have to be known by then."""
    return any(
        other.id != step.id and (other.request, other.level) <= (step.request, step.level)
        for other in users(growth.draft, fact.id)
    )


def _has_a_fallback(draft: Draft, goal: int) -> bool:
    """Tell whether the user has said what to look for where nothing is found: that is tried before anything is asked."""
    return any(fact.goal == goal and fact.instead_of for fact in draft.facts)


async def _misses(growth: Growth, step: Step, pointer: str, value: Any) -> bool:
    """Tell whether nothing is found by a value; the opening state is near enough, for all runs again in the end."""
    arguments = {**step.arguments, pointer[1:]: value}
    call = ToolCall(id="compose01", name=step.tool, arguments=arguments)
    mark = growth.draft.environment.snapshot()
    try:
        result = await growth.draft.environment.call(call)
    finally:
        growth.draft.environment.restore(mark)
    return result.error is not None or is_empty(result.value)


def _insert(growth: Growth, step: Step, pointer: str, fact: Fact, value: Any) -> None:
    """Put a call by the wrong value before a step, and let the right one be asked for after it."""
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
    levelled(draft)
    draft.behaviours.append(Behave(kind="mistaken", request=step.request, fact=fact.id, value=value, when="question"))
