"""The records of a plan, made by inference and read by the sandbox: what a toolset's tools act on."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from interplay.generators.environments.inference.tool_words import (
    ENVELOPES,
    ID_WORDS,
    VIEWS,
    is_technical_name,
    steers,
    stem_of,
)
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import join_pointer, split_pointer, value_at
from interplay.schemas.json.fields import field_path, object_properties, schema_type
from interplay.schemas.records.override import ErrorCase
from interplay.schemas.records.tool import Operation, Tool
from interplay.schemas.words.identifiers import name_tokens

ORDER = {"read": 0, "list": 1, "create": 2, "update": 3}
"""Operations that show or give rows, ordered by how much their schemas tell about a row."""


@dataclass(frozen=True)
class View:
    """An object that shows a row in one of its fields and related rows in others: `post` with its `creator` and `community`."""

    field: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Rows:
    """Where rows are in a result: the pointer of the row or of the array of rows, and the schema of one row.

    If a result shows views, the pointer is that of the view or of the array of views.
    """

    pointer: str
    schema: Mapping[str, Any]
    many: bool
    view: View | None = None

    @property
    def row_pointer(self) -> str:
        """The pointer of one row, with `*` for the index."""
        inner = join_pointer(self.view.field) if self.view is not None else ""
        return self.pointer + ("/*" if self.many else "") + inner

    def shown(self, value: Any) -> list[Mapping[str, Any]]:
        """Return the rows that a result shows."""
        for part in split_pointer(self.pointer):
            value = value.get(part) if isinstance(value, Mapping) else None
        held = value if isinstance(value, list) else [value]
        if self.view is not None:
            held = [item.get(self.view.field) for item in held if isinstance(item, Mapping)]
        return [item for item in held if isinstance(item, Mapping)]


Membership = Literal["join", "leave"]
EditKind = Literal["show", "set", "clear", "add", "remove"]


PART_ID = "id"
"""The field that tells the parts of one row apart."""


@dataclass(frozen=True)
class Edit:
    """What a tool does to one field of its row: `names` are the words for the field, `path` is its place in the row.

    `argument` is the pointer of the argument that holds the value, or, if the tool shows a field, the name of that field.
    """

    does: EditKind
    names: tuple[str, ...]
    argument: str | None
    path: tuple[str, ...] = ()
    item: tuple[tuple[str, str], ...] = ()
    """For a list of objects: pairs of argument and item field, the one that identifies items first."""

    @property
    def names_part(self) -> bool:
        """Whether the call names an item that must be there, by its own id."""
        return bool(self.item) and self.item[0][1] == PART_ID

    def value_in(self, arguments: Mapping[str, Any]) -> Any:
        """Return the value that a call gives for the field; none if it gives none."""
        return value_at(arguments, self.argument) if self.argument else None


@dataclass(frozen=True)
class Batch:
    """What a function does to a list in each row that an item of its argument names; `key` and `value` are item fields."""

    argument: str
    key: str
    value: str
    does: EditKind
    field: str


@dataclass(frozen=True)
class ToolPlan:
    """What one tool does to which resource.

    `target` is the argument that identifies the row, `parents` are pairs of an argument and the resource whose row is above it,
    and `keys` are pairs of an argument and a field of the row that must agree. `single` means that there is one row per parent,
    which no argument names; `own`, that the row is the caller's; `every`, that the tool acts on all rows below.

    `rows` tells where the result shows rows, `repeats` are the fields beside them that repeat the identity, and `beside` are
    fields that show rows of other resources; `counts` means that the result is the number of rows. `edit` is set if the tool
    is about a single field of the row, `batch` if each item of an argument names a row of its own, and `membership` if the
    call adds an existing row to those of its parent, or removes it. `several` is the pointer of the identities in the list of
    rows that a call is about: `/inputs`, `/inputs/*/id`.

    `words` are those by which functions without paths name the resource. `why` names the rules that decided. `sets` and
    `errors` come from overrides: fields that a write sets, and calls that fail.
    """

    tool: Tool
    operation: Operation
    resource: str | None = None
    target: str | None = None
    parents: tuple[tuple[str, str], ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    rows: Rows | None = None
    single: bool = False
    own: bool = False
    every: bool = False
    edit: Edit | None = None
    why: str = ""
    sets: Mapping[str, Any] = field(default_factory=dict)
    errors: tuple[ErrorCase, ...] = ()
    words: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()
    batch: Batch | None = None
    several: str | None = None
    beside: tuple[tuple[str, str], ...] = ()
    counts: bool = False
    membership: Membership | None = None

    @property
    def lists(self) -> bool:
        """Whether the result shows a list of rows."""
        return self.rows is not None and self.rows.many

    def rows_shown(self, result: Any) -> list[Mapping[str, Any]]:
        """Return the rows in a result of the tool; if it is not known where they are, the result itself if it is an object."""
        return (self.rows or Rows("", {}, False)).shown(result)


@dataclass(frozen=True)
class ResourcePlan:
    """One resource: the schema of its rows, its identity field, its parent, and the fields that refer to other resources.

    `relations` are further resources by which lists of its rows can be narrowed, although no field of a row names them.
    `mirrors` is the resource whose identities its rows share, as members of a project share those of users. `single` means
    one row per parent. A `scope` is only a name in paths, within which rows are unique, as the owner of a repository is.

    `seeds` are rows that the author gave, whole or in part; `count` is the number of rows made up in addition. `examples` are
    realistic partial rows, one of which each made-up row takes. `worn` are the schemas of fields elsewhere that hold its
    identities and restrict them further. `handles` are fields by which other calls name its rows, such as the slug of
    an account; they hold the identity too. `owners` are fields that hold the caller's identity in all rows. `about` are the
    words in the name of the API. `why` names the rules that found the identity (under its name) and the references
    (under their pointers).
    """

    name: str
    schema: Mapping[str, Any]
    identity: str | None = None
    parent: str | None = None
    references: Mapping[str, str] = field(default_factory=dict)
    relations: tuple[str, ...] = ()
    mirrors: str | None = None
    single: bool = False
    scope: bool = False
    seeds: tuple[Mapping[str, Any], ...] = ()
    count: int | None = None
    worn: tuple[Mapping[str, Any], ...] = ()
    handles: tuple[str, ...] = ()
    why: Mapping[str, str] = field(default_factory=dict)
    about: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    examples: tuple[Mapping[str, Any], ...] = ()

    @property
    def identity_path(self) -> tuple[str, ...]:
        """The path of the identity in a row; empty if rows have none."""
        return field_path(self.identity, self.schema.get("properties", {})) if self.identity is not None else ()

    @property
    def identity_pointer(self) -> str:
        """The pointer of the identity in a row; empty if rows have none."""
        return join_pointer(*self.identity_path) if self.identity is not None else ""

    @property
    def identity_schema(self) -> Mapping[str, Any]:
        """The schema of the identity; empty if rows have none."""
        return schema_at(self.schema.get("properties", {}), self.identity_path) or {}

    def identity_of(self, row: Mapping[str, Any]) -> Any:
        """Return the identity of a row or partial row; none if it has none."""
        value: Any = row if self.identity is not None else None
        for part in self.identity_path:
            value = value.get(part) if isinstance(value, Mapping) else None
        return value


@dataclass(frozen=True)
class Plan:
    """All that the sandbox needs to know about a toolset."""

    tools: Mapping[str, ToolPlan]
    resources: Mapping[str, ResourcePlan]
    references: Mapping[str, Mapping[str, str]]
    """Tool -> pointer of an argument leaf -> resource."""
    why: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Tool -> pointer -> name of the rule that decided what the argument refers to."""

    @cached_property
    def asked_by(self) -> Mapping[str, frozenset[str]]:
        """Resource -> the fields besides the identity by which tools select its rows, and lists whose items they change."""
        asked: dict[str, set[str]] = defaultdict(set)
        for tool in self.tools.values():
            if tool.resource is not None:
                asked[tool.resource].update(field for _, field in tool.keys)
                asked[tool.resource].update(tool.edit.path[:1] if tool.edit is not None and tool.edit.item else ())
        return {name: frozenset(fields) for name, fields in asked.items()}

    @cached_property
    def always_shown(self) -> Mapping[str, frozenset[str]]:
        """Resource -> the fields that some tool's result requires of its rows."""
        shown: dict[str, set[str]] = defaultdict(set)
        for tool in self.tools.values():
            if tool.resource is not None and tool.rows is not None:
                shown[tool.resource].update(tool.rows.schema.get("required", ()))
        return {name: frozenset(fields) for name, fields in shown.items()}


def spelt_out(fields: Collection[str], resource: ResourcePlan) -> list[str]:
    """Return the fields that hold the identity as well: `order_id` beside `id` or the reverse, and handles."""
    ways, known = (["id"], [*name_tokens(resource.name), "id"]), resource.schema.get("properties", {})
    own = resource.identity or ""
    kind = schema_type(known.get(own, {}))
    return [
        name
        for name in fields
        if name in resource.handles
        or (
            name != own
            and name_tokens(own) in ways
            and name_tokens(name) in ways
            and schema_type(known.get(name, {})) == kind
        )
    ]


def schema_at(properties: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any] | None:
    """Return the schema of the field at a path; none if there is none."""
    schema: Mapping[str, Any] | None = None
    for part in path:
        schema = properties.get(part)
        if not isinstance(schema, Mapping):
            return None
        properties = object_properties(schema)
    return schema


def schema_within(schema: Mapping[str, Any], path: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the schema at a path in a value, with `*` for list items; an empty one if there is none."""
    for part in path:
        inner = schema.get("items") if part == "*" else object_properties(schema).get(part)
        schema = inner if isinstance(inner, Mapping) else {}
    return schema


def placed(row: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return `row` with a value set at a path; missing objects on the way are created."""
    inner = row.get(path[0])
    below = placed(inner if isinstance(inner, Mapping) else {}, path[1:], value) if path[1:] else value
    return {**row, path[0]: below}


def is_technical(name: str, tool: Tool | None = None) -> bool:
    """Tell whether a parameter is about the request itself, not its content: headers, traces, ETags."""
    location = tool.location(name) if tool is not None else None
    if location in ("header", "path"):
        return location == "header"
    return is_technical_name(name)


def wrapper_of(plan: ToolPlan) -> str | None:
    """Return the only body argument if it wraps the fields of the row (`{"data": {...}}`); none if there is none."""
    properties = plan.tool.properties
    is_called = plan.tool.http is not None
    said = [key for key in properties if not is_technical(key) and (is_called or not _says_which(key))]
    body = [key for key in said if plan.tool.location(key) in (None, "body", "form")]
    if len(body) != 1 or schema_type(properties[body[0]]) != "object" or not object_properties(properties[body[0]]):
        return None
    named = "_".join(name_tokens(body[0]))
    return body[0] if _is_called(plan, body[0]) or named in ENVELOPES or (named in _CHANGES and not is_called) else None


_CHANGES = {"input", "update", "updates", "change", "changes", "patch", "attributes"}
"""Names of function arguments that hold the fields of a row."""


def _says_which(name: str) -> bool:
    """Tell whether an argument identifies a row or is an option of the call, and so is not a field of the row."""
    return steers(name) or stem_of(name) is not None or name in ID_WORDS


def body_properties(plan: ToolPlan) -> dict[str, Any]:
    """Return the arguments that describe the row itself, unwrapped: without target, parents and paging.

    For creates and updates nothing counts as paging: there, a `size` is a field.
    """
    wrapper = wrapper_of(plan)
    if wrapper is not None:
        return object_properties(plan.tool.properties[wrapper])
    owners = {plan.target, *(name for name, _ in plan.parents)}
    paged = plan.operation not in ("create", "update")
    free = {key: schema for key, schema in plan.tool.properties.items() if not (paged and is_paging(key))}
    free = {key: schema for key, schema in free.items() if key not in owners and not is_technical(key)}
    if plan.tool.http is None:
        free = {key: schema for key, schema in free.items() if not steers(key)}
    body = {key: schema for key, schema in free.items() if plan.tool.location(key) in (None, "body", "form")}
    body = body or {
        key: schema
        for key, schema in free.items()
        if plan.tool.location(key) == "query" and not is_paging(key) and not VIEWS & set(name_tokens(key))
    }
    whole = [fields for key, schema in body.items() if not plan.tool.wire_name(key) for fields in _forms(plan, schema)]
    values = {
        key: schema for key, schema in body.items() if schema.get("title") and schema_type(schema) not in _HOLDING
    }
    wire = {key: plan.tool.wire_name(key) for key in body}
    body = {wire[key] or key: schema for key, schema in body.items() if wire[key] or key in values}
    return body | dict(item for fields in whole for item in fields.items())


_HOLDING = ("object", "array", None)
"""Types of a whole body that is not a single value."""


def _forms(plan: ToolPlan, schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the possible fields of a whole body, unwrapped if it contains only the row: `{"alert": {...}}`."""
    for fields in _alternatives(schema):
        alone = next(iter(fields)) if len(fields) == 1 else ""
        yield object_properties(fields[alone]) if alone and _is_called(plan, alone) else fields


def _alternatives(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the fields of each form that an object can have, with those that all forms share."""
    for branch in schema.get("oneOf") or schema.get("anyOf") or [{}]:
        yield {**schema.get("properties", {}), **object_properties(branch)}


def _is_called(plan: ToolPlan, name: str) -> bool:
    """Tell whether an argument is named like the resource that a tool acts on."""
    named = "_".join(name_tokens(name))
    return plan.resource is not None and named in (plan.resource, plan.resource.split("_")[-1])


def body_of(plan: ToolPlan, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields that a call gives for the row, unwrapped."""
    wrapper = wrapper_of(plan)
    if wrapper is None:
        wire = plan.tool.http.original_names if plan.tool.http else {}
        path = {plan.target, *(name for name, _ in plan.parents)}
        given = {wire.get(name, name): value for name, value in arguments.items() if name not in path}
        whole = given.pop("", None)
        if not isinstance(whole, Mapping):
            return given | {name: whole for name in arguments if wire.get(name) == "" and not isinstance(whole, list)}
        alone = next(iter(whole)) if len(whole) == 1 else ""
        inner = whole[alone] if alone and _is_called(plan, alone) else whole
        return {**given, **(inner if isinstance(inner, Mapping) else whole)}
    inner = arguments.get(wrapper)
    return inner if isinstance(inner, Mapping) else {}
