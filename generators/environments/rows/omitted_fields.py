"""A made-up row -> the row that a call creates: optional fields that the call omits are empty, not made up.

create_booking(has_dog=false): {"trip_id": "f9f8", "passenger_name": "Ann", "has_dog": true} -> {"has_dog": false}
"""

from collections.abc import Collection, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ToolPlan, body_properties
from interplay.generators.environments.rows.initial_fields import STATUS, first_status
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_SERVED = word_set(beside(__file__), "served")
"""Words of fields that the server computes."""

_EMPTY: Mapping[str, Any] = {"boolean": False, "array": [], "object": {}}


def without_omitted(
    plan: Plan, tool: ToolPlan, row: Mapping[str, Any], given: Mapping[str, Any], known: Collection[str]
) -> dict[str, Any]:
    """Return a made-up row without the fields that the creating call omits, except those that the server sets.

    `known` are fields and resources whose values are known from elsewhere.
    """
    resource = plan.resources[str(tool.resource)]
    body, needed = body_properties(tool), plan.always_shown.get(resource.name, frozenset())
    unsaid = {name: schema for name, schema in body.items() if name in row and name not in given}
    kept = {
        name
        for name in unsaid
        if name in known or name in resource.identity_path[:1] or resource.references.get(f"/{name}") in known
    }
    fields = resource.schema.get("properties", {})
    opened = _open(row, {name: item for name, item in unsaid.items() if name not in kept}, fields, needed)
    for name, value in given.items():
        inner, schema = row.get(name), fields.get(name, {})
        if isinstance(value, Mapping) and isinstance(inner, Mapping) and name in body:
            opened[name] = _inner(inner, body[name], schema, value)
    left_out = _others(plan, tool, given, known) - needed
    return {name: value for name, value in opened.items() if name not in left_out}


def _inner(
    row: Mapping[str, Any], body: Mapping[str, Any], schema: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a nested object of a made-up row without the fields that the call omits."""
    said = object_properties(body)
    unsaid = {name: item for name, item in said.items() if name in row and name not in given}
    opened = _open(row, unsaid, object_properties(schema), set(schema.get("required", ())))
    for name, value in given.items():
        held = row.get(name)
        if isinstance(value, Mapping) and isinstance(held, Mapping) and name in said:
            opened[name] = _inner(held, said[name], object_properties(schema).get(name, {}), value)
    return opened


def _open(
    row: Mapping[str, Any], unsaid: Mapping[str, Any], fields: Mapping[str, Any], needed: Collection[str]
) -> dict[str, Any]:
    opened: dict[str, Any] = {}
    for name, value in row.items():
        shown = fields.get(name, {})
        if name not in unsaid or (bool(set(name_tokens(name)) & _SERVED) and schema_type(shown) != "boolean"):
            opened[name] = value
            continue
        held = _without(name, value, unsaid[name], shown, name in needed)
        if held is not _NOTHING:
            opened[name] = held
    return opened


_NOTHING = object()


def _without(name: str, value: Any, said: Mapping[str, Any], shown: Mapping[str, Any], needed: bool) -> Any:
    """Return the value of an omitted field: its default, the first status, null, or `_NOTHING` to leave it out."""
    for default in (item["default"] for item in (said, shown) if item.get("default") is not None):
        if is_valid(default, shown):
            return default
    if set(name_tokens(name)) & STATUS and isinstance(value, str):
        return first_status(shown, value)
    if is_valid(None, shown) and shown:
        return None
    if not needed:
        return _NOTHING
    empty = _EMPTY.get(str(schema_type(shown)), value)
    return empty if is_valid(empty, shown) else value


def _others(plan: Plan, tool: ToolPlan, given: Mapping[str, Any], known: Collection[str]) -> set[str]:
    """Return the fields that embed the row of an omitted argument: `customer` for `customer_id`."""
    resource, references = plan.resources[str(tool.resource)], plan.references[tool.tool.name]
    told = {target for pointer, target in references.items() if split_pointer(pointer)[0] in given}
    open_ones = set(references.values()) - told - set(known) - {resource.name}
    pointers = ((split_pointer(pointer)[0], target) for pointer, target in resource.references.items())
    return {name for name, target in pointers if target in open_ones and name not in given}
