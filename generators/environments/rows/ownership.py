"""A row -> its owners: by the fields that refer to them, else by the parent under which it was created."""

from collections.abc import Callable, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan
from interplay.generators.environments.inference.resources.relations import is_link, listing_fields
from interplay.generators.environments.inference.result_rows import at_path
from interplay.schemas.json.canonical import split_pointer

Row = Mapping[str, Any]

CLIMB = 4
"""Levels of parents that are searched for an owner."""


class Ownership:
    """Finds the rows of other resources that a row belongs to."""

    def __init__(self, plan: Plan, get: Callable[[str, str], Row | None]) -> None:
        self._get = get
        self._parent = {name: resource.parent for name, resource in plan.resources.items()}
        self._links: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        for resource in plan.resources.values():
            for pointer, target in resource.references.items():
                if is_link(pointer, target):
                    self._links.setdefault((resource.name, target), []).append(split_pointer(pointer))

        self._resources = plan.resources
        self._lists = {
            pair: split_pointer(pointer) for pair, pointer in listing_fields(plan.tools, plan.resources).items()
        }

    def owners(self, resource: str, row: Row, owner: str, climb: int = CLIMB) -> set[str] | None:
        """Return the keys of the `owner` rows that a row or its parent belongs to; none if that is unknown."""
        held = {
            str(leaf)
            for path in self._links.get((resource, owner), ())
            for leaf in at_path(row, path)
            if leaf is not None
        }
        if held:
            return held
        parents = row.get("_parents", {})
        if owner in parents:
            return {parents[owner]}
        above = self._parent.get(resource)
        upper = self._get(above, parents[above]) if above and above in parents and climb else None
        return self.owners(above, upper, owner, climb - 1) if above and upper is not None else None

    def belongs(self, resource: str, row: Row, wanted: Mapping[str, str], strict: bool) -> bool:
        """Tell whether a row belongs to all `wanted` owners; an unknown owner counts as a match unless `strict`."""
        for owner, key in wanted.items():
            if (resource, owner) in self._lists and self._is_listed(resource, row, owner, key):
                continue
            held = self.owners(resource, row, owner)
            strict = strict or (resource, owner) in self._lists
            if (held is None and strict) or (held is not None and key not in held):
                return False
        return True

    def _is_listed(self, resource: str, row: Row, owner: str, key: str) -> bool:
        """Tell whether the owner's row lists the identity of a row."""
        above, identity = self._get(owner, key), self._resources[resource].identity_of(row)
        return above is not None and identity is not None and identity in at_path(above, self._lists[resource, owner])
