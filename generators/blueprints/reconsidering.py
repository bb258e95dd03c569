"""Users who say one thing and then another: by a slip, by a mistake, in two minds, or after it has been done."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any

from interplay.generators.blueprints.draft import DeadEnd, Step
from interplay.generators.blueprints.growing import Growth
from interplay.generators.blueprints.occasions import (
    OWN_NAME,
    confirmation,
    first_use,
    free_facts,
    fresh_id,
    identities,
    levelled,
    questions,
    subject_of,
    users,
)
from interplay.generators.graph.row_values import row_value
from interplay.generators.graph.sampling import fresh_value
from interplay.generators.graph.world import Subject
from interplay.generators.values.making import Unsatisfiable
from interplay.generators.values.results import is_empty
from interplay.generators.values.speakable import schema_at
from interplay.schemas.behaviour import Behave
from interplay.schemas.blueprint import Fact, Origin
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.fields import name_tokens
from interplay.schemas.json_schema import is_valid
from interplay.schemas.tools import Tool

_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
ROWS, WRONG, TRIED, AGAIN = 12, 6, 3, 4
"""Rows whose values are tried, values that a user may be wrong with, requests
that it may take back, and attempts to say the same thing otherwise."""

PERSONAL = {"birth date", "date of birth", "email", "phone number", "address", "city"}
"""What does not change with somebody's mind, unless it is the very thing that is to be changed."""

_TAKING_BACK = {"cancel", "undo", "revoke", "withdraw", "remove", "delete", "void", "revert", "refund", "move", "reschedule",
                "extend", "change", "edit", "modify", "rename"}  # fmt: skip

CONFIRMED = 0.7
"""Chance that a change of mind comes at the confirmation where there is one."""


EXAMPLES = 2
"""Texts that a schema gives as examples, from which on what a user says first is one of these."""


def changes_mind(growth: Growth) -> bool:
    """Let the user replace a value before anything is done with it: at the confirmation, or when asked for something else."""
    draft = growth.draft
    facts = [fact for fact in free_facts(draft, "opening", "asked") if _optional(growth, fact)]
    growth.rng.shuffle(facts)
    for fact in facts:
        used = first_use(draft, fact.id)
        assert used is not None
        first = next(_others(growth, fact), None)
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
        slip = next(_others(growth, fact), None)
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
        other, used = next(_others(growth, fact), None), first_use(growth.draft, fact.id)
        if other is not None and used is not None and not isinstance(fact.value, bool):
            done = Behave(kind="contradicts", request=used[0], fact=fact.id, value=other)
            growth.draft.behaviours.append(done)
            return True
    return False


def _others(growth: Growth, fact: Fact) -> Iterator[Any]:
    """Yield values that the user might have told instead: near dates, other options, those of other rows."""
    step = users(growth.draft, fact.id)[0]
    pointer = next(pointer for pointer, origin in step.origins.items() if origin.fact == fact.id)
    tool = growth.world.tools[step.tool]
    schema = schema_at(tool.parameters, pointer)
    if isinstance(fact.value, (list, dict)) or fact.value is None:
        return
    for value in map(growth.resolver.chooser.own_words, _tried(growth, fact, step, pointer, schema)):
        plain = isinstance(value, (str, int, float)) and type(value) is type(fact.value)
        said = str(value).casefold()
        near = said in str(fact.value).casefold() or str(fact.value).casefold() in said
        if plain and not near and is_valid(value, schema):
            yield value


def _tried(growth: Growth, fact: Fact, step: Step, pointer: str, schema: dict[str, Any]) -> Iterator[Any]:
    rng, value = growth.rng, fact.value
    if isinstance(value, bool):
        yield not value
        return
    found = _DATE.match(value) if isinstance(value, str) else None
    if found:
        try:
            own = date(int(found[1]), int(found[2]), int(found[3]))
            yield from (str(day) + value[10:] for day in _near(own, fact.label, rng))
        except ValueError:
            pass
        return
    options = list(schema.get("enum", ()))
    rng.shuffle(options)
    yield from options
    if options:
        return
    name = pointer.rsplit("/", 1)[-1]
    if fact.hint.get("type") == "identity":
        return
    resource = growth.role(step.tool).resource
    prose = [example for example in schema.get("examples", ()) if isinstance(example, str) and " " in example]
    if resource in growth.world.resources and len(prose) < EXAMPLES:  # of a text, others say the like for other ends
        rows = growth.world.subjects(str(resource))
        for row in rng.sample(rows, min(len(rows), ROWS)):
            yield row_value(name, schema, row.row)
    for _ in range(WRONG):
        try:
            yield fresh_value(name, schema, rng, avoid=value)
        except Unsatisfiable:
            return


def _near(own: date, label: str, rng: Random) -> list[date]:
    """Return days that could be taken for another one: those nearby, of a birth the same one in other years."""
    near = [own + timedelta(days=days) for days in (1, -1, 2, 7)]
    if "birth" in label or "born" in label:
        near = [*near[:2], *(own.replace(year=own.year + years, day=min(own.day, 28)) for years in (-1, 1))]
    rng.shuffle(near)
    return near


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
        if fact.hint.get("type") == "boolean" or _used_elsewhere(growth, fact, step):
            continue
        for number, value in enumerate(_others(growth, fact)):
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


async def changes_mind_late(growth: Growth) -> bool:
    """Let the user want what was just done undone, or done otherwise: a request of its own."""
    draft = growth.draft
    own = growth.world.environment.toolset.user_resource
    if any(
        growth.role(step.tool).operation == "create" and growth.role(step.tool).resource == own for step in draft.steps
    ):
        return False  # whoever has just signed up would be somebody else next
    mark = draft.mark()
    for attempt in range(TRIED):
        step = _just_done(growth)
        subject = subject_of(growth, step) if step is not None else None
        if step is not None and subject is not None and await _undone(growth, step, subject):
            draft.behaviours.append(Behave(kind="changes_mind_late", request=len(draft.requests) - 1))
            return True
        draft.rewind(mark)
        if attempt + 1 < TRIED:
            await _something_done(growth)
    return False


def _just_done(growth: Growth) -> Step | None:
    """Return what the last request has made or changed, if that was all that it was about."""
    draft = growth.draft
    last = [step for step in draft.steps if step.request == len(draft.requests) - 1]
    if len(draft.requests[-1]) != 1 or not last:
        return None
    return last[-1] if growth.role(last[-1].tool).operation in ("create", "update") else None


async def _something_done(growth: Growth) -> None:
    """Let the user bring up something that changes the state, in place of the last attempt to do so."""
    own = growth.world.environment.toolset.user_resource
    tools = [
        tool.name
        for tool in growth.callable()
        if growth.role(tool.name).operation in ("create", "update") and growth.role(tool.name).resource != own
    ]
    mark = growth.draft.mark()
    try:
        if tools:
            await growth.request(growth.rng.choice(tools))
    except DeadEnd:
        growth.draft.rewind(mark)


def _told(growth: Growth, step: Step) -> set[str]:
    """Return what the user tells for a step, by name."""
    told = {origin.fact for origin in step.origins.values() if origin.kind == "user"}
    return {fact.label for fact in growth.draft.facts if fact.id in told}


def _takes_back(growth: Growth, tool: Tool) -> bool:
    """Tell whether a tool removes a thing or makes it otherwise."""
    operation = growth.role(tool.name).operation
    words = set(name_tokens(tool.original_name))
    return operation in ("delete", "update") or (operation == "action" and bool(words & _TAKING_BACK))


async def _undone(growth: Growth, step: Step, subject: Subject) -> bool:
    """Add a request that removes or changes the row that a step was about."""
    draft = growth.draft
    options = [
        tool.name
        for tool in growth.callable()
        if _takes_back(growth, tool)
        and subject.resource in growth.role(tool.name).references.values()
        and growth.role(tool.name).resource == subject.resource
    ]
    growth.rng.shuffle(options)
    tries = [name for name in options for _ in range(AGAIN if name == step.tool else 1)]
    for name in tries:
        mark = draft.mark()
        try:
            goal, request = growth.begin(name)
            made = await growth.serve(goal, request, subject)
            alone = [other for other in draft.steps if other.request == request] == [made]
            alike = name != step.tool or _told(growth, made) == _told(growth, step)
            if alone and alike and subject.key in identities(growth, made, subject.resource):
                return True
        except DeadEnd:
            pass
        draft.rewind(mark)
    return False
