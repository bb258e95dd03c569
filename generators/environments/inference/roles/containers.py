"""What holds others, a single container per caller or a row with parts of its own -> what is put into it and taken out.

GET /cart -> {items: [{productId, quantity}], total}     one cart in each world, with its items
POST /cart/add (productId, quantity)                     adds an item
DELETE /cart/remove/{productId}                          removes it
POST /cart/checkout                                      acts on the cart

GET /carts/{id} -> {id, items: [{id, productId}]}        a cart with its items, which no GET shows apart
POST /carts/{id}/items (productId) -> cart               adds an item
PATCH /carts/{id}/items/{itemId} (quantity) -> cart      changes it
DELETE /carts/{id}/items/{itemId}                        removes it
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interplay.generators.environments.inference.plans import PART_ID, Edit, EditKind, Rows, ToolPlan
from interplay.generators.environments.inference.result_rows import is_object, rows_in
from interplay.generators.environments.inference.roles.paths import nameless
from interplay.generators.environments.inference.roles.segments import is_param, path_segments
from interplay.generators.environments.inference.tool_words import is_plural, resource_name, same_noun, stem_of
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular

_DONE_WITH, _OUT, _EMPTIED = (
    word_set("holding", *lists) for lists in (("into", "out", "emptied", "settled"), ("out",), ("emptied",))
)


@dataclass(frozen=True)
class Container:
    """A single resource with a list of items: its path, its name, the field with the list, and the fields of an item."""

    place: tuple[str, ...]
    resource: str
    field: str
    keys: Mapping[str, str]
    """Resource -> the field of an item that refers to it."""
    fields: frozenset[str]
    is_identified: bool
    """Whether it shows an identity of its own, unlike a page of a list."""

    def words(self) -> set[str]:
        """Return the nouns for its items."""
        return {"item", singular(self.field.lower()), f"{self.resource}_item"}


def with_containers(tools: Mapping[str, ToolPlan]) -> dict[str, ToolPlan]:
    """Return the tools, with those on containers corrected; a container counts only if a tool adds to it."""
    known = {
        str(plan.resource) for plan in tools.values() if plan.resource and (plan.target or plan.operation == "list")
    }
    held = [found for plan in tools.values() for found in _containers(plan, known) if not _is_list(found, tools)]
    changed = dict(tools)
    for container in held:
        within = {name: found for name, plan in tools.items() if (found := _within(plan, container)) is not None}
        if any(plan.edit is not None and plan.edit.does == "add" for plan in within.values()):
            changed |= within
    return changed


def _containers(plan: ToolPlan, known: set[str]) -> Iterator[Container]:
    """Yield the containers that a GET shows."""
    place = tuple(path_segments(plan.tool.path)) if plan.tool.method == "GET" else ()
    if not place or any(map(is_param, place)) or is_plural(place[-1]):
        return
    rows = _whole(plan.tool.returns, place[-1].lower())
    fields = object_properties(rows.schema) if rows is not None else {}
    lists = [
        name
        for name, schema in fields.items()
        if schema_type(schema) == "array" and is_object(schema.get("items") or {})
    ]
    items = object_properties(fields[lists[0]]["items"]) if len(lists) == 1 else {}
    keys = {stem: name for name in items if (stem := stem_of(name)) in known and stem is not None}
    if keys:
        yield Container(place, resource_name(place[-1]), lists[0], keys, frozenset(items), "id" in fields)


def _whole(returns: Mapping[str, Any] | None, name: str) -> Rows | None:
    """Return where a container is in a result that may look like a page of its items; none if the result is a list."""
    rows = rows_in(returns, False, (name,))
    if rows is None or not rows.many:
        return rows
    return Rows("", returns or {}, False) if rows.pointer.count("/") == 1 else None


def _is_list(held: Container, tools: Mapping[str, ToolPlan]) -> bool:
    """Tell whether other paths lead to one of several such things by its identity: `/progress/{progressId}`."""
    paths = (path_segments(plan.tool.path) for plan in tools.values())
    below = (part[len(held.place)] for part in paths if tuple(part[:-1]) == held.place and len(part) > len(held.place))
    return any(is_param(part) and (stem_of(part[1:-1]) or held.resource) == held.resource for part in below)


def _within(plan: ToolPlan, held: Container) -> ToolPlan | None:
    """Return what a tool does to a container or its items; none if it is about neither."""
    place = tuple(path_segments(plan.tool.path))
    if place[: len(held.place)] != held.place:
        return None
    shown = _whole(plan.tool.returns, held.resource)
    whole = replace(plan, target=None, parents=(), edit=None, every=False, beside=())
    single = replace(whole, resource=held.resource, single=True, rows=shown)
    if plan.tool.method == "GET":
        own = place == held.place
        return replace(single, operation="read", why="the one thing that holds others") if own else None
    rest = [name_tokens(part)[0] for part in place[len(held.place) :] if name_tokens(part)]
    does = _does(plan.tool.method, rest)
    told = bool({*rest, *map(singular, rest)} & {*_DONE_WITH, *held.words()}) or does == "clear"
    if not told and not held.is_identified:
        return None
    argument = _argument(plan, held, removes=does == "remove")
    if argument is not None and does in ("add", "remove"):
        name, field = argument
        wire = {plan.tool.wire_name(key): key for key in plan.tool.parameters.get("properties", {})}
        given = ((wire[key], key) for key in sorted(wire.keys() & held.fields) if wire[key] != name)
        edit = Edit(does, (held.field,), join_pointer(name), item=((name, field), *given))
        return replace(single, operation="action", edit=edit, why=f"what is {_DEEDS[does]} what holds others")
    if does == "clear":
        return replace(
            single, operation="action", edit=Edit("clear", (held.field,), None), why="what holds others, emptied"
        )
    if argument is None and not any(map(is_param, place)) and len(rest) == 1:
        return replace(single, operation="action", why="an action on what holds others")
    return None


_DEEDS = {"add": "put into", "remove": "taken out of"}


def _does(method: str, rest: list[str]) -> EditKind:
    """Return what a write does to a container, by its method and the words after the container; by default it adds."""
    if not _EMPTIED.isdisjoint(rest) or (method == "DELETE" and not rest):
        return "clear"
    return "remove" if method == "DELETE" or not _OUT.isdisjoint(rest) else "add"


def _argument(plan: ToolPlan, held: Container, removes: bool) -> tuple[str, str] | None:
    """Return the argument that names the item to add or remove, and the field of the item that holds it; else none."""
    names = [(name, stem_of(name)) for name in plan.tool.parameters.get("properties", {})]
    found = next(((name, held.keys[stem]) for name, stem in names if stem is not None and stem in held.keys), None)
    inner = next((name for name, stem in names if stem in held.words() or (stem is None and name == "id")), None)
    return found or ((inner, "id") if removes and inner and "id" in held.fields else None)


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
    edits = [
        (str(plan.resource), plan.edit) for plan in tools.values() if plan.edit is not None and plan.edit.names_part
    ]
    held = {(kind, join_pointer(*edit.path, "*", PART_ID)) for kind, edit in edits}
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
    field = next((key for key, inner in held.items() if same_noun(key, literal) and PART_ID in inner), None)
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
    shared = [(given[key], key) for key in fields if key in given and key != PART_ID]
    shared.sort(key=lambda pair: pair[0] not in tool.required)
    if is_param(last):
        return ((named[0], PART_ID), *shared) if named and tool.method != "POST" else ()
    return tuple(shared) if tool.method == "POST" else ()


def _is_same(schema: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two schemas have the same title."""
    return "title" in schema and schema["title"] == other.get("title")
