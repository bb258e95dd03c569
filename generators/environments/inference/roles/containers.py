"""A single container per caller, such as a cart -> what is put into it and taken out.

GET /cart -> {items: [{productId, quantity}], total}     one cart in each world, with its items
POST /cart/add (productId, quantity)                     adds an item
DELETE /cart/remove/{productId}                          removes it
POST /cart/checkout                                      acts on the cart
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from interplay.generators.environments.inference.plans import Edit, EditKind, Rows, ToolPlan
from interplay.generators.environments.inference.result_rows import is_object, rows_in
from interplay.generators.environments.inference.roles.segments import is_param, path_segments
from interplay.generators.environments.inference.tool_words import is_plural, resource_name, stem_of
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
