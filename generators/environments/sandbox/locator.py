"""The arguments of a call -> the row that they identify, its child rows, and the owners of a new row."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan
from interplay.generators.environments.inference.resources.resource_index import SPOKEN_BY
from interplay.generators.environments.inference.result_rows import at_path
from interplay.generators.environments.rows.ownership import Ownership
from interplay.generators.environments.sandbox.new_rows import made_up
from interplay.generators.environments.sandbox.row_references import with_references
from interplay.generators.environments.sandbox.row_store import Row, RowStore
from interplay.generators.environments.sandbox.shared_identity import identity_in_key, key_below
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import split_pointer

KEPT = 1024
"""Made-up rows that are cached at most."""


class ToolFailure(Exception):
    """The API refuses this call; the message is the error result."""


class Locator:
    """Finds the rows that calls name, in one state of a plan."""

    def __init__(self, plan: Plan, state: RowStore, seed: WorldSeed) -> None:
        self._plan = plan
        self._state = state
        self._seed = seed
        self._made: dict[tuple[str, str, str], Row] = {}
        self.ownership = Ownership(plan, state.get)

    def row(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> tuple[str, Row]:
        """Return the row that a call acts on: the first that it identifies, else a child of the rows that it names.

        Raises:
            ToolFailure: there is no such row, or the target is not given.
        """
        assert plan.resource is not None
        named = self.named(plan, arguments)
        if named:
            return named[0]
        wanted = self.owners(plan, arguments)
        if plan.target is not None and plan.operation != "read":
            raise ToolFailure(
                f"400 Bad Request: {plan.target} is needed to say which {words_of_name(plan.resource)} is meant."
            )
        referred = self._referred(plan, wanted)
        if referred is not None:
            return referred
        for key, row in self.children(plan, arguments):
            if _agrees(plan, arguments, row):
                return key, row
        resource = self._plan.resources[plan.resource]
        if plan.single and resource.single:
            owners = self.above(plan, arguments)
            key = owners.get(resource.parent or "", "1")
            if not self._state.is_known(resource.name, key):
                return key, self.new_row(resource, key, None, owners)
        raise ToolFailure(f"404 Not Found: there is no {words_of_name(plan.resource)}.")

    def new_row(self, resource: ResourcePlan, key: str, identity: Any, above: Mapping[str, str]) -> Row:
        """Return a whole new row; its values except references are cached, since calls are tried repeatedly from one state."""
        asked = resource.name, key, repr(identity)
        if asked not in self._made:
            if len(self._made) >= KEPT:
                self._made.clear()
            needed = self._plan.asked_by.get(resource.name, ())
            self._made[asked] = made_up(resource, key, identity, self._seed, asked=needed)
        return with_references(self._plan, resource, key, dict(self._made[asked]), above, self.keys, self._seed)

    def named(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> list[tuple[str, Row]]:
        """Return the rows whose identities the target argument gives, one or a list; empty if it is not given.

        Raises:
            ToolFailure: one of them does not exist, or belongs to another owner.
        """
        if plan.target is None or plan.target not in arguments:
            return []
        given, wanted, belongs = arguments[plan.target], self.owners(plan, arguments), self.ownership.belongs
        rows = []
        for identity in given if isinstance(given, list) else [given]:
            key, row = self.found(str(plan.resource), str(identity), wanted)
            if row is None or not (
                _agrees(plan, arguments, row) and belongs(str(plan.resource), row, wanted, strict=False)
            ):
                where = " there" if row is not None else ""
                raise ToolFailure(f"404 Not Found: there is no {words_of_name(plan.resource)} {identity!r}{where}.")
            rows.append((key, row))
        if not rows:
            raise ToolFailure(f"400 Bad Request: {plan.target} names no {words_of_name(plan.resource)}.")
        return rows

    def found(self, resource: str, key: str, wanted: Mapping[str, str]) -> tuple[str, Row | None]:
        """Return key and row for an identity, which may be unique only below its owner."""
        rows = [(place, self._state.get(resource, place)) for place in self.places(resource, key, wanted)]
        return next(((place, row) for place, row in rows if row is not None), rows[-1])

    def places(self, resource: str, key: str, wanted: Mapping[str, str]) -> tuple[str, ...]:
        """Return the possible keys of a row with an identity, the one below its owner first."""
        parent = wanted.get(self._plan.resources[resource].parent or "")
        return (key,) if parent is None else (key_below(key, parent), key)

    def exists(self, resource: str, key: str, wanted: Mapping[str, str] | None = None) -> bool:
        """Tell whether a row with an identity exists; for names that are unique only below an owner, whether it exists there."""
        plan = self._plan.resources[resource]
        if wanted and plan.parent in wanted and plan.identity_path[-1:] and plan.identity_path[-1] in SPOKEN_BY:
            _, row = self.found(resource, key, wanted)
            return row is not None and self.ownership.belongs(resource, row, wanted, strict=False)
        if self._state.get(resource, key) is not None:
            return True
        nested = self._plan.resources[resource].parent is not None
        return nested and any(identity_in_key(other) == key for other, _ in self._state.rows(resource))

    def _referred(self, plan: ToolPlan, wanted: Mapping[str, str]) -> tuple[str, Row] | None:
        """Return the row that the named owner refers to (`GET /orders/{id}/customer`); none if it refers to none."""
        resource = str(plan.resource)
        for owner, owner_key in reversed(list(wanted.items())):
            above = self._state.get(owner, owner_key)
            for pointer, target in self._plan.resources[owner].references.items():
                if target == resource and above is not None and not plan.single:
                    for leaf in at_path(above, split_pointer(pointer)):
                        row = self._state.get(resource, str(leaf))
                        if row is not None:
                            return str(leaf), row
            key = (above or {}).get("_parents", {}).get(resource)
            row = self._state.get(resource, key) if key is not None and not plan.single else None
            if row is not None:
                return key, row
        return None

    def owners(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Return resource -> key of the rows above its own that a call names."""
        known = self._plan.resources
        named = [(owner, name) for name, owner in plan.parents if name in arguments]
        return {owner: str(arguments[name]) for owner, name in named if known[owner].identity is not None}

    def require_path(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        """Check that each row named in a call's path belongs to those named before it.

        Raises:
            ToolFailure: it belongs to another row.
        """
        before: dict[str, str] = {}
        for owner, key in self.owners(plan, arguments).items():
            _, row = self.found(owner, key, before)
            if row is not None and not self.ownership.belongs(owner, row, before, strict=False):
                raise ToolFailure(f"404 Not Found: there is no {words_of_name(owner)} {key!r} there.")
            before[owner] = key

    def children(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> list[tuple[str, Row]]:
        assert plan.resource is not None
        wanted = self.owners(plan, arguments)
        rows = self._state.rows(plan.resource)
        return [item for item in rows if self.ownership.belongs(plan.resource, item[1], wanted, strict=True)]

    def above(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, str]:
        """Return the owners of a new row: the rows that the call names, and the owners of these."""
        found: dict[str, str] = {}
        for owner, key in self.owners(plan, arguments).items():
            row = self._state.get(owner, key)
            found |= row.get("_parents", {}) if row is not None else {}
            found[owner] = key
        return found

    def keys(self, table: str) -> list[tuple[str, Mapping[str, str]]]:
        return [(key, row.get("_parents", {})) for key, row in self._state.rows(table)]


def _agrees(plan: ToolPlan, arguments: Mapping[str, Any], row: Row) -> bool:
    """Tell whether a row has the values of a call's keys."""
    return all(
        str(row[field]) == str(arguments[name]) for name, field in plan.keys if name in arguments and field in row
    )


_ONE_OF = {"people": "person", "children": "child"}
"""Irregular plurals -> singular."""


def words_of_name(resource: str | None) -> str:
    """Return a resource's name as words."""
    return " ".join(_ONE_OF.get(word, word) for word in (resource or "thing").split("_"))
