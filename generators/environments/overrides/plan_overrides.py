"""An author's overrides -> the toolset and plan with these corrections; impossible ones raise an error with their place.

Tools are corrected before resources, since the fields of rows come from what tools show.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan, schema_at
from interplay.generators.environments.inference.resources.plan_inference import plan_of
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.generators.environments.overrides.authored_rows import checked_examples, checked_seeds
from interplay.generators.environments.overrides.conditions import problems, suggestion
from interplay.generators.environments.overrides.override_file import Authored
from interplay.generators.importers.tool_selection import select, with_tools
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import SCALARS, field_path, leaf_schemas, schema_type
from interplay.schemas.json.validation import errors
from interplay.schemas.records.override import ResourceOverride, ToolOverride
from interplay.schemas.records.tool import WRITING, Tool, Toolset
from interplay.schemas.words.identifiers import name_tokens

_TOOL_FIELDS = ("effect", "requestor", "summary", "description", "phrases")
_OVERALL = ("name", "licence", "user_resource")
_STATEFUL = ("create", "update", "action")


def revised_toolset(toolset: Toolset, authored: Authored) -> Toolset:
    """Return the toolset with the author's selection, effects and texts; for rules see `policy.authored_policy.with_rules`.

    Raises:
        ConfigError: a tool does not exist.
    """
    said = authored.overrides
    toolset = select(toolset, said.include, said.exclude, authored.name)
    by_name = _by_names(toolset)
    changed: dict[str, Tool | None] = {}
    for name, override in said.tools.items():
        tool = by_name.get(name)
        if tool is None:
            raise authored.error(join_pointer("tools", name), f"there is no such tool{suggestion(name, by_name)}")
        given = {key: getattr(override, key) for key in _TOOL_FIELDS if getattr(override, key) is not None}
        if override.phrases is not None:
            given["phrases"] = override.phrases.over(tool.phrases)
        changed[tool.name] = None if override.hidden else tool.model_copy(update=given)
    tools = [changed.get(tool.name, tool) for tool in toolset.tools]
    toolset = with_tools(toolset, [tool for tool in tools if tool is not None])
    overall = {key: getattr(said, key) for key in _OVERALL if getattr(said, key) is not None}
    policy = "\n\n".join(text.strip() for text in (toolset.policy, said.policy or "") if text.strip())
    nouns = {name: override.noun for name, override in said.resources.items() if override.noun}
    named = {said.resources[name].name or name: noun for name, noun in nouns.items()}
    return toolset.model_copy(
        update={
            **overall,
            "policy": policy,
            "nouns": {**toolset.nouns, **said.nouns, **named},
            "sayings": {**toolset.sayings, **said.sayings},
            "askings": {**toolset.askings, **said.askings},
            "asks_for": {**toolset.asks_for, **said.asks_for},
            "provenance": (*toolset.provenance, authored.mark),
        }
    )


def _by_names(toolset: Toolset) -> dict[str, Tool]:
    """Return the tools by name, and by original name where that is not the name of another tool."""
    return {tool.original_name: tool for tool in toolset.tools} | dict(toolset.by_name)


def revised_plan(toolset: Toolset, plan: Plan, authored: Authored) -> Plan:
    """Return the plan with the author's operations, resources, rows and error cases.

    Raises:
        ConfigError: a resource, field, argument or value does not exist or does not fit.
    """
    said = authored.overrides
    _check_resources(plan, authored)
    names: dict[str, str] = {}
    for name, item in said.resources.items():
        names |= dict.fromkeys((name, *item.merge), item.name or name)
    by_name = _by_names(toolset)
    overrides = {by_name[name].name: item for name, item in said.tools.items() if name in by_name and not item.hidden}
    tools = {}
    for name, tool in plan.tools.items():
        parents = tuple((argument, names.get(owner, owner)) for argument, owner in tool.parents)
        tool = replace(tool, resource=names.get(tool.resource or "", tool.resource), parents=parents)
        tool = _settled(tool, overrides.get(name), names, authored)
        by_field = name in overrides and overrides[name].target is not None
        tools[name] = _by_field(tool, plan.resources, authored) if by_field else tool
    plan = plan_of(tools, toolset.name)
    resources = dict(plan.resources)
    for name, override in said.resources.items():
        now = names.get(name, name)
        at = join_pointer("resources", name)
        if now not in resources:
            raise authored.error(at, f"no tool acts on it; give one `resource: {now}`")
        resources[now] = _resource(resources[now], override, resources, at, authored)
    resources = checked_examples(checked_seeds(resources, authored, names), authored, names)
    references = _references(plan, resources, overrides, authored)
    why = {
        name: _why(plan.why.get(name, {}), plan.references[name], held, authored) for name, held in references.items()
    }
    plan = Plan(plan.tools, resources, references, why)
    return replace(plan, tools=_with_cases(plan, overrides, authored))


def _check_resources(plan: Plan, authored: Authored) -> None:
    made = {item.resource for item in authored.overrides.tools.values() if item.resource}
    known = {*plan.resources, *made}
    for name, override in authored.overrides.resources.items():
        at = join_pointer("resources", name)
        if name not in known:
            raise authored.error(at, f"there is no such resource{suggestion(name, sorted(known))}")
        for other in override.merge:
            if other not in plan.resources or other == name:
                raise authored.error(
                    f"{at}/merge", f"there is no other resource {other!r}{suggestion(other, sorted(known))}"
                )
    new = [override.name for override in authored.overrides.resources.values() if override.name]
    for taken in (name for name in new if new.count(name) > 1 or name in plan.resources):
        raise authored.error("/resources", f"two resources would be called {taken!r}; use merge to make one of them")


def _settled(plan: ToolPlan, override: ToolOverride | None, names: Mapping[str, str], authored: Authored) -> ToolPlan:
    if override is None or not {"operation", "resource", "target"} & override.model_fields_set:
        return plan
    at = join_pointer("tools", plan.tool.name)
    arguments = plan.tool.properties
    if override.target is not None and schema_type(arguments.get(override.target, {"type": "null"})) not in SCALARS:
        raise authored.error(
            f"{at}/target", f"there is no such scalar argument{suggestion(override.target, arguments)}"
        )
    operation = override.operation or plan.operation
    if plan.tool.effect == "read" and operation in WRITING:
        raise authored.error(
            f"{at}/operation", f"{operation} writes, but the tool only reads; give `effect: write` too"
        )
    if plan.tool.effect == "write" and operation in ("read", "list", "compute") and override.operation is not None:
        raise authored.error(
            f"{at}/operation", f"{operation} changes nothing, but the tool writes; give `effect: read` too"
        )
    resource = plan.resource
    if "resource" in override.model_fields_set:
        resource = names.get(str(override.resource), override.resource) if override.resource else None
    target = override.target if "target" in override.model_fields_set else plan.target
    if resource is None and operation in ("read", "list", "create", "update", "delete"):
        raise authored.error(at, f"an operation {operation} needs a resource")
    rows = rows_in(plan.tool.returns, operation == "list", (resource or "", (resource or "").split("_")[-1]))
    if operation == "list" and rows is not None and not rows.many:
        raise authored.error(f"{at}/operation", "its result schema holds no list of rows")
    parents = tuple(item for item in plan.parents if item[0] != target)
    return replace(
        plan, operation=operation, resource=resource, target=target, parents=parents, rows=rows, single=False,
        edit=None, every=False,
        why=f"{authored.name} says so",
    )  # fmt: skip


def _by_field(tool: ToolPlan, inferred: Mapping[str, ResourcePlan], authored: Authored) -> ToolPlan:
    """Return the tool with its target turned into a key, if the target names a field of the row other than its identity."""
    resource = inferred.get(tool.resource or "")
    if tool.target is None or resource is None or resource.identity is None:
        return tool
    said = authored.overrides.resources.get(resource.name)
    identity = said.identity if said is not None and said.identity is not None else resource.identity
    wanted = name_tokens(tool.target)
    field = next((name for name in resource.schema["properties"] if name_tokens(name) == wanted), None)
    if field is None or field == identity or schema_type(resource.schema["properties"][field]) not in SCALARS:
        return tool
    return replace(tool, target=None, keys=((tool.target, field),))


def _resource(
    plan: ResourcePlan, override: ResourceOverride, all_of_them: Mapping[str, ResourcePlan], at: str, authored: Authored
) -> ResourcePlan:
    fields = plan.schema["properties"]
    if override.identity is not None:
        named = schema_at(fields, field_path(override.identity, fields)) or {"type": "null"}
        if schema_type(named) not in ("string", "integer"):
            ways = [(split_pointer(pointer), schema) for pointer, _, schema in leaf_schemas(plan.schema)]
            kinds = ("string", "integer")
            scalars = [".".join(path) for path, item in ways if "*" not in path and schema_type(item) in kinds]
            raise authored.error(
                f"{at}/identity", f"rows have no such scalar field{suggestion(override.identity, scalars)}"
            )
        said = {override.identity: f"{authored.name} says so"}
        plan = replace(plan, identity=override.identity, single=False, why={**plan.why, **said})
    if "parent" in override.model_fields_set:
        if override.parent is not None:
            _require(override.parent, all_of_them, f"{at}/parent", authored)
        plan = replace(plan, parent=override.parent)
    references = dict(plan.references)
    pointers = {pointer for pointer, _, _ in leaf_schemas(plan.schema)}
    for place, target in override.references.items():
        pointer = place if place.startswith("/") else join_pointer(place)
        if pointer not in pointers:
            raise authored.error(
                f"{at}/references{join_pointer(place)}", f"no such field{suggestion(pointer, pointers)}"
            )
        references.pop(pointer, None)
        if target is not None:
            references[pointer] = _require(target, all_of_them, f"{at}/references{join_pointer(place)}", authored)
    why = {**plan.why, **_why(plan.why, plan.references, references, authored)}
    return replace(plan, references=references, count=override.rows, why=why)


def _why(
    why: Mapping[str, str], inferred: Mapping[str, str], held: Mapping[str, str], authored: Authored
) -> dict[str, str]:
    """Return pointer -> reason for each reference: why it was inferred, or that the author says so."""
    return {
        pointer: why.get(pointer, "") if inferred.get(pointer) == target else f"{authored.name} says so"
        for pointer, target in held.items()
    }


def _require(name: str, known: Mapping[str, ResourcePlan], at: str, authored: Authored) -> str:
    name = authored.overrides.resources[name].name or name if name in authored.overrides.resources else name
    if name not in known:
        raise authored.error(at, f"there is no resource {name!r}{suggestion(name, known)}")
    if known[name].identity is None:
        raise authored.error(at, f"rows of {name} have no identity to refer to; give resources/{name}/identity")
    return name


def _references(
    plan: Plan, resources: Mapping[str, ResourcePlan], overrides: Mapping[str, ToolOverride], authored: Authored
) -> dict[str, Mapping[str, str]]:
    """Return tool -> references of its arguments, with overrides; references to resources without an identity are dropped."""
    found: dict[str, Mapping[str, str]] = {}
    for name, inferred in plan.references.items():
        held = {pointer: target for pointer, target in inferred.items() if resources[target].identity is not None}
        for place, target in overrides[name].references.items() if name in overrides else ():
            pointer = place if place.startswith("/") else join_pointer(place)
            at = join_pointer("tools", name, "references", place)
            pointers = [item for item, _, _ in leaf_schemas(plan.tools[name].tool.parameters)]
            if pointer not in pointers:
                raise authored.error(at, f"no such argument{suggestion(pointer, pointers)}")
            held.pop(pointer, None)
            if target is not None:
                held[pointer] = _require(target, resources, at, authored)
        found[name] = held
    return found


def _with_cases(plan: Plan, overrides: Mapping[str, ToolOverride], authored: Authored) -> dict[str, ToolPlan]:
    tools = dict(plan.tools)
    for name, override in overrides.items():
        at, item = join_pointer("tools", name), tools[name]
        if override.sets:
            _check_sets(item, plan, override.sets, f"{at}/sets", authored)
        for index, case in enumerate(override.errors):
            for place, text in problems(case.when, *roots_of(item, plan), f"{at}/errors/{index}/when"):
                raise authored.error(place, text)
        tools[name] = replace(item, sets=override.sets, errors=override.errors)
    return tools


def _check_sets(item: ToolPlan, plan: Plan, sets: Mapping[str, Any], at: str, authored: Authored) -> None:
    if (
        item.operation not in _STATEFUL
        or item.resource is None
        or (item.operation == "action" and not (item.target or item.keys))
    ):
        what = f"{item.operation} of {item.resource or 'no resource'}"
        raise authored.error(
            at, f"the tool is a {what}; give an operation (create, update, action), resource and target"
        )
    fields = plan.resources[item.resource].schema["properties"]
    for name, value in sets.items():
        if name not in fields:
            raise authored.error(
                f"{at}{join_pointer(name)}", f"{item.resource} has no such field{suggestion(name, fields)}"
            )
        for _, text in errors(value, fields[name], limit=1):
            raise authored.error(f"{at}{join_pointer(name)}", text.rstrip("."))


def roots_of(item: ToolPlan, plan: Plan) -> tuple[list[str], dict[str, list[str]]]:
    """Return what conditions on a tool may name: its arguments, and the fields of the rows that these refer to."""
    references = plan.references[item.tool.name].values()
    roots = {name: list(plan.resources[name].schema["properties"]) for name in references}
    if item.resource in roots:
        roots = {"row": roots[item.resource], **roots}
    return list(item.tool.properties), roots
