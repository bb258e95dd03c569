"""A plan -> seed rows with identities, valid references and distinct labels."""

from collections import defaultdict
from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan
from interplay.generators.environments.inference.resources.relations import is_link
from interplay.generators.environments.inference.result_rows import PARENT, at_path
from interplay.generators.environments.sandbox.embedded_rows import (
    EmbeddedRow,
    as_named,
    embedded_rows_of,
    named_beside,
    of_one_kind,
    thin_fields,
    without_copies,
)
from interplay.generators.environments.sandbox.new_keys import mint_key
from interplay.generators.environments.sandbox.new_rows import made_up
from interplay.generators.environments.sandbox.owner_names import told_of_owner
from interplay.generators.environments.sandbox.row_references import Above, rows_nearest, with_path, with_references
from interplay.generators.environments.sandbox.row_store import Row
from interplay.generators.environments.sandbox.shared_identity import (
    borrowed_identity,
    identity_in_key,
    with_shared_fields,
)
from interplay.generators.phrases.labels.field_labels import is_own_name, words_of
from interplay.generators.values.lifetimes import first_moments, made_between
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.world_seed import Size, WorldSeed
from interplay.schemas.calls.session_scope import needs_of, session_scope
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.records.dialogue import ToolCall

ROOT_ROWS = Size(fewest=6, usual=9, most=16)
"""Rows of a resource without a parent."""

CHILD_ROWS = Size(fewest=1, usual=3, most=6)
"""Rows of a resource below each row of its parent."""

CHILD_LIMIT = 27
"""Rows at most of a resource with a parent, unless the settings ask for more."""


WIDE, FEW = 40, Size(fewest=3, usual=4, most=6)
"""Number of fields above which a row is wide; rows of such a resource without a parent, or below all parents together."""

SCOPE_ROWS, SCOPED_ROWS = Size(fewest=2, usual=3, most=3), Size(fewest=4, usual=8, most=14)
"""Rows of the resource that whole sessions are about, and rows below each of these."""

Minted = tuple[str, Any, dict[str, str]]
"""Key, identity and owners of a row to be made."""


def stored_tables(plan: Plan, seed: WorldSeed) -> dict[str, "StoredTable"]:
    """Return the tables of all resources, with rows as they are stored."""
    copies, named, tables = embedded_rows_of(plan), named_beside(plan), SeedTables(plan, seed)
    return {name: StoredTable(tables, name, copies.get(name, ()), named.get(name, ()), seed) for name in tables}


class StoredTable(Mapping[str, Row]):
    """The rows of a resource as they are stored, made at the first access."""

    def __init__(
        self,
        tables: "SeedTables",
        name: str,
        copies: tuple[EmbeddedRow, ...],
        named: tuple[EmbeddedRow, ...],
        seed: WorldSeed,
    ) -> None:
        self._tables, self._name, self._copies, self._named, self._seed = tables, name, copies, named, seed

    @cached_property
    def _rows(self) -> dict[str, Row]:
        made, copies = self._tables[self._name], self._copies
        if self._named:
            made = {key: as_named(self._named, row, self._tables.identified) for key, row in made.items()}
        return {key: without_copies(copies, of_one_kind(copies, row, self._seed)) for key, row in made.items()}

    @cached_property
    def _keys(self) -> dict[str, None]:
        return dict.fromkeys(key for key, _, _ in self._tables.minted(self._name))

    def __getitem__(self, key: str) -> Row:
        return self._rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def get(self, key: str, default: Any = None) -> Any:
        """Return a row by key; the rows are made only if the key exists."""
        return self._rows[key] if key in self._keys else default

    def items(self) -> ItemsView[str, Row]:
        """Return keys and rows."""
        return self._rows.items()


DEEPEST = 100
"""Number of resources above which chains of references are followed iteratively, not by recursion."""


class SeedTables(Mapping[str, Mapping[str, Row]]):
    """The rows of all resources by key; every reference is the identity of an existing row.

    The rows of a resource are made at the first access, independently of the order of accesses. An author's rows come
    first; their missing fields are made up.
    """

    def __init__(self, plan: Plan, seed: WorldSeed) -> None:
        self._plan, self._seed = plan, seed
        self._order, self._scope = _orders(plan), _scope_of(plan)
        self._minted: dict[str, list[Minted]] = {}
        self._keys: dict[str, list[tuple[str, Above]]] = {}
        self._belonging: dict[str, dict[str, dict[str, str]]] = {}
        self._made: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._identified: dict[str, dict[str, Row]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._order.minted)

    def __len__(self) -> int:
        return len(self._order.minted)

    def __getitem__(self, name: str) -> Mapping[str, Mapping[str, Any]]:
        if name not in self._made:
            if name not in self._order.minted:
                raise KeyError(name)
            for other in self._needed(name):
                self._made[other] = self._rows(other)
        return self._made[name]

    def identified(self, name: str, identity: str | int) -> Row | None:
        """Return the first row of a resource with an identity."""
        if name not in self._identified:
            path, found = self._plan.resources[name].identity_path, dict[str, Row]()
            for row in self[name].values():
                for own in at_path(row, path):
                    found.setdefault(str(own), row)
            self._identified[name] = found
        return self._identified[name].get(str(identity))

    def _needed(self, name: str) -> list[str]:
        """Return a resource; if there are so many that chains may be deep, preceded by all resources that it refers to."""
        place = self._order.made
        needed, waiting = {name}, [name] if len(place) > DEEPEST else []
        while waiting:
            resource = self._plan.resources[waiting.pop()]
            told = {resource.parent, resource.mirrors, *resource.relations, *resource.references.values()}
            new = {other for other in told if other and place.get(other, len(place)) < place[resource.name]} - needed
            needed |= new
            waiting += new
        return sorted(needed - self._made.keys(), key=place.__getitem__)

    def _mints(self, name: str | None, before: str) -> list[Minted]:
        """Return the minted rows of a resource that comes before another one; empty if it does not."""
        place = self._order.minted
        if name is None or name not in place or place[name] >= place[before]:
            return []
        return self.minted(name)

    def minted(self, name: str) -> list[Minted]:
        """Return key, identity and owners of each row of a resource."""
        if name not in self._minted:
            resource = self._plan.resources[name]
            over, mirrored = self._mints(resource.parent, name), self._mints(resource.mirrors, name)
            self._minted[name] = _minted(resource, over, mirrored, self._seed, self._scope)
            self._keys[name] = [(key, above) for key, _, above in self._minted[name]]
        return self._minted[name]

    def _rows(self, name: str) -> dict[str, Mapping[str, Any]]:
        """Make the rows of a resource; the resources that come before it are made first."""
        resource, seed, place = self._plan.resources[name], self._seed, self._order.made
        own = self.minted(name)

        def keys(other: str) -> Sequence[tuple[str, Above]]:
            if place[other] < place[name]:
                _ = self[other]  # its rows add to the known owners
            self.minted(other)
            return self._keys[other]

        def earlier(other: str, at: str) -> Mapping[str, Any] | None:
            return self[other].get(at) if other in place and place[other] < place[name] else None

        before = [other for other in (resource.parent, resource.mirrors) if other is not None and other in place]
        rows_before = {other: self[other] for other in before if place[other] < place[name]}
        parents = self._belonging[str(resource.parent)] if resource.parent in rows_before else {}
        mirrored = rows_before.get(resource.mirrors or "", {})
        dated = bool(first_moments(tuple(resource.schema["properties"])))
        parts = self._parts_of(name) if dated else {}
        used: set[str] = set()
        joins, joined = _joins(resource), set[tuple[tuple[str, str], ...]]()
        made: dict[str, Mapping[str, Any]] = {}
        thin = thin_fields(self._plan).get(name, {})
        belonging = self._belonging[name] = {}
        for number, (key, identity, minted) in enumerate(own):
            given = _given(resource, number)
            above = belonging[key] = dict(minted)
            inherited = [pair for at in above.values() if at in parents for pair in parents[at].items()]
            above |= {other: at for other, at in inherited if other in resource.relations and other not in above}
            self._keys[name][number] = (key, above)
            related = _related(resource, number, above, keys, seed)
            theirs = [pair for other, at in related.items() for pair in dict(keys(other))[at].items()]
            theirs = [(owner, at) for owner, at in theirs if owner in resource.references.values()]
            above |= {other: at for other, at in (*reversed(theirs), *related.items()) if other not in above}
            asked = self._plan.asked_by.get(name, ())
            row = made_up(resource, key, identity, seed, used, asked, above.get(str(resource.parent), ""), thin)
            plain, row = row, with_references(self._plan, resource, key, row, above, keys, seed)
            for again in range(_TRIES if joins else 0):
                if tuple(_named(resource, row)) not in joined:
                    break
                other = replace(seed, text=f"{seed.text}/{again}")
                row = with_references(self._plan, resource, key, plain, above, keys, other)
            joined |= {tuple(_named(resource, row))} if joins else set()
            row = told_of_owner(resource, row, above, earlier)
            row = with_shared_fields(resource, row, mirrored.get(identity_in_key(key)))
            row = with_path(resource, {**row, **given})
            if dated:
                row = {**made_between(row, self._owners_of(name, row, above), parts.get(key, ())), **given}
            made[key] = row
            used.update(f"{field}:{value}" for field, value in given.items())
            self._keys[name][number] = (key, {**_links(resource, row), **above})
        return made

    def _owners_of(self, name: str, row: Mapping[str, Any], above: Above) -> Iterator[Mapping[str, Any]]:
        """Yield the earlier rows that a row belongs to or refers to."""
        place = self._order.made
        for other, at in (*above.items(), *_named(self._plan.resources[name], row)):
            if place[other] < place[name] and at in self[other]:
                yield self[other][at]

    def _parts_of(self, name: str) -> dict[str, list[Mapping[str, Any]]]:
        """Return identity -> the earlier rows that refer to the row of this resource with that identity."""
        plan, place, parts = self._plan.resources, self._order.made, defaultdict[str, list[Mapping[str, Any]]](list)
        for other in dict.fromkeys(plan[name].references.values()):
            for part in self[other].values() if place[other] < place[name] else ():
                for _, at in (pair for pair in _named(plan[other], part) if pair[0] == name):
                    parts[at].append(part)
        return parts


def _enclosing(plan: Plan) -> str | None:
    """Return the resource whose single row a whole session is about; none if there is no such resource."""
    return session_scope(
        needs_of(tool.operation, tool.resource, plan.references[name], tool.tool.required)
        for name, tool in plan.tools.items()
    )


_scope_of = ObjectCache(_enclosing)


@dataclass(frozen=True)
class SeedOrder:
    """The positions of resources in the order in which keys are minted, and in which rows are made."""

    minted: Mapping[str, int]
    made: Mapping[str, int]

    @classmethod
    def of(cls, plan: Plan) -> "SeedOrder":
        """Return the orders: owners come before the rows they own, and targets of references before rows that refer to them."""
        above = {name: (item.parent, item.mirrors) for name, item in plan.resources.items()}
        minted = _ordered(plan.resources, above.__getitem__)
        named = {
            name: (*above[name], *(to for at, to in plan.resources[name].references.items() if is_link(at, to)))
            for name in minted
        }
        made = _ordered(minted, named.__getitem__)
        return cls(*({name: place for place, name in enumerate(names)} for names in (minted, made)))


def _minted(
    resource: ResourcePlan, over: Sequence[Minted], mirrored: Sequence[Minted], seed: WorldSeed, scope: str | None
) -> list[Minted]:
    """Return key, identity and owners of each row of a resource."""
    owners = {key: {**above, str(resource.parent): key} for key, _, above in over}
    places = _places(resource, tuple(owners), seed, SCOPED_ROWS if resource.parent == scope else CHILD_ROWS)
    usual = (
        SCOPE_ROWS
        if resource.name == scope
        else FEW
        if seed.world is not None and _widths(resource.schema) > WIDE
        else ROOT_ROWS
    )
    alone = 1 if resource.single else seed.size(resource.name, usual)
    count = resource.count if resource.count is not None else len(places) if over else alone
    if mirrored and not over and resource.parent is None:
        count = min(count, max(1, len(mirrored) * SOME // ALL))  # not every recipe is a favourite
    taken = {str(resource.identity_of(row)) for row in resource.seeds if resource.identity_of(row) is not None}
    borne: dict[str | None, set[str]] = defaultdict(set)
    rows: list[Minted] = []
    for number in range(len(resource.seeds) + count):
        given = _given(resource, number)
        owner = _owner(resource, number, places)
        above = owners[owner] if owner is not None else {}
        options = [] if given else mirrored
        beside = borne[owner]
        try:
            key, identity = borrowed_identity(resource, number, above, options, taken, beside) or mint_key(
                resource, given, above, taken.__contains__, beside.__contains__, number, seed
            )
        except Unsatisfiable:
            break
        taken.add(key)
        beside.add(identity_in_key(key))
        rows.append((key, identity, dict(above)))
    return rows


SOME, ALL = 3, 5
"""Numerator and denominator of the share of rows that a resource which mirrors another has of these."""


def _places(resource: ResourcePlan, owners: Sequence[str], seed: WorldSeed, usual: Size) -> tuple[str, ...]:
    """Return the owner of each made-up row; each owner has its own number of rows, and owners take turns."""
    if resource.single:
        return tuple(owners)[:CHILD_LIMIT]
    left = [seed.size(resource.name, usual, below=owner) for owner in owners]
    turns = (
        owner for turn in range(max(left, default=0)) for owner, rows in zip(owners, left, strict=True) if turn < rows
    )
    if seed.is_asked(resource.name):
        return tuple(turns)
    few = seed.world is not None and _widths(resource.schema) > WIDE
    return tuple(turns)[: FEW.most if few else CHILD_LIMIT]


def _width(schema: Any, depth: int = 0) -> int:
    """Return the number of fields of a row, including those of nested objects."""
    inner = object_properties(schema) if isinstance(schema, Mapping) and depth < DEEPEST else {}
    if inner:
        return sum(_width(held, depth + 1) for held in inner.values())
    items = schema.get("items") if isinstance(schema, Mapping) and depth < DEEPEST else None
    return _width(items, depth + 1) if isinstance(items, Mapping) else 1


_widths = ObjectCache(_width)


def _given(resource: ResourcePlan, number: int) -> dict[str, Any]:
    """Return the fields that the author gave a row; empty for made-up rows."""
    seed = resource.seeds[number] if number < len(resource.seeds) else {}
    return {name: value for name, value in seed.items() if name != PARENT}


def _owner(resource: ResourcePlan, number: int, keys: Sequence[str]) -> str | None:
    """Return the key of a row's parent: the one that the author's row names, else the next in turn."""
    if not keys:
        return None
    seed = resource.seeds[number] if number < len(resource.seeds) else {}
    links = [pointer for pointer, target in resource.references.items() if target == resource.parent]
    named = [seed.get(PARENT), *(leaf for pointer in links for leaf in at_path(seed, split_pointer(pointer)))]
    return next((str(key) for key in named if str(key) in keys), keys[(number - len(resource.seeds)) % len(keys)])


def _related(
    resource: ResourcePlan,
    number: int,
    above: Above,
    keys: Callable[[str], Sequence[tuple[str, Above]]],
    seed: WorldSeed,
) -> dict[str, str]:
    """Choose the rows of related resources that a row belongs to, consistent with each other."""
    chosen, known = dict[str, str](), above
    for other in resource.relations:
        options = keys(other)[:number] if other == resource.name else keys(other)
        if options:
            nearest = rows_nearest(options, {**known, **chosen})
            chosen[other], owners = seed.random(f"{resource.name}/{number}/of/{other}").choice(nearest)
            known = {**owners, **known}
    return chosen


_orders = ObjectCache(SeedOrder.of)


def _ordered(names: Collection[str], before: Callable[[str], Iterable[str | None]]) -> list[str]:
    """Return names of resources, each after those that `before` gives for it, except in cycles."""
    ordered: dict[str, None] = {}
    for first in names:
        way, waiting = (
            [first],
            {first: iter(before(first))},
        )  # an explicit stack: chains of thousands would exceed the recursion limit
        while way:
            found = (name for name in waiting[way[-1]] if name in names and name not in ordered and name not in waiting)
            other = next(found, None)
            if other is None:
                del waiting[way[-1]]
                ordered.setdefault(way.pop())
            else:
                way.append(other)
                waiting[other] = iter(before(other))
    return list(ordered)


_TRIES = 3
"""Attempts to join two rows that no other row joins."""


def _joins(resource: ResourcePlan) -> bool:
    """Tell whether the rows of a resource only join other rows: members, who are in a group once."""
    joined = {to for at, to in resource.references.items() if "*" not in at and to != resource.name}
    named = any(is_own_name(words_of(name)) for name in object_properties(resource.schema))
    return len(joined) > 1 and not named


def _links(resource: ResourcePlan, row: Mapping[str, Any]) -> dict[str, str]:
    """Return resource -> key for the top-level references of a row."""
    links = {to: row.get(at[1:]) for at, to in resource.references.items() if at.count("/") == 1 and is_link(at, to)}
    return {to: str(key) for to, key in links.items() if isinstance(key, (str, int)) and to != resource.name}


def _named(resource: ResourcePlan, row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return (resource, identity) for each reference of a row outside of lists, to other resources."""
    single = [
        (split_pointer(at), to) for at, to in resource.references.items() if "*" not in at and to != resource.name
    ]
    return [(to, str(value)) for way, to in single for value in at_path(row, way) if isinstance(value, (str, int))]


def recorded_rows(plan: Plan, call: ToolCall, value: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield resource, key and row for each whole row in a call's result; a missing identity is that of the target argument."""
    tool = plan.tools.get(call.name)
    if tool is None or tool.resource is None or tool.operation == "delete":
        return
    resource = plan.resources[tool.resource]
    if resource.identity is None or resource.single:
        return
    shown = tool.rows_shown(value)
    for row in shown:
        key = resource.identity_of(row)
        if key is None and len(shown) == 1 and tool.target is not None and len(resource.identity_path) == 1:
            key = call.arguments.get(tool.target.split("/")[-1])
            row = {**row, resource.identity_path[0]: key}
        if isinstance(key, (str, int)) and len(row) > 1 and row.keys() <= resource.schema.get("properties", {}).keys():
            yield tool.resource, str(key), dict(row)
