"""Tool schemas -> the plan: resources, identities, and what each tool does to which of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan, body_properties
from interplay.generators.environments.inference.resources.aliases import by_tail, rename_by_title, without_fieldless
from interplay.generators.environments.inference.resources.guessed_results import guessed_fields
from interplay.generators.environments.inference.resources.identities import (
    IDENTITY_RULES,
    INVENTED,
    RowsOfTools,
    accepted,
    handle_of,
    numbered,
    with_identity_schema,
    worn_schemas,
)
from interplay.generators.environments.inference.resources.references import Found, argument_references, row_references
from interplay.generators.environments.inference.resources.relations import (
    aimed_at,
    listing_fields,
    mirrored_by,
    owner_fields,
    parent_of,
    path_owners,
    scope_owners,
    titles_of,
    with_choices,
    with_memberships,
    with_owners,
    with_relations,
)
from interplay.generators.environments.inference.resources.resource_index import ResourceIndex
from interplay.generators.environments.inference.resources.row_fields import row_properties
from interplay.generators.environments.inference.roles.bulk_edits import with_batches
from interplay.generators.environments.inference.roles.classification import classified
from interplay.generators.environments.inference.roles.containers import parts_of_rows, with_containers, with_parts
from interplay.generators.environments.inference.roles.field_edits import settled_edit
from interplay.generators.environments.inference.roles.path_words import spelled_out
from interplay.generators.environments.inference.roles.paths import PathFacts, path_facts
from interplay.generators.environments.inference.roles.rpc_rules import with_functions
from interplay.generators.environments.inference.roles.rule_table import first_rule
from interplay.generators.environments.inference.roles.singletons import settable_paths
from interplay.generators.environments.inference.roles.targets import find_target
from interplay.generators.environments.inference.tool_words import (
    FROM,
    ID_WORDS,
    SEARCH,
    UNTIL,
    VARIANTS,
    resource_name,
    stem_of,
)
from interplay.generators.environments.inference.views import references_in_views
from interplay.generators.values.texts.ideas import words_about
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import CONSTRAINTS, IDENTIFYING, leaf_schemas, schema_type
from interplay.schemas.records.tool import Operation, Tool, Toolset
from interplay.schemas.words.identifiers import name_tokens


def infer_plan(toolset: Toolset) -> Plan:
    """Infer resources and roles, from HTTP bindings if there are any, else from names and schemas."""
    tools = with_containers(rename_by_title(by_tail(with_functions(classified(*prepared(toolset))))))
    tools = with_parts({name: find_target(plan) for name, plan in tools.items()})
    tools = with_batches(without_fieldless(tools))
    return plan_of(tools, toolset.name)


def prepared(toolset: Toolset) -> tuple[tuple[Tool, ...], PathFacts]:
    """Return the tools with the words in their paths separated, and the facts about all paths."""
    tools = spelled_out(toolset.tools)
    facts = path_facts(toolset.model_copy(update={"tools": tools}))
    return tools, replace(facts, settable=settable_paths(tools))


def plan_of(tools: Mapping[str, ToolPlan], service: str) -> Plan:
    """Return the plan for the tools of a service whose operations, resources and targets are settled."""
    resources = _resources(tools)
    kept = with_choices({name: _without_kinds(plan, resources) for name, plan in tools.items()}, resources)
    if kept != tools:
        tools, resources = kept, _resources(kept)
    scopes = scope_owners(tools, resources)
    if scopes:
        tools = with_owners(tools, scopes)
        resources = _resources(tools)
    tools = {
        name: _with_path(_referring(_by_label(plan, resources), resources), resources) for name, plan in tools.items()
    }
    aimed = aimed_at(tools)
    roots = {name for name, item in resources.items() if item.identity and not item.parent and not item.scope}
    titles = titles_of(tools)
    resources = {
        name: replace(plan, mirrors=mirrored_by(plan, aimed[name], roots, titles)) for name, plan in resources.items()
    }
    index = ResourceIndex(
        resources,
        {
            **{str(plan.resource): str(plan.resource) for plan in tools.values() if _is_called_in_path(plan)},
            **{word: str(plan.resource) for plan in tools.values() for word in plan.words},
        },
        scopes,
    )
    viewed = references_in_views(tools, resources)
    parts = parts_of_rows(tools)
    for name, plan in resources.items():
        targets, why = _apart(
            {at: said for at, said in row_references(plan, index).items() if (name, at, said[0]) not in parts}
        )
        targets |= viewed.get(name, {})
        why |= dict.fromkeys(viewed.get(name, {}), "what a view shows under its name")
        resources[name] = replace(plan, references=targets, why={**plan.why, **why})
    above = path_owners(tools)
    lists = listing_fields(tools, resources)
    for name, plan in resources.items():
        resources[name] = with_relations(plan, above[name], {owner for listed, owner in lists if listed == name})
    tools = with_memberships(tools, resources)
    found = {name: _apart(argument_references(plan, resources, index)) for name, plan in tools.items()}
    references = {name: targets for name, (targets, _) in found.items()}
    resources = _with_handles(tools, resources, references)
    why_so = {name: why for name, (_, why) in found.items()}
    whole = Plan(tools, _with_worn(tools, resources, references), references, why_so)
    about, held = words_about(service), whole.resources.items()
    return replace(
        whole, resources={name: replace(own, about=about, owners=owner_fields(whole, own)) for name, own in held}
    )


def _is_called_in_path(plan: ToolPlan) -> bool:
    """Tell whether a path names its row by the noun alone, so that fields of that name hold identities: `/sources/{source}`."""
    target = plan.target or ""
    in_path = plan.tool.location(target) == "path" and stem_of(target) is None
    return in_path and resource_name(target) == plan.resource and target not in VARIANTS


def _apart(found: Found) -> tuple[dict[str, str], dict[str, str]]:
    """Return targets and reasons, each by pointer."""
    return {at: target for at, (target, _) in found.items()}, {at: why for at, (_, why) in found.items()}


def _without_kinds(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> ToolPlan:
    """Return a plan without arguments that take an option (enum) where the rows have identities that are no options."""

    def is_kind(argument: str, resource: str | None) -> bool:
        known = resources.get(resource or "")
        declared = plan.tool.properties.get(argument, {})
        return (
            known is not None
            and known.identity is not None
            and "enum" in declared.keys() - known.identity_schema.keys()
        )

    parents = tuple(item for item in plan.parents if not is_kind(*item))
    if plan.target is None or plan.operation == "create" or not is_kind(plan.target, plan.resource):
        return plan if parents == plan.parents else replace(plan, parents=parents)
    operation: Operation = "compute" if plan.tool.effect == "read" else "action"
    why = f"{plan.why}; but it names a kind"
    return replace(plan, operation=operation, resource=None, target=None, parents=parents, single=False, why=why)


def _with_handles(
    tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan], references: Mapping[str, Mapping[str, str]]
) -> dict[str, ResourcePlan]:
    """Return the resources with the fields besides the identity by which calls name their rows."""
    held: dict[str, dict[str, None]] = defaultdict(dict)
    for name, targets in references.items():
        for pointer, target in targets.items():
            handle = handle_of(tools[name].tool.wire_name(split_pointer(pointer)[-1]), resources[target])
            if handle is not None:
                held[target][handle] = None
    return {name: replace(plan, handles=tuple(held[name])) if held[name] else plan for name, plan in resources.items()}


def _with_worn(
    tools: Mapping[str, ToolPlan],
    resources: Mapping[str, ResourcePlan],
    references: Mapping[str, Mapping[str, str]],
) -> dict[str, ResourcePlan]:
    """Return the resources with the constraints of all fields and arguments that hold their identities."""
    held: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    places = [(plan.references, plan.schema) for plan in resources.values()]
    places += [(references[name], plan.tool.parameters) for name, plan in tools.items()]
    for targets, whole in places:
        for pointer, _, schema in leaf_schemas(whole) if targets else ():
            if pointer in targets:
                items = schema.get("items") if schema_type(schema) == "array" else schema
                held[targets[pointer]] += [items] if isinstance(items, Mapping) else []
    return {name: _worn(plan, held[name]) if plan.identity and held[name] else plan for name, plan in resources.items()}


def _worn(plan: ResourcePlan, held: Sequence[Mapping[str, Any]]) -> ResourcePlan:
    """Return a resource with the constraints of fields that hold its identity; digits only if some of these take numbers."""
    if any(schema_type(schema) in ("integer", "number") for schema in held):
        properties = numbered(plan.schema["properties"], plan.identity_path)
        plan = replace(plan, schema={**plan.schema, "properties": properties})
    return replace(plan, worn=worn_schemas(plan.identity_schema, held))


def _referring(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> ToolPlan:
    """Return the plan of a tool that shows the row an owner refers to, instead of a single row of that owner.

    That is so if such rows have an identity of their own and are reached without the owner.
    """
    resource = resources.get(plan.resource or "")
    alone = resource is None or resource.single or resource.identity is None or resource.parent is not None
    if not plan.single or alone or plan.operation != "read" or not plan.parents:
        return plan
    return replace(plan, single=False, why=f"{plan.why}; but such rows have identities")


def _by_label(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> ToolPlan:
    """Return the plan of a function that takes the name of a row which has another identity, with the name as a key."""
    resource, target = resources.get(plan.resource or ""), plan.target or ""
    labelled = name_tokens(target)[-1:] in (["name"], ["title"]) and not plan.tool.http and plan.operation != "create"
    if not labelled or resource is None or resource.identity is None or not _is_identity(resource.identity_path[-1]):
        return plan
    fields = resource.schema["properties"]
    field = next((name for name in (target, "name", "title") if name in fields), None)
    why = f"{plan.why}; by what its rows are called"
    return plan if field is None else replace(plan, target=None, keys=((target, field),), why=why)


def _with_path(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> ToolPlan:
    """Return the plan with the place of the edited field in the row."""
    if plan.edit is None or plan.resource is None:
        return plan
    return replace(plan, edit=settled_edit(plan.edit, resources[plan.resource].schema["properties"]))


def _resources(plans: Mapping[str, ToolPlan]) -> dict[str, ResourcePlan]:
    grouped: dict[str, list[ToolPlan]] = defaultdict(list)
    for plan in plans.values():
        if plan.resource is not None:
            grouped[plan.resource].append(plan)
        for _, parent in plan.parents:
            grouped.setdefault(parent, [])
    shown = {name: _resource(name, members) for name, members in grouped.items()}
    named = _named_only(plans, shown)
    return {name: _with_named(plan, named.get(name)) for name, plan in shown.items()}


def _with_named(plan: ResourcePlan, named: ResourcePlan | None) -> ResourcePlan:
    """Return a resource, with the identity that paths use for it if its rows show none."""
    if named is None or plan.identity is not None or plan.single:
        return plan
    if not plan.schema["properties"]:
        return named
    fields = {**named.schema["properties"], **plan.schema["properties"]}
    return replace(plan, schema={**plan.schema, "properties": fields}, identity=named.identity, why=named.why)


def _named_only(plans: Mapping[str, ToolPlan], shown: Mapping[str, ResourcePlan]) -> dict[str, ResourcePlan]:
    """Return the resources that only paths name, as parents of other rows; their identity is the path parameter.

    The parameter must be named like an identity, or be a field of the resource: `/accounts/{iban}/transactions`.
    """
    found: dict[str, ResourcePlan] = {}
    for plan in plans.values():
        for argument, owner in plan.parents:
            declared = plan.tool.properties.get(argument, {})
            scope = _is_scope(plan.tool, argument)
            held = plan.tool.http is not None and argument in shown[owner].schema["properties"]
            if owner in found or not (scope or _is_identity(argument) or held):
                continue
            if schema_type(declared) in IDENTIFYING and "enum" not in declared:
                fields = {argument: {key: declared[key] for key in ("type", *CONSTRAINTS) if key in declared}}
                schema = {"type": "object", "title": owner, "properties": fields}
                found[owner] = ResourcePlan(
                    owner, schema, argument, scope=scope, why={argument: "what only paths take"}
                )
    return found


def _asked_by(members: list[ToolPlan]) -> dict[str, Any]:
    """Return required arguments of lists as fields of undescribed rows: `place` for `search_flats(place)`."""
    found: dict[str, Any] = {}
    for plan in members:
        needed = plan.tool.required if plan.operation == "list" and plan.tool.http is None else ()
        for name in needed:
            schema = plan.tool.properties.get(name, {})
            words = set(name_tokens(name))
            plain = schema_type(schema) == "string" and not words & (SEARCH | FROM | UNTIL) and stem_of(name) is None
            if plain and name not in ID_WORDS and not is_paging(name):
                found[name] = schema
    return found


def _only_set(members: list[ToolPlan]) -> set[str]:
    """Return the fields that functions set one at a time, which do not describe a row: `set_position(device_id, position)`."""
    setting = [body_properties(plan) for plan in members if plan.operation == "update" and plan.tool.http is None]
    alone = {name for fields in setting for name in fields if len(fields) == 1}
    made = {name for plan in members if plan.operation == "create" for name in body_properties(plan)}
    return alone - made


def _is_identity(argument: str) -> bool:
    return stem_of(argument) is not None or argument in ID_WORDS


def _is_scope(tool: Tool, argument: str) -> bool:
    """Tell whether a path parameter is directly followed by another: `{owner}` in `/repos/{owner}/{repo}`."""
    return f"{{{tool.wire_name(argument)}}}/{{" in tool.path


def _resource(name: str, members: list[ToolPlan]) -> ResourcePlan:
    properties = row_properties(members)
    rows = RowsOfTools(name, members, properties)
    rule = first_rule(IDENTITY_RULES, rows)
    identity = rule.conclude(rows) if rule is not None else None
    if identity is not None and rule is not None:
        held = {identity: accepted(members)} if rule.name in INVENTED else {}
        properties = with_identity_schema(identity, {**properties, **held}, members)
    shown = rows.silent
    if shown is not None and not properties.keys() - {identity, *_only_set(members)}:
        properties |= {**guessed_fields(shown), **_asked_by(members)}
    schema = {"type": "object", "title": name, "properties": properties}
    why = {identity: rule.name} if identity is not None and rule is not None else {}
    return ResourcePlan(name, schema, identity, parent_of(name, members), single=rows.is_single, why=why)
