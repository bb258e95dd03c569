"""A made-up row -> the same with its references: each names an existing row, and related references agree."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, schema_within
from interplay.generators.environments.inference.resources.relations import is_link
from interplay.generators.environments.inference.resources.resource_index import SPOKEN_BY
from interplay.generators.environments.inference.result_rows import at_path
from interplay.generators.environments.sandbox.shared_identity import identity_in_key
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens

Above = Mapping[str, str]
"""Resource -> key of the row of it that a row belongs to."""
Keys = Callable[[str], Sequence[tuple[str, Above]]]
"""Table -> the keys of its rows, each with its owners."""

_TRIES = 3
"""Attempts to choose a row that a list does not contain yet."""

_PATHS = (["full", "name"], ["path", "with", "namespace"], ["name", "with", "owner"])
"""Names of fields that join the owner and the name of a row: `octo/hello`."""


def with_references(
    plan: Plan, resource: ResourcePlan, key: str, row: dict[str, Any], above: Above, keys: Keys, seed: WorldSeed
) -> dict[str, Any]:
    """Return a made-up row with its references set to existing rows."""
    linking = _Linking(plan, resource, key, above, keys, seed, dict(above))
    row = _whole_of_parts(resource, row)
    for pointer, target in _nearest_first(plan, resource.name):
        row = linking.linked(row, pointer, target)
    return {**row, "_parents": dict(above)} if above else row


@dataclass
class _Linking:
    """The references of one row, set one after the other.

    `known` are the rows that it belongs to or refers to so far, `inherited` the owners of the rows that it refers to.
    """

    plan: Plan
    resource: ResourcePlan
    key: str
    above: Above
    keys: Keys
    seed: WorldSeed
    known: dict[str, str]
    inherited: dict[str, str] = field(default_factory=dict)

    def linked(self, row: dict[str, Any], pointer: str, target: str) -> dict[str, Any]:
        """Return the row with the reference at `pointer` set to rows of `target`."""
        name, others = (
            self.resource.name,
            self.keys(target),
        )  # always looked up, so that rows are made in the same order whether or not this row has the field
        if row.get(split_pointer(pointer)[0]) is None:
            return row
        owner = None
        if are_listed(self.plan, name, target):
            own = self.keys(name)
            whole = with_own_children(self.plan, row, name, self.key, pointer, others, own)
            if whole is not None:
                return whole
            owner = owner_of(self.plan, name, self.key, target, own, others)
        rng = self.seed.random(f"{name}/{self.key}{pointer}")
        for special in (self._callers, self._one_of_several, self._mirrored, self._of_its_kind):
            if (settled := special(row, pointer, target, rng)) is not None:
                return settled
        return self._plain(row, pointer, target, rng, owner)

    def _around(self, target: str, known: Above) -> Above:
        """Return the rows that a row of `target` must belong to: also this one, if it is the owner of such rows."""
        below = self.plan.resources[target].parent == self.resource.name
        return {**known, self.resource.name: self.key} if below else known

    def _callers(self, row: dict[str, Any], pointer: str, target: str, rng: Random) -> dict[str, Any] | None:
        """Set a field that holds the caller's identity in all rows; none for other fields."""
        if pointer[1:] not in self.resource.owners or not self.keys(target):
            return None
        return _refer(row, pointer, self.plan.resources[target], {target: self.keys(target)[0][0]}, self.keys, rng)[0]

    def _one_of_several(self, row: dict[str, Any], pointer: str, target: str, rng: Random) -> dict[str, Any] | None:
        """Set one of several fields that refer to one resource (origin, destination) to different rows; none for other fields."""
        references = self.resource.references.items()
        several = [other for other, name in references if name == target and other.count("/") == 1]
        if len(several) < 2 or pointer not in several:
            return None
        taken = {str(row.get(other[1:])) for other in several[: several.index(pointer)]}
        left = partial(_left, self.keys, taken)
        return _refer(row, pointer, self.plan.resources[target], self._around(target, self.above), left, rng)[0]

    def _mirrored(self, row: dict[str, Any], pointer: str, target: str, rng: Random) -> dict[str, Any] | None:
        """Set a reference to the row that this one mirrors, as a member shows its user; none for other fields."""
        if target != self.resource.mirrors or split_pointer(pointer)[-2:-1] != (target,):
            return None
        own = {target: identity_in_key(self.key)}
        return _refer(row, pointer, self.plan.resources[target], own, self.keys, rng)[0]

    def _of_its_kind(self, row: dict[str, Any], pointer: str, target: str, rng: Random) -> dict[str, Any] | None:
        """Set a reference to another row of the same resource; parts that refer back are kept; none for other fields."""
        if target != self.resource.name:
            return None
        *way, last = split_pointer(pointer)
        back = "*" in way or name_tokens(last) == [*name_tokens(target), "id"]
        if back and _are_parts(self.resource, tuple(way)):
            return row
        return _refer(row, pointer, self.resource, {}, partial(_left, self.keys, {self.key}, alone=True), rng)[0]

    def _plain(self, row: dict[str, Any], pointer: str, target: str, rng: Random, owner: str | None) -> dict[str, Any]:
        """Set any other reference, to a row with the same owners."""
        into = self.plan.resources[target]
        around = self._around(target, self.known)
        around = {**self.inherited, **around} if is_link(pointer, target) else around
        around = {**around, target: owner} if owner is not None else around
        row, chosen = _refer(row, pointer, into, around, self.keys, rng)
        if chosen is not None and is_link(pointer, target):
            above_it = next((owners for other, owners in self.keys(target) if other == chosen), {})
            self.inherited |= {to: key for to, key in above_it.items() if to not in self.inherited}
        if chosen is not None and pointer.count("/") == 1:
            self.known.setdefault(target, chosen)
        return _distinct(self.resource, row, split_pointer(pointer))


def _left(keys: Keys, taken: Collection[str], table: str, *, alone: bool = False) -> Sequence[tuple[str, Above]]:
    """Return the rows of a table that are not taken; if all are taken, all of them, or none if `alone`."""
    options = keys(table)
    free = [option for option in options if option[0] not in taken]
    return free if alone else free or options


def _whole_of_parts(resource: ResourcePlan, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose parts refer back to it: each comment of a ticket by its `ticketId`."""
    own, called = resource.identity_of(row), [*name_tokens(resource.name), "id"]
    if own is None:
        return row

    def referring(part: Any) -> Any:
        if not isinstance(part, Mapping):
            return part
        back = {key: own for key, value in part.items() if name_tokens(key) == called and type(value) is type(own)}
        return {**part, **back}

    lists = [name for name, held in row.items() if isinstance(held, list) and _are_parts(resource, (name, "*"))]
    alone = [name for name, held in row.items() if isinstance(held, dict) and _are_parts(resource, (name,))]
    return (
        row
        | {name: [referring(part) for part in row[name]] for name in lists}
        | {name: referring(row[name]) for name in alone}
    )


def _are_parts(resource: ResourcePlan, path: tuple[str, ...]) -> bool:
    """Tell whether the objects at a path are parts of the row with identities of their own, such as the comments of a ticket.

    So are objects that join the row to others: `{"shop_id": 7, "product_id": 3}` inside a shop.
    """
    said = [name_tokens(name) for name in object_properties(schema_within(resource.schema, path))] if path else []
    back = [*name_tokens(resource.name), "id"]
    joins = back in said and any(tokens[1:] and tokens[-1] == "id" and tokens != back for tokens in said)
    return joins or any(tokens in _OWN_IDS for tokens in said)


_OWN_IDS = (["id"], ["uuid"], ["key"])
"""Words of fields that identify the parts of a row."""


def with_path(resource: ResourcePlan, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return `row` with its full name (`octo/hello`) set from its owner and its name, if it has both."""
    owners = [split_pointer(pointer) for pointer, to in resource.references.items() if to == resource.parent]
    owner = next((leaf for path in owners if path[-1] in SPOKEN_BY for leaf in at_path(row, path)), None)
    own, fields = resource.identity_of(row), resource.schema["properties"]
    if not isinstance(owner, str) or not isinstance(own, str):
        return dict(row)
    joined = {name: f"{owner}/{own}" for name in row if name_tokens(name) in _PATHS}
    return {**row, **{name: value for name, value in joined.items() if is_valid(value, fields.get(name, {}))}}


def _distinct(resource: ResourcePlan, row: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return a row whose list of references holds each row once, if the schema admits that."""
    held = row.get(path[0])
    if len(path) != 3 or path[1] != "*" or not isinstance(held, list):
        return row
    named = [item.get(path[2]) if isinstance(item, Mapping) else None for item in held]
    once = [item for at, item in enumerate(held) if named[at] is None or named[at] not in named[:at]]
    return {**row, path[0]: once} if is_valid(once, resource.schema["properties"].get(path[0], {})) else row


def _references(plan: Plan, name: str) -> list[tuple[str, str]]:
    """Return the references of rows: top-level fields first, then by how many other references the target shares."""
    resource = plan.resources[name]
    targets = set(resource.references.values())

    def said(target: str) -> int:
        return len(targets & (set(plan.resources[target].references.values()) - {target}))

    return sorted(resource.references.items(), key=lambda item: (item[0].count("/"), -said(item[1])))


_nearest_first = ObjectCache(_references)


def _refer(
    row: dict[str, Any], pointer: str, target: ResourcePlan, above: Above, keys: Keys, rng: Random
) -> tuple[dict[str, Any], str | None]:
    """Return the row with one reference set to an existing row, and the key of that."""
    options = keys(target.name)
    if not options:
        return row, None
    fitting = [key for key, _ in rows_nearest(options, above)]
    chosen: list[str] = []

    def pick(before: Any) -> Any:
        key = identity_in_key(above.get(target.name) or rng.choice(fitting))
        chosen.append(key)
        return int(key) if type(before) in (int, float) and key.lstrip("-").isdigit() else key

    return dict(_with_leaves(row, split_pointer(pointer), pick)), chosen[0] if chosen else None


def _with_leaves(value: Any, path: tuple[str, ...], pick: Callable[[Any], Any]) -> Any:
    """Return a value with the leaves at a path replaced by `pick(old)`, which keeps their type."""
    if not path:
        return list(dict.fromkeys(map(pick, value))) if isinstance(value, list) else pick(value)
    if path[0] == "*" and isinstance(value, list):
        items: list[Any] = []
        for item in value:
            shown = [list(at_path(other, path[1:])) for other in items]
            made = (_with_leaves(item, path[1:], pick) for _ in range(_TRIES))
            fresh = (other for other in made if list(at_path(other, path[1:])) not in shown)
            items.append(next(fresh, _with_leaves(item, path[1:], pick)))
        return items
    if isinstance(value, Mapping) and path[0] in value and value[path[0]] is not None:
        return {**value, path[0]: _with_leaves(value[path[0]], path[1:], pick)}
    return value


def rows_nearest(options: Sequence[tuple[str, Above]], above: Above) -> list[tuple[str, Above]]:
    """Return the rows, of at least one, whose owners contradict `above` the least: of the same budget, if not of the month."""
    against = [sum(above.get(owner, key) != key for owner, key in owners.items()) for _, owners in options]
    least = min(against)
    return [option for option, count in zip(options, against, strict=True) if count == least]


Keyed = Sequence[tuple[str, Mapping[str, str]]]
"""The keys of rows, each with its owners."""


def _own_lists(plan: Plan) -> Mapping[str, Mapping[str, str]]:
    """Return resource -> its references in lists whose rows refer back to it, each by one field only."""
    found: dict[str, dict[str, str]] = {}
    for name, resource in plan.resources.items():
        for pointer, target in resource.references.items():
            path, other = split_pointer(pointer), plan.resources[target]
            back = [at for at, to in other.references.items() if to == name]
            alone = len(path) == len(("list", "*", "id")) and path[1] == "*" and len(back) == 1 and "*" not in back[0]
            if alone and target != name and other.parent is None and not other.mirrors and not other.single:
                found.setdefault(name, {})[pointer] = target
    return found


_lists = ObjectCache(_own_lists)


def are_listed(plan: Plan, resource: str, target: str) -> bool:
    """Tell whether the rows of one of two resources list rows of the other as their own."""
    lists = _lists(plan)
    return target in lists.get(resource, {}).values() or resource in lists.get(target, {}).values()


def owner_of(plan: Plan, resource: str, key: str, owner: str, children: Keyed, owners: Keyed) -> str | None:
    """Return the key of the owner that lists a row; none if owners of that kind do not list such rows, or not this one."""
    if resource not in _lists(plan).get(owner, {}).values() or not owners:
        return None
    place = next((place for place, (child, _) in enumerate(children) if child == key), None)
    return None if place is None else owners[place % len(owners)][0]


def with_own_children(
    plan: Plan, row: dict[str, Any], resource: str, key: str, pointer: str, children: Keyed, owners: Keyed
) -> dict[str, Any] | None:
    """Return a row whose list at a pointer shows the rows that refer back to it; none if it is not such a list.

    user {"id": 1, "posts": [{"id": 7}]}    post {"id": 7, "user": {"id": 1}}

    Which row belongs to which is decided by their positions in their tables, so that either can be made first.
    """
    place = next((place for place, (owner, _) in enumerate(owners) if owner == key), None)
    field, _, identity = split_pointer(pointer) if pointer in _lists(plan).get(resource, {}) else ("", "", "")
    items = row.get(field)
    if place is None or not isinstance(items, list) or not all(isinstance(item, dict) for item in items) or not items:
        return None
    schema = schema_within(plan.resources[resource].schema, (field,))
    whole = all(type(item.get(identity)) is int for item in items)
    mine = [child for at, (child, _) in enumerate(children) if at % len(owners) == place][:MOST]
    if whole and not all(child.lstrip("-").isdigit() for child in mine):
        return None
    shown = [{**items[at % len(items)], identity: int(child) if whole else child} for at, child in enumerate(mine)]
    return {**row, field: shown} if is_valid(shown, schema) else None


MOST = 5
"""Items at most in a list inside a row."""
