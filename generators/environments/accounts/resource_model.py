"""A plan -> the `ResourceModel` (resources and tool roles) that users and other rooms read."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import (
    Edit,
    Plan,
    ResourcePlan,
    Rows,
    ToolPlan,
    body_properties,
    schema_at,
    spelt_out,
    wrapper_of,
)
from interplay.generators.environments.inference.result_rows import shows
from interplay.generators.environments.rows.changes import asked_fields, batch_of
from interplay.generators.environments.rows.statuses import STATES, with_status
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import SCALARS, object_properties, schema_type
from interplay.schemas.records.tool import Resource, ResourceModel, ToolRole
from interplay.schemas.words.identifiers import last_word, name_tokens

NEAR = 2
"""Depth, in names, up to which a reference pointer counts as near; deeper ones are used only for targets with no near one."""


USUAL = 12
"""Number of fields of an inner object above which its optional fields count as usually absent."""


def resource_model(plan: Plan) -> ResourceModel:
    """Return the resources and tool roles of a plan as a `ResourceModel`."""
    resources = tuple(
        Resource(
            name=item.name,
            table=item.name,
            identity=item.identity,
            parent=item.parent,
            because=dict(item.why),
            examples=tuple(dict(row) for row in item.examples),
        )
        for item in plan.resources.values()
    )
    roles = tuple(
        ToolRole(
            tool=name,
            **_acts_on(item, plan.resources),
            references=dict(plan.references[name]),
            removes=_removes(item),
            admits=admitted_by(item, plan.resources),
            leads_to=_leads_to(item, plan.resources),
            why=item.why,
            because=dict(plan.why.get(name, {})),
        )
        for name, item in plan.tools.items()
    )
    return ResourceModel(resources=resources, roles=roles)


def _acts_on(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, Any]:
    """Return operation, resource and yields of a role; showing only a list inside a row counts as listing its items."""
    yields = _yields(plan, resources)
    if plan.edit is not None and plan.edit.does == "show" and plan.lists and yields:
        return {"operation": "list", "resource": next(iter(yields.values())), "yields": yields}
    return {"operation": plan.operation, "resource": plan.resource, "yields": yields}


def _leads_to(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, Any]:
    """Return the flags and states that an action sets, whatever they were before."""
    if plan.operation != "action" or plan.resource not in resources:
        return {}
    resource = resources[str(plan.resource)]
    after = with_status(plan, resource.schema, {})
    again = with_status(plan, resource.schema, after)  # a toggle gives another value the second time
    return {
        name: value
        for name, value in after.items()
        if (isinstance(value, bool) or last_word(name) in STATES) and again[name] == value
    }


def _removes(plan: ToolPlan) -> dict[str, str]:
    edit = plan.edit
    there = edit is not None and (edit.does == "remove" or edit.names_part)
    if edit is None or not there or edit.argument is None or not edit.path:
        return {}
    key = ("*", edit.item[0][1]) if edit.item else ()
    return {str(edit.argument): join_pointer(*edit.path, *key)}


def _yields(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, str]:
    if plan.resource is None or plan.operation in ("delete", "compute"):
        return {}
    if plan.tool.returns is None and plan.operation in ("create", "read", "list"):
        several = plan.operation == "list" or batch_of(plan, resources[plan.resource]) is not None
        plan = replace(plan, rows=Rows("", {}, several))
    if plan.rows is None:
        return {}
    if plan.edit is not None and plan.rows.many:
        taken = plan.edit.does in ("remove", "clear")
        return {} if taken else _items_of(plan.edit, plan.rows, resources[str(plan.resource)])
    if plan.operation == "action" and (plan.rows.many or not object_properties(plan.rows.schema)):
        return {}
    resource = resources[str(plan.resource)]
    prefix = plan.rows.row_pointer
    shown = object_properties(plan.rows.schema) or resource.schema.get("properties", {})
    found = {}
    if resource.identity and schema_at(shown, resource.identity_path) is not None and shows(plan.rows, resource):
        found[prefix + resource.identity_pointer] = resource.name
    elif shows(plan.rows, resource):
        found |= {prefix + join_pointer(name): resource.name for name in spelt_out(shown, resource)}
    held = [
        (pointer, target)
        for pointer, target in resource.references.items()
        if schema_at(shown, split_pointer(pointer.split("/*")[0])) is not None
        and resources[target].identity
        and _is_usual(resource.schema, pointer)
    ]
    near = {target for pointer, target in held if _depth(pointer) <= NEAR}
    for pointer, target in held:
        if _depth(pointer) <= NEAR or target not in near:
            found.setdefault(prefix + pointer, target)
    return found


def _items_of(edit: Edit, rows: Rows, resource: ResourcePlan) -> dict[str, str]:
    """Return pointer -> resource for the identities in a list of a row, where the result is that list alone."""
    items = f"{join_pointer(*edit.path)}/*"
    found = {pointer: name for pointer, name in resource.references.items() if pointer.startswith(f"{items}/")}
    return {f"{rows.pointer}/*{pointer.removeprefix(items)}": name for pointer, name in found.items()}


def _is_usual(schema: Mapping[str, Any], pointer: str) -> bool:
    """Tell whether rows usually have the field at a pointer: it is not one of many optional fields of an inner object."""
    first, *rest = [part for part in pointer.split("/")[1:] if part != "*"]
    inner = object_properties(schema).get(first, {})
    for part in rest:
        inner = inner.get("items", inner) if schema_type(inner) == "array" else inner
        fields = object_properties(inner)
        if len(fields) > USUAL and part not in inner.get("required", ()) and name_tokens(part)[-1:] != ["id"]:
            return False
        inner = fields.get(part, {})
    return True


def _depth(pointer: str) -> int:
    return sum(part != "*" for part in pointer.split("/")[1:])


_NARROWING = ("enum", "format", "pattern")
_SAYING = {*_NARROWING, "const", "anyOf", "oneOf", "allOf"}


def admitted_by(plan: ToolPlan, resources: Mapping[str, ResourcePlan]) -> dict[str, dict[str, Any]]:
    """Return argument -> constraints (`enum`, `format`, `pattern`) of the field that it sets, where the argument states none."""
    if plan.operation not in ("create", "update", "action") or plan.resource not in resources or wrapper_of(plan):
        return {}
    fields = resources[str(plan.resource)].schema.get("properties", {})
    found: dict[str, dict[str, Any]] = {}
    for name, said in plan.tool.properties.items():
        field = plan.tool.wire_name(name)
        if field not in fields or field not in body_properties(plan).keys() | asked_fields(plan) or _SAYING & set(said):
            continue
        kind, admits = schema_type(said), {key: fields[field][key] for key in _NARROWING if key in fields[field]}
        if "enum" in admits:
            admits["enum"] = [option for option in admits["enum"] if option is not None]
        if admits and kind in SCALARS and kind == schema_type(fields[field]):
            found[name] = admits
    return found
