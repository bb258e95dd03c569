"""An environment -> its roles, resources, rows of the present state, and links between rows."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from interplay.generators.graph.sampling.row_values import Row, words_of_field
from interplay.generators.phrases.plain_phrases import as_implied
from interplay.generators.values.texts.ideas import words_about
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import field_value
from interplay.schemas.protocols import Environment
from interplay.schemas.records.tool import Resource, Tool, ToolRole
from interplay.schemas.words.identifiers import name_tokens

_WHOLE = re.compile(r"-?[0-9]{1,18}")


@dataclass(frozen=True)
class Subject:
    """One row that a call is about: the name of its resource, its key, and the row itself."""

    resource: str
    key: str
    row: Row = field(compare=False)


@dataclass
class World:
    """What the composer may know of an environment: roles, resources and rows of the present state.

    `like` is the world of the same toolset in another state; prepared tools are taken from it.
    """

    environment: Environment
    like: "World | None" = field(default=None, repr=False)
    roles: Mapping[str, ToolRole] = field(init=False)
    resources: Mapping[str, Resource] = field(init=False)
    tools: Mapping[str, Tool] = field(init=False)
    about: tuple[str, ...] = field(init=False)
    """The words of the toolset's name, which tell what domain its rows are from."""
    _kinds: dict[tuple[str, bool], frozenset[str]] = field(init=False, repr=False)
    """The resources of each tool; see `kinds_of`."""
    _first_links: dict[tuple[str, str], dict[str, str | None]] = field(default_factory=dict, init=False, repr=False)
    """The links of the initial rows; see `_links`."""

    def __post_init__(self) -> None:
        """Index roles, resources and tools by name."""
        self.roles = self.environment.resources.by_tool
        self.resources = self.environment.resources.by_name
        self.about = words_about(self.environment.toolset.name)
        tools = self.environment.toolset.tools if self.like is None else ()
        made = {tool.name: as_implied(_as_admitted(tool, self.roles)) for tool in tools}
        self.tools, self._kinds = (made, {}) if self.like is None else (self.like.tools, self.like._kinds)

    def kinds_of(self, name: str, loosely: bool = False) -> frozenset[str]:
        """Return the resources that a tool is about or requires references to; with `loosely`, also optional references."""
        if (name, loosely) not in self._kinds:
            role = self.roles[name]
            told = set((role.references if loosely else self.needed_references(name)).values())
            self._kinds[name, loosely] = frozenset(told | ({role.resource} if role.resource else set()))
        return self._kinds[name, loosely]

    def needed_references(self, name: str) -> dict[str, str]:
        """Return the resources of which a tool requires an identity, by the pointers of these arguments."""
        references, required = self.roles[name].references.items(), self.tools[name].required
        return {pointer: kind for pointer, kind in references if pointer.split("/")[1] in required}

    def kindred(self, names: Sequence[str], to: Iterable[str], loosely: bool = False) -> list[str]:
        """Return the tools among `names` that share a resource with one of the tools in `to`; see `kinds_of`.

        get_order(order_id), cancel_order(order_id)   both about orders
        list_customers(), create_order(customer_id)   the second refers to the resource of the first
        list_webhooks(), get_order(order_id)          not related
        """
        kinds = set[str]().union(*(self.kinds_of(name, loosely) for name in to if name in self.roles))
        return [name for name in names if kinds & self.kinds_of(name, loosely)]

    def subjects(self, resource: str) -> list[Subject]:
        """Return all rows of a resource."""
        return list(self._rows(resource))

    def narrows(self, tool: str) -> bool:
        """Tell whether a tool lists some of the rows that another one lists without being told anything."""
        role = self.roles[tool]
        return role.operation == "list" and any(
            other.operation == "list" and other.resource == role.resource is not None and name != tool
            for name, other in self.roles.items()
            if not self.tools[name].required
        )

    def first(self, resource: str) -> Subject | None:
        """Return the first row of a resource, or None."""
        return next(self._rows(resource), None)

    def _rows(self, resource: str) -> Iterator[Subject]:
        table = self._table(resource)
        return (Subject(resource, str(key), row) for key, row in table.items() if isinstance(row, (dict, Mapping)))

    def subject(self, resource: str, key: Any) -> Subject | None:
        """Return the row with this identity, or None."""
        return _subject(resource, self._table(resource), str(key))

    def _table(self, resource: str) -> Mapping[Any, Any]:
        return self.environment.state().get(self.resources[resource].table, {})

    def fields(self, resource: str | None) -> tuple[str, ...]:
        """Return the field names of a resource's first row; empty if it has no rows."""
        first = self.first(resource) if resource is not None and resource in self.resources else None
        return tuple(first.row) if first is not None else ()

    def depth(self, resource: str | None) -> int:
        """Return the number of ancestors of a resource; -1 for an unknown one."""
        found, seen = -1, set()
        while resource in self.resources and resource not in seen:
            seen.add(resource)
            resource, found = self.resources[str(resource)].parent, found + 1
        return found

    def identity(self, subject: Subject) -> Any:
        """Return the identity of a row in the form that tools take: its identity field, else its key."""
        name = self.resources[subject.resource].identity
        held = field_value(subject.row, name) if name else None
        return subject.key if held is None else held

    def linked(self, subject: Subject, resource: str, name: str = "") -> Subject | None:
        """Return the row of `resource` that `subject` refers to or belongs to, by the field `name` if possible; or None."""
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
        """Return the rows of a resource that refer to a row or belong to it."""
        return self._found(resource, self._keys_about(resource, subject.resource, {subject.key}))

    def are_referred_to(self, resource: str, other: str) -> frozenset[str]:
        """Return the keys of the rows of resource `other` that rows of `resource` refer to or belong to."""
        return frozenset(key for key in self._links(resource, other).values() if key is not None)

    def keys_belonging(self, resource: str, owner: Subject) -> list[str]:
        """Return the keys of the rows of a resource that belong to `owner`, and of those that have no such owner."""
        return self._keys_about(resource, owner.resource, {owner.key, None})

    def _found(self, resource: str, keys: Iterable[str]) -> list[Subject]:
        table = self._table(resource)
        return [row for key in keys if (row := _subject(resource, table, key)) is not None]

    def _keys_about(self, resource: str, other: str, keys: Collection[str | None]) -> list[str]:
        return [key for key, about in self._links(resource, other).items() if about in keys]

    def _links(self, resource: str, other: str) -> Mapping[str, str | None]:
        """Return for each row of a resource, by key and in order, the key of the row of `other` that it is linked to.

        The links of the initial rows are kept; only rows that changed since are looked at again.
        """
        changed = self._changed_rows(resource, other)
        if changed is None or (changed and (resource, other) not in self._first_links):
            return {row.key: self._key_of(row, other) for row in self.subjects(resource)}
        first = self._first_links.get((resource, other))
        if first is None:
            first = {row.key: self._key_of(row, other) for row in self.subjects(resource)}
            self._first_links[resource, other] = first
        if not changed:
            return first
        table = self._table(resource)
        links = {key: first[key] for key in map(str, table) if key in first and key not in changed}
        again = ((key, _subject(resource, table, key)) for key in map(str, table) if key not in links)
        links |= {key: self._key_of(row, other) for key, row in again if row is not None}
        return {key: links[key] for key in map(str, table) if key in links}

    def _changed_rows(self, resource: str, other: str) -> set[str] | None:
        """Return the keys of the rows of a resource that changed, or None if more must be looked at than these rows."""
        own, theirs = self.resources[resource].table, self.resources[other].table
        changed = set[str]()
        for change in self.environment.changes():
            table, *rest = split_pointer(change.path)
            if table == own and rest:
                changed.add(rest[0])
            elif table == own.partition(".")[0] or (table == theirs and len(rest) < 2):
                return None  # rows may be nested in other rows, and rows may come and go
            elif table != theirs and table == theirs.partition(".")[0]:
                return None
        return changed

    def _key_of(self, subject: Subject, other: str) -> str | None:
        referred = self.linked(subject, other)
        return None if referred is None else referred.key


def _subject(resource: str, table: Mapping[Any, Any], key: str) -> Subject | None:
    row = table.get(key)
    if row is None and _WHOLE.fullmatch(key):  # Python code may use integer keys
        row = table.get(int(key))
    return Subject(resource, key, row) if isinstance(row, (dict, Mapping)) else None


def _as_admitted(tool: Tool, roles: Mapping[str, ToolRole]) -> Tool:
    """Return a tool whose arguments accept no more than the fields that they set do."""
    role = roles.get(tool.name)
    if role is None or not role.admits:
        return tool
    properties = tool.parameters["properties"]
    stricter = {name: {**properties[name], **admits} for name, admits in role.admits.items()}
    return tool.model_copy(update={"parameters": {**tool.parameters, "properties": {**properties, **stricter}}})


@lru_cache(maxsize=16_384)
def _referring(fields: tuple[str, ...], resource: str, identity: str, name: str) -> tuple[str, ...]:
    """Return the fields of a row that refer to a resource, those called `name` first."""
    nouns = [tuple(name_tokens(resource)), tuple(name_tokens(resource))[-1:]]
    stems = {*nouns, *((*noun, "id") for noun in nouns), tuple(name_tokens(identity.split(".")[-1]))}
    stems -= {("id",), ("gid",), ("uuid",), ("name",)}
    public = [field for field in fields if not field.startswith("_")]
    exact = [field for field in public if name and name_tokens(field) == name_tokens(name)]
    return (*exact, *(field for field in public if words_of_field(field) in stems))


def _identity_in(value: Any, identity: str) -> Any:
    """Return an identity from a scalar, an object that shows a row, or the first item of a list of these."""
    if isinstance(value, list):
        value = value[0] if value else None
    return field_value(value, identity) if isinstance(value, Mapping) else value
