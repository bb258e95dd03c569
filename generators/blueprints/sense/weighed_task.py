"""A task with its results, rows and tool graph: everything that its sense is judged by."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.world import World
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import last_name, leaves
from interplay.schemas.records.blueprint import Action, Blueprint, Fact
from interplay.schemas.records.tool import Operation, ToolRole
from interplay.schemas.records.tool_graph import Edge

ROWS = 200
"""Rows that are searched for a value."""


POINTLESS = 0.55
"""Share of sense lost by something pointless: a thing is approved, and then deleted."""


@dataclass(frozen=True)
class WeighedTask:
    """A task whose sense is judged; `values` holds the results by action id."""

    blueprint: Blueprint
    values: Mapping[str, Any]
    world: World
    graph: ToolGraph

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """The user's facts by id."""
        return {fact.id: fact for fact in self.blueprint.scenario.facts}

    @cached_property
    def actions(self) -> dict[str, Action]:
        """The actions by id."""
        return {action.id: action for action in self.blueprint.actions}

    @property
    def user(self) -> str | None:
        """The resource of users."""
        return self.world.environment.toolset.user_resource

    def role(self, action: Action) -> ToolRole:
        """Return the role of an action's tool."""
        return self.world.roles[action.tool]

    def operation(self, action: Action) -> Operation:
        """Return the operation of an action's tool."""
        return self.role(action).operation

    def ends(self, action: Action) -> bool:
        """Tell whether an action deletes its row, or is a DELETE request without authored wishes."""
        tool = self.world.tools[action.tool]
        says_so = not tool.phrases.wishes and tool.method == "DELETE"
        return self.operation(action) == "delete" or says_so

    def edits(self, action: Action) -> bool:
        """Tell whether an action changes fields of its row."""
        http = self.world.tools[action.tool].http
        return self.operation(action) == "update" or (http is not None and http.method in ("PUT", "PATCH"))

    @cached_property
    def served(self) -> list[Action]:
        """The actions that goals are about, without look-ups."""
        goals = self.blueprint.goals
        return [action for action in self.blueprint.actions if goals[action.goal].tool == action.tool]

    def is_phrased(self, action: Action) -> bool:
        """Tell whether an action's tool has authored wishes, so that its use was considered."""
        return bool(self.world.tools[action.tool].phrases.wishes)

    def rows(self, action: Action) -> set[tuple[str, str]]:
        """Return the (resource, key) pairs that an action's arguments name, except the user's own row."""
        named = ((referred(self.role(action), at), str(value)) for at, value in leaves(action.arguments))
        return {(kind, key) for kind, key in named if kind not in (None, self.user)}

    def own_rows(self, action: Action) -> set[tuple[str, str]]:
        """Return the rows of its own resource that an action names."""
        return {(kind, key) for kind, key in self.rows(action) if kind == self.role(action).resource}

    def found_into(self, tool: str, pointer: str) -> list[Edge]:
        """Return the edges into an argument of a tool, without running them."""
        return [edge for edge in self.graph.found_for(tool) if edge.input == pointer]

    def into(self, tool: str, pointer: str, is_asked: Callable[[Edge], bool]) -> Iterator[Edge]:
        """Yield the edges into an argument of a tool that `is_asked` selects, after running them."""
        return self.graph.feeding(tool, lambda edge: edge.input == pointer and is_asked(edge))

    def lists(self, tool: str) -> bool:
        """Tell whether a tool lists rows without needing any identity but the user's."""
        needed = self.world.needed_references(tool).values()
        return self.world.roles[tool].operation == "list" and {self.user}.issuperset(needed)

    def stands_in_row(self, action: Action, field: str, value: Any) -> bool:
        """Tell whether a field has a value in a row of an action's resource, or in a result of the task."""
        resource = self.role(action).resource
        rows = self.world.subjects(str(resource))[:ROWS] if resource in self.world.resources else []
        shown = (leaf for result in self.values.values() for at, leaf in leaves(result) if last_name(at) == field)
        return any(row.row.get(field) == value for row in rows) or value in shown
