"""Tool schemas -> an executable, stateful environment: offline, without API keys, deterministic for a seed."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from interplay.generators.environments.accounts.resource_model import resource_model
from interplay.generators.environments.inference.plans import Plan, ToolPlan, is_technical
from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.inference.resources.references import argument_schema, parted
from interplay.generators.environments.inference.result_rows import at_path
from interplay.generators.environments.inference.roles.rpc_calls import call_parts
from interplay.generators.environments.overrides.conditions import facts_of, holds
from interplay.generators.environments.rows.constraints import echoed
from interplay.generators.environments.rows.filters import Filters
from interplay.generators.environments.rows.listed_states import has_states, listed_states
from interplay.generators.environments.rows.name_lists import listed_resource, name_text
from interplay.generators.environments.rows.pagination import Page, page_of
from interplay.generators.environments.rows.projection import tells_success
from interplay.generators.environments.rows.sort_order import as_promised, in_order
from interplay.generators.environments.sandbox.embedded_rows import (
    EmbeddedRows,
)
from interplay.generators.environments.sandbox.locator import Locator, ToolFailure, words_of_name
from interplay.generators.environments.sandbox.row_store import Row, RowStore, Snapshot
from interplay.generators.environments.sandbox.row_views import RowViews
from interplay.generators.environments.sandbox.row_writes import RowWrites
from interplay.generators.environments.sandbox.seeds import recorded_rows, stored_tables
from interplay.generators.environments.sandbox.tool_results import ToolResults
from interplay.generators.environments.sandbox.write_calls import EVENTS, WriteCalls
from interplay.generators.results.acknowledgement import as_text
from interplay.generators.results.calculation import NoValue, expression_of, shown_value, worked_out
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import Change, digest, join_pointer, leaves, split_pointer
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import errors, is_valid
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Toolset

_MISSING = re.compile(r"^404 Not Found: there is no ([a-z0-9 ]+?)(?: '.*| there\.|\.)", re.DOTALL)
_NOT_IN = re.compile(r"^404 Not Found: this ([a-z0-9 ]+) has no ")
_CODES = {"400": "invalid_arguments", "404": "not_found", "409": "already_exists", "500": "internal_error"}


def spoken_words(tools: Mapping[str, ToolPlan]) -> dict[str, str]:
    """Return resource -> the word that results use for its rows, where it differs."""
    found: dict[str, str] = {}
    for plan in tools.values():
        shown = plan.rows.pointer.split("/")[1:2] if plan.rows is not None else []
        for word in plan.words:
            if shown in ([word], [f"{word}s"]) and found.get(str(plan.resource)) != plan.resource:
                found[str(plan.resource)] = word if word == plan.resource else found.get(str(plan.resource), word)
    return found


def refusal(plan: ToolPlan | None, message: str, words: Mapping[str, str]) -> str:
    """Return the text of an error; for RPC functions with a success flag, JSON with the flag and an error code."""
    http = plan.tool.http if plan is not None else None
    if plan is None or http is None or call_parts(http.path) is None:
        return message
    fields = object_properties(plan.tool.returns or {})
    flag = next((name for name, schema in fields.items() if tells_success(name, schema)), None)
    known = re.match(r"^\d{3} ", message)
    return json.dumps({flag: False, "error": _code(message, words)}) if flag is not None and known else message


def _code(message: str, words: Mapping[str, str]) -> str:
    missing, outside = _MISSING.match(message), _NOT_IN.match(message)
    found = missing or outside
    if found is None:
        return _CODES.get(message[:3], "fatal_error")
    noun = found[1].replace(" ", "_")
    word = words.get(noun, noun)
    return f"{word}_not_found" if missing else f"not_in_{word}"


__all__ = ["EVENTS", "Sandbox"]

Handler = Callable[[ToolPlan, dict[str, Any]], Any]


@dataclass(frozen=True)
class _Known:
    """What all worlds behind one toolset share."""

    digest: str
    plan: Plan
    model: ResourceModel
    admits: Mapping[str, Mapping[str, Mapping[str, Any]]]
    words: Mapping[str, str]

    @classmethod
    def of(cls, toolset: Toolset, plan: Plan) -> "_Known":
        model = resource_model(plan)
        admits = {role.tool: role.admits for role in model.roles}
        return cls(toolset.digest(), plan, model, admits, spoken_words(plan.tools))


class Sandbox:
    """A made-up world behind a toolset; its rows, references and results satisfy the tools' schemas."""

    def __init__(
        self,
        toolset: Toolset,
        seed: int | WorldSeed = 0,
        plan: Plan | None = None,
        like: "Sandbox | None" = None,
    ) -> None:
        """Open a world; `like` is another open world of the same tools, whose inferred plan is reused."""
        self._toolset = toolset
        self._seed = seed = seed if isinstance(seed, WorldSeed) else WorldSeed(str(seed))
        known = like._known if like is not None else _Known.of(toolset, plan or infer_plan(toolset))
        self._known: _Known = known
        self._plan, self._model = known.plan, known.model
        self._state = RowStore(stored_tables(self._plan, seed), f"{known.digest}/{seed}")
        self._locator = Locator(self._plan, self._state, seed)
        self._copies = EmbeddedRows(self._plan, self._state, self._locator)
        self._answers = ToolResults(seed, self._copies, RowViews(self._plan, self._state, seed), self._plan.asked_by)
        rows = RowWrites(self._plan, self._state, self._locator, self._copies, seed)
        self._writes = writes = WriteCalls(self._plan, self._state, self._locator, self._answers, rows)
        self._handlers: dict[str, Handler] = {
            "create": writes.create,
            "read": self._read,
            "list": self._list,
            "update": writes.update,
            "delete": writes.delete,
            "action": writes.act,
            "compute": self._compute,
        }

    def renewed(self, seed: WorldSeed) -> "Sandbox":
        """Return another world with the same tools."""
        return Sandbox(self._toolset, seed, like=self)

    @property
    def toolset(self) -> Toolset:
        """The tools that can be called."""
        return self._toolset

    @property
    def resources(self) -> ResourceModel:
        """The inferred resources and roles."""
        return self._model

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables as they are now."""
        return self._state.tables()

    def snapshot(self) -> Snapshot:
        """Return a token for the present state."""
        return self._state.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot."""
        self._state.restore(snapshot)

    def digest(self) -> str:
        """Return the digest of the state."""
        return self._state.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the seeded state."""
        return self._state.changes()

    def learn(self, call: ToolCall, value: Any) -> bool:
        """Store the rows in a recorded result; return whether it has any."""
        rows = list(recorded_rows(self._plan, call, value))
        for resource, key, row in rows:
            known = self._state.get(resource, key)
            self._state.put(resource, key, row if known is None else {**known, **row})
        return bool(rows)

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call; see `Environment.call`."""
        before = self._state.snapshot()
        try:
            return ToolResult.of(call, self._execute(call))
        except ToolFailure as failure:
            self._state.restore(before)
            return ToolResult.failed(call, refusal(self._plan.tools.get(call.name), str(failure), self._known.words))
        except Unsatisfiable as failure:
            self._state.restore(before)
            return ToolResult.failed(call, f"500 Internal Server Error: {failure}")

    def _execute(self, call: ToolCall) -> Any:
        plan = self._plan.tools.get(call.name)
        if plan is None:
            raise ToolFailure(f"Error: unknown tool {call.name!r}.")
        if plan.tool.requestor != call.requestor:
            raise ToolFailure(f"Error: there is no tool called {call.name} for the {call.requestor}.")
        found = errors(call.arguments, plan.tool.parameters, limit=1)
        if found:
            path, message = found[0]
            raise ToolFailure(f"400 Bad Request: {'.'.join(map(str, path)) or 'arguments'}: {message}")
        for name in self._known.admits[call.name].keys() & call.arguments.keys():
            for _, message in errors(call.arguments[name], self._known.admits[call.name][name], limit=1):
                raise ToolFailure(f"400 Bad Request: {name}: {message}")
        self._check_references(plan, call.arguments)
        self._locator.require_path(plan, call.arguments)
        references = self._plan.references[plan.tool.name]
        facts = facts_of(call.arguments, references, plan.resource, plan.target, self._state.get) if plan.errors else {}
        for case in plan.errors:
            if holds(case.when, facts):
                raise ToolFailure(case.error)
        value = self._handlers[plan.operation](plan, call.arguments)
        if plan.tool.returns is not None and not is_valid(value, plan.tool.returns):
            raise ToolFailure("500 Internal Server Error: no answer was found that satisfies the result schema.")
        return value

    def _check_references(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        references = self._plan.references[plan.tool.name]
        owners = {join_pointer(name) for name, _ in plan.parents} | {join_pointer(plan.target or "")}
        wanted = self._locator.owners(plan, arguments)
        for pointer, value in leaves(arguments):
            place = re.sub(r"/\d+(?=/|$)", "/*", pointer)
            target = references.get(place) or references.get(pointer)
            if target is None:
                continue
            if isinstance(value, list) and (
                plan.tool.http is None and plan.operation in ("list", "delete") and (target == plan.resource)
            ):
                continue
            value = parted(value, argument_schema(plan.tool, place))
            for key in value if isinstance(value, list) else [value]:
                if isinstance(key, (str, int)) and not self._locator.exists(
                    target, str(key), None if pointer in owners else wanted
                ):
                    raise ToolFailure(f"404 Not Found: there is no {words_of_name(target)} {key!r}.")

    def _read(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._compute(plan, arguments)
        key, row = self._locator.row(plan, arguments)
        if isinstance(arguments.get(plan.target or ""), list) and plan.lists:
            named = tuple(self._locator.named(plan, arguments))
            return self._answers.rows(plan, Page(named, len(named)))
        return (
            self._answers.field(plan, row, key, arguments)
            if plan.edit
            else self._answers.row(plan, row, key, arguments)
        )

    def _list(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self._compute(plan, arguments)
        found = self._found(plan, plan.resource, arguments)
        page = self._page(plan, found, arguments)
        if len(page.rows) < page.total and self._state.count_changed():
            page = self._page(plan, self._newest_first(plan.resource, found), arguments)
        within = {name: arguments[name] for name, _ in plan.parents if name in arguments}
        return echoed(plan, self._answers.rows(plan, page, self._beside(plan, page.rows)), within)

    def _page(self, plan: ToolPlan, found: list[tuple[str, Row]], arguments: Mapping[str, Any]) -> Page:
        """Return the page of rows that a call asks for."""
        ordered = in_order(as_promised(found, plan.tool), arguments)
        return page_of(ordered, arguments, plan.tool.properties, lambda rows: self._answers.fitting(plan, rows))

    def _newest_first(self, resource: str, found: list[tuple[str, Row]]) -> list[tuple[str, Row]]:
        """Return rows with those first that calls have made, as in a list of which only the beginning is shown."""
        made = [self._state.first(resource, key) is None for key, _ in found]
        return [*reversed([*compress(found, made)]), *(item for item, new in zip(found, made, strict=True) if not new)]

    def _found(self, plan: ToolPlan, resource: str, arguments: Mapping[str, Any]) -> list[tuple[str, Row]]:
        """Return the rows that pass the filters of a call, as they are shown."""
        owners = {name for name, _ in plan.parents}
        if plan.several is not None:  # a list of objects with identities selects as a list of these does
            name, *below = split_pointer(plan.several)
            arguments = {**arguments, name: [*at_path(arguments.get(name, []), tuple(below))]}
        filters = Filters(
            {
                name: value
                for name, value in arguments.items()
                if name not in owners and not is_technical(name, plan.tool)
            },
            self._plan.resources[resource],
            {
                split_pointer(pointer)[0] if pointer == plan.several else pointer[1:]: target
                for pointer, target in self._plan.references[plan.tool.name].items()
            },
            self._locator.ownership,
        )
        rows = self._locator.children(plan, arguments)
        shown = [(key, self._copies.full(resource, key, row)) for key, row in rows]
        states = _listed(self._plan, plan.tool.name)
        return [item for item in shown if filters.pass_row(item[1]) and has_states(item[1], states)]

    def _beside(self, plan: ToolPlan, rows: Sequence[tuple[str, Row]]) -> dict[str, list[tuple[str, Row]]]:
        """Return the rows of other resources that a list shows too: those that refer only to the listed rows."""
        resource = self._plan.resources[str(plan.resource)]
        shown = {str(resource.identity_of(row)) for _, row in rows}
        found: dict[str, list[tuple[str, Row]]] = {}
        for field, other in plan.beside:
            links = [at for at, to in self._plan.resources[other].references.items() if to == resource.name]
            found[field] = [
                (key, self._copies.full(other, key, row))
                for key, row in self._state.rows(other)
                if all(str(leaf) in shown for at in links for leaf in at_path(row, split_pointer(at)))
            ]
        return found

    def _compute(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.tool.effect == "write":
            self._writes.note(plan, arguments)
        if plan.counts and plan.resource is not None and plan.resource in self._plan.resources:
            return self._answers.number(plan, arguments, len(self._found(plan, plan.resource, arguments)))
        worked = _worked_out(plan, arguments) or self._named(plan, arguments)
        return worked[0] if worked else self._answers.made(plan, arguments)

    def _named(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> list[Any]:
        """Return the text in which a tool names rows, as the only item of a list; an empty list for other tools."""
        resource = listed_resource(plan, self._plan)
        rows = list(self._state.rows(resource.name)) if resource is not None else []
        if resource is None or not rows:
            return []
        rng = self._seed.random(f"{plan.tool.name}/{digest(arguments)}")
        told = as_text(plan.tool.returns or {}, name_text(plan, resource, rows, arguments, rng))
        return [told] if is_valid(told, plan.tool.returns or {}) else []


def _listed_states(plan: Plan, name: str) -> Mapping[str, Any]:
    tool = plan.tools[name]
    return listed_states(tool, plan.resources[str(tool.resource)])


_listed = ObjectCache(_listed_states)
"""A plan and the name of a tool -> the states of all rows that the tool lists or counts."""


def _worked_out(plan: ToolPlan, arguments: Mapping[str, Any]) -> list[Any]:
    """Return the value of the expression that a call asks to compute, as the only item of a list; else an empty list."""
    name = expression_of(plan.tool)
    if name is None or name not in arguments:
        return []
    try:
        return shown_value(worked_out(str(arguments[name])), plan.tool.returns)
    except NoValue as failure:
        raise ToolFailure(f"400 Bad Request: {name}: {arguments[name]!r} {failure}.") from failure
