"""An environment's state -> arguments that its tools accept, about rows that exist."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from interplay.generators.values.making import Unsatisfiable, make_valid, make_value
from interplay.schemas.canonical import join_pointer, split_pointer
from interplay.schemas.fields import field_value, leaf_schemas, name_tokens, object_properties, schema_type, singular
from interplay.schemas.json_schema import is_valid
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import Resource, Tool, ToolRole

Row = Mapping[str, Any]

PAGING = {"page", "limit", "offset", "cursor", "size", "skip", "take", "per", "top", "after", "before", "token"}
SEARCH = {"search", "query", "q", "term", "keyword", "keywords", "text", "name", "title"}
_SAME = {"state": "status", "states": "status", "statuses": "status"}
Begun = dict[tuple[str, ...], "dict[str, Any] | Unsatisfiable"]
"""Tool, names of what is given and number of optional arguments -> arguments made up around these, or why none were."""
LABELS = ("name", "title", "full_name", "display_name", "label", "subject", "username", "email")


@dataclass(frozen=True)
class Subject:
    """One row that a call is about: its resource's name, its key, and itself."""

    resource: str
    key: str
    row: Row = field(compare=False)


@dataclass
class World:
    """What the composer may know of an environment: roles, resources and the rows of the present state."""

    environment: Environment
    roles: Mapping[str, ToolRole] = field(init=False)
    resources: Mapping[str, Resource] = field(init=False)
    tools: Mapping[str, Tool] = field(init=False)
    _referrers: dict[tuple[str, str], dict[str | None, list[tuple[int, str]]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        """Index roles, resources and tools by name."""
        self.roles = {role.tool: role for role in self.environment.resources.roles}
        self.resources = {resource.name: resource for resource in self.environment.resources.resources}
        self.tools = {tool.name: tool for tool in self.environment.toolset.tools}

    def subjects(self, resource: str) -> list[Subject]:
        """Return the rows of a resource."""
        table = self.environment.state().get(self.resources[resource].table, {})
        return [Subject(resource, key, row) for key, row in table.items() if isinstance(row, (dict, Mapping))]

    def subject(self, resource: str, key: Any) -> Subject | None:
        """Return the row with this identity, if there is one."""
        row = self.environment.state().get(self.resources[resource].table, {}).get(str(key))
        return Subject(resource, str(key), row) if isinstance(row, (dict, Mapping)) else None

    def depth(self, resource: str | None) -> int:
        """Return how many resources lie above a resource; -1 where it is none."""
        found, seen = -1, set()
        while resource in self.resources and resource not in seen:
            seen.add(resource)
            resource, found = self.resources[str(resource)].parent, found + 1
        return found

    def identity(self, subject: Subject) -> Any:
        """Return the identity of a row as tools take it: the identity field, else the key."""
        name = self.resources[subject.resource].identity
        held = field_value(subject.row, name) if name else None
        return subject.key if held is None else held

    def linked(self, subject: Subject, resource: str, name: str = "") -> Subject | None:
        """Return the row of `resource` that `subject` refers to or lies under; `name` prefers one field."""
        if subject.resource == resource:
            return subject
        identity = self.resources[resource].identity or "id"
        for key in _referring(tuple(subject.row), resource, identity, name):
            found = self.subject(resource, _identity_in(subject.row[key], identity))
            if found is not None:
                return found
        owner = subject.row.get("_parents", {}).get(resource)
        return self.subject(resource, owner) if owner is not None else None

    def referring(self, resource: str, subject: Subject) -> list[Subject]:
        """Return the rows of a resource that refer to a row or lie under it."""
        return self._rows_about(resource, subject.resource, {subject.key})

    def belonging(self, resource: str, owner: Subject) -> list[Subject]:
        """Return the rows of a resource that are a row's own, and those that refer to no such row."""
        return self._rows_about(resource, owner.resource, {owner.key, None})

    def _rows_about(self, resource: str, other: str, keys: Collection[str | None]) -> list[Subject]:
        """Return the rows of one resource by what they refer to of another; of tables as they were opened, by an index."""
        tables = {self.resources[name].table for name in (resource, other)}
        if any(split_pointer(change.path)[0] in tables for change in self.environment.changes()):
            return [row for row in self.subjects(resource) if self._key_of(row, other) in keys]
        if (resource, other) not in self._referrers:
            index = self._referrers[resource, other] = {}
            for place, row in enumerate(self.subjects(resource)):
                index.setdefault(self._key_of(row, other), []).append((place, row.key))
        places = sorted(entry for key in keys for entry in self._referrers[resource, other].get(key, ()))
        found = (self.subject(resource, key) for _, key in places)
        return [row for row in found if row is not None]

    def _key_of(self, subject: Subject, other: str) -> str | None:
        referred = self.linked(subject, other)
        return None if referred is None else referred.key


@lru_cache(maxsize=16_384)
def _referring(fields: tuple[str, ...], resource: str, identity: str, name: str) -> tuple[str, ...]:
    """Return the fields of a row that refer to a resource, first those that are called `name`."""
    nouns = [tuple(name_tokens(resource)), tuple(name_tokens(resource))[-1:]]
    stems = {*nouns, *((*noun, "id") for noun in nouns), tuple(name_tokens(identity.split(".")[-1]))}
    stems -= {("id",), ("gid",), ("uuid",), ("name",)}
    public = [field for field in fields if not field.startswith("_")]
    exact = [field for field in public if name and name_tokens(field) == name_tokens(name)]
    return (*exact, *(field for field in public if _words(field) in stems))


def _identity_in(value: Any, identity: str) -> Any:
    """Return an identity that stands alone, in a shown row, or first in a list of either."""
    if isinstance(value, list):
        value = value[0] if value else None
    return field_value(value, identity) if isinstance(value, Mapping) else value


def input_leaves(tool: Tool) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield pointer, name and schema of each argument leaf."""
    yield from leaf_schemas(tool.parameters)


def is_fixed(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema admits one value alone, which says nothing."""
    return "const" in schema or len(schema.get("enum", ())) == 1


def is_paging(name: str) -> bool:
    """Tell whether a parameter only says which part of a list is wanted."""
    tokens = name_tokens(name)
    return bool(tokens) and all(token in PAGING | {"number", "start", "starting", "ending"} for token in tokens)


def row_value(name: str, schema: Mapping[str, Any], row: Row) -> Any:
    """Return the value that a row holds for a parameter, by the words of its name; none where it holds none."""
    wanted = _words(name)
    wanted = wanted[1:] if wanted[:1] == ("filter",) and len(wanted) > 1 else wanted
    public = {key: value for key, value in row.items() if not key.startswith("_")}
    public |= row["attributes"] if isinstance(row.get("attributes"), Mapping) else {}
    for key in _called(tuple(public), wanted):
        fitted = _fitted(public[key], schema)
        if fitted is not None:
            return fitted
    if set(wanted) & {"date", "day", "time", "when"} or schema.get("format") in ("date", "date-time"):
        dated = [public[key] for key in public if not set(name_tokens(key)) & {"created", "updated", "modified"}]
        fitting = [
            _fitted(value, schema)
            for value in dated
            if isinstance(value, str) and value[4:5] == "-" and value[:4].isdigit()
        ]
        return next((value for value in fitting if value is not None), None)
    if set(wanted) & SEARCH:
        return next((row[key] for key in LABELS if isinstance(row.get(key), str) and is_valid(row[key], schema)), None)
    return None


@lru_cache(maxsize=16_384)
def _called(fields: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields that are called by some words, and after them those whose names begin or end with them."""
    size = len(wanted)
    return tuple(
        name
        for name in sorted(fields, key=lambda name: _words(name) != wanted)
        if size and wanted in (_words(name)[-size:], _words(name)[:size])
    )


@lru_cache(maxsize=65_536)
def _words(name: str) -> tuple[str, ...]:
    return tuple(_SAME.get(token, singular(token)) for token in name_tokens(name))


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return `value` as `schema` wants it: alone, as a list of one, or as one of a list."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        value = [
            item[label]
            for item in value
            if isinstance(item, Mapping)
            for label in LABELS
            if isinstance(item.get(label), str)
        ]
    options = [value]
    if isinstance(value, list) and value:
        options += [value[:1], value[0]]
    elif schema_type(schema) == "array":
        options.append([value])
    return next((option for option in options if option not in (None, "", []) and is_valid(option, schema)), None)


def fresh_value(name: str, schema: Mapping[str, Any], rng: Random, avoid: Any = None) -> Any:
    """Make a value for a free parameter, another one than `avoid` where that is possible.

    Raises:
        Unsatisfiable: the schema admits nothing that was tried.
    """
    value = None
    for _ in range(4):
        value = make_valid(schema, rng, name, full=False)
        if value == {}:
            value = _some_fields(schema, rng)
        if value != avoid:
            return value
    return value


def _some_fields(schema: Mapping[str, Any], rng: Random) -> dict[str, Any]:
    """Return an object with a few of its optional fields, where it has some."""
    properties = object_properties(schema)
    made: dict[str, Any] = {}
    for key in rng.sample(sorted(properties), min(3, len(properties))):
        try:
            made[key] = make_valid(properties[key], rng, key, full=False)
        except Unsatisfiable:
            continue
    return made if is_valid(made, schema) else {}


def skeleton(
    tool: Tool, rng: Random, extra: set[str], resource: str | None = None, given: Mapping[str, Any] = {}
) -> dict[str, Any]:
    """Return arguments with all required fields and the `extra` ones, every leaf made up that is not `given`.

    `resource` is what is named.
    """
    properties = tool.parameters.get("properties", {})
    required = [name for name in properties if name in tool.parameters.get("required", ()) or name in extra]
    made = {}
    for name in required:
        schema = properties[name]
        if schema.get("default") is not None and is_paging(name):
            continue
        if name in given:
            made[name] = given[name]
        else:
            made[name] = fresh_value(f"{resource}_{name}" if name == "name" and resource else name, schema, rng)
    if not is_valid(made, tool.parameters):
        whole = make_value(tool.parameters, rng, tool.name, full=False)
        if not is_valid(whole, tool.parameters):
            raise Unsatisfiable(f"no arguments found that satisfy the parameters of {tool.name}")
        return dict(whole)
    return made


def referenced(role: ToolRole, pointer: str) -> str | None:
    """Return the resource whose identity an argument leaf holds; list indices count as `*`."""
    starred = "".join(f"/{'*' if part.isdigit() else part}" for part in pointer.split("/")[1:])
    return role.references.get(pointer) or role.references.get(starred)


def sample_arguments(
    world: World,
    tool: Tool,
    rng: Random,
    fixed: Mapping[str, Any] | None = None,
    optional: int = 0,
    begun: Begun | None = None,
) -> dict[str, Any]:
    """Return arguments for one call that is likely to succeed; `fixed` gives leaves (by pointer) that must stay.

    All rows that one call names belong together: the task is one of the project. `optional` is the number of plain
    optional parameters that are filled in too, more where the parameters ask for it. `begun` keeps what was made up for
    like calls, for large bodies take long.

    Raises:
        Unsatisfiable: the tool's parameters admit nothing that was tried.
    """
    role = world.roles[tool.name]
    fixed = fixed or {}
    arguments = _started(tool, role, rng, fixed, optional, begun)
    chosen = _Chosen(world, tool, role, rng, fixed)
    leaves = list(input_leaves(tool))
    for pointer, name, schema in sorted(leaves, key=lambda leaf: chosen.turn(leaf[0])):
        if pointer.split("/")[1] not in arguments:
            continue
        value = fixed[pointer] if pointer in fixed else chosen.value(pointer, name, schema)
        if value is not None:
            arguments = set_leaf(arguments, pointer.split("/")[1:], value)
        elif _is_idle_filter(role, tool, pointer, schema):
            del arguments[name]
    return arguments


def _started(
    tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any], optional: int, begun: Begun | None
) -> dict[str, Any]:
    """Return made-up arguments, those of a like call where there was one."""
    key = (tool.name, *sorted({pointer.split("/")[1] for pointer in fixed}), str(optional))
    if begun is None or key not in begun:
        made: dict[str, Any] | Unsatisfiable
        try:
            made = _start(tool, role, rng, fixed, optional)
        except Unsatisfiable as failure:
            made = failure
        if begun is not None:
            begun[key] = made
    else:
        made = begun[key]
    if isinstance(made, Unsatisfiable):
        raise Unsatisfiable(str(made))  # the one that is kept would gather a traceback each time
    return dict(made)


def _start(tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any], optional: int) -> dict[str, Any]:
    """Return made-up arguments, with as few optional ones as the parameters admit."""
    extra = {pointer.split("/")[1] for pointer in fixed}
    if role.operation in ("update", "delete", "action"):
        extra |= {
            pointer[1:] for pointer, to in role.references.items() if to == role.resource and pointer.count("/") == 1
        }
    names = tool.parameters.get("properties", {})
    plain = [name for name in names if f"/{name}" not in role.references and not is_paging(name)]
    plain = [name for name in plain if not is_fixed(names[name])] or plain
    for number in sorted({min(optional, len(plain)), min(optional + 1, len(plain)), len(plain)}):
        try:
            return skeleton(tool, rng, extra | set(rng.sample(plain, number)))
        except Unsatisfiable:
            if number == len(plain):
                raise
    raise Unsatisfiable(tool.name)


def _is_idle_filter(role: ToolRole, tool: Tool, pointer: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether an optional argument of a list is a free text or number that no row has: it would find nothing."""
    name = pointer[1:]
    if role.operation != "list" or "/" in name or name in tool.parameters.get("required", ()) or is_paging(name):
        return False
    return schema_type(schema) in ("string", "integer", "number", "array") and "enum" not in str(schema)


class _Chosen:
    """The rows that one call is about, chosen one after the other so that all of them belong together."""

    def __init__(self, world: World, tool: Tool, role: ToolRole, rng: Random, fixed: Mapping[str, Any]) -> None:
        self._world, self._tool, self._role, self._rng = world, tool, role, rng
        self._around: list[Subject] = []
        for pointer, value in fixed.items():
            resource = referenced(role, pointer)
            found = world.subject(str(resource), value) if resource in world.resources else None
            self._around += [found] if found else []
        self._anchor = self._main()

    def _main(self) -> Subject | None:
        """Return the row that the call is about, one that is there already; none for calls that make one."""
        resource = self._role.resource
        if resource not in self._world.resources or self._role.operation in ("create", "compute"):
            return None
        given = next((row for row in self._around if row.resource == resource), None)
        places = list(self._role.removes.values())
        full = [row for row in self._world.subjects(str(resource)) if places and _items_at(row.row, places[0])]
        return given or (self._rng.choice(full) if full else self._one_of(str(resource)))

    def value(self, pointer: str, name: str, schema: Mapping[str, Any]) -> Any:
        """Return the value of one argument, or none where it may stay as it was made up."""
        fitting = removable(self._role, pointer, self._anchor, schema) if self._anchor else []
        if fitting:
            return self._rng.choice(fitting)
        resource = self._role.references.get(pointer)
        finding = self._role.operation in ("list", "read")
        if resource is None or resource not in self._world.resources:
            return row_value(name, schema, self._anchor.row) if self._anchor and finding else None
        found = None
        removing = bool(self._role.removes) and self._anchor is not None and resource == self._anchor.resource
        if self._anchor and (
            finding or removing or self._names_place(pointer) or self._names_itself(pointer, resource)
        ):
            found = self._world.linked(self._anchor, resource, name)
        for row in self._around if found is None else ():
            found = found or self._world.linked(row, resource, name)
        found = found or self._one_of(resource)
        if found is None:
            return None
        if found not in self._around and found != self._anchor:
            self._around.append(found)
        few = schema.get("minItems", 1) if schema_type(schema) == "array" else 1
        if few > 1:
            return [self._world.identity(row) for row in [found, *self._others(found)][:few]]
        return _as(schema, self._world.identity(found))

    def _others(self, found: Subject) -> list[Subject]:
        return [row for row in self._world.subjects(found.resource) if row.key != found.key]

    def _names_itself(self, pointer: str, resource: str) -> bool:
        """Tell whether an argument repeats, inside an object, the identity of the row that a call changes."""
        identity = str(self._world.resources[resource].identity)
        own = resource == self._role.resource and self._role.operation == "update"
        return own and "." in identity and pointer.endswith("/" + identity.replace(".", "/"))

    def turn(self, pointer: str) -> tuple[bool, int]:
        """Return what is chosen first: rows that the path names, the deepest first."""
        return not self._names_place(pointer), -self._world.depth(self._role.references.get(pointer))

    def _names_place(self, pointer: str) -> bool:
        http = self._tool.http
        return http is None or http.locations.get(pointer[1:]) == "path"

    def _one_of(self, resource: str) -> Subject | None:
        rows = self._world.subjects(resource)
        referred = [(other, self._world.linked(other, resource)) for other in self._around]
        fitting = [row for row in rows if all(self._agree(row, other, back) for other, back in referred)]
        return self._rng.choice(fitting or rows) if rows else None

    def _agree(self, row: Subject, other: Subject, back: Subject | None) -> bool:
        """Tell whether a row and another one, which refers `back` to a row of that kind, belong together."""
        if back is not None and back.key != row.key:
            return False
        there = self._world.linked(row, other.resource)
        return there is None or there.key == other.key


def removable(role: ToolRole, pointer: str, subject: Subject, schema: Mapping[str, Any]) -> list[Any]:
    """Return what an argument may name of which a tool is to remove one: the items of a list in the row; else nothing."""
    place = role.removes.get(pointer)
    held = _items_at(subject.row, place) if place is not None else []
    return [item for item in held if is_valid(item, _item_schema(schema))]


def _items_at(row: Row, pointer: str) -> list[Any]:
    """Return what names each item of a list in a row: the item itself, or its identity where it shows a row."""
    value: Any = row
    for part in split_pointer(pointer):
        value = value.get(part) if isinstance(value, Mapping) else None
    items = value if isinstance(value, list) else []
    names = ("id", "gid", "uuid", "key", "name")
    return [
        next((item[name] for name in names if name in item), None) if isinstance(item, Mapping) else item
        for item in items
    ]


def _item_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    items = schema.get("items") if schema_type(schema) == "array" else schema
    return items if isinstance(items, Mapping) else {}


def _as(schema: Mapping[str, Any], value: Any) -> Any:
    """Return an identity in the type that a parameter takes."""
    if isinstance(value, int) and schema_type(schema) == "string":
        return str(value)
    if isinstance(value, str) and schema_type(schema) == "integer" and value.lstrip("-").isdigit():
        return int(value)
    return value


def set_leaf(value: Any, path: list[str], leaf: Any) -> Any:
    """Return `value` with the leaf at `path` replaced where its container is there; `*` means each list item."""
    if not path:
        return [leaf] if isinstance(value, list) and not isinstance(leaf, list) else leaf
    if path[0] == "*" and isinstance(value, list):
        return [set_leaf(item, path[1:], leaf) for item in value]
    if isinstance(value, list) and path[0].isdigit() and int(path[0]) < len(value):
        return [set_leaf(item, path[1:], leaf) if str(index) == path[0] else item for index, item in enumerate(value)]
    if isinstance(value, Mapping) and path[0] in value:
        return {**value, path[0]: set_leaf(value[path[0]], path[1:], leaf)}
    return value


__all__ = [
    "Row", "Subject", "World", "fresh_value", "input_leaves", "is_paging", "join_pointer", "referenced", "removable", "row_value",
    "sample_arguments", "set_leaf", "skeleton",
]  # fmt: skip
