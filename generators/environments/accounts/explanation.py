"""An environment -> its account, for people to check: which resources there are, what each tool does to them, and why.

pet    identified by id    9 rows    refers to: category (/category/id)
  create   addPet          POST /pet: a new row of a collection
  read     getPetById      GET /pet/{petId}: a row by its identity
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping

from pydantic import Field

from interplay.generators.environments.accounts.fitness import Fitness
from interplay.generators.environments.inference.plans import Plan, ToolPlan, body_properties
from interplay.generators.environments.rows.listed_states import listed_states
from interplay.generators.environments.rows.statuses import with_status
from interplay.generators.importers.documents.tool_effects import NO_WORD, effect_of_request
from interplay.generators.importers.normalisation.observed_schemas import says_nothing
from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import (
    READING,
    SEARCH_TOOL,
    Operation,
    PolicyRule,
    Resource,
    ResourceModel,
    Tool,
    ToolRole,
    Toolset,
)

OPERATIONS: tuple[Operation, ...] = ("create", "read", "list", "update", "delete", "action", "compute")
SHOWN_UNKNOWN = 3
_EDITS = {"set": "as given", "clear": "none", "add": "one more", "remove": "one less"}


class ToolAccount(Record):
    """What one tool does, to which resource, and why.

    `references` maps arguments to resources, `because` maps their pointers to rows of the rule tables.
    """

    tool: str
    does: Operation
    resource: str | None = None
    effect: str = ""
    effect_why: str = ""
    target: str | None = None
    references: dict[str, str] = Field(default_factory=dict)
    because: dict[str, str] = Field(default_factory=dict)
    sets: tuple[str, ...] = ()
    errors: int = 0
    why: str = ""


class ResourceAccount(Record):
    """One resource: its identity, parent and references, and the tools that act on it.

    `because` names the rules that found the identity (under its name) and the references (under their pointers).
    """

    name: str
    table: str
    identity: str | None = None
    parent: str | None = None
    single: bool = False
    rows: int | None = None
    seed_rows: int = 0
    references: dict[str, str] = Field(default_factory=dict)
    because: dict[str, str] = Field(default_factory=dict)
    many_to_many: tuple[str, ...] = ()
    tools: tuple[ToolAccount, ...] = ()


class Doubt(Record):
    """Something that could not be inferred or may be wrong, and how to correct it.

    `kind` and `calls` are set where running calls showed it.
    """

    about: str
    what: str
    remedy: str
    kind: str = ""
    calls: tuple[ToolCall, ...] = ()


class Account(Record):
    """All that was inferred from one source."""

    toolset: str
    overrides: str = ""
    resources: tuple[ResourceAccount, ...] = ()
    computations: tuple[ToolAccount, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    rules: tuple[PolicyRule, ...] = ()
    fitness: Fitness | None = None


def explain(
    toolset: Toolset,
    model: ResourceModel,
    tables: Mapping[str, Mapping[str, object]] | None,
    plan: Plan | None = None,
    overrides: str = "",
) -> Account:
    """Return the account of an environment.

    `tables` is none if its rows are hidden; `plan` is given only for a sandbox.
    """
    tools = {tool.name: tool for tool in toolset.tools if tool.name != SEARCH_TOOL}
    roles = [role for role in model.roles if role.tool in tools]
    all_post = {tool.http.method for tool in tools.values() if tool.http} == {"POST"}
    accounts = [_tool(tools[role.tool], role, plan, all_post) for role in roles]
    resources = [_resource(item, roles, accounts, tables, plan) for item in model.resources]
    lone = tuple(account for account in accounts if account.resource is None)
    doubts = tuple(_doubts(tools, resources, accounts, plan))
    return Account(
        toolset=toolset.name, overrides=overrides, resources=tuple(resources), computations=lone, doubts=doubts,
        rules=toolset.rules,
    )  # fmt: skip


def _effect_why(tool: Tool, all_post: bool) -> str:
    """Return why a tool counts as a read or a write; empty for a tool without a path."""
    if tool.http is None:
        return ""
    text = f"{tool.summary}. {tool.description[:300]}"
    effect, why = effect_of_request(tool.method, tool.path, tool.original_name, text, all_post)
    return why if effect == tool.effect else f"what its author says, not by {why}"


def _tool(tool: Tool, role: ToolRole, plan: Plan | None, all_post: bool) -> ToolAccount:
    held = plan.tools[tool.name] if plan is not None else None
    why = _with_states(role.why, held, plan)
    return ToolAccount(
        tool=tool.name,
        does=role.operation,
        resource=role.resource,
        effect=tool.effect,
        effect_why=_effect_why(tool, all_post),
        target=held.target if held else None,
        references=dict(role.references),
        because=role.because,
        sets=_sets(held, plan) if held is not None and plan is not None else (),
        errors=len(held.errors) if held else 0,
        why=f"{tool.method} {tool.path}: {why}" if tool.path else why,
    )


def _with_states(why: str, held: ToolPlan | None, plan: Plan | None) -> str:
    """Return the reason for a tool's role; for a list, with the states that all its rows have."""
    if held is None or plan is None or held.operation != "list" or held.resource is None:
        return why
    states = listed_states(held, plan.resources[held.resource])
    said = [f"{name} is {json.dumps(value, ensure_ascii=False)}" for name, value in states.items()]
    return f"{why}; those whose {' and '.join(said)}, as is said of it" if said else why


def _sets(held: ToolPlan, plan: Plan) -> tuple[str, ...]:
    """Return the fields that a call sets besides those in its arguments."""
    found = dict(held.sets)
    if held.operation == "action" and held.resource is not None and held.edit is None and (held.target or held.every):
        found = {**with_status(held, plan.resources[held.resource].schema, {}), **found}
    said = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in found.items()]
    if held.edit is not None and held.edit.does != "show" and held.edit.path:
        return (f"{'/'.join(held.edit.path)}: {_EDITS[held.edit.does]}", *said)
    if held.operation == "action" and held.resource is not None:
        fields = plan.resources[held.resource].schema["properties"]
        said += [f"{name} as given" for name in body_properties(held) if name in fields and name not in found]
    return tuple(said)


def _resource(
    item: Resource,
    roles: list[ToolRole],
    accounts: list[ToolAccount],
    tables: Mapping[str, Mapping[str, object]] | None,
    plan: Plan | None,
) -> ResourceAccount:
    held = plan.resources[item.name] if plan is not None else None
    shown = {} if held else _shown_references(item, roles)
    references = dict(held.references) if held else {pointer: target for pointer, (target, _) in shown.items()}
    own = [account for account in accounts if account.resource == item.name]
    many = [target for pointer, target in references.items() if "/*" in pointer or _is_list(held, pointer)]
    return ResourceAccount(
        name=item.name,
        table=item.table,
        identity=item.identity,
        parent=item.parent,
        single=held.single if held else False,
        rows=len(tables.get(item.table, {})) if tables is not None else None,
        seed_rows=len(held.seeds) if held else 0,
        references=references,
        because={**{pointer: why for pointer, (_, why) in shown.items()}, **item.because},
        many_to_many=tuple(dict.fromkeys([*many, *(held.relations if held else ())])),
        tools=tuple(sorted(own, key=lambda account: OPERATIONS.index(account.does))),
    )


def _is_list(held: object, pointer: str) -> bool:
    properties = getattr(held, "schema", {}).get("properties", {})
    return bool(properties.get(pointer[1:], {}).get("type") == "array")


def _shown_references(item: Resource, roles: list[ToolRole]) -> dict[str, tuple[str, str]]:
    """Return field -> (target, reason) for references seen in results: the last field of another resource's identity."""
    found: dict[str, tuple[str, str]] = {}
    for role in roles:
        if role.resource == item.name and role.operation in ("read", "list", "create", "update"):
            for pointer, target in role.yields.items():
                if target != item.name:
                    found.setdefault(f"/{pointer.split('/')[-1]}", (target, role.because.get(pointer, "")))
    return found


def _is_settled(account: ToolAccount, plan: Plan | None) -> bool:
    """Tell whether a tool needs no target, as it acts on all rows or on the only one."""
    return plan is None or plan.tools[account.tool].every or plan.tools[account.tool].single


def _doubts(
    tools: Mapping[str, Tool], resources: list[ResourceAccount], accounts: list[ToolAccount], plan: Plan | None
) -> Iterator[Doubt]:
    for account in accounts:
        if account.resource is None and account.effect == "write":
            yield Doubt(
                about=account.tool,
                what=f"writes, but to no resource that was recognised: {account.why}",
                remedy=f"tools: {{{account.tool}: {{operation: action, resource: RESOURCE, target: ARGUMENT}}}}",
            )
        elif (
            account.does == "action" and account.target is None and account.resource and not _is_settled(account, plan)
        ):
            yield Doubt(
                about=account.tool,
                what=f"acts on a {account.resource.replace('_', ' ')}, but no argument says on which: nothing changes but a trace",
                remedy=f"tools: {{{account.tool}: {{target: ARGUMENT}}}}",
            )
        elif account.does in READING and account.effect == "write":
            yield Doubt(
                about=account.tool,
                what=f"is taken for a {account.does} ({account.why}), and for a write by {account.effect_why or 'its source'}",
                remedy=f"tools: {{{account.tool}: {{effect: read}}}}",
            )
        elif NO_WORD in account.effect_why and plan is not None and plan.tools[account.tool].lists:
            yield Doubt(
                about=account.tool,
                what=f"is taken for a write ({account.why}) since {NO_WORD}, but it answers with a list",
                remedy=f"tools: {{{account.tool}: {{effect: read, operation: list}}}}",
            )
    yield from _resource_doubts(resources, plan)
    silent = [account.tool for account in accounts if tools[account.tool].returns is None and account.effect == "read"]
    if plan is None:
        shown = (account.tool for account in accounts if account.effect == "read" or account.does == "create")
        silent = [name for name in shown if says_nothing(tools[name].returns)]
    if silent and plan is None:
        yield Doubt(
            about=_few(silent),
            what="what it returns is not known, and no call showed it: no edge leads from it to what takes such values",
            remedy="annotate its result with a TypedDict, a dataclass or a pydantic model, or give recorded calls (?observations=FILE)",
        )
    elif silent:
        yield Doubt(
            about=_few(silent),
            what="answers what no schema describes: a row as it is, if there is one, else what was guessed by its name",
            remedy="give the source a schema of the result: a 2xx response, outputSchema, or recorded calls (?observations=FILE)",
        )


def _few(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN_UNKNOWN} more" if len(names) > SHOWN_UNKNOWN else ""
    return ", ".join(names[:SHOWN_UNKNOWN]) + more


def _resource_doubts(resources: list[ResourceAccount], plan: Plan | None) -> Iterator[Doubt]:
    targeted = Counter(target for item in resources for target in item.references.values())
    for item in resources:
        key = f"resources: {{{item.name}: "
        if item.identity is None and not item.single and item.tools:
            fields = list(plan.resources[item.name].schema["properties"])[:6] if plan is not None else []
            yield Doubt(
                about=item.name,
                what=f"no identity: its rows cannot be named in a call (fields: {', '.join(fields) or 'none known'})",
                remedy=f"{key}{{identity: FIELD}}}}",
            )
        does = {account.does for account in item.tools}
        if does and item.identity and does <= {"action", "delete", "update"} and plan is not None:
            yield Doubt(
                about=item.name,
                what="no tool reads or lists it: its identities can only be known from elsewhere",
                remedy=f"{key}{{merge: [OTHER]}}}}, if it is another resource by another name",
            )
        if not item.tools and not targeted[item.name] and plan is not None:
            yield Doubt(
                about=item.name,
                what="only named in paths: no tool acts on its rows",
                remedy=f"{key}{{merge: [OTHER]}}}}, if it is another resource by another name",
            )
