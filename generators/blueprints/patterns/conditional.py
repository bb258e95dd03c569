"""The `conditional` pattern: a value in a result decides whether a goal is done, or which of two goals."""

import math
from collections.abc import Iterator
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.generators.phrases.labels.field_labels import MONEY, label_of
from interplay.generators.phrases.speakable_values import hint_of, speakable_leaves
from interplay.generators.values.schema_values import RARE
from interplay.schemas.json.canonical import at_pointer, split_pointer
from interplay.schemas.json.fields import is_number, leaf_schemas, schema_at, schema_type
from interplay.schemas.records.blueprint import Condition, Withheld
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import READING
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.word_classes import is_predicate

HOLDS = 0.55
"""Chance that the condition of a goal holds."""

EITHER = 0.5
"""Chance that the user wants an alternative goal for the case that the condition does not hold, if one is possible."""

TRIED = 6
"""Tools that are tried for the alternative goal, at most."""

_TELLING = {"status", "state", "priority", "level", "active", "available", "enabled"}
"""Words of fields whose value may change over time, as opposed to what kind of thing a row is."""

HELD = word_set("money", "held")
"""Words of amounts that people want to be at least some value; other amounts they want to be at most some value."""

_Option = tuple[str, str, Any, list[Any]]


def suits(growth: Growth, name: str) -> bool:
    """Tell whether a tool changes a row that is looked up first by a tool which shows the row's condition."""
    if growth.role(name).operation in (*READING, "create"):
        return False
    edges = growth.graph.found_for(name)
    wanted = growth.role(name).references
    producers = {edge.producer for edge in edges if growth.role(edge.producer).resource == wanted.get(edge.input)}
    return any(growth.role(tool).operation in ("list", "read") and _shows_how(growth, tool) for tool in producers)


def _shows_how(growth: Growth, name: str) -> bool:
    """Tell whether a tool returns a status, flag or amount; true where its result has no schema."""
    returns = growth.world.tools[name].returns
    if not returns:
        return True
    said = ((label_of(pointer).split(), schema_type(schema)) for pointer, _, schema in leaf_schemas(returns))
    return any(
        (kind == "boolean" and is_predicate(" ".join(words))) or set(words) & (_TELLING | MONEY)
        for words, kind in said
        if words
    )


async def conditional(growth: Growth, name: str, recipe: Recipe) -> None:  # noqa: ARG001
    """Grow a look-up and a goal that is done only if a value of the result is as the user says.

    Where the condition does not hold, the goal is withheld, or another goal is done in its place.

    Raises:
        DeadEnd: no value that is looked up can serve as a condition.
    """
    goal, request = growth.begin(name)
    arguments = growth.arguments(name)
    wanted = await growth.resolver.prepare(name, goal, request, arguments)
    options = list(_conditions(growth, wanted))
    if not options:
        raise DeadEnd(f"nothing is known that {name} could depend on")
    option = options[0] if growth.rng.random() < 0.7 else growth.rng.choice(options)
    holds = growth.rng.random() < HOLDS
    condition = _condition(growth, option, holds)
    depend_on(growth.draft, goal, condition)
    if growth.rng.random() < EITHER and await _either(growth, wanted, condition, holds):
        return
    if holds:
        await growth.do(wanted, after=[condition.action])
    else:
        growth.draft.withhold(wanted, Withheld(reason="condition"), after=[condition.action])


def depend_on(draft: Draft, goal: int, condition: Condition) -> None:
    """Make a goal depend on a condition, and let the user name the row in question in the opening."""
    draft.revise_goal(goal, condition=condition)
    for fact in list(draft.facts):
        if fact.goal == goal and fact.reveal == "choice" and fact.value and fact.description is None:
            draft.revise_fact(fact.id, reveal="opening")


async def _either(growth: Growth, wanted: PlannedCall, condition: Condition, holds: bool) -> bool:
    """Add an alternative goal about the same row for the case that the condition does not hold; tell whether one was found."""
    role = growth.role(wanted.tool)
    own = [wanted.arguments.get(pointer[1:]) for pointer, kind in role.references.items() if kind == role.resource]
    subject = (
        growth.world.subject(str(role.resource), own[0]) if own and role.resource in growth.world.resources else None
    )
    if subject is None:
        return False
    names = [
        tool.name
        for tool in growth.callable()
        if tool.name != wanted.tool and growth.role(tool.name).operation not in ("list", "create")
        if tool.phrases.wishes or growth.role(tool.name).operation not in READING
        if growth.role(tool.name).resource == role.resource
        and role.resource in growth.role(tool.name).references.values()
    ]
    for name in growth.rng.sample(names, min(len(names), TRIED)):
        with growth.draft.trial():
            goal = growth.add_goal(name)
            growth.draft.revise_goal(goal, condition=condition.model_copy(update={"otherwise": True}))
            looked_up = len(growth.draft.steps)
            other = await growth.resolver.prepare(name, goal, wanted.request, growth.arguments(name, subject))
            if len(growth.draft.steps) > looked_up:
                raise DeadEnd(f"{name} takes more look-ups")
            done, left = (wanted, other) if holds else (other, wanted)
            growth.check_heard(await growth.do(done, after=[condition.action]))
            growth.draft.withhold(left, Withheld(reason="condition"), after=[condition.action])
            return True
    return False


def holding(growth: Growth, wanted: PlannedCall) -> Condition | None:
    """Return a condition of a call that holds, or None if no value looked up for it can serve as one."""
    found = next(_conditions(growth, wanted), None)
    return None if found is None else _condition(growth, found, holds=True)


def _condition(growth: Growth, option: _Option, holds: bool) -> Condition:
    """Return a condition on the value of an option: equality for plain values, a bound for amounts."""
    action, pointer, value, others = option
    tool = growth.world.tools[growth.draft.step(action).tool]
    condition = Condition(
        action=action,
        pointer=pointer,
        noun=growth.noun(growth.role(tool.name).resource),
        label=label_of(pointer),
        value=value,
        hint=hint_of(schema_at(tool.returns, pointer)),
    )
    if _is_amount(value):
        below, above = _bounds(value, growth.rng.random())
        most = below <= 0 or not HELD & set(condition.label.split())
        bound = above if most == holds else below
        return condition.model_copy(update={"test": "at_most" if most else "at_least", "value": bound})
    return condition if holds else condition.model_copy(update={"value": growth.rng.choice(others)})


def _is_amount(value: Any) -> bool:
    return is_number(value) and value > 1


def _bounds(value: float, drawn: float) -> tuple[int, int]:
    """Return round numbers a little below and a little above an amount."""
    digits = len(str(int(value)))
    unit = 5 * 10 ** (digits - 2) if digits > 1 else 1
    below = math.ceil(value * (0.6 + 0.35 * drawn) / unit) * unit
    above = math.ceil(value * (1.05 + 0.5 * drawn) / unit) * unit
    return (below if below < value else below - unit), (above if above > value else above + unit)


def _conditions(growth: Growth, wanted: PlannedCall) -> Iterator[_Option]:
    """Yield the values that a condition may test, with other values they might have had.

    These stand in the same row as an identity that the call takes from a result.
    """
    chosen = {fact.id: fact for fact in growth.draft.facts}
    for origin in wanted.origins.values():
        if origin.kind != "output" or origin.action is None or "/" not in str(origin.pointer):
            continue
        holder, _, _ = str(origin.pointer).rpartition("/")
        step = growth.draft.step(origin.action)
        row = at_pointer(step.value, holder)
        if not isinstance(row, dict) or growth.draft.written_since(step, wanted.request):
            continue
        fact = chosen.get(str(origin.fact))
        told = {*fact.value, fact.description.pointer if fact.description else ""} if fact and fact.choice else set()
        given = {str(value) for value in (*step.arguments.values(), *wanted.arguments.values())}
        for below, value in sorted(speakable_leaves(row), key=lambda leaf: _last(leaf[0])):
            label, of_item = label_of(below), any(map(str.isdigit, split_pointer(below)))
            if (
                of_item
                or below in told
                or str(value) in given
                or not _decides(label, value)
                or _is_against(growth, wanted, value)
            ):
                continue
            others = [] if _is_amount(value) else _others(growth, step.tool, below, value)
            others = [other for other in others if not _is_against(growth, wanted, other)]
            if others or _is_amount(value):
                yield origin.action, holder + below, value, others


def _is_against(growth: Growth, wanted: PlannedCall, value: Any) -> bool:
    """Tell whether the state of a thing speaks against making something for it: nobody lets a room if it is suspended."""
    ended = isinstance(value, str) and not RARE.isdisjoint(name_tokens(value))
    return ended and growth.role(wanted.tool).operation == "create"


def _last(pointer: str) -> bool:
    """Sort key of fields: False, thus first, for those that tell a status."""
    return not set(label_of(pointer).split()) & _TELLING


def _decides(label: str, value: Any) -> bool:
    """Tell whether people would let a decision depend on a field: a status, a flag or an amount of money."""
    words = set(label.split())
    if isinstance(value, bool):
        return is_predicate(label)
    return bool(words & MONEY) if isinstance(value, (int, float)) else isinstance(value, str) and bool(words & _TELLING)


def _others(growth: Growth, tool: str, below: str, value: Any) -> list[Any]:
    """Return other values of a field: the opposite of a flag, else the values of other rows."""
    if isinstance(value, bool):
        return [not value]
    role, name = growth.role(tool), below.rsplit("/", 1)[-1]
    if role.resource not in growth.world.resources:
        return []
    rows = growth.world.subjects(str(role.resource))[:200]
    found = {row.row[name] for row in rows if isinstance(row.row.get(name), type(value))}
    return sorted(found - {value})


CONDITIONAL = TaskPattern(
    "conditional", lambda grown: any(goal.condition for goal in grown.draft.goals), conditional, suits
)
