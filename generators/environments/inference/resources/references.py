"""Rows and tools -> which of their fields and arguments hold identities, and of which resources."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import (
    Edit,
    ResourcePlan,
    ToolPlan,
    is_technical,
    schema_within,
    wrapper_of,
)
from interplay.generators.environments.inference.resources.reference_matcher import SPOKEN_BY, Referring, is_joined
from interplay.generators.environments.inference.tool_words import bare_name, resource_name
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import name_tokens, object_properties, schema_type
from interplay.schemas.records.tool import Tool

DEEPEST = 5
"""Objects within each other in which references are looked for."""


def every_leaf(schema: Mapping[str, Any], pointer: str = "", depth: int = 0) -> Iterator[tuple[str, str, Any]]:
    """Yield the leaves of a schema as `leaf_schemas` does, those of all branches where a value may be of several types."""
    for key, item in object_properties(schema).items() if depth <= DEEPEST else ():
        yield from _leaves(pointer + join_pointer(key), key, item, depth)


def _leaves(here: str, name: str, item: Mapping[str, Any], depth: int) -> Iterator[tuple[str, str, Any]]:
    kind, items = schema_type(item), item.get("items")
    for branch in _of_several_types(item):
        yield from _leaves(here, name, {**branch, "description": item.get("description", "")}, depth + 1)
    if _of_several_types(item):
        return
    if kind == "object":
        yield from every_leaf(item, here, depth + 1)
    elif kind == "array" and isinstance(items, Mapping) and _of_several_types(items):
        for branch in _of_several_types(items):
            yield from _leaves(here, name, {**item, "items": branch}, depth + 1)
    elif kind == "array" and isinstance(items, Mapping) and schema_type(items) == "object":
        yield from every_leaf(items, f"{here}/*", depth + 1)
    else:
        yield here, name, item


def _of_several_types(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the branches of a schema whose values are of several types; none where they are of one."""
    branches = [branch for key in ("oneOf", "anyOf") for branch in schema.get(key, ()) if isinstance(branch, Mapping)]
    kinds = {schema_type(branch) for branch in branches} - {"null"}
    return branches if len(kinds) > 1 else []


def argument_schema(tool: Tool, pointer: str | None) -> Mapping[str, Any]:
    """Return the schema of the argument at a pointer; nothing where there is none."""
    return schema_within(tool.parameters, split_pointer(pointer)) if pointer else {}


def parted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return the values that a text joins with commas, where its schema says that it does; else the value as it is."""
    if not isinstance(value, str) or "," not in value or not is_joined(schema):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def nested_reference(plan: ResourcePlan, pointer: str) -> str | None:
    """Return the reference inside a field that shows a whole row (`/assignee/gid`, `/projects/*/gid`), if it is one."""
    for inner in plan.references:
        start, _, last = inner.rpartition("/")
        if start.removesuffix("/*") == pointer and last in ("id", "gid", "uuid", *SPOKEN_BY):
            return inner
    return None


def _is_other(pointer: str) -> bool:
    """Tell whether a field that could be the row's own identity is that of another row: `/parent/gid`."""
    words = {token for part in pointer.split("/")[1:] for token in name_tokens(part)[:1]}
    return bool(words & {"parent", "previous", "next"})


def row_references(plan: ResourcePlan, referring: Referring) -> dict[str, str]:
    """Return the fields of a row that hold identities of other resources."""
    found = referring.scope_field(plan) | referring.parent_field(plan) | referring.typed(plan.schema)
    for pointer, name, schema in every_leaf(plan.schema):
        if pointer == plan.identity_pointer or pointer in found:
            continue
        target = referring.target(name, pointer, schema) or referring.shared_example(schema, plan.name)
        if target is not None and (target != plan.name or _is_other(pointer)):
            found[pointer] = target
    return {pointer: target for pointer, target in found.items() if not referring.is_other_kind(plan, pointer, target)}


def _listed_by(
    name: str, schema: Mapping[str, Any], own: ResourcePlan, resources: Mapping[str, ResourcePlan]
) -> str | None:
    """Return what a parameter names by which rows are listed that show it in a field of their own: `assignee` by login."""
    for pointer, target in own.references.items():
        holder = [part for part in split_pointer(pointer) if part != "*"][-2:-1]
        spoken = resources[target].identity_path[-1:]
        if holder and spoken and spoken[0] in SPOKEN_BY and resource_name(holder[0]) == resource_name(name):
            return target if schema_type(schema) == schema_type(resources[target].identity_schema) else None
    return None


def _edited(edit: Edit, own: ResourcePlan) -> str | None:
    """Return what the field refers to that an edit changes."""
    pointer = join_pointer(*edit.path) if edit.path else ""
    return own.references.get(pointer) or own.references.get(nested_reference(own, pointer) or "")


def argument_references(plan: ToolPlan, resources: Mapping[str, ResourcePlan], referring: Referring) -> dict[str, str]:
    """Return the arguments of a tool that must be identities of rows that exist."""
    owners = {join_pointer(name): resource for name, resource in plan.parents}
    if plan.target is not None and plan.resource is not None and plan.operation != "create":
        owners[join_pointer(plan.target)] = plan.resource
    if plan.batch is not None and plan.resource is not None:
        owners[join_pointer(plan.batch.argument, "*", plan.batch.key)] = plan.resource
    own = resources[plan.resource] if plan.resource else None
    wrapper = wrapper_of(plan)
    prefix = join_pointer(wrapper) if wrapper else ""
    wire = plan.tool.http.original_names if plan.tool.http else {}
    found = {}
    typed = {at: to for at, to in referring.typed(plan.tool.parameters).items() if "/relationships/" in at}
    for pointer, name, schema in every_leaf(plan.tool.parameters):
        if is_technical(pointer.split("/")[1], plan.tool):
            continue
        inner = pointer.removeprefix(prefix)
        if pointer == join_pointer(name):
            name, inner = wire.get(name, name), join_pointer(wire.get(name, name))
        if pointer in owners:
            target: str | None = owners[pointer]
        elif own is not None and plan.edit is not None and pointer == plan.edit.argument:
            target = _edited(plan.edit, own) or referring.target(name, inner, schema)
        elif own is not None and plan.operation in ("create", "update") and inner == own.identity_pointer:
            target = own.name if plan.operation == "update" and len(own.identity_path) > 1 else None
        else:
            target = typed.get(pointer) or referring.target(name, inner, schema)
            if target is None and own is not None and bare_name(name) != name:
                target = own.references.get(f"/relationships/{bare_name(name)}/data/id")
            if target is None and own is not None:
                target = own.references.get(inner) or own.references.get(nested_reference(own, inner) or "")
            if target is None and own is not None and plan.operation == "list":
                target = _listed_by(name, schema, own, resources)
        if target == plan.resource and plan.operation == "create" and name in SPOKEN_BY and pointer not in owners:
            continue
        if target is not None and resources[target].identity is not None:
            found[pointer] = target
    return found
