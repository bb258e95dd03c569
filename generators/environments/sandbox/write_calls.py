"""Calls that write -> the new state, and their results."""

from collections.abc import Iterable, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Batch, Plan, ResourcePlan, ToolPlan, is_technical, placed
from interplay.generators.environments.inference.result_rows import at_path, shows
from interplay.generators.environments.inference.tool_words import verb_of
from interplay.generators.environments.rows.changes import batch_of, bodies_of, given_fields, with_given
from interplay.generators.environments.rows.pagination import Page
from interplay.generators.environments.rows.statuses import needed_status
from interplay.generators.environments.sandbox.locator import Locator, ToolFailure, words_of_name
from interplay.generators.environments.sandbox.row_store import RowStore
from interplay.generators.environments.sandbox.row_writes import RowWrites
from interplay.generators.environments.sandbox.shared_identity import identity_in_key
from interplay.generators.environments.sandbox.tool_results import ToolResults, is_shown
from interplay.schemas.json.canonical import leaves, split_pointer
from interplay.schemas.json.fields import object_properties, schema_type

EVENTS = "events"
"""The table that records calls which change no row."""


class WriteCalls:
    """Executes the writing calls of one plan on one state."""

    def __init__(self, plan: Plan, state: RowStore, locator: Locator, answers: ToolResults, rows: RowWrites) -> None:
        self._plan = plan
        self._state = state
        self._locator = locator
        self._answers = answers
        self._rows = rows

    def create(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self.act(plan, arguments)
        bodies = self._bodies(plan, self._plan.resources[plan.resource], arguments)
        before = dict(self._state.rows(plan.resource)) if plan.single else {}
        made = [self._rows.add(plan, arguments, given) for given in bodies]
        if all(before.get(key) == row for key, row in made):
            self.note(plan, arguments)
        listed = plan.tool.returns is None and batch_of(plan, self._plan.resources[plan.resource]) in arguments
        if listed or plan.lists:
            return self._answers.rows(plan, Page(tuple(made), len(made)))
        key, row = made[-1]
        if plan.tool.returns is not None and plan.rows is None:
            return self._answers.made(plan, arguments, identity_in_key(key))
        return self._answers.row(plan, row, key, arguments)

    def _bodies(self, plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the fields of each row to create; an identity shared with another resource is taken from the reference to it."""
        bodies = bodies_of(plan, resource, arguments)
        references = self._plan.references[plan.tool.name]
        if resource.mirrors is None or resource.identity is None or len(bodies) != 1:
            return bodies
        if resource.identity_of(bodies[0]) is not None:
            return bodies
        for pointer, value in leaves(arguments):
            if references.get(pointer) == resource.mirrors and isinstance(value, (str, int)):
                return [placed(bodies[0], resource.identity_path, value)]
        return bodies

    def update(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self.act(plan, arguments)
        if plan.edit is not None:
            return self.act(plan, arguments)
        resource = self._plan.resources[plan.resource]
        if plan.target is None and plan.lists and resource.identity is not None:
            return self._update_all(plan, arguments, bodies_of(plan, resource, arguments))
        narrowing = _narrowing(plan, arguments)
        lone = arguments[narrowing[0]] if len(narrowing) == 1 else None
        listed = lone if isinstance(lone, list) and lone and all(isinstance(item, dict) for item in lone) else None
        if plan.target is None and not plan.single and plan.parents and listed is not None and resource.identity:
            return self._replace_all(plan, resource, arguments, listed)
        given = given_fields(plan, resource, arguments)
        several = self._named(plan, resource, arguments) if plan.target is None and not plan.single else []
        if several:
            for key, row in several:
                self._rows.put(plan, resource, key, row, with_given(resource, row, given), given)
            self.note(plan, arguments)
            return self._answers.made(plan, arguments)
        if plan.single and _puts(plan) and not self._locator.children(plan, arguments):
            key, row = self._rows.add(plan, arguments, given)
            return self._answers.row(plan, row, key, arguments)
        key, row = self._locator.row(plan, arguments)
        if not set(given) - {resource.identity}:
            self.note(plan, arguments)
        if resource.identity_of(given) is not None:
            given = placed(given, resource.identity_path, resource.identity_of(row))
        changed = self._rows.put(plan, resource, key, row, with_given(resource, row, given), given)
        return self._answers.row(plan, changed, key, arguments)

    def _named(
        self, plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """Return the existing rows in the list that the call is about, else those named by the only argument with identities."""
        spoken = self._plan.references.get(plan.tool.name, {})
        lists = [
            value
            for name, value in arguments.items()
            if isinstance(value, list) and resource.name in (spoken.get(f"/{name}"), spoken.get(f"/{name}/*"))
        ]
        if plan.several is not None:
            lists = [[*at_path(arguments, tuple(split_pointer(plan.several)))]]
        wanted = self._locator.owners(plan, arguments)
        found = [self._locator.found(resource.name, str(item), wanted) for item in lists[0]] if len(lists) == 1 else []
        belongs = self._locator.ownership.belongs
        return [
            (key, row) for key, row in found if row is not None and belongs(resource.name, row, wanted, strict=False)
        ]

    def _update_all(self, plan: ToolPlan, arguments: dict[str, Any], bodies: list[dict[str, Any]]) -> Any:
        """Change or create each row given in a call on a whole collection."""
        resource = self._plan.resources[str(plan.resource)]
        wanted, changed = self._locator.owners(plan, arguments), []
        for given in bodies:
            key, row = self._locator.found(resource.name, str(resource.identity_of(given)), wanted)
            if row is None or not self._locator.ownership.belongs(resource.name, row, wanted, strict=False):
                changed.append(self._rows.add(plan, arguments, given))
            else:
                changed.append((key, self._rows.put(plan, resource, key, row, with_given(resource, row, given), given)))
        return self._answers.rows(plan, Page(tuple(changed), len(changed)))

    def _replace_all(
        self, plan: ToolPlan, resource: ResourcePlan, arguments: dict[str, Any], listed: list[dict[str, Any]]
    ) -> Any:
        """Create or change the listed child rows of the rows that a call names; a PUT removes all others."""
        before = dict(self._locator.children(plan, arguments))
        above, kept = self._locator.above(plan, arguments), set()
        for given in listed:
            held = {name: value for name, value in given.items() if name in resource.schema["properties"]}
            stated = resource.identity_of(held)
            key, row = (str(stated), self._state.get(resource.name, str(stated))) if stated is not None else ("", None)
            if row is None:
                key, _ = self._rows.add(plan, arguments, held)
            else:
                changed = with_given(resource, {**row, "_parents": {**row.get("_parents", {}), **above}}, held)
                self._rows.put(plan, resource, key, row, changed, held)
            kept.add(key)
        for key, row in before.items() if _puts(plan) else ():
            if key not in kept and resource.parent in above:
                self._rows.remove(resource.name, key)
            elif key not in kept:
                parents = {owner: at for owner, at in row.get("_parents", {}).items() if owner not in above}
                self._rows.put(plan, resource, key, row, {**row, "_parents": parents}, ())
        self.note(plan, arguments)
        return self._answers.made(plan, arguments)

    def delete(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        if plan.resource is None:
            return self.act(plan, arguments)
        if plan.target is None and not plan.single and not _narrowing(plan, plan.tool.properties):
            for key, _ in self._locator.children(plan, arguments):
                self._rows.remove(plan.resource, key)
            self.note(plan, arguments)
            return self._answers.made(plan, arguments)
        if plan.target is None and not plan.single:
            self._delete_several(plan, arguments)
            return self.act(plan, arguments)
        key, row = self._locator.row(plan, arguments)
        resource = self._plan.resources[plan.resource]
        shown = object_properties(plan.rows.schema).keys() - resource.identity_path[:1] if plan.rows is not None else ()
        given = {name: value for name, value in given_fields(plan, resource, arguments).items() if name in shown}
        row = with_given(resource, row, given) if given else row
        if any(value is False for value in given.values()):  # `deleted: false` restores the row
            self._rows.put(plan, resource, key, row, row, given)
        else:
            self._rows.remove(plan.resource, key)
        if plan.rows is None or not shows(plan.rows, resource):
            return self._answers.made(plan, arguments, identity_in_key(key))
        return self._answers.row(plan, row, key, arguments)

    def _delete_several(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        """Delete the rows in the only list argument, given by identity or by fields; missing rows are ignored.

        Without a list, delete the child rows whose fields equal the other arguments.
        """
        lists = [value for value in arguments.values() if isinstance(value, list)]
        resource = self._plan.resources[str(plan.resource)]
        other = _narrowing(plan, arguments)
        said = {name: arguments[name] for name in other if name in resource.schema["properties"]}
        if not lists and said and (plan.words or len(said) == len(other)):
            for key, row in self._locator.children(plan, arguments):
                if all(row.get(name) == value for name, value in said.items()):
                    self._rows.remove(resource.name, key)
        for item in lists[0] if len(lists) == 1 else ():
            for key, row in list(self._state.rows(resource.name)):
                fields = item.items() if isinstance(item, Mapping) else ()
                named = not isinstance(item, Mapping) and item is not None and resource.identity_of(row) == item
                if named or (fields and all(name in row and row[name] == value for name, value in fields)):
                    self._rows.remove(resource.name, key)

    def act(self, plan: ToolPlan, arguments: dict[str, Any]) -> Any:
        key, row = "", None
        if plan.membership is not None:
            return self._join_or_leave(plan, self._plan.resources[str(plan.resource)], arguments)
        if plan.batch is not None and plan.resource is not None:
            return self._act_on_named(plan, plan.batch, self._plan.resources[plan.resource], arguments)
        if plan.several is not None and plan.resource is not None:
            self._act_on_several(plan, self._plan.resources[plan.resource], arguments)
        if plan.every and plan.resource is not None:
            self._act_on_every(plan, self._plan.resources[plan.resource], arguments)
        alone = plan.single and self._plan.resources[str(plan.resource)].single
        if plan.resource is not None and (alone or (plan.target is not None and plan.target in arguments)):
            resource: ResourcePlan = self._plan.resources[plan.resource]
            key, before = self._locator.row(plan, arguments)
            if needed := needed_status(plan, resource.schema, before):
                raise ToolFailure(f"409 Conflict: this {words_of_name(resource.name)} is not {needed.lower()}.")
            key, before = self._rows.moved(plan, resource, key, before, arguments)
            row = self._rows.put(plan, resource, key, before, self._rows.acted(plan, resource, before, arguments), ())
        self.note(plan, arguments)
        silent = plan.tool.returns is None and plan.edit is None
        if row is not None and plan.edit is not None and plan.lists:
            return self._answers.field(plan, row, key, arguments)
        if row is not None and (silent or (plan.rows and not plan.rows.many and is_shown(plan, self._plan))):
            return self._answers.row(plan, row, key, arguments)
        return self._answers.made(plan, arguments, identity_in_key(key), row or {})

    def _act_on_several(self, plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> None:
        """Act on each row in the list that a call is about."""
        for key, row in self._named(plan, resource, arguments):
            self._rows.put(plan, resource, key, row, self._rows.acted(plan, resource, row, {}), ())

    def _join_or_leave(self, plan: ToolPlan, resource: ResourcePlan, arguments: dict[str, Any]) -> Any:
        """Add rows to those below the owner that the call names, or remove them from it; the rows themselves are kept."""
        wanted, said = self._locator.owners(plan, arguments), arguments.get(str(plan.target))
        owner, leaves, changed = plan.parents[-1][1], plan.membership == "leave", list[tuple[str, Mapping[str, Any]]]()
        for identity in said if isinstance(said, list) else [said]:
            key, row = self._locator.found(resource.name, str(identity), {})
            there = row is not None and self._locator.ownership.belongs(resource.name, row, wanted, strict=True)
            if row is None or (leaves and not there):
                where = " there" if row is not None else ""
                raise ToolFailure(f"404 Not Found: there is no {words_of_name(resource.name)} {identity!r}{where}.")
            others = {name: at for name, at in row.get("_parents", {}).items() if name != owner}
            parents = others if leaves else {**others, owner: wanted[owner]}
            changed.append((key, self._rows.put(plan, resource, key, row, {**row, "_parents": parents}, ())))
        self.note(plan, arguments)
        if not changed or plan.rows is None or not shows(plan.rows, resource):
            return self._answers.made(plan, arguments)
        if plan.lists:
            return self._answers.rows(plan, Page(tuple(changed), len(changed)))
        key, row = changed[-1]
        return self._answers.row(plan, row, key, arguments)

    def _act_on_named(self, plan: ToolPlan, batch: Batch, resource: ResourcePlan, arguments: Mapping[str, Any]) -> Any:
        """Add values to, or remove them from, a list of each row that an item names; missing values are ignored."""
        shown, fields = [], object_properties(plan.rows.schema) if plan.rows is not None else {}
        lists = [
            name for name, schema in fields.items() if schema_type(schema) == "array"
        ]  # lists in the result show what was added
        for item in arguments.get(batch.argument, ()):
            key = str(item.get(batch.key))
            row = self._state.get(resource.name, key)
            if row is None:
                raise ToolFailure(f"404 Not Found: there is no {words_of_name(resource.name)} {key!r}.")
            held = row.get(batch.field)
            before = list(held) if isinstance(held, list) else []
            said = item.get(batch.value, [])
            values = said if isinstance(said, list) else [said]
            fresh = [value for value in dict.fromkeys(values) if value not in before]
            after = [*before, *fresh] if batch.does == "add" else [value for value in before if value not in values]
            shown.append((key, {**item, **dict.fromkeys(lists, fresh)}))
            if after != before:
                self._rows.put(plan, resource, key, row, {**row, batch.field: after}, (batch.field,))
        if plan.lists:
            return self._answers.rows(plan, Page(tuple(shown), len(shown)))
        return self._answers.made(plan, arguments)

    def _act_on_every(self, plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> None:
        """Change all child rows of the rows that a call names, or delete them if its name says so."""
        for key, row in self._locator.children(plan, arguments):
            last = (plan.tool.path or plan.tool.name).split("/")[-1]
            if plan.tool.method == "DELETE" or verb_of(last)[0] == "delete":
                self._rows.remove(resource.name, key)
            else:
                self._rows.put(plan, resource, key, row, self._rows.acted(plan, resource, row, arguments), ())

    def note(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> None:
        number = len(self._state.table(EVENTS))
        self._state.put(EVENTS, str(number), {"tool": plan.tool.name, "arguments": arguments})


def _narrowing(plan: ToolPlan, names: Iterable[str]) -> list[str]:
    """Return the arguments that select among the child rows of the path."""
    above = {name for name, _ in plan.parents}
    return [name for name in names if name not in above and not is_technical(name, plan.tool)]


def _puts(plan: ToolPlan) -> bool:
    return plan.tool.method == "PUT"
