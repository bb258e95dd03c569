"""Tools and a state without rows -> calls that create the first rows, each resource after those that it refers to.

users = {}, tasks = {}    ->  create_user(name="Ada Bright"), ..., create_task(title="Order paper", created_by="a1f3"), ...

A call counts if the state holds more rows after it than before.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from interplay.generators.graph.sampling.argument_samples import EVERY, fresh_value, sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.graph.trials.bounded_calls import Call, TrialCalls
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.tool import Tool, ToolRole

ROWS, TRIES, ROUNDS = 5, 10, 3
"""The most calls of one tool that count, the most that are made in one round, and the rounds over all tools."""

Holding = Callable[[], Mapping[str, Any]]


def make_first_rows(trials: TrialCalls, opened: Callable[[], World], holding: Holding) -> None:
    """Make the calls, one after the other in the present state.

    `opened` returns the world in the present state, `holding` what the state holds.
    """
    made: list[Call] = []
    for number in range(ROUNDS):
        before = len(made)
        for tool in _makers(opened()):
            if sum(name == tool.name for name, _ in made) < ROWS:
                made += _filled(tool, trials, opened, holding, number)
        if len(made) == before:
            break


def _makers(world: World) -> list[Tool]:
    """Return the tools that may create rows: creations first, those with the fewest references first."""
    writes = [tool for tool in world.tools.values() if tool.effect == "write"]
    able = [tool for tool in writes if world.roles[tool.name].operation in ("create", "action")]
    return sorted(
        able, key=lambda tool: (world.roles[tool.name].operation != "create", len(world.roles[tool.name].references))
    )


def _filled(
    tool: Tool, trials: TrialCalls, opened: Callable[[], World], holding: Holding, turn: int
) -> list[Call]:  # fmt: skip
    """Call one tool until it has created enough rows, or fails to create any; return the calls that did."""
    made: list[Call] = []
    world, amount = opened(), _amount(holding())
    for number in range(TRIES):
        if len(made) == ROWS or (number > ROWS and not made):
            break
        role, rng = world.roles[tool.name], Random(f"first/{tool.name}/{turn}/{number}")
        creates = role.operation == "create"
        try:
            arguments = sample_arguments(
                world, tool, rng, _new_identities(tool, role, rng), EVERY if creates and number % 2 else 0
            )
        except Unsatisfiable:
            break
        here = trials.environment.snapshot()
        result = trials.now(tool.name, arguments)
        more = _amount(holding())
        if result is None or result.error is not None or more <= amount:
            trials.environment.restore(here)
            continue
        made.append((tool.name, arguments))
        amount = more
    return made


def _new_identities(tool: Tool, role: ToolRole, rng: Random) -> dict[str, Any]:
    """Return made-up identities for the rows that a tool creates, where it takes them as arguments."""
    named = [pointer for pointer, to in role.references.items() if role.operation == "create" and to == role.resource]
    fields = object_properties(tool.parameters)
    return {pointer: fresh_value(pointer[1:], fields[pointer[1:]], rng) for pointer in named if pointer[1:] in fields}


def _amount(value: Any) -> int:
    """Return the number of rows and items in a state."""
    if isinstance(value, Mapping):
        return sum(1 + _amount(item) for item in value.values() if isinstance(item, (Mapping, list)))
    if isinstance(value, list):
        return sum(1 + _amount(item) for item in value)
    return 0


def holds_rows(tables: Mapping[str, Any], attributes: Mapping[str, Any]) -> bool:
    """Tell whether there is any row: in a table, or as an object in a list."""
    lists = (value for value in attributes.values() if isinstance(value, list))
    return any(map(len, tables.values())) or any(isinstance(item, Mapping) for items in lists for item in items)
