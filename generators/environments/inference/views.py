"""A result that shows a row beside related rows -> where the row is in it: the `post` of a view that has a `creator` too."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan, Rows, ToolPlan, View
from interplay.generators.environments.inference.tool_words import (
    ID_WORDS,
    OWN_IDENTITIES,
    resource_name,
    same_noun,
    stem_of,
)
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens


def own_identity(schema: Mapping[str, Any]) -> str | None:
    """Return the identity field of an object's schema; none if it has none."""
    fields = object_properties(schema)
    return next((name for name in OWN_IDENTITIES if name in fields), None)


def seen_in_view(rows: Rows, returns: Mapping[str, Any], names: tuple[str, ...]) -> Rows:
    """Return where the row itself is, if `rows` is a view of it; else `rows` unchanged.

    {"post_view": {"post": {"id": 1, "creator_id": 2}, "creator": {"id": 2}, "counts": {"post_id": 1}}}   ->   /post_view/post
    """
    if rows.many:
        fields = _shown_of(rows.schema, names)
        found = (rows.pointer, rows.schema, fields[0]) if fields else None
    else:
        found = next(_views(returns, names), None)
    if found is None or (rows.pointer and not found[0]):
        return rows
    pointer, schema, field = found
    return Rows(pointer, object_properties(schema)[field], rows.many, View(field, schema))


def _views(schema: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield (pointer, schema, field) for views of rows with one of some names: the object itself, then objects in its fields.

    Then views named after their row: the `person` of a `person_view`.
    """
    fields = object_properties(schema)
    inner = {name: item for name, item in fields.items() if schema_type(item) == "object" and object_properties(item)}
    for name in _shown_of(schema, names):
        yield "", schema, name
    for holder, item in inner.items():
        for name in _shown_of(item, names):
            yield join_pointer(holder), item, name
    for holder, item in inner.items():
        for name in _shown_of(item, ()):
            words = name_tokens(name)
            if name_tokens(holder)[: len(words)] == words and holder != name:
                yield join_pointer(holder), item, name


def _shown_of(schema: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    """Return the fields of a view with rows that have one of some names, exact matches first; without names, all with rows."""
    fields = object_properties(schema)
    if own_identity(schema) is not None:
        return []
    objects = {name: item for name, item in fields.items() if schema_type(item) == "object"}
    rows = [
        name for name, item in objects.items() if own_identity(item) is not None and _is_linked(name, item, objects)
    ]
    if not names:
        return rows
    exact = [name for name in rows if "_".join(name_tokens(name)) in names]
    return exact or [
        name for name in rows if any(same_noun("_".join(name_tokens(name)), noun) for noun in names if noun)
    ]


def _is_linked(name: str, row: Mapping[str, Any], beside: Mapping[str, Mapping[str, Any]]) -> bool:
    """Tell whether a row and an object beside it refer to each other: `creator` by a `creator_id`, `counts` by its `post_id`."""
    named = {stem_of(field) for field in object_properties(row)}
    own = "_".join(name_tokens(name))
    return any(
        "_".join(name_tokens(other)) in named or own in map(stem_of, object_properties(item))
        for other, item in beside.items()
        if other != name
    )


def by_view(plan: ToolPlan) -> ToolPlan:
    """Return the plan of a tool corrected by the view it shows: which resource it acts on, and which argument names the row.

    feature_post(post_id, featured) -> {post_view: {post, creator}}   is an action on the post.
    """
    if plan.rows is None or plan.rows.view is None or plan.rows.many or plan.operation == "list":
        return plan
    shown, argument = resource_name(plan.rows.view.field), _naming(plan)
    if argument is None or plan.target is not None:
        return plan
    own = plan.resource is not None and same_noun(shown, plan.resource)
    why = f"{plan.why}; but it shows a view of what an argument names"
    if plan.operation in ("read", "compute"):
        return replace(plan, operation="read", resource=shown, target=argument, single=False, why=why)
    if plan.operation == "update" and own:
        return replace(plan, target=argument, single=False, why=why)
    if own or plan.operation == "delete":
        return plan
    return replace(plan, operation="action", resource=shown, target=argument, single=False, why=why)


def _naming(plan: ToolPlan) -> str | None:
    """Return the argument that names the row of a view: `post_id` for a post, or `id` if the tool reads; else none."""
    assert plan.rows is not None
    assert plan.rows.view is not None
    fields, shown = plan.tool.properties, resource_name(plan.rows.view.field)
    identity = own_identity(plan.rows.schema)
    kind = schema_type(object_properties(plan.rows.schema)[str(identity)])
    fitting = [name for name, item in fields.items() if schema_type(item) == kind]
    named = [name for name in fitting if stem_of(name) == shown]
    if plan.tool.effect == "read":
        named += [name for name in fitting if name in ID_WORDS]
    return named[0] if named else None


def apart(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools with separate resources for different rows that views show under one noun.

    The `report` of `post_report_view` and that of `comment_report_view` are rows of `post_report` and of `comment_report`.
    """
    kinds: dict[str, set[str]] = defaultdict(set)
    for plan in tools.values():
        if plan.resource is not None and plan.rows is not None and plan.rows.view is not None:
            kinds[plan.resource].add(resource_name(plan.rows.view.field))
    split = {name for name, found in kinds.items() if len(found) > 1 and name not in found}
    return {
        name: replace(plan, resource=resource_name(plan.rows.view.field))
        if plan.resource in split and plan.rows is not None and plan.rows.view is not None
        else plan
        for name, plan in tools.items()
    }


def references_in_views(
    tools: Mapping[str, ToolPlan], resources: Mapping[str, ResourcePlan]
) -> dict[str, dict[str, str]]:
    """Return resource -> pointer -> resource for fields that name an object beside the row in a view (`resolver_id`)."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for plan in tools.values():
        if plan.resource is None or plan.rows is None or plan.rows.view is None:
            continue
        shown = object_properties(plan.rows.view.schema)
        for field in object_properties(plan.rows.schema):
            beside = shown.get(stem_of(field) or "", {})
            if stem_of(field) != plan.resource and own_identity(beside) is not None:
                alike = (name for name, item in resources.items() if shows_alike(item, beside))
                found[plan.resource] |= {join_pointer(field): name for name in [*alike][:1]}
    return found


def shows_alike(resource: ResourcePlan, schema: Mapping[str, Any]) -> bool:
    """Tell whether an object shows rows of a resource: it has their identity, and at least 90 % of its fields are theirs."""
    shown = object_properties(schema).keys()
    held = resource.schema["properties"].keys()
    return resource.identity == own_identity(schema) and len(shown) > _FEW and len(shown & held) * 10 >= len(shown) * 9


_FEW = 3
"""Number of fields that rows of different kinds may have in common, such as an id, a name and a date."""
