"""A row with parts that no GET shows apart, such as one of several carts -> what writes to a part do to the row.

GET /carts/{id} -> {id, items: [{id, productId}]}        a cart with its items
POST /carts/{id}/items (productId) -> cart               adds an item
PATCH /carts/{id}/items/{itemId} (quantity) -> cart      changes it
DELETE /carts/{id}/items/{itemId}                        removes it
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Edit, ToolPlan
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.generators.environments.inference.roles.paths import nameless
from interplay.generators.environments.inference.roles.segments import is_param, path_segments
from interplay.generators.environments.inference.tool_words import same_noun
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties

_IDENTITY = "id"
"""The field that tells parts of one row apart."""

Place = tuple[str, ...]
"""The segments of a path with nameless parameters."""


def with_parts(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools, with writes to parts of a row as actions on that row, where all writes below it act on these parts."""
    shown = {nameless(path_segments(plan.tool.path)) for plan in tools.values() if plan.tool.method == "GET"}
    owners = {nameless(path_segments(plan.tool.path)): plan for plan in tools.values() if _shows_row(plan)}
    below: dict[Place, dict[str, ToolPlan]] = defaultdict(dict)
    for name, plan in tools.items():
        *above, last = path_segments(plan.tool.path) or [""]
        place = nameless(above if is_param(last) else [*above, last])
        if plan.tool.method in ("POST", "PUT", "PATCH", "DELETE") and place[:-1] in owners:
            below[place] |= {name: plan}
    changed = dict(tools)
    for place, writes in below.items():
        if shown.isdisjoint((place, (*place, "{}"))):
            acts = {name: _on_part(plan, owners[place[:-1]], place[-1]) for name, plan in writes.items()}
            changed |= {name: act for name, act in acts.items() if act is not None and None not in acts.values()}
    return changed


def parts_of_rows(tools: Mapping[str, ToolPlan]) -> frozenset[tuple[str, str, str]]:
    """Return (resource, pointer, other resource) for ids of parts that only their row shows, so that they identify no other rows."""
    shown = {plan.resource for plan in tools.values() if plan.operation in ("read", "list")}
    unseen = {plan.resource for plan in tools.values() if plan.resource} - shown
    edits = [(str(plan.resource), plan.edit) for plan in tools.values() if plan.edit is not None and plan.edit.item]
    held = {(kind, join_pointer(*edit.path, "*", _IDENTITY)) for kind, edit in edits if edit.item[0][1] == _IDENTITY}
    return frozenset((kind, pointer, str(other)) for kind, pointer in held for other in unseen)


def _shows_row(plan: ToolPlan) -> bool:
    one = plan.rows is not None and not plan.rows.many
    return one and plan.tool.method == "GET" and plan.operation == "read" and plan.target is not None


def _on_part(plan: ToolPlan, owner: ToolPlan, literal: str) -> ToolPlan | None:
    """Return what a write to a part does to its row; none if it shows something else, or no argument names the part."""
    assert owner.rows is not None
    held = {
        key: object_properties(item.get("items") or {}) for key, item in object_properties(owner.rows.schema).items()
    }
    field = next((key for key, inner in held.items() if same_noun(key, literal) and _IDENTITY in inner), None)
    itself = ((str(plan.target), str(plan.resource)),) if plan.resource == owner.resource and plan.target else ()
    *above, (target, resource) = (*plan.parents, *itself) or [("", "")]
    rows = rows_in(plan.tool.returns, False, (str(owner.resource),))
    item = _item(plan, held[field]) if field is not None else ()
    if (
        field is None
        or not item
        or resource != owner.resource
        or not (rows is None or _is_same(rows.schema, owner.rows.schema))
    ):
        return None
    edit = Edit("remove" if plan.tool.method == "DELETE" else "add", (field,), join_pointer(item[0][0]), item=item)
    why = f"a part of a {resource}, which only that shows"
    return replace(
        plan, operation="action", resource=resource, target=target, parents=tuple(above), edit=edit, rows=rows, every=False,
        beside=(), why=why,
    )  # fmt: skip


def _item(plan: ToolPlan, fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return pairs of argument and field of a part, the one that identifies it first; empty if there is none."""
    tool, last = plan.tool, path_segments(plan.tool.path)[-1]
    named = [name for name in tool.properties if is_param(last) and tool.wire_name(name) == last[1:-1]]
    given = {tool.wire_name(name): name for name in tool.properties if tool.location(name) != "path"}
    shared = [(given[key], key) for key in fields if key in given and key != _IDENTITY]
    shared.sort(key=lambda pair: pair[0] not in tool.required)
    if is_param(last):
        return ((named[0], _IDENTITY), *shared) if named and tool.method != "POST" else ()
    return tuple(shared) if tool.method == "POST" else ()


def _is_same(schema: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two schemas have the same title."""
    return "title" in schema and schema["title"] == other.get("title")
