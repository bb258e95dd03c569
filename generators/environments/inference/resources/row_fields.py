"""The tools of a resource -> the fields of its rows, by their results and arguments."""

from collections.abc import Mapping
from itertools import dropwhile
from typing import Any

from interplay.generators.environments.inference.plans import ORDER, ToolPlan, body_properties, wrapper_of
from interplay.generators.environments.inference.roles.field_edits import edited_properties, told_more
from interplay.generators.phrases.labels.field_labels import MOMENT_KINDS
from interplay.schemas.json.fields import IDENTIFYING, object_properties, schema_type
from interplay.schemas.words.identifiers import RECORDED, name_tokens


def row_properties(members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of the rows that these tools act on; those that a read shows come first."""
    properties: dict[str, Any] = {}
    for plan in sorted(members, key=lambda item: ORDER.get(item.operation, 9)):
        about = plan.rows is not None and (plan.edit is None or not (plan.edit.does == "show" or plan.rows.many))
        if plan.operation in ORDER and plan.rows is not None and about:
            for key, schema in object_properties(plan.rows.schema).items():
                properties.setdefault(key, schema)
    shown = dict(properties)
    for plan in members:
        if plan.operation in ("create", "update") and plan.edit is None:
            for key, schema in body_properties(plan).items():
                alias = key not in properties and called_by(key, schema, shown, str(plan.resource)) is not None
                if not alias and _is_field(plan, schema, properties):
                    properties[key] = told_more(properties.get(key, schema), schema)
    properties = {**_moved(members), **properties}
    return {name: _of_objects(schema) for name, schema in edited_properties(properties, members).items()}


def called_by(name: str, schema: Mapping[str, Any], shown: Mapping[str, Any], resource: str) -> str | None:
    """Return the field under which rows show a value that a call gives under another name; none if it is not unique.

    Names may differ by `name` (`song`, `song_name`), by words of the noun of the row (`name`, `category_name` of a category), or by a
    prefix of the identity (`wallet_id`, `lago_wallet_id`). Else the only field whose name has one word more matches: `phone`,
    `phone_number`.
    """
    said, kind, noun = _spelt(name), schema_type(schema), tuple(name_tokens(resource))
    spelt = {_spelt(key): key for key, held in shown.items() if schema_type(held) == kind}
    if said[-1:] == ("id",):
        ways = [(own[0], *said) for own in spelt if own[1:] == ("id",)]
    else:
        ways = [(*noun, *said), tuple(dropwhile(noun.__contains__, said))]
    if kind == "string":
        ways += [(*said, "name"), *([said[:-1]] if said[-1:] == ("name",) else [])]
    found = {spelt[way] for way in (said, *ways) if way in spelt}
    if not found and said[-1:] != ("id",):
        longer = [own for own in spelt if len(own) == len(said) + 1 and said in (own[1:], own[:-1])]
        found = {spelt[own] for own in longer if own[-1] != "id" and RECORDED.isdisjoint(own)}
    return found.pop() if len(found) == 1 else None


def _spelt(name: str) -> tuple[str, ...]:
    """Return the words of a name, with synonyms for a time at its end unified: `done_timestamp`, `done_time`."""
    *before, last = name_tokens(name) or [""]
    return (*before, MOMENT_KINDS.get(last, last) if before else last)


def _moved(members: list[ToolPlan]) -> dict[str, Any]:
    """Return arguments that both filter a list and are given to an action, as fields of undescribed rows: a deal's stage."""
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
    """Return a list schema that admits scalars or objects as one of objects only, which show more."""
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
