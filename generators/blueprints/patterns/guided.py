"""The `guided` pattern: calls that the user makes on their own device, with repairs found by trying calls.

the mail sync is stopped     ->  the user looks at its settings, switches one, restarts a program;
                                 the assistant sees that the mail sync is up to date
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall, Step
from interplay.generators.blueprints.growth.device_readings import readable, request_by_reading
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.task_pattern import TaskPattern
from interplay.generators.phrases.derived_wishes import ensure
from interplay.generators.phrases.intents import intents_of
from interplay.generators.phrases.labels.field_labels import label_of
from interplay.generators.phrases.speakable_values import hint_of, speakable_leaves
from interplay.schemas.json.canonical import value_at
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Condition
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import READING, Tool

STEPS = 3
"""Calls of the user that are tried together, at most."""

TRIALS = 400
"""Budget of calls for finding out what these change."""


LOOKS = 0.8
"""Chance that the user is asked to look before being asked to change anything."""

WRITES, DRAWS = 24, 4
"""Tools of the assistant that are tried for effects which the user sees, and trials of each, on different rows."""

BESIDES = 0.7
"""Chance that the tool which the recipe aims at is requested as well."""

Search = Callable[[Growth], AsyncIterator[Any]]


@dataclass(frozen=True)
class Repair:
    """A change that calls of the user make to the value at `pointer` in the result of `indicator`.

    `look` is another read by which the user sees what `steps` change, or empty.
    """

    indicator: str
    pointer: str
    before: Any
    after: Any
    steps: tuple[str, ...]
    look: str = ""


def suits(growth: Growth, name: str) -> bool:  # noqa: ARG001
    """Tell whether the user has tools of their own."""
    return bool(_own(growth))


async def guided(growth: Growth, name: str, recipe: Recipe) -> None:
    """Grow a request that takes calls on the user's own device, and perhaps one for the tool that the recipe aims at.

    Raises:
        DeadEnd: no such request is possible.
    """
    repairs, shown = await _kept(growth, "repairs", _repairs), await _kept(growth, "shown", _shown)
    needy = readable(growth)
    wants: list[Repair | str] = [*repairs, *shown, *_wanted_writes(growth, repairs), *needy]
    if not wants:
        raise DeadEnd("no step of the user changes or shows anything")
    chosen = name if name in needy else growth.rng.choice(wants)
    if isinstance(chosen, Repair):
        await _repaired(growth, chosen)
    elif chosen in needy:
        await request_by_reading(growth, chosen)
    elif growth.world.tools[chosen].requestor == "user":
        await _performed(growth, chosen)
    else:
        await _confirmed(growth, chosen)
    used = {step.tool for step in growth.draft.steps}
    if name == recipe.target and name not in used and growth.rng.random() < BESIDES:
        with growth.draft.trial():
            await growth.request(name)


async def _repaired(growth: Growth, repair: Repair) -> None:
    """Grow a repair: read the indicator, let the user look and act, and read the indicator again."""
    draft, own = growth.draft, growth.world.tools[repair.indicator].requestor == "user"
    goal, request = growth.begin(repair.indicator)
    draft.guided.add(goal)
    topic, label = draft.goals[goal].topic, label_of(repair.pointer)
    if repair.pointer:
        hint = hint_of(schema_at(growth.world.tools[repair.indicator].returns, repair.pointer))
        amiss = Condition(action="", pointer=repair.pointer, noun=topic, label=label, value=repair.before, hint=hint)
        draft.revise_goal(goal, intent=ensure(label, repair.after), amiss=amiss)
    else:
        draft.revise_goal(goal, intent=growth.rng.choice(intents_of(growth.world.tools[repair.steps[-1]])))

    async def step(name: str, after: Sequence[Step]) -> Step:
        return await growth.do(PlannedCall(name, {}, {}, goal, request), [other.id for other in after])

    if value_at(await _call(growth, repair.indicator), repair.pointer) != repair.before:
        raise DeadEnd(f"{repair.indicator} shows something else by now")
    made: list[Step] = []
    if not own or growth.rng.random() < LOOKS:
        made.append(await step(repair.indicator, made))
    if repair.look and growth.rng.random() < LOOKS:
        made.append(await step(repair.look, made[-1:]))
    for name in repair.steps:
        made.append(await step(name, made[-1:]))
    last = made[-1]
    if own and repair.pointer and value_at(last.value, repair.pointer) == repair.after:
        draft.revise_goal(goal, tool=last.tool)  # the last step shows the repaired value itself
    else:
        last = await step(repair.indicator, made[-1:])
    if value_at(last.value, repair.pointer) != repair.after:
        raise DeadEnd(f"{repair.indicator} shows something else in the end")
    if repair.pointer:
        draft.revise(last, asked=(repair.pointer,))


async def _performed(growth: Growth, name: str) -> None:
    """Grow a wish that the user carries out with a call of their own, telling the needed facts in the opening."""
    draft = growth.draft
    goal, request = growth.begin(name)
    draft.guided.add(goal)
    step = await growth.do(await growth.resolver.prepare(name, goal, request, growth.arguments(name)))
    told = [fact.id for fact in draft.facts if fact.goal == goal and fact.reveal == "asked" and fact.choice is None]
    for fact in told:
        draft.revise_fact(fact, reveal="opening")
    if not draft.environment.changes():
        raise DeadEnd(f"{step.tool} changes nothing")


async def _confirmed(growth: Growth, name: str) -> None:
    """Let the assistant change something, and the user check that the change shows on their own device."""
    before = await _seen(growth)
    step = await growth.request(name)
    after = await _seen(growth)
    looks = [look for look in before if after[look] != before[look]]
    if not looks or step.tool != name:
        raise DeadEnd(f"the user sees nothing of {name}")
    growth.draft.guided.add(step.goal)
    await growth.do(PlannedCall(growth.rng.choice(looks), {}, {}, step.goal, step.request), [step.id])


async def _seen(growth: Growth) -> dict[str, Any]:
    """Return the present results of the user's reads that need no argument, by tool name."""
    looks = [tool.name for tool in _own(growth) if tool.effect == "read" and not _needs(tool)]
    seen = {name: await _call(growth, name) for name in looks}
    return {name: value for name, value in seen.items() if value is not None}


async def _shown(growth: Growth) -> AsyncIterator[str]:
    """Yield the assistant's tools whose calls change what the user sees on their own device."""
    environment = growth.world.environment
    start, before = environment.snapshot(), await _seen(growth)
    writes = [tool.name for tool in growth.callable() if tool.effect == "write"] if before else []
    for name in writes[:WRITES]:
        kind = str(growth.role(name).resource)
        rows = growth.world.subjects(kind) if kind in growth.world.resources else [None] * DRAWS
        for row in growth.rng.sample(rows, min(DRAWS, len(rows))):
            environment.restore(start)
            try:
                arguments = growth.resolver.choose(name, row)
            except DeadEnd:
                break
            result = await environment.call(ToolCall(id="compose01", name=name, arguments=arguments))
            if result.error is None and await _seen(growth) != before:
                yield name
                break


def _own(growth: Growth) -> list[Tool]:
    return [tool for tool in growth.world.environment.toolset.tools if tool.requestor == "user"]


def _wanted_writes(growth: Growth, repairs: Sequence[Repair]) -> list[str]:
    """Return the user's write tools that are no step of a repair."""
    shown = {name for repair in repairs for name in repair.steps}
    return [tool.name for tool in _own(growth) if tool.effect == "write" and tool.name not in shown]


async def _kept(growth: Growth, what: str, search: Search) -> tuple[Any, ...]:
    """Return the cached findings of a search; it runs once, on an empty draft in the opening state."""
    if ("guided", what) not in growth.temptations:
        with growth.opening(f"guided/{what}") as nobody:
            growth.temptations["guided", what] = tuple([found async for found in search(nobody)])
    return growth.temptations["guided", what]


async def _repairs(growth: Growth) -> AsyncIterator[Repair]:
    """Yield the changes that calls of the user make, each with as few calls as possible."""
    start = growth.world.environment.snapshot()
    world = growth.world
    writes = [tool.name for tool in _own(growth) if tool.effect == "write" and not _needs(tool)]
    readers = [tool.name for tool in growth.callable() if growth.role(tool.name).operation in READING]
    readers += [tool.name for tool in _own(growth) if tool.effect == "read"]
    readers = [name for name in readers if not _needs(world.tools[name])]
    before = {name: value for name in readers if (value := await _call(growth, name)) is not None}
    spent, known = 0, list[Repair]()
    for count in range(1, STEPS + 1):
        for steps in combinations(writes, count):
            spent += count + len(before)
            if spent > TRIALS:
                return
            world.environment.restore(start)
            if any([await _call(growth, name) is None for name in steps]):
                continue
            after = {name: await _call(growth, name) for name in before}
            for name in before:
                for pointer, was, now in _changed(before[name], after[name]):
                    shown = any(
                        (other.indicator, other.pointer, other.after) == (name, pointer, now)
                        and set(other.steps) <= set(steps)
                        for other in known
                    )
                    if not shown:
                        known.append(Repair(name, pointer, was, now, steps, _look(growth, name, before, after)))
    sides = {repair.indicator: world.tools[repair.indicator].requestor for repair in known}
    seen = {repair.steps for repair in known if sides[repair.indicator] == "assistant"}
    for repair in known:
        if sides[repair.indicator] == "assistant" or repair.steps not in seen:
            yield repair


def _needs(tool: Tool) -> bool:
    return bool(tool.required)


async def _call(growth: Growth, name: str) -> Any:
    """Return the value of a call without arguments, or None if it fails."""
    call = ToolCall(id="compose01", name=name, arguments={}, requestor=growth.world.tools[name].requestor)
    result = await growth.world.environment.call(call)
    return None if result.error is not None else "" if result.value is None else result.value


def _look(growth: Growth, indicator: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the user's read, other than the indicator, that shows the most of what the calls changed; empty if none does."""
    reads = [tool.name for tool in _own(growth) if tool.name in before and tool.name != indicator]
    changes = {name: len(list(_changed(before[name], after[name]))) for name in reads}
    return max((name for name in reads if changes[name]), key=lambda name: changes[name], default="")


def _changed(before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield (pointer, old value, new value) for each speakable value that differs; a text counts as one value."""
    if isinstance(before, str) and isinstance(after, str):
        if before != after:
            yield "", before, after
        return
    if isinstance(before, list) or isinstance(after, list):
        return
    was = dict(speakable_leaves(before))
    for pointer, value in speakable_leaves(after):
        plain = isinstance(value, (str, bool)) and type(value) is type(was.get(pointer))
        if plain and was[pointer] != value and not any(part.isdigit() for part in pointer.split("/")):
            yield pointer, was[pointer], value


GUIDED = TaskPattern("guided", lambda grown: bool(grown.draft.guided), guided, suits)
