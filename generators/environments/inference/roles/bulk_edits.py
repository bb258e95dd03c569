"""Functions that change a list in each row that their arguments name, and lists that show rows of several resources.

add_observations(observations=[{"entityName": "Ada", "contents": ["likes tea"]}])    adds to `contents` of the entity Ada
read_graph() -> {"entities": [...], "relations": [...]}                              lists all entities and all relations
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Batch, Edit, EditKind, Rows, ToolPlan
from interplay.generators.environments.inference.tool_words import ID_WORDS, resource_name
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import SCALARS, object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_GROWS: dict[str, EditKind] = {
    **dict.fromkeys(("add", "append", "attach", "insert"), "add"),
    **dict.fromkeys(("remove", "delete", "detach", "drop"), "remove"),
}
_KEYS = ID_WORDS | {"name", "title", "code", "number"}

Fields = Mapping[str, Mapping[str, Any]]
"""Resource -> fields of its rows."""


def with_batches(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools, with the functions marked that edit lists in rows or show several resources."""
    shown: dict[str, dict[str, Any]] = defaultdict(dict)
    listed: set[str] = set()
    for plan in tools.values():
        if plan.tool.http is None and plan.resource and plan.rows is not None:
            if plan.operation in ("read", "list", "create"):
                shown[plan.resource] |= object_properties(plan.rows.schema)
            if plan.operation in ("read", "list"):
                listed.add(plan.resource)
    by_name = {name: plan for name, plan in tools.items() if plan.tool.http is None}
    edited = {name: _edited(plan, shown, listed) or plan for name, plan in by_name.items()}
    made = {str(plan.resource) for plan in edited.values() if plan.operation in ("create", "read", "list")}
    return {**tools, **{name: _several(plan, made) or plan for name, plan in edited.items()}}


def _edited(plan: ToolPlan, shown: Fields, listed: set[str]) -> ToolPlan | None:
    verb, *nouns = name_tokens(plan.tool.original_name.rsplit(".", 1)[-1]) or [""]
    does = _GROWS.get(verb)
    if does is None or plan.tool.effect != "write" or (plan.resource in listed and plan.target is None):
        return None
    properties = plan.tool.parameters.get("properties", {})
    lists = [name for name, schema in properties.items() if _item_fields(schema)]
    if len(lists) == 1 and set(plan.tool.parameters.get("required", ())) <= set(lists):
        items = _item_fields(properties[lists[0]])
        for key, resource, value, field in _said(items, nouns, shown):
            batch = Batch(lists[0], key, value, does, field)
            why = f"{plan.why}; for a list in the rows that its items name"
            return replace(plan, operation="action", resource=resource, target=None, batch=batch, why=why)
    for key, resource, value, field in _said(properties, nouns, shown):
        edit, why = Edit(does, (field,), join_pointer(value)), f"{plan.why}; for a list in the row that it names"
        return replace(plan, operation="action", resource=resource, target=key, edit=edit, why=why)
    return None


def _item_fields(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    items = schema.get("items") if schema_type(schema) == "array" else None
    return object_properties(items) if isinstance(items, Mapping) else {}


def _said(given: Mapping[str, Any], nouns: list[str], shown: Fields) -> Iterator[tuple[str, str, str, str]]:
    """Yield (argument with the identity, its resource, argument with the value, list field of the row)."""
    for key, schema in given.items():
        tokens = name_tokens(key)
        resource = resource_name("_".join(tokens[:-1])) if len(tokens) > 1 and tokens[-1] in _KEYS else None
        others = [name for name in given if name != key]
        if resource is None or resource not in shown or schema_type(schema) not in SCALARS or len(others) != 1:
            continue
        lists = {singular(name.lower()): name for name, held in shown[resource].items() if _is_plain_list(held)}
        wanted = [singular(word) for word in nouns[:1]] + [singular(others[0].lower())]
        field = next((lists[word] for word in wanted if word in lists), None)
        if field is not None and (_is_plain_list(given[others[0]]) or schema_type(given[others[0]]) in SCALARS):
            yield key, resource, others[0], field


def _is_plain_list(schema: Mapping[str, Any]) -> bool:
    return schema_type(schema) == "array" and schema_type(schema.get("items") or {}) in SCALARS


def _several(plan: ToolPlan, made: set[str]) -> ToolPlan | None:
    """Return the plan of a list that shows rows of further resources in fields named after them; none for other tools."""
    fields = object_properties(plan.tool.returns or {})
    found = {name: resource_name(name) for name, schema in fields.items() if _item_fields(schema)}
    held = [(name, resource) for name, resource in found.items() if resource in made]
    if len(held) < 2 or plan.edit is not None or plan.batch is not None:
        return None
    if plan.operation == "list" and plan.rows is not None:
        beside = tuple((name, resource) for name, resource in held if join_pointer(name) != plan.rows.pointer)
        why = f"{plan.why}; and it shows the rows of several resources"
        return replace(plan, beside=beside, why=why) if len(beside) < len(held) else None
    if plan.operation in ("read", "compute") and not plan.tool.parameters.get("required") and len(held) == len(found):
        (first, resource), *others = held
        rows = Rows(join_pointer(first), fields[first].get("items", {}), True)
        why = f"{plan.why}; and it shows the rows of several resources"
        return replace(
            plan, operation="list", resource=resource, target=None, rows=rows, beside=tuple(others), edit=None, why=why
        )
    return None
