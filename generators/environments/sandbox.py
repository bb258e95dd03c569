"""Tool schemas alone -> an executable, stateful world: no key, no network, the same for the same seed."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.changing import bodies_of, given_fields, with_given, with_status
from interplay.generators.environments.conditions import facts_of, holds
from interplay.generators.environments.filtering import Filters
from interplay.generators.environments.mirroring import bare, below, reflected
from interplay.generators.environments.ownership import Ownership
from interplay.generators.environments.paging import Page, page_of
from interplay.generators.environments.plans import Plan, ResourcePlan, ToolPlan
from interplay.generators.environments.resources import infer_plan, resource_model, shows
from interplay.generators.environments.rows import at_path
from interplay.generators.environments.seeding import mint_key, new_row, seed_tables
from interplay.generators.environments.shaping import fill, shaped
from interplay.generators.environments.state import Row, Snapshot, State
from interplay.generators.values.making import Unsatisfiable, make_valid
from interplay.schemas.canonical import Change, digest, leaves, split_pointer
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.json_schema import errors, is_valid
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

    def __init__(self, toolset: Toolset, seed: int = 0, plan: Plan | None = None) -> None:
        self._toolset = toolset
        self._seed = seed
        self._plan: Plan = plan or infer_plan(toolset)
        self._model = resource_model(self._plan)
        self._state = State(seed_tables(self._plan, seed))
        self._ownership = Ownership(self._plan, self._state.get)
        self._shapes: dict[tuple[str, str], tuple[Row, Any]] = {}
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
        except Unsatisfiable as failure:
            self._state.restore(before)
            return ToolResult.failed(call, f"500 Internal Server Error: {failure}")

    def _execute(self, call: ToolCall) -> Any:
        plan = self._plan.tools.get(call.name)
        if plan is None:
            raise ToolFailure(f"Error: unknown tool {call.name!r}.")
        found = errors(call.arguments, plan.tool.parameters, limit=1)
        if found:
            path, message = found[0]
            raise ToolFailure(f"400 Bad Request: {'.'.join(map(str, path)) or 'arguments'}: {message}")
        self._check_references(plan, call.arguments)
        self._check_cases(plan, call.arguments)
        value = self._handlers[plan.operation](plan, call.arguments)
        if plan.tool.returns is not None and not is_valid(value, plan.tool.returns):
            raise ToolFailure("500 Internal Server Error: no answer was found that satisfies the result schema.")
        return value

    def _check_references(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        references = self._plan.references[plan.tool.name]
        for pointer, value in leaves(arguments):
            target = references.get(re.sub(r"/\d+(?=/|$)", "/*", pointer)) or references.get(pointer)
            if target is None:
                continue
            for key in value if isinstance(value, list) else [value]:
                if isinstance(key, str | int) and not self._exists(target, str(key)):
                    raise ToolFailure(f"404 Not Found: there is no {spoken(target)} {key!r}.")

    def _check_cases(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        """Refuse what the author says that the API refuses."""
        references = self._plan.references[plan.tool.name]
        facts = facts_of(arguments, references, plan.resource, plan.target, self._state.get) if plan.errors else {}
        for case in plan.errors:
            if holds(case.when, facts):
                raise ToolFailure(case.error)

    def _row(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> tuple[str, Row]:
        """Return the row that a call is about: the one that it names, else the one below the rows that it names."""
        assert plan.resource is not None
        wanted = self._owners(plan, arguments)
        if plan.target is not None and plan.target in arguments:
            key, row = self._found(plan.resource, str(arguments[plan.target]), wanted)
            if row is None or not self._ownership.belongs(plan.resource, row, wanted, strict=False):
                where = " there" if row is not None else ""
                raise ToolFailure(
                    f"404 Not Found: there is no {spoken(plan.resource)} {arguments[plan.target]!r}{where}."
                )
            return key, row
        if plan.target is not None and plan.operation != "read":
            raise ToolFailure(
                f"400 Bad Request: {plan.target} is needed to say which {spoken(plan.resource)} is meant."
            )
        referred = self._referred(plan, wanted)
        if referred is not None:
            return referred
        for key, row in self._children(plan, arguments):
            return key, row
        if plan.single:
            resource = self._plan.resources[plan.resource]
            owners = self._above(plan, arguments)
            key = owners.get(resource.parent or "", "1")
            if not self._state.is_known(resource.name, key):
                return key, new_row(self._plan, resource, key, None, owners, self._keys, self._seed)
        raise ToolFailure(f"404 Not Found: there is no {spoken(plan.resource)}.")

    def _found(self, resource: str, key: str, wanted: Mapping[str, str]) -> tuple[str, Row | None]:
        """Return key and row of an identity that may be unique only below its owner."""
        parent = wanted.get(self._plan.resources[resource].parent or "")
        nested = below(key, parent) if parent is not None else key
        row = self._state.get(resource, nested)
        return (nested, row) if row is not None else (key, self._state.get(resource, key))

    def _exists(self, resource: str, key: str) -> bool:
        if self._state.get(resource, key) is not None:
            return True
        nested = self._plan.resources[resource].parent is not None
        return nested and any(bare(other) == key for other, _ in self._state.rows(resource))

    def _referred(self, plan: ToolPlan, wanted: Mapping[str, str]) -> tuple[str, Row] | None:
        """Return the row that the named owner refers to (`GET /orders/{id}/customer`), if it does."""
        resource = str(plan.resource)
        for owner, owner_key in reversed(list(wanted.items())):
            above = self._state.get(owner, owner_key)
            for pointer, target in self._plan.resources[owner].references.items():
                if target == resource and above is not None and not plan.single:
                    for leaf in at_path(above, split_pointer(pointer)):
                        row = self._state.get(resource, str(leaf))
                        if row is not None:
                            return str(leaf), row
        return None

    def _owners(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Return the rows that a call's path names above its own, as resource and key."""
        known = self._plan.resources
        named = [(owner, name) for name, owner in plan.parents if name in arguments]
        return {owner: str(arguments[name]) for owner, name in named if known[owner].identity is not None}

    def _children(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> list[tuple[str, Row]]:
        assert plan.resource is not None
        wanted = self._owners(plan, arguments)
        rows = self._state.rows(plan.resource)
        return [item for item in rows if self._ownership.belongs(plan.resource, item[1], wanted, strict=True)]

    def _shown(self, plan: ToolPlan, key: str, row: Row) -> Any:
        """Return a row as a tool shows it; the same value for as long as the row stays."""
        held = self._shapes.get((plan.tool.name, key))
        if held is None or held[0] is not row:
            schema: Mapping[str, Any] = plan.rows.schema if plan.rows is not None else {}
            held = self._shapes[plan.tool.name, key] = (row, shaped(schema, row, self._rng(plan, key)))
        return held[1]

    def _rng(self, plan: ToolPlan, key: str) -> Random:
        return Random(f"{self._seed}/{plan.resource}/{key}")

    def _answer(self, plan: ToolPlan, row: Row, key: str) -> Any:
        """Show one row in the tool's result schema."""
        rng = self._rng(plan, key)
        returns = plan.tool.returns
        if returns is None:
            return shaped({}, row, rng) if plan.operation in ("create", "read") else dict(DONE)
        if plan.rows is None:
            return self._made(plan, {"row": key})
        if plan.rows.many:
            return fill(returns, plan.rows.pointer, [self._shown(plan, key, row)], rng, Page())
        return fill(returns, plan.rows.pointer, self._shown(plan, key, row), rng, Page())

    def _answers(self, plan: ToolPlan, page: Page) -> Any:
        """Show several rows in the tool's result schema."""
        shown = [self._shown(plan, key, row) for key, row in page.rows]
        if plan.tool.returns is None or plan.rows is None:
            return shown
        return fill(plan.tool.returns, plan.rows.pointer, shown, Random(f"{self._seed}/{plan.tool.name}"), page)

    def _made(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> Any:
        """Make a value of the result schema that depends on seed, tool, arguments and the rows that they name."""
        if plan.tool.returns is None:
            return dict(DONE)
        rng = Random(f"{self._seed}/{plan.tool.name}/{digest(arguments)}")
        return make_valid(plan.tool.returns, rng, plan.resource or plan.tool.name)

    def _read(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._compute(plan, arguments)
        key, row = self._row(plan, arguments)
        return self._answer(plan, row, key)

    def _list(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._compute(plan, arguments)
        owners = {name for name, _ in plan.parents}
        filters = Filters(
            {name: value for name, value in arguments.items() if name not in owners},
            self._plan.resources[plan.resource],
            {pointer[1:]: target for pointer, target in self._plan.references[plan.tool.name].items()},
            self._ownership,
        )
        found = [item for item in self._children(plan, arguments) if filters.pass_row(item[1])]
        return self._answers(plan, page_of(found, arguments, plan.tool.parameters.get("properties", {})))

    def _create(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._act(plan, arguments)
        bodies = self._bodies(plan, self._plan.resources[plan.resource], arguments)
        before = dict(self._state.rows(plan.resource)) if plan.single else {}
        made = [self._add(plan, arguments, given) for given in bodies]
        if all(before.get(key) == row for key, row in made):
            self._note(plan, arguments)
        if plan.rows is not None and plan.rows.many:
            return self._answers(plan, Page(tuple(made), len(made)))
        key, row = made[-1]
        return self._answer(plan, row, key)

    def _bodies(self, plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the fields of each row to make; one that bears another's identity is given it by what refers to that."""
        bodies = bodies_of(plan, resource, arguments)
        references = self._plan.references[plan.tool.name]
        if resource.mirrors is None or resource.identity is None or len(bodies) != 1 or resource.identity in bodies[0]:
            return bodies
        for pointer, value in leaves(arguments):
            if references.get(pointer) == resource.mirrors and isinstance(value, str | int):
                return [{**bodies[0], resource.identity: value}]
        return bodies

    def _add(self, plan: ToolPlan, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, Row]:
        assert plan.resource is not None
        resource = self._plan.resources[plan.resource]
        owners = self._above(plan, arguments)

        def is_known(key: str) -> bool:
            return self._state.is_known(resource.name, key)

        count = len(self._state.table(resource.name))
        key, identity = mint_key(resource, given, owners, is_known, count, self._seed)
        before = self._state.get(resource.name, key)
        within = {str(resource.parent): owners[str(resource.parent)]} if resource.parent in owners else {}
        if before is not None and not self._ownership.belongs(resource.name, before, within, strict=True):
            key = below(key, owners[str(resource.parent)])
            before = self._state.get(resource.name, key)
        if before is not None and plan.target is None and not resource.single:
            raise ToolFailure(f"409 Conflict: {spoken(plan.resource)} {key!r} exists already.")
        row = before
        if row is None:
            mirrored = self._state.get(resource.mirrors, bare(key)) if resource.mirrors else None
            row = new_row(self._plan, resource, key, identity, owners, self._keys, self._seed)
            row = reflected(resource, row, mirrored)
        row = {**with_given(resource, row, given), **plan.sets}
        self._state.put(resource.name, key, row)
        return key, row

    def _above(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Return what a new row belongs to: the rows that the call names, and what these belong to."""
        found: dict[str, str] = {}
        for owner, key in self._owners(plan, arguments).items():
            row = self._state.get(owner, key)
            found |= row.get("_parents", {}) if row is not None else {}
            found[owner] = key
        return found

    def _keys(self, table: str) -> list[tuple[str, Mapping[str, str]]]:
        return [(key, row.get("_parents", {})) for key, row in self._state.rows(table)]

    def _update(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._act(plan, arguments)
        resource = self._plan.resources[plan.resource]
        if plan.target is None and plan.rows is not None and plan.rows.many and resource.identity is not None:
            return self._update_all(plan, arguments, bodies_of(plan, resource, arguments))
        key, row = self._row(plan, arguments)
        given = given_fields(plan, resource, arguments)
        given.pop(resource.identity or "", None)
        changed = {**with_given(resource, row, given), **plan.sets}
        self._state.put(plan.resource, key, changed)
        return self._answer(plan, changed, key)

    def _update_all(self, plan: ToolPlan, arguments: dict[str, Any], bodies: list[dict[str, Any]]) -> Any:
        """Change or make each row that a call on a whole collection gives."""
        resource = self._plan.resources[str(plan.resource)]
        wanted, touched = self._owners(plan, arguments), []
        for given in bodies:
            key, row = self._found(resource.name, str(given.get(str(resource.identity))), wanted)
            if row is None or not self._ownership.belongs(resource.name, row, wanted, strict=False):
                touched.append(self._add(plan, arguments, given))
            else:
                changed = {**with_given(resource, row, given), **plan.sets}
                self._state.put(resource.name, key, changed)
                touched.append((key, changed))
        return self._answers(plan, Page(tuple(touched), len(touched)))

    def _delete(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._act(plan, arguments)
        if plan.target is None and not plan.single and not plan.tool.parameters.get("properties"):
            for key, _ in list(self._state.rows(plan.resource)):
                self._remove(plan.resource, key)
            return self._made(plan, arguments)
        if plan.target is None and not plan.single:
            return self._act(plan, arguments)
        key, row = self._row(plan, arguments)
        self._remove(plan.resource, key)
        resource = self._plan.resources[plan.resource]
        if plan.rows is None or plan.rows.many or not shows(plan.rows, resource):
            return self._made(plan, arguments)
        return self._answer(plan, row, key)

    def _remove(self, resource: str, key: str) -> None:
        """Delete a row, and the rows below it."""
        self._state.delete(resource, key)
        for child in self._plan.resources.values():
            if child.parent == resource and child.name != resource:
                for inner, row in list(self._state.rows(child.name)):
                    if row.get("_parents", {}).get(resource) == key:
                        self._remove(child.name, inner)
            if child.mirrors == resource:
                for inner in [inner for inner in self._state.table(child.name) if bare(inner) == bare(key)]:
                    self._remove(child.name, inner)

    def _act(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        key, row = "", None
        if plan.resource is not None and plan.target is not None and plan.target in arguments:
            resource: ResourcePlan = self._plan.resources[plan.resource]
            key, before = self._row(plan, arguments)
            given = {name: value for name, value in given_fields(plan, resource, arguments).items() if name in before}
            row = {**with_given(resource, with_status(plan, resource, before), given), **plan.sets}
            self._state.put(plan.resource, key, row)
        self._note(plan, arguments)
        if row is not None and plan.rows is not None and not plan.rows.many and _is_shown(plan, self._plan):
            return self._answer(plan, row, key)
        return self._made(plan, arguments)

    def _compute(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.tool.effect == "write":
            self._note(plan, arguments)
        return self._made(plan, arguments)

    def _note(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        number = len(self._state.table(EVENTS))
        self._state.put(EVENTS, str(number), {"tool": plan.tool.name, "arguments": arguments})


def spoken(resource: str | None) -> str:
    """Return a resource's name as words."""
    return (resource or "thing").replace("_", " ")


def _is_shown(plan: ToolPlan, whole: Plan) -> bool:
    resource = whole.resources[str(plan.resource)]
    return plan.rows is not None and bool(plan.rows.schema.get("properties")) and shows(plan.rows, resource)
