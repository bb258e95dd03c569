"""Rows that embed parts of other rows, as an order embeds its customer: stored as an identity, shown from the other row.

{"id": 1, "customer": {"id": 7}} -> {"id": 1, "customer": {"id": 7, "name": "Ann"}}
{"id": 1, "customer_id": 7}      -> {"id": 1, "customer_id": 7, "customer_name": "Ann"}
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from sys import maxsize
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, body_properties, schema_within
from interplay.generators.environments.inference.resources.references import without_noun
from interplay.generators.environments.inference.tool_words import ID_WORDS, same_noun
from interplay.generators.environments.rows.held_items import is_count, is_price, is_total, with_totals
from interplay.generators.environments.rows.projection import admitted
from interplay.generators.environments.sandbox.locator import Locator
from interplay.generators.environments.sandbox.row_store import Row, RowStore
from interplay.generators.values.lifetimes import tells_state
from interplay.generators.values.schema_values import make_valid
from interplay.generators.values.truncation import DEEPEST, LEAVES, leaves_by_level, level_of
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import is_number, object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.words.identifiers import is_recorded, name_tokens
from interplay.schemas.words.lists import word_set


@dataclass(frozen=True)
class EmbeddedRow:
    """A part of a row that embeds another row: the path to it (`*` for list items), and the fields that both share."""

    holder: tuple[str, ...]
    identity: tuple[str, ...]
    target: str
    fields: Mapping[str, Any]
    own: Mapping[str, Any]
    """Options and flags that only the embedded part has; all copies of a row have the same ones."""
    called: Mapping[str, str] = field(default_factory=dict)
    """Shared field -> its name in the other row, where it differs: `name` for `customer_name`."""
    level: int = 0
    """The level of optional objects at which it stands in the row, see `leaves_by_level`."""


def _embedded_rows(plan: Plan) -> Mapping[str, tuple[EmbeddedRow, ...]]:
    resources, given = plan.resources, dict[str, set[str]]()
    for tool in plan.tools.values():
        if tool.resource is not None and tool.operation in ("create", "update"):
            given.setdefault(tool.resource, set()).update(body_properties(tool))
    held = _put_in(plan)
    found = {
        name: (
            *([_of_held(held[name], resource, resources)] if name in held else ()),
            *_copies(resource, resources),
            *_beside(resource, resources, given.get(name, ())),
            *_of_owner(resource, resources, given.get(name, ())),
        )
        for name, resource in resources.items()
    }
    return {name: _levelled(copies, resources[name].schema) for name, copies in found.items() if copies}


def _levelled(copies: tuple[EmbeddedRow, ...], schema: Mapping[str, Any]) -> tuple[EmbeddedRow, ...]:
    return tuple(replace(copy, level=level_of(copy.holder, schema)) for copy in copies)


embedded_rows_of = ObjectCache(_embedded_rows)
"""A plan -> resource -> the embedded rows in its rows, outer ones first."""


def _thin_fields(plan: Plan) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for name, copies in embedded_rows_of(plan).items():
        fields, thin = object_properties(plan.resources[name].schema), dict[str, Mapping[str, Any]]()
        for copy in copies:
            field, *items = copy.holder or ("",)
            if items in ([], ["*"]) and copy.identity[0] in object_properties(
                schema_within(fields.get(field, {}), (*items,))
            ):
                thin[field] = _thinner(thin.get(field, fields[field]), copy, bool(items))
        found |= {name: thin} if thin else {}
    return found


thin_fields = ObjectCache(_thin_fields)
"""A plan -> resource -> field that embeds rows -> its schema without what is shown from these rows."""


def _thinner(schema: Mapping[str, Any], copy: EmbeddedRow, many: bool) -> Mapping[str, Any]:
    """Return the schema of a field, or of the items in it, without the fields of an embedded row but its identity."""
    if many:
        return {**schema, "items": _thinner(schema["items"], copy, many=False)}
    kept = {name: inner for name, inner in object_properties(schema).items() if name not in copy.fields}
    needed = {*schema.get("required", ()), copy.identity[0]}
    return {**schema, "properties": kept, "required": [name for name in kept if name in needed]}


def _named_beside(plan: Plan) -> Mapping[str, tuple[EmbeddedRow, ...]]:
    """Return the fields that show another row only initially, since writes may set them: `feed_name` beside `feed_id`."""
    known = embedded_rows_of(plan)
    found = {
        name: tuple(
            copy
            for copy in _beside(resource, plan.resources, ())
            if copy not in known.get(name, ()) and "*" not in copy.holder
        )
        for name, resource in plan.resources.items()
        if not resource.seeds
    }
    return {name: copies for name, copies in found.items() if copies}


named_beside = ObjectCache(_named_beside)
"""A plan -> resource -> the fields that are copied from other rows when the row is made, and may change later."""


@dataclass(frozen=True)
class Held:
    """A list of items in a row that refer to other rows, as in a cart, and the fields of the row that hold their total price."""

    field: str
    key: str
    target: str
    totals: tuple[str, ...]


def _held_in(plan: Plan) -> Mapping[str, Held]:
    return {**_listed_in(plan), **_put_in(plan)}


def _listed_in(plan: Plan) -> Mapping[str, Held]:
    """Return resource -> list of items with price and quantity whose sum is a total of the row, as in an order."""
    found: dict[str, Held] = {}
    for name, resource in plan.resources.items():
        fields = object_properties(resource.schema)
        sums = [key for key in fields if _is_sum(key, fields[key])]
        for pointer, target in resource.references.items() if sums and all(map(is_total, sums)) else ():
            field, *item = split_pointer(pointer)
            listed = object_properties(schema_within(resource.schema, (field, "*")))
            priced = any(map(is_price, (*listed, *object_properties(plan.resources[target].schema))))
            if item[:-1] == ["*"] and priced and any(map(is_count, listed)):
                found[name] = Held(field, item[-1], target, tuple(sums))
    return found


def _is_sum(name: str, schema: Mapping[str, Any]) -> bool:
    sums = is_total(name) or not _MONEY.isdisjoint(name_tokens(name))
    return sums and schema_type(schema) in ("number", "integer")


_MONEY = word_set("money", "sums")


def _put_in(plan: Plan) -> Mapping[str, Held]:
    found: dict[str, Held] = {}
    for name, tool in plan.tools.items():
        edit, resource = tool.edit, plan.resources.get(tool.resource or "")
        target = plan.references[name].get(str(edit.argument)) if edit is not None and edit.item else None
        if edit is not None and resource is not None and target is not None:
            fields = resource.schema.get("properties", {})
            totals = (key for key in fields if is_total(key) and schema_type(fields[key]) in ("number", "integer"))
            found[resource.name] = Held(edit.path[0], edit.item[0][1], target, tuple(totals))
    return found


held_in = ObjectCache(_held_in)
"""A plan -> resource -> the list of items in its rows."""


def _of_held(held: Held, resource: ResourcePlan, resources: Mapping[str, ResourcePlan]) -> EmbeddedRow:
    """Return what the items in a list show of the rows that they refer to: name and price of a product in a cart."""
    items = object_properties(resource.schema["properties"][held.field].get("items") or {})
    shared = resources[held.target].schema.get("properties", {})
    fields = {
        key: schema
        for key, schema in items.items()
        if key in shared and key not in (held.key, "id") and schema_type(schema) == schema_type(shared[key])
        if not is_count(key) and not is_recorded(key)
    }
    return EmbeddedRow((held.field, "*"), (held.key,), held.target, fields, {})


def _beside(
    resource: ResourcePlan, resources: Mapping[str, ResourcePlan], given: Collection[str]
) -> Iterator[EmbeddedRow]:
    """Yield the fields that rows show of another row beside its identity, without an object around them, unless writes give them.

    They may be in the items of a list: `movieName` beside `movieId`. The noun of the other row may be left out: `reporter_name`
    beside `reporter_user_id`. It may be inside the name: `shop_order_id` beside `order_no` is the `shop_id` of the order.
    """
    for pointer, name in resource.references.items():
        *holder, last = split_pointer(pointer)
        whose, target = name_tokens(last)[:-1], resources[name]
        if "*" in holder[:-1] or not whose or not target.identity_path or name == resource.name:
            continue
        held = object_properties(schema_within(resource.schema, tuple(holder)))
        shared = target.schema.get("properties", {})
        spelt = {tuple(name_tokens(key)): key for key in shared if (key,) != target.identity_path}
        spelt |= {(label,): spelt[other,] for label, other in _CALLED if (other,) in spelt and (label,) not in spelt}
        named = [key for key in shared if name_tokens(key)[-1:] in (["name"], ["title"])]
        spelt |= {("name",): named[0]} if len(named) == 1 and ("name",) not in spelt else {}
        noun = name_tokens(name)
        acting = whose[: -len(noun)] if whose[-len(noun) :] == noun else []
        called = {
            key: spelt[own]
            for key in held
            for start in (whose, acting)
            if start and key not in given and (said := name_tokens(key))[: len(start)] == start and key != last
            for own in (tuple(said), tuple(said[len(start) :]))
            if own in spelt and schema_type(held[key]) == schema_type(shared[spelt[own]])
        }
        called |= {
            key: spelt[own]
            for key in held
            if key not in called and key not in given and (own := without_noun(noun, name_tokens(key))) in spelt
            if schema_type(held[key]) == schema_type(shared[spelt[own]]) and own[-1:] == ("id",)
        }
        if called:
            yield EmbeddedRow(tuple(holder), (last,), name, {key: held[key] for key in called}, {}, called)


_CALLED = (("name", "title"), ("title", "name"))
"""Pairs of names for the same field in two rows."""


def _of_owner(
    resource: ResourcePlan, resources: Mapping[str, ResourcePlan], given: Collection[str]
) -> Iterator[EmbeddedRow]:
    """Yield the fields that a single row shares with its owner and that no write gives: `title` in the details of a movie.

    A row that mirrors another one shows all fields of that: a recipe among the favourites.
    """
    alone, kind = resource.single, resource.parent if resource.single else resource.mirrors
    owner = resources.get(kind or "") if alone or resource.parent is None else None
    if owner is None or kind is None or not owner.identity_path:
        return
    held, shared = resource.schema.get("properties", {}), owner.schema.get("properties", {})
    fields = {
        key: schema
        for key, schema in held.items()
        if key in shared and key not in given and schema_type(schema) == schema_type(shared[key])
        if key not in ID_WORDS and (not alone or not (tells_state(key) or is_recorded(key)))
    }
    identity = ("_parents", kind) if alone else resource.identity_path
    if fields and identity:
        yield EmbeddedRow((), identity, kind, fields, {})


def _copies(resource: ResourcePlan, resources: Mapping[str, ResourcePlan]) -> Iterator[EmbeddedRow]:
    for pointer, name in sorted(resource.references.items(), key=lambda item: item[0].count("/")):
        path, target = split_pointer(pointer), resources[name]
        own = target.identity_path
        bare = len(target.schema.get("properties", {})) == 1 and len(path) > 1 and path[-1] == "id"
        own = ("id",) if bare else own  # such rows are shown only where they are embedded
        holder = path[: -len(own)] if own else ()
        if not holder or path[len(holder) :] != own or holder == resource.identity_path[:-1]:
            continue
        held, shared = object_properties(schema_within(resource.schema, holder)), target.schema.get("properties", {})
        spelt = {
            tuple(name_tokens(key)): key for key in shared
        }  # lists and details may spell a field differently: `isAdmin`, `is_admin`
        called = {key: key if key in shared else spelt.get(tuple(name_tokens(key)), "") for key in held}
        fields = {
            key: schema
            for key, schema in held.items()
            if key != own[0] and called[key] and schema_type(schema) == schema_type(shared[called[key]])
        }
        kinds = {
            key: schema
            for key, schema in held.items()
            if not called[key] and key != own[0] and (bare or schema_type(schema) == "boolean" or "enum" in schema)
        }
        mirror = resources.get(target.mirrors or "")
        whole = mirror.schema.get("properties", {}) if mirror is not None else {}
        mirrored = {
            key: schema
            for key, schema in held.items()
            if key in whole and key not in fields and key != own[0] and schema_type(schema) == schema_type(whole[key])
        }
        kinds = {key: schema for key, schema in kinds.items() if key not in mirrored}
        if fields or kinds:
            yield EmbeddedRow(holder, own, name, fields, kinds, {key: called[key] for key in fields})
        if mirrored:  # the name of the user who is a member
            yield EmbeddedRow(holder, own, str(target.mirrors), mirrored, {}, {key: key for key in mirrored})


def of_one_kind(copies: tuple[EmbeddedRow, ...], row: Row, seed: WorldSeed) -> Row:
    """Return a made-up row in which all copies of one row have the same own fields: `"type": "Organization"` for an org."""
    changed: Row = _changed(row, _tree_of(copies), partial(_of_one_kind, seed))
    return changed


def _of_one_kind(seed: WorldSeed, copy: EmbeddedRow, held: Mapping[str, Any]) -> Mapping[str, Any]:
    identity, found = _identity(held, copy), dict[str, Any]()
    if identity is not None and not copy.fields:
        whole = {"type": "object", "properties": copy.own, "required": [name for name in copy.own if name in held]}
        found = make_valid(whole, seed.random(f"{copy.target}/{identity}"), copy.target)
    for name, schema in copy.own.items() if identity is not None else ():
        named = [
            item
            for item in schema.get("enum", ())
            if isinstance(item, str)
            and (
                "_".join(name_tokens(item)).startswith(copy.target)
                or same_noun("_".join(name_tokens(item)), copy.target)
            )
        ]
        if name in held:
            rng = seed.random(f"{copy.target}/{identity}/{name}")
            found[name] = named[0] if named else make_valid(schema, rng, name)
    return {**held, **found}


def as_named(copies: tuple[EmbeddedRow, ...], row: Row, identified: Callable[[str, str | int], Row | None]) -> Row:
    """Return a made-up row with the embedded fields set from the rows that it refers to; `identified` finds these."""

    def told(copy: EmbeddedRow, held: Mapping[str, Any]) -> Mapping[str, Any]:
        identity = _identity(held, copy)
        source = identified(copy.target, identity) if identity is not None else None
        called = copy.called.items() if source is not None else ()
        return {**held, **{name: source[own] for name, own in called if name in held and source and source.get(own)}}

    changed: Row = _changed(row, _tree_of(copies), told)
    return changed


def without_copies(copies: tuple[EmbeddedRow, ...], row: Row) -> Row:
    """Return a row whose embedded rows are reduced to their identity and their own fields."""
    changed: Row = _changed(row, _tree_of(copies), _thin)
    return changed


def _thin(copy: EmbeddedRow, held: Mapping[str, Any]) -> Mapping[str, Any]:
    own = {name: value for name, value in held.items() if name not in copy.fields}
    return held if _identity(held, copy) is None else own


def _identity(held: Any, copy: EmbeddedRow) -> str | int | None:
    for part in copy.identity:
        held = held.get(part) if isinstance(held, (dict, Mapping)) else None
    return held if isinstance(held, (str, int)) else None


@dataclass(frozen=True)
class _Tree:
    """The embedded rows of a row by their place: those here, and those inside a field (`*` for the items of a list)."""

    here: tuple[EmbeddedRow, ...]
    within: Mapping[str, "_Tree"]


def _tree(copies: Iterable[EmbeddedRow], depth: int = 0) -> _Tree:
    here, within = list[EmbeddedRow](), defaultdict[str, list[EmbeddedRow]](list)
    for copy in copies:
        (here if len(copy.holder) == depth else within[copy.holder[depth]]).append(copy)
    return _Tree(tuple(here), {name: _tree(inner, depth + 1) for name, inner in within.items()})


_tree_of = ObjectCache(_tree)
"""The embedded rows of a plan's resource -> the same by their place."""


def _changed(value: Any, tree: _Tree, change: Callable[[EmbeddedRow, Mapping[str, Any]], Mapping[str, Any]]) -> Any:
    """Return a row with each of its embedded rows changed, outer ones first."""
    if isinstance(value, list):
        items = tree.within.get("*")
        return value if items is None else [_changed(item, items, change) for item in value]
    if type(value) is not dict and not isinstance(value, Mapping):  # checking for dict first is faster
        return value
    for copy in tree.here:
        value = change(copy, value)
    inner = {name: _changed(value[name], part, change) for name, part in tree.within.items() if name in value}
    return {**value, **inner} if inner else value


PARTS = 100
"""Embedded rows in one row that are filled in without regard to how many of them are shown."""


class _TooMany(Exception):
    """A row embeds more rows than are filled in at once."""


Used = tuple[tuple[str, str, Row | None], ...]
"""Table, key and row of the rows from which something was made."""


@dataclass(frozen=True)
class _Made:
    """A row as stored and as shown, and the other rows used for showing it."""

    stored: Row
    shown: Row
    used: Used


class EmbeddedRows:
    """Fills in the embedded rows of one state; a filled row is cached until a row that it uses changes."""

    def __init__(self, plan: Plan, state: RowStore, locator: Locator) -> None:
        self._copies = embedded_rows_of(plan)
        self._schemas = {name: resource.schema for name, resource in plan.resources.items()}
        self._held = held_in(plan)
        self._state = state
        self._locator = locator
        self._rows: dict[tuple[str, str], _Made] = {}
        self._parts: dict[tuple[str, tuple[str, ...], str, str, int, bool], _Made] = {}
        self._left = maxsize
        self._deep: dict[str, tuple[int, ...]] = {}
        self._trees: dict[tuple[str, int, tuple[str, ...] | None], _Tree] = {}

    def settled(self, table: str, row: Row, seed: WorldSeed) -> Row:
        """Return a made-up row whose embedded rows agree with those in all other rows."""
        return of_one_kind(self._copies.get(table, ()), row, seed)

    def thin(self, table: str, row: Row) -> Row:
        """Return a row as it is stored, with embedded rows reduced."""
        return without_copies(self._copies.get(table, ()), row)

    def full(self, table: str, key: str, row: Row) -> Row:
        """Return a row as it is shown, with embedded rows filled in."""
        if table not in self._copies and table not in self._held:
            return row
        held = self._rows.get((table, key))
        if held is not None and (row is held.stored or row is held.shown):
            if self._holds(held):
                return held.shown
            row = held.stored
        full, used = self._bounded(table, row)
        if table in self._held:
            full, priced = self._summed(full, self._held[table])
            used += priced
        self._rows[table, key] = _Made(row, full, used)
        return full

    def _holds(self, made: _Made) -> bool:
        return all(self._state.get(table, key) is row for table, key, row in made.used)

    def _bounded(self, table: str, row: Row) -> tuple[Row, Used]:
        """Return a row filled in, and the rows used; if many, level by level until it holds more than is ever shown."""
        try:
            self._left = PARTS
            return self._filled(table, row, DEEPEST)
        except _TooMany:
            self._left = maxsize
        full, used = row, Used()
        for deepest in self._levels(table):
            full, used = self._filled(table, row, deepest)
            if sum(leaves_by_level(full, self._schemas[table])[: deepest + 1]) > LEAVES:
                break
        return full, used

    def _levels(self, table: str) -> tuple[int, ...]:
        """Return the levels, in order, at which the rows of a table have embedded rows; cached."""
        if table not in self._deep:
            copies, deep = self._copies.get(table, ()), set[int]()
            for copy in copies:
                inner = self._copies.get(copy.target, ())
                deep |= {copy.level, *(_depth(copy) + other.level for other in inner if other.level)}
            self._deep[table] = tuple(sorted({min(max(level, 1), DEEPEST) for level in deep}))
        return self._deep[table]

    def _filled(self, table: str, row: Row, deepest: int, within: EmbeddedRow | None = None) -> tuple[Row, Used]:
        """Return a row with its embedded rows filled in, down to level `deepest`; those in fields shown `within` another row."""
        asked = table, deepest, None if within is None else tuple(within.fields)
        tree = self._trees.get(asked)
        if tree is None:
            copies = (copy for copy in self._copies.get(table, ()) if copy.level <= deepest)
            shown = (copy for copy in copies if within is None or (copy.holder and copy.holder[0] in within.fields))
            tree = self._trees[asked] = _tree(shown)
        parents, used = row.get("_parents", {}), dict[tuple[str, str], Row | None]()

        def shown_in(copy: EmbeddedRow, held: Mapping[str, Any]) -> Mapping[str, Any]:
            identity = _identity(held, copy)
            if identity is None:
                return held
            places = self._locator.places(copy.target, str(identity), parents)
            rows = {place: self._state.get(copy.target, place) for place in places}
            used.update(((copy.target, place), other) for place, other in rows.items())
            key = next((place for place, other in rows.items() if other is not None), places[-1])
            source = rows[key] or self._state.first(copy.target, key)
            if source is None:
                return held
            self._left -= 1
            if self._left < 0:
                raise _TooMany
            part = self._part(table, copy, key, source, deepest - _depth(copy), within is None)
            used.update({(name, other): row for name, other, row in part.used})
            return {**held, **part.shown}

        full = _changed(row, tree, shown_in)
        return full, tuple((name, key, other) for (name, key), other in used.items())

    def _summed(self, row: Row, held: Held) -> tuple[Row, Used]:
        """Return a row with its totals computed from its items, by the prices of the rows that they refer to."""
        prices, used = dict[int, float](), list[tuple[str, str, Row | None]]()
        items = row.get(held.field)
        for at, item in enumerate(items if isinstance(items, list) else ()):
            place, source = self._locator.found(held.target, str(item.get(held.key)), {})
            used.append((held.target, place, self._state.get(held.target, place)))
            told = (*item.items(), *(source or {}).items())
            prices |= {at: float(next((value for name, value in told if is_price(name) and is_number(value)), 0))}
        return with_totals(row, held.field, held.totals, prices), tuple(used)

    def _part(self, table: str, copy: EmbeddedRow, key: str, source: Row, deepest: int, nested: bool) -> _Made:
        """Return the fields of `source` that an embedded row shows, with the rows embedded in these filled in if `nested`."""
        place = (table, (*copy.holder, *copy.identity, *copy.fields), copy.target, key, deepest, nested)
        held = self._parts.get(place)
        if held is not None and held.stored is source and self._holds(held):
            return held
        full, used = self._filled(copy.target, source, deepest, copy) if nested else (source, ())
        rng = Random(key)
        called = {name: copy.called.get(name, name) for name in copy.fields}
        found = ((name, admitted(copy.fields[name], full[own], rng)) for name, own in called.items() if own in full)
        made = _Made(source, {name: values[0] for name, values in found if values}, used)
        self._parts[place] = made
        return made


def _depth(copy: EmbeddedRow) -> int:
    """Return how many objects deep an embedded row is in its row."""
    return sum(name != "*" for name in copy.holder)
