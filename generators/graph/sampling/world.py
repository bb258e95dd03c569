"""An environment -> what may be known of it: roles, resources and the rows of the present state, and which refer to which."""

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
    """One row that a call is about: its resource's name, its key, and itself."""

    resource: str
    key: str
    row: Row = field(compare=False)


@dataclass
class World:
    """What the composer may know of an environment: roles, resources and the rows of the present state.

    `like` is the same environment in another state or world: what is known of the tools is taken from it.
    """

    environment: Environment
    like: "World | None" = field(default=None, repr=False)
    roles: Mapping[str, ToolRole] = field(init=False)
    resources: Mapping[str, Resource] = field(init=False)
    tools: Mapping[str, Tool] = field(init=False)
    about: tuple[str, ...] = field(init=False)
    """The words of the name of the toolset, which say what world its rows are of."""
    _kinds: dict[tuple[str, bool], frozenset[str]] = field(init=False, repr=False)
    """What each tool is about; see `kinds_of`."""
    _referrers: dict[tuple[str, str], dict[str | None, list[tuple[int, str]]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        """Index roles, resources and tools by name."""
        self.roles = self.environment.resources.by_tool
        self.resources = self.environment.resources.by_name
        self.about = words_about(self.environment.toolset.name)
        tools = self.environment.toolset.tools if self.like is None else ()
        made = {tool.name: as_implied(_as_admitted(tool, self.roles)) for tool in tools}
        self.tools, self._kinds = (made, {}) if self.like is None else (self.like.tools, self.like._kinds)

    def kinds_of(self, name: str, loosely: bool = False) -> frozenset[str]:
        """Return the resources that a tool is about or has to be told one of; `loosely`, also those it may be told one of."""
        if (name, loosely) not in self._kinds:
            role = self.roles[name]
            told = set((role.references if loosely else self.needed_references(name)).values())
            self._kinds[name, loosely] = frozenset(told | ({role.resource} if role.resource else set()))
        return self._kinds[name, loosely]

    def needed_references(self, name: str) -> dict[str, str]:
        """Return the resources of which a tool must be told a row, by the pointers of its arguments."""
        references, required = self.roles[name].references.items(), self.tools[name].required
        return {pointer: kind for pointer, kind in references if pointer.split("/")[1] in required}

    def kindred(self, names: Sequence[str], to: Iterable[str], loosely: bool = False) -> list[str]:
        """Return those of some tools that share a resource with one of those that they are to go with; see `kinds_of`.

        get_order(order_id), cancel_order(order_id)   both about orders
        list_customers(), create_order(customer_id)   the second names what the first is about
        list_webhooks(), get_order(order_id)          nothing
        """
        kinds = set[str]().union(*(self.kinds_of(name, loosely) for name in to if name in self.roles))
        return [name for name in names if kinds & self.kinds_of(name, loosely)]

    def subjects(self, resource: str) -> list[Subject]:
        """Return the rows of a resource."""
        return list(self._rows(resource))

    def first(self, resource: str) -> Subject | None:
        """Return the first row of a resource, if it has any."""
        return next(self._rows(resource), None)

    def _rows(self, resource: str) -> Iterator[Subject]:
        table = self._table(resource)
        return (Subject(resource, str(key), row) for key, row in table.items() if isinstance(row, (dict, Mapping)))

    def subject(self, resource: str, key: Any) -> Subject | None:
        """Return the row with this identity, if there is one."""
        return _subject(resource, self._table(resource), str(key))

    def _table(self, resource: str) -> Mapping[Any, Any]:
        return self.environment.state().get(self.resources[resource].table, {})

    def fields(self, resource: str | None) -> tuple[str, ...]:
        """Return the fields that rows of a resource have, as its first one shows; none where there is no row."""
        first = self.first(resource) if resource is not None and resource in self.resources else None
        return tuple(first.row) if first is not None else ()

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
        return self._found(resource, self._keys_about(resource, subject.resource, {subject.key}))

    def are_referred_to(self, resource: str, other: str) -> frozenset[str]:
        """Return the keys of the rows of another resource that rows of a resource refer to or lie under."""
        return frozenset(key for row in self.subjects(resource) if (key := self._key_of(row, other)) is not None)

    def belonging(self, resource: str, owner: Subject) -> list[Subject]:
        """Return the rows of a resource that are a row's own, and those that refer to no such row."""
        return self._found(resource, self.keys_belonging(resource, owner))

    def keys_belonging(self, resource: str, owner: Subject) -> list[str]:
        """Return the keys of the rows that `belonging` returns."""
        return self._keys_about(resource, owner.resource, {owner.key, None})

    def _found(self, resource: str, keys: Iterable[str]) -> list[Subject]:
        table = self._table(resource)
        return [row for key in keys if (row := _subject(resource, table, key)) is not None]

    def _keys_about(self, resource: str, other: str, keys: Collection[str | None]) -> list[str]:
        """Return the keys of rows by what they refer to of another resource; of tables as they were opened, by an index."""
        tables = {self.resources[name].table for name in (resource, other)}
        tables |= {table.partition(".")[0] for table in tables}  # rows may stand in other rows
        if any(split_pointer(change.path)[0] in tables for change in self.environment.changes()):
            return [row.key for row in self.subjects(resource) if self._key_of(row, other) in keys]
        index = self._referrers.get((resource, other))
        if index is None:
            index = self._referrers[resource, other] = {}
            for place, row in enumerate(self.subjects(resource)):
                index.setdefault(self._key_of(row, other), []).append((place, row.key))
        return [key for _, key in sorted(entry for about in keys for entry in index.get(about, ()))]

    def _key_of(self, subject: Subject, other: str) -> str | None:
        referred = self.linked(subject, other)
        return None if referred is None else referred.key


def _subject(resource: str, table: Mapping[Any, Any], key: str) -> Subject | None:
    row = table.get(key)
    if row is None and _WHOLE.fullmatch(key):  # code may keep its rows by numbers
        row = table.get(int(key))
    return Subject(resource, key, row) if isinstance(row, (dict, Mapping)) else None


def _as_admitted(tool: Tool, roles: Mapping[str, ToolRole]) -> Tool:
    """Return a tool whose arguments take no more than the fields do that they set."""
    role = roles.get(tool.name)
    if role is None or not role.admits:
        return tool
    properties = tool.parameters["properties"]
    stricter = {name: {**properties[name], **admits} for name, admits in role.admits.items()}
    return tool.model_copy(update={"parameters": {**tool.parameters, "properties": {**properties, **stricter}}})


@lru_cache(maxsize=16_384)
def _referring(fields: tuple[str, ...], resource: str, identity: str, name: str) -> tuple[str, ...]:
    """Return the fields of a row that refer to a resource, first those that are called `name`."""
    nouns = [tuple(name_tokens(resource)), tuple(name_tokens(resource))[-1:]]
    stems = {*nouns, *((*noun, "id") for noun in nouns), tuple(name_tokens(identity.split(".")[-1]))}
    stems -= {("id",), ("gid",), ("uuid",), ("name",)}
    public = [field for field in fields if not field.startswith("_")]
    exact = [field for field in public if name and name_tokens(field) == name_tokens(name)]
    return (*exact, *(field for field in public if words_of_field(field) in stems))


def _identity_in(value: Any, identity: str) -> Any:
    """Return an identity that stands alone, in a shown row, or first in a list of either."""
    if isinstance(value, list):
        value = value[0] if value else None
    return field_value(value, identity) if isinstance(value, Mapping) else value
