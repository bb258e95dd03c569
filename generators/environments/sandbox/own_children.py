"""Rows that list others, each of which says whose it is -> lists of their own: the posts that a user shows are the user's.

user {"id": 1, "posts": [{"id": 7}]}    post {"id": 7, "user": {"id": 1}}

Which row is whose is told by the places of both among the rows of their resources, so that either can be made first.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.environments.inference.plans import Plan, schema_within
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid

Keyed = Sequence[tuple[str, Mapping[str, str]]]
"""The keys of rows, each with what the row belongs to."""


def _own_lists(plan: Plan) -> Mapping[str, Mapping[str, str]]:
    """Return for each resource the references in lists of which the rows refer back to it, and only once."""
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
    """Tell whether the rows of one of two resources list those of the other as their own."""
    lists = _lists(plan)
    return target in lists.get(resource, {}).values() or resource in lists.get(target, {}).values()


def owner_of(plan: Plan, resource: str, key: str, owner: str, children: Keyed, owners: Keyed) -> str | None:
    """Return the key of the row that shows a row in its list; none where rows of that kind do not list such ones, or not this one."""
    if resource not in _lists(plan).get(owner, {}).values() or not owners:
        return None
    place = next((place for place, (child, _) in enumerate(children) if child == key), None)
    return None if place is None else owners[place % len(owners)][0]


def with_own_children(
    plan: Plan, row: dict[str, Any], resource: str, key: str, pointer: str, children: Keyed, owners: Keyed
) -> dict[str, Any] | None:
    """Return a row whose list at a pointer shows the rows that say that they are its own; none where it is no such list."""
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
"""Rows at most in a list of a row."""
