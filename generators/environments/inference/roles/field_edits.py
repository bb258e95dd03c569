"""Paths that end at one field of a row (`PUT /cards/{id}/name`, `POST /tasks/{id}/addTag`) -> which field, and what becomes of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from interplay.generators.environments.inference.plans import Edit, EditKind, ToolPlan, wrapper_of
from interplay.generators.environments.inference.roles.paths import PathFacts, Place, place_of
from interplay.generators.environments.inference.roles.segments import is_param
from interplay.generators.environments.inference.tool_words import stem_of
from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.json.fields import name_tokens, object_properties, schema_type
from interplay.schemas.records.tool import Operation, Tool
from interplay.schemas.words.nouns import singular

_LINKING: dict[str, EditKind] = {
    "add": "add", "attach": "add", "assign": "add", "link": "add", "remove": "remove", "detach": "remove",
    "unassign": "remove", "unlink": "remove", "set": "set", "unset": "clear", "clear": "clear",
}  # fmt: skip
_OPERATIONS: dict[EditKind, Operation] = {
    "show": "read", "set": "update", "clear": "update", "add": "action", "remove": "action",
}  # fmt: skip
_VALUES = {"value", "values"}
DEEPEST = 3
"""Literals below a row that may lead to one of its fields."""


def with_edits(tools: Mapping[str, ToolPlan], facts: PathFacts) -> dict[str, ToolPlan]:
    """Return the tools with those that edit or show one field of a row, instead of a resource of their own, marked."""
    places = {name: place_of(plan.tool, facts) for name, plan in tools.items() if plan.tool.http}
    edits = {name: _written(tools[name], place, facts) for name, place in places.items()}
    listed = {name: _listed(tools[name], place, facts) for name, place in places.items() if edits[name] is None}
    edits |= {name: found for name, found in listed.items() if found}
    lists = {(found[1], found[2].names) for found in listed.values() if found}
    held = {(found[1], found[2].names) for found in edits.values() if found}
    edited = dict(tools)
    for name, place in places.items():
        found = edits[name] or _below(tools[name], place, lists) or _beside(tools[name], place, held)
        if found is not None:
            edited[name] = _marked(tools[name], place, *found)
    return edited


Found = tuple[str, str, Edit]
"""Argument that names the row, resource of the row, and the edit."""


def _marked(plan: ToolPlan, place: Place, target: str, resource: str, edit: Edit) -> ToolPlan:
    number = next(number for number, (name, _) in enumerate(place.owners) if name == target)
    operation = _OPERATIONS[edit.does]
    http = plan.tool.http
    why = f"{http.method if http else ''} of the {'/'.join(edit.names)} of one {resource}"
    return replace(
        plan, operation=operation, resource=resource, target=target, parents=place.owners[:number], single=False,
        edit=edit, every=False, why=why,
    )  # fmt: skip


def _tail(place: Place) -> tuple[list[str], bool]:
    """Return the literals after the last row of a path, and whether a further parameter ends it."""
    ends = bool(place.segments) and is_param(place.segments[-1])
    parts = place.segments[:-1] if ends else place.segments
    start = max((number for number, part in enumerate(parts) if is_param(part)), default=len(parts))
    return parts[start + 1 :], ends


def _written(plan: ToolPlan, place: Place, facts: PathFacts) -> Found | None:
    """Return what a write says of a field by itself."""
    http = plan.tool.http
    if http is None or not place.owners or http.method in ("GET", "HEAD"):
        return None
    tail, ends = _tail(place)
    if not 1 <= len(tail) <= DEEPEST or (ends and len(place.owners) < 2):
        return None
    if ends:
        return _unlinked(http.method, place, tail, facts)
    target, resource = place.owners[-1]
    tokens = name_tokens(tail[-1])
    if len(tail) == 1 and len(tokens) > 1 and tokens[0] in _LINKING and http.method in ("POST", "PUT", "PATCH"):
        noun, does = "_".join(tokens[1:]), _LINKING[tokens[0]]
        argument = _argument_for(plan, noun)
        return (target, resource, Edit(does, (noun,), argument)) if argument or does == "clear" else None
    if set(plan.tool.parameters.get("properties", {})) & _VALUES and (value := _value(plan.tool)) is not None:
        if http.method in ("PUT", "PATCH"):
            return target, resource, Edit("set", tuple(tail), value)
        if http.method == "POST" and len(tail) == 1 and stem_of(tail[0]) in facts.known:
            return target, resource, Edit("add", tuple(tail), value)
    return None


def _listed(plan: ToolPlan, place: Place, facts: PathFacts) -> Found | None:
    """Read `POST /issues/{n}/labels` with {"labels": ["bug"]}, where an issue shows its labels: names join a list of the row."""
    http = plan.tool.http
    if http is None or not place.under or http.method not in ("POST", "PUT", "PATCH"):
        return None
    target, resource = place.owners[-1]
    _, shown = (facts.shown or {}).get(resource, ("", frozenset()))
    body = {name: pointer for pointer, name, _ in _arguments(plan)}
    field = place.segments[-1]
    items = _declared(plan, body[field]).get("items") if list(body) == [field] and field in shown else None
    if not isinstance(items, Mapping) or schema_type(items) not in ("string", "integer"):
        return None
    if facts.resource(field) not in facts.known:
        return None
    return target, resource, Edit("add" if http.method == "POST" else "set", (field,), body[field])


def _unlinked(method: str, place: Place, tail: list[str], facts: PathFacts) -> Found | None:
    """Read `DELETE /cards/{id}/idLabels/{idLabel}`."""
    if len(tail) != 1 or stem_of(tail[0]) not in facts.known or method not in ("DELETE", "PUT", "POST"):
        return None
    target, resource = place.owners[-2]
    does: EditKind = "remove" if method == "DELETE" else "add"
    return target, resource, Edit(does, tuple(tail), join_pointer(place.owners[-1][0]))


def _beside(plan: ToolPlan, place: Place, held: set[tuple[str, tuple[str, ...]]]) -> Found | None:
    """Return what a GET or DELETE says of a field that another tool writes, or of one that an argument names."""
    http = plan.tool.http
    if http is None or not place.owners:
        return None
    last = http.path.rstrip("/").rsplit("/", 1)[-1]
    if http.method == "GET" and place.at_row and set(name_tokens(last)) <= {"field"} and is_param(last):
        target, resource = place.owners[-1]
        local = {wire: name for name, wire in http.original_names.items()}
        return target, resource, Edit("show", (), join_pointer(local.get(last[1:-1], last[1:-1])))
    tail, ends = _tail(place)
    target, resource = place.owners[-1]
    if ends or (resource, tuple(tail)) not in held or plan.operation in ("list", "create"):
        return None
    if http.method in ("GET", "DELETE"):
        return target, resource, Edit("show" if http.method == "GET" else "clear", tuple(tail), None)
    return None


def _below(plan: ToolPlan, place: Place, lists: set[tuple[str, tuple[str, ...]]]) -> Found | None:
    """Return what a GET of a list of names, or a DELETE of it or of one of its items, says of the row above."""
    http = plan.tool.http
    if http is None or http.method not in ("GET", "DELETE"):
        return None
    tail, ends = _tail(place)
    above = place.owners[:-1] if ends else place.owners
    if not above or (above[-1][1], tuple(tail)) not in lists or (ends and http.method == "GET"):
        return None
    if ends:
        return *above[-1], Edit("remove", tuple(tail), join_pointer(place.owners[-1][0]))
    return *above[-1], Edit("show" if http.method == "GET" else "clear", tuple(tail), None)


def _value(tool: Tool) -> str | None:
    """Return the pointer of the lone argument `value` beside those of the path."""
    locations = tool.http.locations if tool.http else {}
    body = [name for name in tool.parameters.get("properties", {}) if locations.get(name) not in ("path", "header")]
    return join_pointer(body[0]) if len(body) == 1 and body[0] in _VALUES else None


def _argument_for(plan: ToolPlan, noun: str) -> str | None:
    """Return the argument that holds what is added, removed or set: the one that bears the noun, else the only one needed."""
    named = list(_arguments(plan))
    words = _singular(noun)
    for pointer, name, _ in named:
        if _singular(name) == words or stem_of(name) == "_".join(words) or _singular(name)[-len(words) :] == words:
            return pointer
    required = [pointer for pointer, _, needed in named if needed]
    return required[0] if len(required) == 1 else named[0][0] if len(named) == 1 else None


def _arguments(plan: ToolPlan) -> Iterator[tuple[str, str, bool]]:
    """Yield pointer and name of each argument in the body, unwrapped, and whether it must be there."""
    schema: Mapping[str, Any] = plan.tool.parameters
    wrapper = wrapper_of(plan)
    if wrapper is not None:
        inner = schema["properties"][wrapper]
        yield from (
            (join_pointer(wrapper, name), name, name in inner.get("required", ())) for name in object_properties(inner)
        )
        return
    locations = plan.tool.http.locations if plan.tool.http else {}
    for name in schema.get("properties", {}):
        if locations.get(name, "body") in ("body", "form"):
            yield join_pointer(name), name, name in schema.get("required", ())


def _singular(name: str) -> list[str]:
    return [singular(token) for token in name_tokens(name)]


def settled_edit(edit: Edit, properties: Mapping[str, Any]) -> Edit:
    """Return the edit with the path of the field that it speaks of, among those of its row."""
    if not edit.names:
        return edit
    first = properties.get(edit.names[0])
    if len(edit.names) > 1 and first is not None and edit.names[1] in object_properties(first):
        return replace(edit, path=edit.names)
    wanted = _singular("_".join(edit.names))
    alike = [key for key in properties if _singular(key) == wanted] or [
        key for key in properties if stem_of(key) == "_".join(wanted) and not _is_one_of(edit, key, properties[key])
    ]
    many = [key for key in alike if schema_type(properties[key]) == "array"]
    found = (many if edit.does in ("add", "remove") else ()) or alike
    return replace(edit, path=(found[0],)) if found else replace(edit, path=("_".join(edit.names),))


def _is_one_of(edit: Edit, name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field holds one identity although an edit speaks of several: the `team_id` of `addTeams`."""
    many = edit.does in ("add", "remove") and edit.names[0] != "_".join(_singular(edit.names[0]))
    return many and schema_type(schema) in ("string", "integer") and name_tokens(name)[-1:] == ["id"]


def edited_properties(properties: dict[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of a row with those that only edits speak of; what is added to and removed from is a list."""
    for plan in members:
        if plan.edit is None or not plan.edit.names:
            continue
        edit = settled_edit(plan.edit, properties)
        declared = _declared(plan, edit.argument)
        if edit.does == "show" and edit.argument is None:
            declared = object_properties(plan.tool.returns or {}).get(edit.names[-1], declared)
            if schema_type(declared) == schema_type(properties.get(edit.path[0], {})) == "array":
                properties[edit.path[0]] = declared
        if len(edit.path) > 1:
            continue
        name = edit.path[0]
        if edit.does in ("add", "remove") and schema_type(properties.get(name, {})) != "array":
            if name in properties and schema_type(properties[name]) == "object":
                continue
            plural = name if name in properties or name.endswith("s") else f"{name}s"
            items = declared.get("items", declared) if schema_type(declared) == "array" else declared
            properties[plural] = {"type": "array", "items": items if schema_type(items) != "array" else {}}
        else:
            properties.setdefault(name, declared)
    return properties


def _declared(plan: ToolPlan, pointer: str | None) -> dict[str, Any]:
    """Return the schema of an argument; a text where there is none."""
    schema: Mapping[str, Any] = plan.tool.parameters
    for part in (pointer or "").split("/")[1:]:
        schema = object_properties(schema).get(part, {})
    kept = {key: value for key, value in schema.items() if key not in ("description", "title")}
    return kept if kept and pointer else {"type": "string"}
