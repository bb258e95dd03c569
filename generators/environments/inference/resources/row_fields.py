"""The tools of a resource -> the fields of its rows, as they show and take them."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ORDER, ToolPlan, body_properties, wrapper_of
from interplay.generators.environments.inference.roles.field_edits import edited_properties, told_more
from interplay.schemas.json.fields import IDENTIFYING, object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens


def row_properties(members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of the rows that these tools act on, those first that a read shows."""
    properties: dict[str, Any] = {}
    for plan in sorted(members, key=lambda item: ORDER.get(item.operation, 9)):
        about = plan.rows is not None and (plan.edit is None or not (plan.edit.does == "show" or plan.rows.many))
        if plan.operation in ORDER and plan.rows is not None and about:
            for key, schema in object_properties(plan.rows.schema).items():
                properties.setdefault(key, schema)
    named = {tuple(name_tokens(key)): key for key, schema in properties.items() if schema_type(schema) == "string"}
    for plan in members:
        if plan.operation in ("create", "update") and plan.edit is None:
            for key, schema in body_properties(plan).items():
                alias = key not in properties and schema_type(schema) == "string" and called_by(key, named) is not None
                if not alias and _is_field(plan, schema, properties):
                    properties[key] = told_more(properties.get(key, schema), schema)
    properties = {**_moved(members), **properties}
    return {name: _of_objects(schema) for name, schema in edited_properties(properties, members).items()}


def called_by(name: str, shown: Mapping[tuple[str, ...], str]) -> str | None:
    """Return the field that shows, as a name, what a call gives by its noun alone, or the other way round: `song`, `song_name`."""
    tokens = tuple(name_tokens(name))
    return shown.get((*tokens, "name")) or (shown.get(tokens[:-1]) if tokens[1:] and tokens[-1] == "name" else None)


def _moved(members: list[ToolPlan]) -> dict[str, Any]:
    """Return what lists can be asked by and an action on one row is told, where no answer is described: a deal's stage."""
    if any(plan.rows is not None and object_properties(plan.rows.schema) for plan in members):
        return {}
    asked = {key for plan in members if plan.operation == "list" for key in body_properties(plan)}
    return {
        key: schema
        for plan in members
        if plan.operation == "action" and plan.target is not None
        for key, schema in body_properties(plan).items()
        if key in asked
    }


def _of_objects(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a list of names or objects as one of objects, which say more."""
    items = schema.get("items") if schema_type(schema) == "array" else None
    branches = [*items.get("oneOf", ()), *items.get("anyOf", ())] if isinstance(items, Mapping) else []
    objects = [branch for branch in branches if object_properties(branch)]
    scalars = [branch for branch in branches if schema_type(branch) in IDENTIFYING]
    return {**schema, "items": objects[0]} if len(objects) == 1 and len(branches) == 1 + len(scalars) > 1 else schema


def _is_field(plan: ToolPlan, schema: Mapping[str, Any], known: Mapping[str, Any]) -> bool:
    """Tell whether a body argument is a field of the row, rather than a list of rows."""
    if schema_type(schema) == "array" and plan.parents and plan.parents[-1][1] == plan.resource:
        return schema_type(schema.get("items") or {}) in IDENTIFYING
    if wrapper_of(plan) is not None or schema_type(schema) != "array" or not isinstance(schema.get("items"), Mapping):
        return True
    inner = object_properties(schema["items"])
    return not inner or len(inner.keys() & known.keys()) < max(2, len(inner) // 2)
