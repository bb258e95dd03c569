"""A resource plan -> seed rows with identities, valid references and distinct labels."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan
from interplay.generators.environments.inference.resources.relations import is_link
from interplay.generators.environments.inference.result_rows import PARENT, at_path
from interplay.generators.environments.sandbox.new_rows import Above, made_up, mint_key, new_row, rows_within, with_path
from interplay.generators.environments.sandbox.shared_identity import (
    borrowed_identity,
    identity_in_key,
    with_shared_fields,
)
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import at_pointer, split_pointer
from interplay.schemas.records.dialogue import ToolCall

ROOT_ROWS = 9
"""Rows of a resource that belongs to no other."""

CHILD_ROWS = 3
"""Rows of a resource below each row of its parent."""

CHILD_LIMIT = 27


def seed_tables(plan: Plan, seed: WorldSeed) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return the rows of all resources by key; every reference is the identity of a row that exists.

    Rows of the author come first; their missing fields are made up.
    """
    minted: dict[str, list[tuple[str, Any, dict[str, str]]]] = {}
    above_of = {name: (item.parent, item.mirrors) for name, item in plan.resources.items()}
    for name in _ordered(plan.resources, above_of.__getitem__):
        minted[name] = _minted(plan.resources[name], minted, seed)
    keys = {name: [(key, above) for key, _, above in rows] for name, rows in minted.items()}
    resolved = {name: dict(rows) for name, rows in keys.items()}
    tables: dict[str, dict[str, Mapping[str, Any]]] = {}
    named_by = {
        name: (*above_of[name], *(to for at, to in plan.resources[name].references.items() if is_link(at, to)))
        for name in minted
    }
    for name in _ordered(minted, named_by.__getitem__):
        resource, rows = plan.resources[name], minted[name]
        used: set[str] = set()
        tables[name] = {}
        for number, (key, identity, above) in enumerate(rows):
            given = _given(resource, number)
            parents = resolved.get(resource.parent or "", {})
            inherited = [pair for at in above.values() if at in parents for pair in parents[at].items()]
            above |= {other: at for other, at in inherited if other in resource.relations and other not in above}
            related = _related(resource, number, above, keys, seed)
            above |= {other: chosen for other, chosen in related.items() if other not in above}
            made = made_up(resource, key, identity, seed, used)
            row = new_row(plan, resource, key, made, above, keys.__getitem__, seed)
            mirrored = tables.get(resource.mirrors or "", {}).get(identity_in_key(key))
            tables[name][key] = with_path(resource, {**with_shared_fields(resource, row, mirrored), **given})
            used.update(f"{field}:{value}" for field, value in given.items())
            keys[name][number] = (key, {**_links(resource, tables[name][key]), **above})
    return {name: tables[name] for name in minted}


def _minted(
    resource: ResourcePlan, minted: Mapping[str, list[tuple[str, Any, dict[str, str]]]], seed: WorldSeed
) -> list[tuple[str, Any, dict[str, str]]]:
    """Return key, identity and owners of each row that a resource is to have."""
    over = minted.get(resource.parent or "", [])
    owners = {key: {**above, str(resource.parent): key} for key, _, above in over}
    places = tuple(owners)
    each = 1 if resource.single else CHILD_ROWS
    count = min(len(over) * each, CHILD_LIMIT) if over else 1 if resource.single else ROOT_ROWS
    count = count if resource.count is None else resource.count
    taken = {str(resource.identity_of(row)) for row in resource.seeds if resource.identity_of(row) is not None}
    borne: dict[str | None, set[str]] = defaultdict(set)
    rows: list[tuple[str, Any, dict[str, str]]] = []
    for number in range(len(resource.seeds) + count):
        given = _given(resource, number)
        owner = _owner(resource, number, places)
        above = owners[owner] if owner is not None else {}
        options = minted.get(resource.mirrors or "", []) if not given else []
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


def _given(resource: ResourcePlan, number: int) -> dict[str, Any]:
    """Return the fields that the author gave a row; none for made-up rows."""
    seed = resource.seeds[number] if number < len(resource.seeds) else {}
    return {name: value for name, value in seed.items() if name != PARENT}


def _owner(resource: ResourcePlan, number: int, keys: Sequence[str]) -> str | None:
    """Return the parent row of a row: the one that it names, else the next in turn."""
    if not keys:
        return None
    seed = resource.seeds[number] if number < len(resource.seeds) else {}
    links = [pointer for pointer, target in resource.references.items() if target == resource.parent]
    named = [seed.get(PARENT), *(leaf for pointer in links for leaf in at_path(seed, split_pointer(pointer)))]
    return next((str(key) for key in named if str(key) in keys), keys[(number - len(resource.seeds)) % len(keys)])


def _related(
    resource: ResourcePlan, number: int, above: Above, keys: Mapping[str, Sequence[tuple[str, Above]]], seed: WorldSeed
) -> dict[str, str]:
    """Choose the rows of related resources that a row belongs to, consistent with each other."""
    chosen: dict[str, str] = {}
    for other in resource.relations:
        options = keys.get(other, [])[:number] if other == resource.name else keys.get(other, [])
        options = rows_within(options, {**above, **chosen}) or options
        if options:
            chosen[other] = seed.random(f"{resource.name}/{number}/of/{other}").choice(options)[0]
    return chosen


def _ordered(names: Collection[str], before: Callable[[str], Iterable[str | None]]) -> list[str]:
    """Return names of resources, each after those that `before` gives for it, as far as these form no circle."""
    ordered: dict[str, None] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        for other in before(name):
            if other is not None and other in names and other not in ordered and other not in (*above, name):
                visit(other, (*above, name))
        ordered.setdefault(name)

    for name in names:
        visit(name, ())
    return list(ordered)


def _links(resource: ResourcePlan, row: Mapping[str, Any]) -> dict[str, str]:
    """Return the rows that a row's own fields refer to, by resource."""
    links = {to: row.get(at[1:]) for at, to in resource.references.items() if at.count("/") == 1 and is_link(at, to)}
    return {to: str(key) for to, key in links.items() if isinstance(key, (str, int)) and to != resource.name}


def recorded_rows(plan: Plan, call: ToolCall, value: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield resource, key and row for each whole row in the result of a call; of a row without identity the argument tells it."""
    tool = plan.tools.get(call.name)
    if tool is None or tool.resource is None or tool.operation == "delete":
        return
    resource = plan.resources[tool.resource]
    if resource.identity is None or resource.single:
        return
    shown = _recorded(tool, value)
    for row in shown:
        key = resource.identity_of(row)
        if key is None and len(shown) == 1 and tool.target is not None and len(resource.identity_path) == 1:
            key = call.arguments.get(tool.target.split("/")[-1])
            row = {**row, resource.identity_path[0]: key}
        if isinstance(key, (str, int)) and len(row) > 1 and row.keys() <= resource.schema.get("properties", {}).keys():
            yield tool.resource, str(key), dict(row)


def _recorded(tool: ToolPlan, value: Any) -> list[Mapping[str, Any]]:
    if tool.rows is not None:
        try:
            value = at_pointer(value, tool.rows.pointer)
        except LookupError:
            return []
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Mapping)]
