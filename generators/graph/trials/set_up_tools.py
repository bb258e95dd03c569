"""Tools that replace the whole state rather than change a part of it -> why users are not offered them.

reset_game()                    restores the initial state after other tools have changed several tables
load_world(world={...})         given {}, all tables lose their rows

A tool that undoes a single kind of change (log out, empty the cart) is offered like any other.
"""

from collections.abc import Callable, Mapping
from typing import Any

from interplay.generators.graph.trials.bounded_calls import TrialCalls
from interplay.generators.graph.trials.preconditions import Found
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool

SEVERAL = 2
"""The fewest tables that a set-up tool replaces."""

BROUGHT_BACK = "is not offered: it brings everything back to how it began"
REPLACES = "is not offered: it replaces all that there is by what it is given"

Tables = Callable[[], Mapping[str, Mapping[Any, Any]]]


def set_up_tools(trials: TrialCalls, found: Mapping[str, Found], tables: Tables) -> dict[str, str]:
    """Return the tools that set the state up, each with the reason; the state is left as it was."""
    trials.reset()
    start, begun = trials.environment.digest(), _held(tables())
    told: dict[str, str] = {}
    for name, seen in found.items():
        tool = trials.tool(name)
        if tool.effect == "write" and seen.ways:
            if not tool.required:
                told |= {name: BROUGHT_BACK} if _brings_back(trials, found, name, start, begun, tables) else {}
            elif _takes_anything(tool):
                told |= {name: REPLACES} if _replaces(trials, tool, begun, tables) else {}
    trials.reset()
    return told


def _brings_back(
    trials: TrialCalls, found: Mapping[str, Found], name: str, start: str, begun: Mapping[str, Any], tables: Tables
) -> bool:
    """Tell whether a call without arguments undoes changes to several tables."""
    trials.reset()
    for other, seen in found.items():
        if other != name and trials.tool(other).effect == "write" and seen.ways:
            way = next(iter(seen.ways.values()))
            for call in (*way.before, (other, way.arguments)):
                trials.now(*call)
    now = _held(tables())
    changed = [table for table in begun.keys() | now.keys() if begun.get(table) != now.get(table)]
    result = trials.now(name, {}) if len(changed) >= SEVERAL else None
    return result is not None and result.error is None and trials.environment.digest() == start


def _replaces(trials: TrialCalls, tool: Tool, begun: Mapping[str, Any], tables: Tables) -> bool:
    """Tell whether a call with empty objects removes all rows of several tables."""
    trials.reset()
    given: dict[str, Any] = {key: {} for key in tool.required}
    result = trials.now(tool.name, given)
    now = _held(tables())
    full = [table for table, rows in begun.items() if rows]
    gone = [table for table in full if not now.get(table)]
    return result is not None and result.error is None and len(gone) == len(full) >= SEVERAL


def _takes_anything(tool: Tool) -> bool:
    """Tell whether a tool requires exactly one argument, an object without declared fields."""
    fields = object_properties(tool.parameters)
    return len(tool.required) == 1 and all(
        schema_type(fields[name]) in (None, "object") and not object_properties(fields[name]) for name in tool.required
    )


def _held(tables: Mapping[str, Mapping[Any, Any]]) -> dict[str, dict[Any, Any]]:
    """Return copies of tables that do not change with the state, with rows as text."""
    return {name: {key: str(rows[key]) for key in rows} for name, rows in tables.items()}
