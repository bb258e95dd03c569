"""Tools that replace the whole state, rather than change something in it -> why no user would ask for them.

reset_game()                    after other tools changed several tables, all is again as in the beginning
load_world(world={...})         given {}, no table holds what it held

A tool that undoes a single kind of change (log out, empty the cart) is a tool like any other.
"""

from collections.abc import Callable, Mapping
from typing import Any

from interplay.generators.graph.trials.bounded_calls import TrialCalls
from interplay.generators.graph.trials.preconditions import Found
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.tool import Tool

SEVERAL = 2
"""The fewest tables that a tool has replaced if it sets the state up."""

BROUGHT_BACK = "is not offered: it brings everything back to how it began"
REPLACES = "is not offered: it replaces all that there is by what it is given"

Tables = Callable[[], Mapping[str, Mapping[Any, Any]]]


def set_up_tools(trials: TrialCalls, found: Mapping[str, Found], tables: Tables) -> dict[str, str]:
    """Return the tools that set the state up, each with what shows it; the state is afterwards as it was."""
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
    """Tell whether after changes to several tables a call without arguments undoes them all."""
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
    """Tell whether a call with nothing inside takes away all rows of several tables."""
    trials.reset()
    given: dict[str, Any] = {key: {} for key in tool.required}
    result = trials.now(tool.name, given)
    now = _held(tables())
    full = [table for table, rows in begun.items() if rows]
    gone = [table for table in full if not now.get(table)]
    return result is not None and result.error is None and len(gone) == len(full) >= SEVERAL


def _takes_anything(tool: Tool) -> bool:
    """Tell whether the one thing that a tool requires is an object of which no field is named."""
    fields = object_properties(tool.parameters)
    return len(tool.required) == 1 and all(
        schema_type(fields[name]) in (None, "object") and not object_properties(fields[name]) for name in tool.required
    )


def _held(tables: Mapping[str, Mapping[Any, Any]]) -> dict[str, dict[Any, Any]]:
    """Return copies of tables that stay as they are; keys stand for rows that would be made anew for it."""
    return {name: {key: str(rows[key]) for key in rows} for name, rows in tables.items()}
