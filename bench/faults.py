"""A sound blueprint -> the same with one planted fault and a new identity, and the gates that should catch it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any

from interplay.flows.worlds.assembly import OpenedWorld
from interplay.schemas.json.canonical import at_pointer, join_pointer, leaves, split_pointer
from interplay.schemas.records.blueprint import Action, Blueprint, with_identity
from interplay.schemas.records.dialogue import ToolCall, ToolResult

Mutator = Callable[[Blueprint, OpenedWorld, Random], Awaitable[Blueprint | None]]


def _other(value: Any) -> Any:
    """Return a different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 7
    return f"{value}x" if isinstance(value, str) else [*value, "x"] if isinstance(value, list) else None


def _set(value: Any, path: Sequence[str], leaf: Any) -> Any:
    if not path:
        return leaf
    if isinstance(value, list):
        return [_set(item, path[1:], leaf) if index == int(path[0]) else item for index, item in enumerate(value)]
    return {**value, path[0]: _set(value[path[0]], path[1:], leaf)}


def _with_action(blueprint: Blueprint, action: Action) -> Blueprint:
    actions = tuple(action if other.id == action.id else other for other in blueprint.actions)
    return blueprint.model_copy(update={"actions": actions})


def _with_fact(blueprint: Blueprint, identifier: str, **changes: Any) -> Blueprint:
    facts = tuple(
        fact.model_copy(update=changes) if fact.id == identifier else fact for fact in blueprint.scenario.facts
    )
    return blueprint.model_copy(update={"scenario": blueprint.scenario.model_copy(update={"facts": facts})})


async def _results(blueprint: Blueprint, world: OpenedWorld) -> tuple[dict[str, ToolResult], Blueprint]:
    """Run the calls; return their results, and the blueprint with expectations updated to them."""
    environment = world.environment
    start, results = environment.snapshot(), dict[str, ToolResult]()
    for action in blueprint.calls:
        results[action.id] = await environment.call(
            ToolCall(id=action.id, name=action.tool, arguments=action.arguments, requestor=action.requestor)
        )
    expected = blueprint.expected.model_copy(
        update={"digest": environment.digest(), "difference": environment.changes()}
    )
    environment.restore(start)
    actions = tuple(
        action.model_copy(
            update={"result": results[action.id].digest(), "failed": results[action.id].error is not None}
        )
        if action.id in results
        else action
        for action in blueprint.actions
    )
    return results, blueprint.model_copy(update={"actions": actions, "expected": expected})


async def wrong_argument(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:  # noqa: ARG001
    """Change an argument from the value that the user said or a result showed."""
    options = [
        (action, pointer, value)
        for action in blueprint.calls
        for pointer, value in leaves(action.arguments)
        if pointer in action.origins and action.origins[pointer].kind in ("user", "output")
    ]
    if not options:
        return None
    action, pointer, value = rng.choice(options)
    arguments = _set(action.arguments, split_pointer(pointer), _other(value))
    return _with_action(blueprint, action.model_copy(update={"arguments": arguments}))


async def missing_step(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:
    """Remove a call that writes, or whose result another call needs."""
    writes = {tool.name for tool in world.toolset.tools if tool.effect == "write"}
    used = {origin.action for action in blueprint.actions for origin in action.origins.values()}
    options = [action for action in blueprint.calls if action.id in used or action.tool in writes]
    if not options:
        return None
    gone = rng.choice(options)
    actions = tuple(
        action.model_copy(update={"depends_on": tuple(needed for needed in action.depends_on if needed != gone.id)})
        for action in blueprint.actions
        if action.id != gone.id
    )
    return blueprint.model_copy(update={"actions": actions})


async def unsolvable_fact(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:  # noqa: ARG001
    """Change a fact that the user knows from the value that a call takes."""
    used = {origin.fact for action in blueprint.calls for origin in action.origins.values() if origin.kind == "user"}
    facts = [fact for fact in blueprint.scenario.facts if fact.id in used]
    if not facts:
        return None
    fact = rng.choice(facts)
    return _with_fact(blueprint, fact.id, value=_other(fact.value))


async def ambiguous_referent(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:
    """Let the user identify an item by a value that another item has too, or by the wrong end of a scale."""
    results, _ = await _results(blueprint, world)
    options: list[tuple[str, dict[str, Any]]] = []
    for fact in blueprint.scenario.facts:
        if fact.choice is None or fact.action not in results:
            continue
        if fact.description is not None:
            turned = {"latest": "earliest", "earliest": "latest", "highest": "lowest", "lowest": "highest"}
            told = fact.description.model_copy(update={"kind": turned.get(fact.description.kind, "month")})
            if told.kind == "month":
                told = told.model_copy(update={"month": f"{told.month[:5]}{int(told.month[5:]) % 12 + 1:02}"})
            options.append((fact.id, {"description": told}))
            continue
        keys = split_pointer(fact.choice)
        items = at_pointer(results[fact.action].value, join_pointer(*keys[:-1]))
        own = items[int(keys[-1])]
        for pointer, value in leaves(own) if isinstance(own, Mapping) else ():
            if sum(dict(leaves(item)).get(pointer) == value for item in items) > 1:
                options.append((fact.id, {"value": {pointer: value}}))
    if not options:
        return None
    identifier, changes = rng.choice(options)
    return _with_fact(blueprint, identifier, **changes)


async def broken_policy(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:
    """Make a call that a rule forbids, or withhold it because of a rule that does not govern it."""
    held = [action for action in blueprint.actions if action.withheld and action.withheld.reason == "forbidden"]
    if not held:
        return None
    action = rng.choice(held)
    assert action.withheld is not None
    made = _with_action(blueprint, action.model_copy(update={"withheld": None}))
    results, bound = await _results(made, world)
    if results[action.id].error is None and rng.random() < 0.5:
        return bound
    silent = [rule.id for rule in world.toolset.rules if action.tool not in rule.tools]
    if not silent:
        return None
    withheld = action.withheld.model_copy(update={"rule": rng.choice(silent)})
    return _with_action(blueprint, action.model_copy(update={"withheld": withheld}))


async def wrong_digest(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:  # noqa: ARG001
    """Change the digest of the expected final state."""
    digest = blueprint.expected.digest
    place = rng.randrange(len(digest))
    changed = digest[:place] + ("0" if digest[place] != "0" else "1") + digest[place + 1 :]
    return blueprint.model_copy(update={"expected": blueprint.expected.model_copy(update={"digest": changed})})


async def trivial_task(blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:  # noqa: ARG001
    """Remove the expected outputs of a task that only reads."""
    idle = any(action.withheld for action in blueprint.actions) or not any(goal.tool for goal in blueprint.goals)
    if idle or blueprint.expected.difference:
        return None
    return blueprint.model_copy(update={"expected": blueprint.expected.model_copy(update={"outputs": ()})})


FAULTS: Mapping[str, tuple[Mutator, tuple[str, ...]]] = {
    "wrong argument": (wrong_argument, ("format", "replay", "solvable")),
    "missing step": (missing_step, ("format", "replay")),
    "unsolvable fact": (unsolvable_fact, ("solvable",)),
    "ambiguous referent": (ambiguous_referent, ("referents",)),
    "broken policy": (broken_policy, ("policy",)),
    "wrong digest": (wrong_digest, ("replay",)),
    "trivial task": (trivial_task, ("non_trivial",)),
}
"""Each fault: the function that plants it, and the gates of which one must catch it."""


async def plant(name: str, blueprint: Blueprint, world: OpenedWorld, rng: Random) -> Blueprint | None:
    """Return a blueprint with a planted fault and a new identity; None if the fault cannot be planted in it."""
    mutated = await FAULTS[name][0](blueprint, world, rng)
    return None if mutated is None else with_identity(mutated)
