"""Tool schemas alone -> an executable, stateful world: no key, no network, the same for the same seed."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.filtering import matches, page_of
from interplay.generators.environments.resources import (
    Plan,
    ResourcePlan,
    Rows,
    ToolPlan,
    body_properties,
    infer_plan,
    resource_model,
)
from interplay.generators.environments.seeding import mint_key, new_row, seed_tables, with_leaf
from interplay.generators.environments.shaping import fill, shaped
from interplay.generators.environments.state import Snapshot, State
from interplay.generators.values.making import Unsatisfiable, make_valid
from interplay.schemas.canonical import Change, digest, join_pointer, leaves
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.fields import name_tokens, schema_type
from interplay.schemas.json_schema import errors
from interplay.schemas.tools import ResourceModel, Toolset

EVENTS = "events"
"""The table in which calls leave a trace that change nothing else."""

DONE: Mapping[str, Any] = {"success": True}
"""What a tool without a result schema answers."""

Handler = Callable[[ToolPlan, dict[str, Any]], Any]


class ToolFailure(Exception):
    """A call that the API would refuse; its text is the error result."""


class Sandbox:
    """A made-up world behind a toolset; rows, references and results satisfy the tools' schemas."""

    def __init__(self, toolset: Toolset, seed: int = 0) -> None:
        self._toolset = toolset
        self._seed = seed
        self._plan: Plan = infer_plan(toolset)
        self._model = resource_model(self._plan)
        self._state = State(seed_tables(self._plan, seed))
        self._handlers: dict[str, Handler] = {
            "create": self._create,
            "read": self._read,
            "list": self._list,
            "update": self._update,
            "delete": self._delete,
            "action": self._act,
            "compute": self._compute,
        }

    @property
    def toolset(self) -> Toolset:
        """The tools that can be called."""
        return self._toolset

    @property
    def resources(self) -> ResourceModel:
        """The resources and roles that were inferred."""
        return self._model

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables as they are now."""
        return self._state.tables()

    def snapshot(self) -> Snapshot:
        """Return a token for the present state."""
        return self._state.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Bring back the state of a snapshot."""
        self._state.restore(snapshot)

    def digest(self) -> str:
        """Return the digest of the state."""
        return self._state.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the seeded state."""
        return self._state.changes()

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call; see `Environment.call`."""
        before = self._state.snapshot()
        try:
            return ToolResult.of(call, self._execute(call))
        except ToolFailure as failure:
            self._state.restore(before)
            return ToolResult.failed(call, str(failure))

    def _execute(self, call: ToolCall) -> Any:
        plan = self._plan.tools.get(call.name)
        if plan is None:
            raise ToolFailure(f"Error: unknown tool {call.name!r}.")
        found = errors(call.arguments, plan.tool.parameters, limit=1)
        if found:
            path, message = found[0]
            raise ToolFailure(f"400 Bad Request: {'.'.join(map(str, path)) or 'arguments'}: {message}")
        self._check_references(plan, call.arguments)
        return self._handlers[plan.operation](plan, call.arguments)

    def _check_references(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        references = self._plan.references[plan.tool.name]
        for pointer, value in leaves(arguments):
            target = references.get(re.sub(r"/\d+(?=/|$)", "/*", pointer)) or references.get(pointer)
            if target is None:
                continue
            for key in value if isinstance(value, list) else [value]:
                if isinstance(key, str | int) and self._state.get(target, str(key)) is None:
                    raise ToolFailure(f"404 Not Found: there is no {spoken(target)} {key!r}.")

    def _row(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        assert plan.resource is not None
        if plan.target is not None and plan.target in arguments:
            key = str(arguments[plan.target])
            row = self._state.get(plan.resource, key)
            if row is None:
                raise ToolFailure(f"404 Not Found: there is no {spoken(plan.resource)} {arguments[plan.target]!r}.")
            self._check_parent(plan, arguments, row)
            return key, row
        for key, row in self._children(plan, arguments):
            return key, row
        raise ToolFailure(f"404 Not Found: there is no {spoken(plan.resource)}.")

    def _check_parent(self, plan: ToolPlan, arguments: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        for name, resource in plan.parents:
            owner = row.get("_parents", {}).get(resource)
            if owner is not None and name in arguments and str(arguments[name]) != owner:
                raise ToolFailure(f"404 Not Found: this {spoken(plan.resource)} belongs to another {spoken(resource)}.")

    def _children(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
        assert plan.resource is not None
        wanted = {resource: str(arguments[name]) for name, resource in plan.parents if name in arguments}
        return [
            (key, row)
            for key, row in self._state.rows(plan.resource)
            if all(row.get("_parents", {}).get(resource, owner) == owner for resource, owner in wanted.items())
        ]

    def _answer(self, plan: ToolPlan, row: Mapping[str, Any], key: str) -> Any:
        """Show one row in the tool's result schema."""
        rng = Random(f"{self._seed}/{plan.resource}/{key}")
        returns = plan.tool.returns
        if returns is None:
            return shaped({}, row, rng) if plan.operation in ("create", "read") else dict(DONE)
        if plan.rows is None:
            return self._made(plan, {"row": key})
        if plan.rows.many:
            return fill(returns, plan.rows.pointer, [shaped(plan.rows.schema, row, rng)], rng, {})
        return fill(returns, plan.rows.pointer, shaped(plan.rows.schema, row, rng), rng, {})

    def _made(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> Any:
        """Make a value of the result schema that depends on seed, tool and arguments alone."""
        if plan.tool.returns is None:
            return dict(DONE)
        rng = Random(f"{self._seed}/{plan.tool.name}/{digest(arguments)}")
        try:
            return make_valid(plan.tool.returns, rng, plan.resource or plan.tool.name)
        except Unsatisfiable as failure:
            raise ToolFailure(f"500 Internal Server Error: {failure}") from failure

    def _read(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._compute(plan, arguments)
        key, row = self._row(plan, arguments)
        return self._answer(plan, row, key)

    def _list(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        assert plan.resource is not None
        resource = self._plan.resources[plan.resource]
        owners = {name for name, _ in plan.parents}
        filters = {name: value for name, value in arguments.items() if name not in owners}
        references = {pointer[1:]: target for pointer, target in self._plan.references[plan.tool.name].items()}
        found = [
            (key, row)
            for key, row in self._children(plan, arguments)
            if all(matches(name, value, row, resource, references.get(name)) for name, value in filters.items())
        ]
        page = page_of(found, arguments)
        schema: Mapping[str, Any] = plan.rows.schema if plan.rows is not None else {}
        rows = [shaped(schema, row, Random(f"{self._seed}/{plan.resource}/{key}")) for key, row in page]
        if plan.tool.returns is None or plan.rows is None:
            return rows
        rng = Random(f"{self._seed}/{plan.tool.name}")
        return fill(plan.tool.returns, plan.rows.pointer, rows, rng, {**arguments, "total": len(found)})

    def _create(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        assert plan.resource is not None
        bodies = [arguments]
        properties = plan.tool.parameters.get("properties", {})
        for name, value in arguments.items():
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                lone = [key for key in properties if key not in dict(plan.parents)] == [name]
                bodies = value if lone else bodies
        made = [self._add(plan, {**arguments, **body} if body is not arguments else body) for body in bodies]
        key, row = made[-1]
        if plan.rows is not None and plan.rows.many and plan.tool.returns is not None:
            rows = [
                shaped(plan.rows.schema, item, Random(f"{self._seed}/{plan.resource}/{name}")) for name, item in made
            ]
            return fill(plan.tool.returns, plan.rows.pointer, rows, Random(f"{self._seed}/{key}"), {"total": len(rows)})
        return self._answer(plan, row, key)

    def _add(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
        assert plan.resource is not None
        resource = self._plan.resources[plan.resource]
        given = {name: arguments[name] for name in arguments if name in body_names(plan, resource)}
        parents = {owner: str(arguments[name]) for name, owner in plan.parents if name in arguments}
        table = dict(self._state.rows(plan.resource))
        key, identity = mint_key(resource, given, table, self._seed)
        if key in table:
            raise ToolFailure(f"409 Conflict: {spoken(plan.resource)} {key!r} exists already.")
        row = new_row(self._plan, resource, key, identity, parents, self._keys, self._seed)
        row = merged(row, given)
        self._state.put(plan.resource, key, row)
        return key, row

    def _keys(self, table: str) -> list[str]:
        return [key for key, _ in self._state.rows(table)]

    def _update(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._act(plan, arguments)
        key, row = self._row(plan, arguments)
        resource = self._plan.resources[plan.resource]
        given = {name: value for name, value in arguments.items() if name in body_names(plan, resource)}
        given.pop(resource.identity or "", None)
        changed = merged(row, given)
        self._state.put(plan.resource, key, changed)
        return self._answer(plan, changed, key)

    def _delete(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._act(plan, arguments)
        key, row = self._row(plan, arguments)
        self._state.delete(plan.resource, key)
        if plan.tool.returns is None or plan.rows is None or plan.rows.many:
            return self._made(plan, arguments)
        return self._answer(plan, row, key)

    def _act(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        number = len(dict(self._state.rows(EVENTS)))
        key, row = "", None
        if plan.resource is not None and plan.target is not None and plan.target in arguments:
            key, row = self._row(plan, arguments)
            changed = self._with_status(plan, row)
            given = {
                name: value
                for name, value in arguments.items()
                if name in body_names(plan, self._plan.resources[plan.resource])
            }
            given = {name: value for name, value in given.items() if name in row}
            row = merged(changed, given)
            self._state.put(plan.resource, key, row)
        self._state.put(EVENTS, str(number), {"tool": plan.tool.name, "arguments": arguments})
        if (
            row is not None
            and plan.rows is not None
            and not plan.rows.many
            and _shows(plan.rows, self._plan.resources[str(plan.resource)])
        ):
            return self._answer(plan, row, key)
        return self._made(plan, arguments)

    def _with_status(self, plan: ToolPlan, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return `row` in the status that the tool's verb leads to, where its schema has one."""
        resource = self._plan.resources[str(plan.resource)]
        verbs = {
            token[:5]
            for token in name_tokens(plan.tool.original_name)
            + name_tokens(plan.tool.http.path.split("/")[-1] if plan.tool.http else "")
        }
        for name, schema in resource.schema.get("properties", {}).items():
            tokens = set(name_tokens(name))
            for option in schema.get("enum", ()):
                if isinstance(option, str) and tokens & {"status", "state"} and option.lower()[:5] in verbs:
                    return with_leaf(row, join_pointer(name), option)
            if schema_type(schema) == "boolean" and any(token[:5] in verbs for token in tokens):
                return with_leaf(row, join_pointer(name), True)
        return row

    def _compute(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.tool.effect == "write":
            self._state.put(
                EVENTS, str(len(dict(self._state.rows(EVENTS)))), {"tool": plan.tool.name, "arguments": arguments}
            )
        return self._made(plan, arguments)


def spoken(resource: str | None) -> str:
    """Return a resource's name as words."""
    return (resource or "thing").replace("_", " ")


def body_names(plan: ToolPlan, resource: ResourcePlan) -> set[str]:
    """Return the arguments that are fields of the row."""
    properties = resource.schema.get("properties", {})
    names = {name for name in body_properties(plan) if name in properties}
    if plan.operation == "create" and resource.identity in plan.tool.parameters.get("properties", {}):
        names.add(str(resource.identity))
    if plan.operation == "create":
        items = (schema.get("items", {}) for schema in plan.tool.parameters.get("properties", {}).values())
        for item in items:
            if isinstance(item, Mapping):
                names |= item.get("properties", {}).keys() & properties.keys()
    return names


def merged(row: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return `row` with the given fields, nested objects merged field by field."""
    result = dict(row)
    for name, value in given.items():
        before = result.get(name)
        result[name] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return result


def _shows(rows: Rows, resource: ResourcePlan) -> bool:
    """Tell whether a result schema shows the row itself rather than a message about it."""
    shown = rows.schema.get("properties", {})
    return resource.identity in shown or len(shown.keys() & resource.schema.get("properties", {}).keys()) >= 2
