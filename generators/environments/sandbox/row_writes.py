"""One row created, changed, moved or deleted, together with the rows that depend on it."""

from collections.abc import Collection, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Edit, Plan, ResourcePlan, ToolPlan, body_of, placed
from interplay.generators.environments.inference.resources.references import argument_schema, parted
from interplay.generators.environments.rows.changes import edited, given_fields, with_given, without_given
from interplay.generators.environments.rows.clock import creation_time, with_update_time
from interplay.generators.environments.rows.held_items import with_item
from interplay.generators.environments.rows.initial_fields import in_first_status
from interplay.generators.environments.rows.omitted_fields import without_omitted
from interplay.generators.environments.rows.statuses import with_status
from interplay.generators.environments.sandbox.embedded_rows import EmbeddedRows
from interplay.generators.environments.sandbox.locator import Locator, ToolFailure, words_of_name
from interplay.generators.environments.sandbox.new_keys import NAMING, mint_key
from interplay.generators.environments.sandbox.owner_names import told_of_owner
from interplay.generators.environments.sandbox.row_references import with_path
from interplay.generators.environments.sandbox.row_store import Row, RowStore
from interplay.generators.environments.sandbox.shared_identity import identity_in_key, key_below, with_shared_fields
from interplay.generators.values.dependent_fields import without_reductions
from interplay.generators.values.durations import ends
from interplay.generators.values.reconciliation import ends_moved_along, reconciled
from interplay.generators.values.texts.formatted_texts import slug_of
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import digest, join_pointer
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import singular

_MOVES = ("move", "rename")
_PLACES = ("destination", "new_path", "new_name", "dest", "to", "newPath", "newName")
"""Arguments that give the new identity of a moved row."""
_LEAVING = {"remove", "detach", "unassign", "unlink", "disconnect", "leave", "withdraw"}
"""Verbs of functions that remove a row from an owner named by an argument."""


class RowWrites:
    """Writes rows to one state."""

    def __init__(self, plan: Plan, state: RowStore, locator: Locator, copies: EmbeddedRows, seed: WorldSeed) -> None:
        self._plan = plan
        self._state = state
        self._locator = locator
        self._copies = copies
        self._seed = seed

    def add(self, plan: ToolPlan, arguments: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, Row]:
        """Create a row with the given fields, or change it if it exists, and return it with its key.

        Raises:
            ToolFailure: a row with this identity exists, and it is not the target of the call.
        """
        assert plan.resource is not None
        resource = self._plan.resources[plan.resource]
        owners = self._locator.above(plan, arguments)

        def is_known(key: str) -> bool:
            return self._state.is_known(resource.name, key)

        def is_beside(identity: str) -> bool:
            rows = self._state.rows(resource.name)
            near = str(resource.parent)
            return any(
                identity_in_key(key) == identity and row.get("_parents", {}).get(near) == owners[near]
                for key, row in rows
            )

        count = len(self._state.table(resource.name))
        key, identity = mint_key(resource, given, owners, is_known, is_beside, count, self._seed)
        before = self._state.get(resource.name, key)
        within = {str(resource.parent): owners[str(resource.parent)]} if resource.parent in owners else {}
        if before is not None and not self._locator.ownership.belongs(resource.name, before, within, strict=True):
            key = key_below(key, owners[str(resource.parent)])
            before = self._state.get(resource.name, key)
        if before is not None and plan.target is None and not resource.single:
            raise ToolFailure(f"409 Conflict: {words_of_name(plan.resource)} {key!r} exists already.")
        row = before
        if row is None:
            mirrored = self._state.get(resource.mirrors, identity_in_key(key)) if resource.mirrors else None
            row = self._locator.new_row(resource, key, identity, owners)
            row = in_first_status(resource, row, creation_time(self._state.count_changed() + 1))
            row = without_omitted(self._plan, plan, row, given, {*owners, *(mirrored or ())})
            row = self._copies.settled(resource.name, with_shared_fields(resource, row, mirrored), self._seed)
        given = given if before is not None else {**_from_path(plan, resource, arguments), **given}
        made, row = row, with_given(resource, row, given)
        if before is None:  # made-up fields must agree with given ones
            told = {name: row[name] for name in (*given, *resource.identity_path[:1]) if name in row}
            rest = {name: value for name, value in row.items() if name not in told}
            rest = without_reductions(_named_anew(rest, made, given))
            told |= {name: value for name, value in body_of(plan, arguments).items() if name not in row}
            row = {**row, **reconciled(rest, resource.schema["properties"], beside=told)}
            fields = resource.schema["properties"]
            lasting = ends(rest, body_of(plan, arguments), creation_time(self._state.count_changed() + 1))
            row |= {end: moment for end, moment in lasting if is_valid(moment, fields.get(end, {}))}
        row = told_of_owner(resource, row, owners, self._state.get)
        row = with_path(resource, {**row, **plan.sets})
        row = self._copies.thin(resource.name, row)
        self._state.put(resource.name, key, row)
        return key, row

    def put(
        self, plan: ToolPlan, resource: ResourcePlan, key: str, before: Row, after: Row, given: Collection[str]
    ) -> Row:
        """Store a changed row, with the fields set by overrides and a new update time."""
        after = {**after, **ends_moved_along(before, after, given), **plan.sets}
        row: Row = with_update_time(resource.schema["properties"], before, after, {*given, *plan.sets})
        row = self._copies.thin(resource.name, row)
        self._state.put(resource.name, key, row)
        return row

    def remove(self, resource: str, key: str) -> None:
        """Delete a row, its child rows, and the rows that mirror it."""
        self._state.delete(resource, key)
        for child in self._plan.resources.values():
            if child.parent == resource and child.name != resource:
                for inner, row in list(self._state.rows(child.name)):
                    if row.get("_parents", {}).get(resource) == key:
                        self.remove(child.name, inner)
            if child.mirrors == resource:
                for inner in [
                    inner for inner in self._state.table(child.name) if identity_in_key(inner) == identity_in_key(key)
                ]:
                    self.remove(child.name, inner)

    def moved(
        self, plan: ToolPlan, resource: ResourcePlan, key: str, row: Row, arguments: Mapping[str, Any]
    ) -> tuple[str, Row]:
        """Return key and row after a move (`move_file`): with the new identity that the call gives, or unchanged.

        Raises:
            ToolFailure: another row has the new identity.
        """
        if (
            plan.tool.http is not None
            or resource.identity is None
            or not set(_MOVES) & set(name_tokens(plan.tool.name))
        ):
            return key, row
        new = next((arguments[name] for name in _PLACES if isinstance(arguments.get(name), str)), None)
        if new is None or new == key:
            return key, row
        if self._state.get(resource.name, new) is not None:
            raise ToolFailure(f"409 Conflict: {words_of_name(resource.name)} {new!r} exists already.")
        self._state.delete(resource.name, key)
        return new, placed(row, resource.identity_path, new)

    def acted(
        self, plan: ToolPlan, resource: ResourcePlan, before: Row, arguments: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the row after an action: with one field edited, or with a new status and the given fields."""
        if plan.edit is not None:
            return self._edited(plan, plan.edit, resource, before, arguments)
        given = given_fields(plan, resource, arguments)
        references = self._plan.references[plan.tool.name]
        leaves_owner = plan.tool.http is None and not _LEAVING.isdisjoint(name_tokens(plan.tool.original_name))
        left = {
            name for name in given if leaves_owner and references.get(join_pointer(name)) not in (None, plan.resource)
        }
        given = {name: value for name, value in given.items() if name not in left}
        kept = dict[str, Any]()
        if plan.tool.method == "DELETE":  # given list items are removed, instead of replacing the list
            kept = without_given(resource, before, given)
            given = {name: value for name, value in given.items() if not isinstance(value, list)}
        after = {**with_given(resource, with_status(plan, resource.schema, before), given), **kept}
        return {name: value for name, value in after.items() if name not in left}

    def _edited(
        self, plan: ToolPlan, edit: Edit, resource: ResourcePlan, before: Row, arguments: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the row with the field of an edit changed."""
        value = edit.value_in(arguments)
        if value is None and edit.does != "clear":
            return before
        if edit.item:
            return self._with_item(plan, edit, resource, before, arguments)
        value = parted(value, argument_schema(plan.tool, edit.argument))
        values = value if isinstance(value, list) and edit.does in ("add", "remove") else [value]
        try:
            return edited(edit, resource, before, values)
        except LookupError as missing:
            noun = words_of_name(singular(edit.path[0]))
            raise ToolFailure(
                f"404 Not Found: this {words_of_name(resource.name)} has no {noun} {str(missing)!r}."
            ) from missing

    def _with_item(
        self, plan: ToolPlan, edit: Edit, resource: ResourcePlan, before: Row, arguments: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the row with the item of a call added or removed."""
        target = self._plan.references[plan.tool.name].get(str(edit.argument))
        value = str(edit.value_in(arguments))
        shown = self._locator.found(target, value, {})[1] if target is not None else None
        rng = self._seed.random(f"{plan.tool.name}/{digest(arguments)}")
        anew = plan.tool.method in ("PUT", "PATCH")
        try:
            return with_item(edit, resource, before, arguments, shown or {}, rng, anew)
        except LookupError as missing:
            raise ToolFailure(f"404 Not Found: {value!r} is not in this {words_of_name(resource.name)}.") from missing


def _from_path(plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a new row given in the path of a call: `campaign_id` of /promotions/{campaignId}/stacks."""
    fields = resource.schema.get("properties", {})
    inside = (name for name in arguments if plan.tool.location(name) == "path")
    said = {tuple(name_tokens(name)): arguments[name] for name in inside if name != plan.target}
    named = {field: said.get(tuple(name_tokens(field))) for field in fields if (field,) != resource.identity_path}
    own = name_tokens(resource.identity or "")
    return {
        field: value
        for field, value in named.items()
        if value is not None and name_tokens(field) != own and is_valid(value, fields[field])
    }


def _named_anew(rest: Mapping[str, Any], made: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the made-up fields of a row with the old name in URLs replaced by the given one: red-cap.png -> white-cap.png."""
    pairs = [(str(made.get(name) or ""), str(given[name] or "")) for name in NAMING if name in given]
    old, new = next(((slug_of(was), slug_of(now)) for was, now in pairs if len(was) > 1 and now), ("", ""))
    return {
        name: value.replace(old, new) if old and isinstance(value, str) and "://" in value else value
        for name, value in rest.items()
    }
