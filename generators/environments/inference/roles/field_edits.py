"""A path that ends at a field of a row -> the edit of that field, and its place in the row.

PUT  /cards/{id}/name (value)            sets `name`
POST /tasks/{id}/addTag (tag)            adds to `tags`
DELETE /cards/{id}/idLabels/{idLabel}    removes from `idLabels`
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import Edit, EditKind, ToolPlan, schema_within, wrapper_of
from interplay.generators.environments.inference.roles.paths import PathFacts, Place
from interplay.generators.environments.inference.roles.segments import is_param
from interplay.generators.environments.inference.roles.targets import WRITTEN_AS
from interplay.generators.environments.inference.tool_words import singular_tokens, stem_of
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import CONSTRAINTS, object_properties, schema_type
from interplay.schemas.records.tool import Operation, Tool
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, table

DEEPEST = 3
"""Literals below a row that may lead to one of its fields, at most."""

LINKING: Mapping[str, EditKind] = table(beside(__file__), "linking")
_OPERATIONS: Mapping[EditKind, Operation] = {
    "show": "read", "set": "update", "clear": "update", "add": "action", "remove": "action",
}  # fmt: skip
_VALUES = {"value", "values"}

Field = tuple[str, tuple[str, ...]]
"""Resource and the words for one of its fields in a path."""


@dataclass(frozen=True)
class FieldPath:
    """A path that may end at a field of a row; `edited` are fields, and `listed` lists of names, that other calls write."""

    tool: Tool
    place: Place
    facts: PathFacts
    edited: frozenset[Field] = frozenset()
    listed: frozenset[Field] = frozenset()

    @property
    def reads(self) -> bool:
        """Whether the method is GET or HEAD."""
        return self.tool.method in ("GET", "HEAD")

    def edit(
        self, does: EditKind, argument: str | None = None, names: tuple[str, ...] | None = None, above: int = 1
    ) -> ToolPlan:
        """Return a plan for one field of a row: the last row in the path, or one `above` it."""
        target, resource = self.place.owners[-above]
        edit = Edit(does, self.names if names is None else names, argument)
        return ToolPlan(self.tool, _OPERATIONS[does], resource, target, parents=self.place.owners[:-above], edit=edit)

    def edit_item(self, does: EditKind) -> ToolPlan:
        """Return a plan for a list in a row, whose item the path ends at."""
        return self.edit(does, join_pointer(self.place.owners[-1][0]), above=2)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The words for the field: the literals after the last parameter (not counting one at the end)."""
        parts = self.place.segments[:-1] if self.ends else self.place.segments
        start = max((number for number, part in enumerate(parts) if is_param(part)), default=len(parts))
        return tuple(parts[start + 1 :])

    @property
    def ends(self) -> bool:
        """Whether the path ends in a parameter."""
        return bool(self.place.segments) and is_param(self.place.segments[-1])

    @cached_property
    def links_item(self) -> bool:
        """Whether the path ends at an item of a list in a row: `DELETE /cards/{id}/idLabels/{idLabel}`."""
        item = self.ends and len(self.place.owners) > 1 and len(self.names) == 1 and not self.reads
        return item and stem_of(self.names[0]) in self.facts.known and self.tool.method != "PATCH"

    @cached_property
    def linked(self) -> ToolPlan | None:
        """The edit by a verb and a field at the end of a path, with its argument (`POST /tasks/{id}/addTag`); else none."""
        verb, *noun = (name_tokens(self.names[0]) if self._is_field and len(self.names) == 1 else []) or [""]
        if verb not in LINKING or not noun or self.tool.method == "DELETE":
            return None
        does, field = LINKING[verb], "_".join(noun)
        argument = self._argument_for(field)
        return self.edit(does, argument, (field,)) if argument or does == "clear" else None

    @property
    def _is_field(self) -> bool:
        return bool(self.place.owners) and not self.reads and not self.ends and 1 <= len(self.names) <= DEEPEST

    @cached_property
    def value(self) -> str | None:
        """The pointer of the only body argument, if it is called `value` and the path ends at a field; else none."""
        properties = self.tool.parameters.get("properties", {})
        body = [name for name in properties if self.tool.location(name) not in ("path", "header")]
        return join_pointer(body[0]) if self._is_field and len(body) == 1 and body[0] in _VALUES else None

    @cached_property
    def names_given(self) -> str | None:
        """The only argument, if it is a list of names for a list in the row: `POST /issues/{n}/labels` with `labels`."""
        if not self.place.under or self.reads or self.tool.method == "DELETE":
            return None
        field = self.place.segments[-1]
        _, shown = self.facts.row(self.place.owners[-1][1])
        body = {name: pointer for pointer, name, _ in self._arguments()}
        items = declared_at(self.tool, body[field]).get("items") if [*body] == [field] and field in shown else None
        if not isinstance(items, Mapping) or schema_type(items) not in WRITTEN_AS:
            return None
        return body[field] if self.facts.resource(field) in self.facts.known else None

    @cached_property
    def items_given(self) -> str | None:
        """The only list argument, if a DELETE names items of a list in the row by it: `DELETE /chats/{id}/links (link_ids[])`."""
        lists = [
            (pointer, name)
            for pointer, name, _ in (self._arguments() if self.place.under and len(self.names) == 1 else ())
            if schema_type((declared := declared_at(self.tool, pointer)).get("items", {})) in WRITTEN_AS
            if schema_type(declared) == "array"
        ]
        if self.tool.method != "DELETE" or len(lists) != 1:
            return None
        words, (pointer, name) = singular_tokens(self.names[0]), lists[0]
        _, shown = self.facts.row(self.place.owners[-1][1])
        held = any(name_tokens(field) == name_tokens(self.names[0]) for field in shown)
        return pointer if held and (stem_of(name) == "_".join(words) or singular_tokens(name) == words) else None

    @cached_property
    def is_listed(self) -> bool:
        """Whether the path leads to a list of names in a row, or an item of it, that other calls write."""
        above = self.place.owners[:-1] if self.ends else self.place.owners
        return bool(above) and (above[-1][1], self.names) in self.listed

    @property
    def is_edited(self) -> bool:
        """Whether the path leads to a field of a row that another call writes."""
        return bool(self.place.owners) and not self.ends and (self.place.owners[-1][1], self.names) in self.edited

    @cached_property
    def argument(self) -> str | None:
        """The argument that names the field of a row which a GET shows: `GET /cards/{id}/{field}`; none if there is none."""
        last = self.tool.path.rstrip("/").rsplit("/", 1)[-1]
        if not self.place.at_row or not is_param(last) or not set(name_tokens(last)) <= {"field"}:
            return None
        local = {self.tool.wire_name(name): name for name in self.tool.parameters.get("properties", {})}
        return join_pointer(local.get(last[1:-1], last[1:-1]))

    def _argument_for(self, noun: str) -> str | None:
        """Return the argument with the value of an edit: the one with the field's noun, else the only required or only one."""
        named = list(self._arguments())
        words = singular_tokens(noun)
        for pointer, name, _ in named:
            if stem_of(name) == "_".join(words) or singular_tokens(name)[-len(words) :] == words:
                return pointer
        required = [pointer for pointer, _, needed in named if needed]
        return required[0] if len(required) == 1 else named[0][0] if len(named) == 1 else None

    def _arguments(self) -> Iterator[tuple[str, str, bool]]:
        """Yield pointer, name and whether it is required, for each argument in the body, unwrapped."""
        schema: Mapping[str, Any] = self.tool.parameters
        wrapper = wrapper_of(ToolPlan(self.tool, "action", self.facts.resource(self.place.last)))
        if wrapper is not None:
            inner = schema["properties"][wrapper]
            needed = inner.get("required", ())
            yield from ((join_pointer(wrapper, name), name, name in needed) for name in object_properties(inner))
            return
        for name in schema.get("properties", {}):
            if self.tool.location(name) in (None, "body", "form"):
                yield join_pointer(name), name, name in schema.get("required", ())


def settled_edit(edit: Edit, properties: Mapping[str, Any]) -> Edit:
    """Return the edit with the path of its field among the fields of the row."""
    if not edit.names:
        return edit
    first = properties.get(edit.names[0])
    if len(edit.names) > 1 and first is not None and edit.names[1] in object_properties(first):
        return replace(edit, path=edit.names)
    wanted = singular_tokens("_".join(edit.names))
    alike = [key for key in properties if singular_tokens(key) == wanted] or [
        key for key in properties if stem_of(key) == "_".join(wanted) and not _is_one_of(edit, key, properties[key])
    ]
    many = [key for key in alike if schema_type(properties[key]) == "array"]
    found = (many if edit.does in ("add", "remove") else ()) or alike
    return replace(edit, path=(found[0],)) if found else replace(edit, path=("_".join(edit.names),))


def _is_one_of(edit: Edit, name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field holds a single identity although the edit is about several: the `team_id` for `addTeams`."""
    many = edit.does in ("add", "remove") and edit.names[0] != "_".join(singular_tokens(edit.names[0]))
    return many and schema_type(schema) in ("string", "integer") and name_tokens(name)[-1:] == ["id"]


_TELLING = (*CONSTRAINTS, "examples", "example")


def told_more(shown: Mapping[str, Any], taken: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema of a field in results, with constraints and examples of the argument if it has none itself."""
    plain = schema_type(shown) in ("string", "integer", "number") and schema_type(shown) == schema_type(taken)
    if shown is taken or not plain or any(key in shown for key in (*CONSTRAINTS, "const", "oneOf", "anyOf", "allOf")):
        return shown
    told = {key: taken[key] for key in _TELLING if key in taken and key not in shown}
    return {**{key: taken[key] for key in ("description",) if key in taken}, **shown, **told}


def edited_properties(properties: dict[str, Any], members: list[ToolPlan]) -> dict[str, Any]:
    """Return the fields of a row with those that only edits name; a field that is added to or removed from becomes a list."""
    for plan in members:
        if plan.edit is None or not plan.edit.names:
            continue
        edit = settled_edit(plan.edit, properties)
        declared = declared_at(plan.tool, edit.argument)
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
            whole = schema_within(plan.tool.parameters, split_pointer(edit.argument)) if edit.argument else declared
            properties[name] = told_more(properties.get(name, declared), whole)
    return properties


def declared_at(tool: Tool, pointer: str | None) -> Mapping[str, Any]:
    """Return the schema of an argument without title and description; a string schema if there is none."""
    schema = schema_within(tool.parameters, split_pointer(pointer)) if pointer else {}
    return {key: value for key, value in schema.items() if key not in ("description", "title")} or {"type": "string"}
