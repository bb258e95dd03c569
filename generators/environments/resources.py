"""Tool schemas -> what the tools act on: resources, identities, and what each tool does to which of them."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.classify import classify, find_target
from interplay.generators.environments.editing import edited_properties, settled_edit, with_edits
from interplay.generators.environments.identities import (
    SCALARS,
    accepted,
    identity_field,
    identity_schema,
    invented_identity,
    read_fields,
    spoken_identity,
)
from interplay.generators.environments.nouns import known_resource, same_noun, stem_of
from interplay.generators.environments.paths import path_facts
from interplay.generators.environments.plans import (
    Plan,
    ResourcePlan,
    Rows,
    ToolPlan,
    body_properties,
    is_paging,
    wrapper_of,
)
from interplay.generators.environments.references import Referring, argument_references, row_references
from interplay.schemas.canonical import join_pointer
from interplay.schemas.fields import name_tokens, object_properties, schema_type
from interplay.schemas.tools import Resource, ResourceModel, Tool, ToolRole, Toolset

_ORDER = {"read": 0, "list": 1, "create": 2, "update": 3}
_STRICT = ("format", "pattern", "minimum", "maximum", "minLength", "maxLength", "enum")


def infer_plan(toolset: Toolset) -> Plan:
    """Infer resources and roles from HTTP bindings where there are some, else from names and schemas."""
    facts = path_facts(toolset)
    tools = {tool.name: classify(tool, facts) for tool in toolset.tools}
    tools = {name: find_target(plan) for name, plan in _rename_by_title(with_edits(_by_tail(tools), facts)).items()}
    return plan_of(_without_fieldless(tools))


def _by_tail(tools: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Give tools without paths that act on a kind of what others make the name of that: a text file is a file."""
    made = {plan.resource for plan in tools.values() if plan.operation == "create"}
    return {
        name: replace(plan, resource=tail)
        if plan.tool.http is None
        and plan.resource
        and plan.resource not in made
        and (tail := plan.resource.split("_")[-1]) in made
        else plan
        for name, plan in tools.items()
    }


def plan_of(tools: Mapping[str, ToolPlan]) -> Plan:
    """Return the plan of tools whose operations, resources and targets are settled."""
    resources = _resources(tools)
    tools = {name: _with_path(plan, resources) for name, plan in tools.items()}
    aimed = _aimed(tools)
    roots = {name for name, item in resources.items() if item.identity and not item.parent and not item.scope}
    resources = {name: replace(plan, mirrors=_mirrored(plan, aimed[name], roots)) for name, plan in resources.items()}
    referring = Referring(resources)
    for name, plan in resources.items():
        resources[name] = replace(plan, references=row_references(plan, referring))
    above = _owners(tools)
    lists = listing_fields(tools, resources)
    for name, plan in resources.items():
        resources[name] = _with_relations(plan, above[name], {owner for listed, owner in lists if listed == name})
    references = {name: argument_references(plan, resources, referring) for name, plan in tools.items()}
    return Plan(tools, resources, references)


def _with_path(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> ToolPlan:
    """Return the plan with the place in the row of the field that it edits."""
    if plan.edit is None or plan.resource is None:
        return plan
    return replace(plan, edit=settled_edit(plan.edit, resources[plan.resource].schema["properties"]))


def _without_fieldless(tools: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Turn tools whose resource has no known field and no identity into computations."""
    grouped: dict[str, list[ToolPlan]] = defaultdict(list)
    for plan in tools.values():
        if plan.resource is not None:
            grouped[plan.resource].append(plan)
    owners = {owner for plan in tools.values() for _, owner in plan.parents}
    return {
        name: replace(
            plan, operation="compute" if plan.tool.effect == "read" else "action", resource=None, single=False
        )
        if plan.resource is not None
        and plan.resource not in owners
        and not _row_properties(grouped[plan.resource])
        and not any(item.target for item in grouped[plan.resource])
        else plan
        for name, plan in tools.items()
    }


def resource_model(plan: Plan) -> ResourceModel:
    """Return the plan as the record that users and other parts read."""
    resources = tuple(
        Resource(name=item.name, table=item.name, identity=item.identity, parent=item.parent)
        for item in plan.resources.values()
    )
    roles = tuple(
        ToolRole(
            tool=name,
            operation=item.operation,
            resource=item.resource,
            references=dict(plan.references[name]),
            yields=_yields(item, plan.resources),
            why=item.why,
        )
        for name, item in plan.tools.items()
    )
    return ResourceModel(resources=resources, roles=roles)


def _yields(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    if plan.resource is None or plan.operation in ("delete", "compute"):
        return {}
    if plan.tool.returns is None and plan.operation in ("create", "read", "list"):
        plan = replace(plan, rows=Rows("", {}, plan.operation == "list"))
    if plan.rows is None:
        return {}
    if plan.operation == "action" and (plan.rows.many or not object_properties(plan.rows.schema)):
        return {}
    resource = resources[str(plan.resource)]
    prefix = plan.rows.pointer + ("/*" if plan.rows.many else "")
    shown = object_properties(plan.rows.schema) or resource.schema.get("properties", {})
    found = {}
    if resource.identity and resource.identity in shown and shows(plan.rows, resource):
        found[prefix + join_pointer(resource.identity)] = resource.name
    for pointer, target in resource.references.items():
        if pointer.split("/")[1] in shown and resources[target].identity:
            found.setdefault(prefix + pointer, target)
    return found


def shows(rows: Rows, resource: ResourcePlan) -> bool:
    """Tell whether a result schema shows the row itself rather than a message about it."""
    shown = object_properties(rows.schema)
    held = resource.schema.get("properties", {})
    common = len(shown.keys() & held.keys())
    return not shown or (resource.identity in shown and common * 2 >= len(shown)) or common >= 2


def _rename_by_title(plans: dict[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Give a lone path resource the name of another whose rows carry the same title (`/pet/findByTags` -> pet)."""
    titles: dict[str, Counter[str]] = defaultdict(Counter)
    owners: set[str] = set()
    for plan in plans.values():
        if plan.target is not None and plan.resource:
            owners.add(plan.resource)
        if plan.rows is not None and plan.resource and plan.rows.schema.get("title"):
            titles[str(plan.rows.schema["title"])][plan.resource] += 2 if plan.target else 1
    renamed = {}
    for name, plan in plans.items():
        title = str(plan.rows.schema.get("title", "")) if plan.rows else ""
        movable = plan.resource and title and plan.resource not in owners and not plan.single
        if movable and (not plan.parents or plan.operation == "list"):
            best = next((owner for owner, _ in titles[title].most_common() if owner in owners), None)
            plan = replace(plan, resource=best or plan.resource)
        renamed[name] = plan
    return renamed


def _resources(plans: Mapping[str, ToolPlan]) -> dict[str, ResourcePlan]:
    grouped: dict[str, list[ToolPlan]] = defaultdict(list)
    for plan in plans.values():
        if plan.resource is not None:
            grouped[plan.resource].append(plan)
        for _, parent in plan.parents:
            grouped.setdefault(parent, [])
    named = _named_only(plans)
    return {
        name: _resource(name, members) if members else named.get(name, _resource(name, members))
        for name, members in grouped.items()
    }


def _named_only(plans: Mapping[str, ToolPlan]) -> dict[str, ResourcePlan]:
    """Return what no tool shows, and paths only say that rows lie within: told apart by what the paths take for it."""
    found: dict[str, ResourcePlan] = {}
    for plan in plans.values():
        for argument, owner in plan.parents:
            declared = plan.tool.parameters.get("properties", {}).get(argument, {})
            if owner in found or not _is_scope(plan.tool, argument):
                continue
            if schema_type(declared) in SCALARS and "enum" not in declared:
                fields = {argument: {key: declared[key] for key in ("type", *_STRICT) if key in declared}}
                schema = {"type": "object", "title": owner, "properties": fields}
                found[owner] = ResourcePlan(owner, schema, argument, scope=True)
    return found


def _is_scope(tool: Tool, argument: str) -> bool:
    """Tell whether a path parameter stands right before another: `{owner}` of `/repos/{owner}/{repo}`."""
    wire = tool.http.original_names.get(argument, argument) if tool.http else argument
    return tool.http is not None and f"{{{wire}}}/{{" in tool.http.path


def _resource(name: str, members: list[ToolPlan]) -> ResourcePlan:
    properties = _row_properties(members)
    targets = Counter(plan.target for plan in members if plan.target)
    single = any(plan.single for plan in members) and not targets
    identity = identity_field(name, [target for target, _ in targets.most_common()], properties, read_fields(members))
    identity = None if single else identity
    if identity is None and not single and all(plan.tool.http is None for plan in members):
        identity = spoken_identity(members, properties)
    if identity is None and targets:
        identity = invented_identity(targets, members)
        properties[identity] = accepted(members)
    if identity is not None and identity in properties:
        properties[identity] = identity_schema(properties[identity], members)
    schema = {"type": "object", "title": name, "properties": properties}
    return ResourcePlan(name, schema, identity, _parent(name, members), single=single)


def _row_properties(members: list[ToolPlan]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for plan in sorted(members, key=lambda item: _ORDER.get(item.operation, 9)):
        if plan.operation in _ORDER and plan.rows is not None and (plan.edit is None or plan.edit.does != "show"):
            for key, schema in object_properties(plan.rows.schema).items():
                properties.setdefault(key, schema)
    for plan in members:
        if plan.operation in ("create", "update") and plan.edit is None:
            for key, schema in body_properties(plan).items():
                if _is_field(plan, schema, properties):
                    properties.setdefault(key, schema)
    return edited_properties(properties, members)


def _is_field(plan: ToolPlan, schema: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Tell whether a body argument is a field of the row, rather than a list of rows."""
    if schema_type(schema) == "array" and plan.parents and plan.parents[-1][1] == plan.resource:
        return schema_type(schema.get("items") or {}) in SCALARS
    if wrapper_of(plan) is not None or schema_type(schema) != "array" or not isinstance(schema.get("items"), Mapping):
        return True
    inner = object_properties(schema["items"])
    return not inner or len(inner.keys() & known.keys()) < max(2, len(inner) // 2)


def _parent(name: str, members: list[ToolPlan]) -> str | None:
    """Return the resource that rows lie under; none where some tool reaches them without it."""
    keeping = [
        plan for plan in members if plan.operation in (*_ORDER, "delete") and plan.why != "GET of the caller's own"
    ]
    reaching = [plan for plan in keeping if plan.target or plan.operation == "create" or plan.single]
    deciding = reaching or keeping
    if not deciding or any(not plan.parents for plan in deciding):
        return None
    parents = Counter(plan.parents[-1][1] for plan in deciding)
    best = parents.most_common(1)[0][0]
    return best if best != name else None


def _owners(tools: Mapping[str, ToolPlan]) -> dict[str, set[str]]:
    """Return for each resource those that the paths of its tools lead through."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in tools.values():
        if item.operation == "read" and item.target is None and item.parents and not item.single:
            found[item.parents[-1][1]].add(str(item.resource))
        elif item.resource is not None and not item.single:
            found[item.resource] |= {owner for _, owner in item.parents}
    return found


def _aimed(tools: Mapping[str, ToolPlan]) -> dict[str | None, list[tuple[str, ToolPlan]]]:
    """Return for each resource the tools that name one of its rows, with the argument that does."""
    found: dict[str | None, list[tuple[str, ToolPlan]]] = defaultdict(list)
    for item in tools.values():
        if item.target is not None:
            found[item.resource].append((item.target, item))
    return found


def _mirrored(plan: ResourcePlan, aimed: list[tuple[str, ToolPlan]], roots: set[str]) -> str | None:
    """Return the resource whose identities the tools of a nested one take: `/projects/{id}/members/{userId}`."""
    if plan.parent is None:
        return None
    for target, item in aimed:
        wire = item.tool.http.original_names.get(target, target) if item.tool.http else target
        spoken = known_resource(wire, roots)
        if spoken is not None and not same_noun(spoken, plan.name) and spoken != plan.parent:
            return spoken
    return None


def _with_relations(plan: ResourcePlan, above: set[str], listed: set[str]) -> ResourcePlan:
    """Name the resources that lists are narrowed by although no field of a row refers to them."""
    referred = {target for pointer, target in plan.references.items() if is_link(pointer, target)}
    return replace(plan, relations=tuple(sorted(above - referred - listed - {plan.parent})))


def listing_fields(tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]) -> dict[tuple[str, str], str]:
    """Return the lists in rows that tools add to and remove from, as (resource in the list, resource of the row) -> pointer."""
    found: dict[tuple[str, str], str] = {}
    for item in tools.values():
        if item.edit is not None and item.edit.does in ("add", "remove") and item.edit.path and item.resource:
            field = join_pointer(*item.edit.path)
            for pointer, target in resources[item.resource].references.items():
                if pointer == field or (pointer.startswith(f"{field}/*/") and pointer.count("/") == 3):
                    found[target, item.resource] = pointer
    return found


def is_link(pointer: str, target: str) -> bool:
    """Tell whether a reference says what a row belongs to: `/projectId`, `/project/gid` or `/projects/*/gid`."""
    parts = [part for part in pointer.split("/")[1:] if part != "*"]
    names = {stem_of(parts[0]) or "_".join(name_tokens(parts[0]))} if len(parts) <= 2 else set()
    nouns = {target, target.split("_")[-1]}
    return bool(names & (nouns | {f"{noun}s" for noun in nouns}))


__all__ = [
    "Plan", "ResourcePlan", "Rows", "ToolPlan", "body_properties", "infer_plan", "is_link", "is_paging",
    "resource_model", "shows",
]  # fmt: skip
