"""A resource plan -> its rows: identities, references that hold, labels that tell rows apart."""

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from interplay.generators.environments.resources import Plan, ResourcePlan
from interplay.generators.values.making import Unsatisfiable, make_valid, opaque, order_pairs
from interplay.schemas.canonical import split_pointer
from interplay.schemas.fields import name_tokens, schema_type

ROOT_ROWS = 9
"""Rows of a resource that belongs to no other."""

CHILD_ROWS = 3
"""Rows of a resource below each row of its parent."""

CHILD_LIMIT = 27

LABELS = ("name", "title", "label", "subject", "display_name", "full_name", "username", "email", "headline", "topic")


def seed_tables(plan: Plan, seed: int) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return the rows of all resources by key; every reference is the identity of a row that exists."""
    keys: dict[str, list[tuple[str, Any, dict[str, str]]]] = {}
    for name in _parents_first(plan):
        taken: dict[str, Any] = {}
        rows = []
        parent = plan.resources[name].parent
        above = keys.get(parent, []) if parent else []
        for number in range(min(len(above) * CHILD_ROWS, CHILD_LIMIT) if above else ROOT_ROWS):
            key, identity = mint_key(plan.resources[name], {}, taken, seed)
            taken[key] = identity
            over = above[number % len(above)] if above else None
            rows.append((key, identity, {**over[2], str(parent): over[0]} if over else {}))
        keys[name] = rows
    tables: dict[str, dict[str, Mapping[str, Any]]] = {}
    for name, rows in keys.items():
        made: dict[str, Mapping[str, Any]] = {}
        used: set[str] = set()
        for key, identity, parents in rows:
            row = new_row(
                plan,
                plan.resources[name],
                key,
                identity,
                parents,
                lambda table: [item[0] for item in keys[table]],
                seed,
                used,
            )
            made[key] = row
        tables[name] = made
    return tables


def _parents_first(plan: Plan) -> list[str]:
    ordered: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        parent = plan.resources[name].parent
        if parent is not None and parent not in ordered and parent not in above:
            visit(parent, (*above, name))
        if name not in ordered:
            ordered.append(name)

    for name in plan.resources:
        visit(name, ())
    return ordered


def mint_key(resource: ResourcePlan, given: Mapping[str, Any], taken: Mapping[str, Any], seed: int) -> tuple[str, Any]:
    """Return key and identity of a new row: the given identity, else a fresh one that nobody has."""
    if resource.identity is None:
        return f"{resource.name}-{len(taken) + 1}", None
    if given.get(resource.identity) is not None:
        return str(given[resource.identity]), given[resource.identity]
    schema = resource.schema["properties"][resource.identity]
    for attempt in range(200):
        rng = Random(f"{seed}/{resource.name}/key/{len(taken)}/{attempt}")
        identity = _identity(resource, schema, rng)
        if str(identity) not in taken:
            return str(identity), identity
    raise Unsatisfiable(f"no unused identity left for {resource.name}")


def _identity(resource: ResourcePlan, schema: Mapping[str, Any], rng: Random) -> Any:
    bare = {key: value for key, value in schema.items() if key not in ("examples", "default")}
    tokens = name_tokens(resource.identity or "")
    plain = schema_type(schema) == "string" and not set(bare) & {
        "format",
        "pattern",
        "enum",
        "const",
        "maxLength",
        "minLength",
    }
    if plain and tokens[-1] in ("id", "uuid", "guid", "gid", "key", "uid"):
        return opaque([*name_tokens(resource.name)[-1:], "id"], rng)
    return make_valid(bare, rng, resource.identity or "id")


def new_row(
    plan: Plan,
    resource: ResourcePlan,
    key: str,
    identity: Any,
    parents: Mapping[str, str],
    keys: Callable[[str], list[str]],
    seed: int,
    used: set[str] | None = None,
) -> dict[str, Any]:
    """Return a full row; fields that no value can be found for are left out."""
    row: dict[str, Any] = {}
    for name, schema in resource.schema["properties"].items():
        if name == resource.identity:
            row[name] = identity
            continue
        for attempt in range(4):
            rng = Random(f"{seed}/{resource.name}/{key}/{name}/{attempt}")
            try:
                value = make_valid(schema, rng, f"{resource.name}_{name}" if name == "name" else name)
            except Unsatisfiable:
                break
            row[name] = value
            if used is None or "_".join(name_tokens(name)) not in LABELS or f"{name}:{value}" not in used:
                break
        if used is not None:
            used.add(f"{name}:{row.get(name)}")
    row = order_pairs(row)
    for pointer, target in resource.references.items():
        row = _refer(
            row, pointer, plan.resources[target], parents, keys, Random(f"{seed}/{resource.name}/{key}{pointer}")
        )
    return {**row, "_parents": dict(parents)} if parents else row


def _refer(
    row: dict[str, Any],
    pointer: str,
    target: ResourcePlan,
    parents: Mapping[str, str],
    keys: Callable[[str], list[str]],
    rng: Random,
) -> dict[str, Any]:
    options = keys(target.name)
    if not options:
        return row
    whole = schema_type(target.schema["properties"][target.identity]) == "integer"

    def pick() -> Any:
        key = parents.get(target.name) or rng.choice(options)
        return int(key) if whole and key.lstrip("-").isdigit() else key

    return dict(_with_leaves(row, split_pointer(pointer), pick))


def _with_leaves(value: Any, path: tuple[str, ...], pick: Callable[[], Any]) -> Any:
    if not path:
        return list(dict.fromkeys(pick() for _ in value)) if isinstance(value, list) else pick()
    if path[0] == "*" and isinstance(value, list):
        return [_with_leaves(item, path[1:], pick) for item in value]
    if isinstance(value, Mapping) and path[0] in value and value[path[0]] is not None:
        return {**value, path[0]: _with_leaves(value[path[0]], path[1:], pick)}
    return value


def with_leaf(row: Mapping[str, Any], pointer: str, value: Any) -> Mapping[str, Any]:
    """Return `row` with one leaf replaced, `*` meaning every list item."""
    replaced: Mapping[str, Any] = _with_leaves(row, split_pointer(re.sub(r"^(?=[^/])", "/", pointer)), lambda: value)
    return replaced
