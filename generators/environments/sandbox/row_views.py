"""A row -> the view in which a result shows it beside the rows that its fields refer to.

post {"id": 1, "creator_id": 2}  ->  {"post": {"id": 1, ...}, "creator": {"id": 2, ...}, "counts": {"post_id": 1, ...}}
"""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ToolPlan, placed
from interplay.generators.environments.inference.tool_words import OWN_IDENTITIES, resource_name, stem_of
from interplay.generators.environments.inference.views import own_identity, shows_alike
from interplay.generators.environments.rows.projection import admitted, without_made_up_ends
from interplay.generators.environments.sandbox.row_store import Row, RowStore
from interplay.generators.values.schema_values import Unsatisfiable, make_valid
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens

DEEPEST = 3
"""Levels of nested objects that are filled in."""

_NESTED = 1
"""Levels of nested objects of a made-up result that are searched for rows that the call names."""

_Known = dict[str, Mapping[str, Any]]
"""Name of an object in a view -> the row that it shows."""


class RowViews:
    """Composes views of rows in one state."""

    def __init__(self, plan: Plan, state: RowStore, seed: WorldSeed) -> None:
        self._plan = plan
        self._state = state
        self._seed = seed

    def view(self, plan: ToolPlan, row: Row, shown: Any, place: str) -> tuple[dict[str, Any], _Known]:
        """Return the view of one row, and all rows in it; `shown` is the row as shown, `place` identifies it in the world."""
        assert plan.rows is not None
        assert plan.rows.view is not None
        view = plan.rows.view
        known: _Known = {view.field: row}
        made = self._filled(view.schema, known, place, {view.field: shown}, str(plan.resource), 0)
        return made, known

    def beside(self, plan: ToolPlan, result: Any, known: _Known, place: str) -> Any:
        """Return a result whose views outside of the plan's pointer show the same rows; lists are left empty."""
        assert plan.rows is not None
        path, returns = split_pointer(plan.rows.pointer), plan.tool.returns or {}
        if not path or not isinstance(result, dict):
            return result
        fields = object_properties(returns)
        for name in [name for name in result if name != path[0]]:
            schema = fields.get(name, {})
            empty = schema_type(schema) == "array" and is_valid([], schema)
            made = [] if empty else self._object(name, schema, known, place, str(plan.resource), 0)
            if made is not None and is_valid(made, schema):
                result = {**result, name: made}
        return result

    def named(self, plan: ToolPlan, result: Any, arguments: Mapping[str, Any]) -> Any:
        """Return a made-up result whose objects show the rows that the call names, with the values that the call gives.

        attach_contact(conversation_id="7", contact_id="3")  ->  {"contact": {"id": "3", ...}, ...}
        """
        told, returns = self._told(plan, arguments), plan.tool.returns or {}
        if not told or not isinstance(result, dict):
            return result
        changed = self._with_named(plan, result, returns, arguments, told, 0)
        return changed if changed is result or is_valid(changed, returns) else result

    def _told(self, plan: ToolPlan, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return resource -> identity for the existing rows that a call names, except resources of which it names several."""
        found: dict[str, list[Any]] = {}
        for pointer, target in self._plan.references.get(plan.tool.name, {}).items():
            value = arguments.get(pointer[1:])
            if isinstance(value, (str, int)) and self._state.get(target, str(value)) is not None:
                found.setdefault(target, []).append(value)
        return {target: values[0] for target, values in found.items() if len(values) == 1}

    def _with_named(
        self,
        plan: ToolPlan,
        shown: dict[str, Any],
        schema: Mapping[str, Any],
        arguments: Mapping[str, Any],
        told: Mapping[str, Any],
        depth: int,
    ) -> dict[str, Any]:
        fields, changed = object_properties(schema), shown
        if depth == 0 and own_identity(schema) is not None:
            target = self._resource(str(schema.get("title", "")), next(iter(told)), schema)
            if target is not None and target in told:
                return self._with_row(target, shown, schema, arguments, told[target])
        for name, item in fields.items():
            inner = shown.get(name)
            if not isinstance(inner, dict):
                continue
            target = self._resource(name, next(iter(told)), item) if own_identity(item) is not None else None
            if target is not None and target in told:
                made = self._with_row(target, inner, item, arguments, told[target])
            elif depth < _NESTED:
                made = self._with_named(plan, inner, item, arguments, told, depth + 1)
            else:
                continue
            changed = changed if made is inner else {**changed, name: made}
        return changed

    def _with_row(
        self, target: str, shown: dict[str, Any], schema: Mapping[str, Any], arguments: Mapping[str, Any], identity: Any
    ) -> dict[str, Any]:
        """Return an object that shows a row and the values of the call; optional fields that neither has are left out."""
        fields, row, own = object_properties(schema), self._state.get(target, str(identity)) or {}, own_identity(schema)
        rng = self._seed.random(f"{target}/{identity}/shown")
        made = {name: value for name, value in shown.items() if name in schema.get("required", ()) or name in row}
        for name, value in {**row, **arguments, str(own): identity}.items():
            plain = name not in arguments or isinstance(value, (str, int, float)) or name == own
            if name in fields and plain:
                made.update((name, one) for one in admitted(fields[name], value, rng))
        return {name: made[name] for name in fields if name in made}

    def another(self, plan: ToolPlan) -> bool:
        """Tell whether a tool's result shows a row of another resource than the one the tool acts on.

        The result has the name of that resource and more of its fields, or as many if the call names such a row: a membership is
        added, and the group is shown.
        """
        if plan.rows is None or plan.rows.many or plan.rows.view is not None or plan.resource is None:
            return False
        other = resource_name(str(plan.rows.schema.get("title", "")))
        if other == plan.resource or other not in self._plan.resources:
            return False
        shown = object_properties(plan.rows.schema).keys()
        common = {
            name: len(shown & object_properties(self._plan.resources[name].schema).keys())
            for name in (other, plan.resource)
        }
        named = other in self._plan.references.get(plan.tool.name, {}).values()
        return common[other] > common[plan.resource] or (named and common[other] == common[plan.resource])

    def _filled(
        self, schema: Mapping[str, Any], known: _Known, place: str, held: Mapping[str, Any], own: str, depth: int
    ) -> dict[str, Any]:
        """Return an object with all its required fields; rows that other rows refer to are found before the rest."""
        fields, needed, made = object_properties(schema), schema.get("required", ()), dict(held)
        rows = [name for name, item in fields.items() if name not in made and own_identity(item) is not None]
        for found in (True, False):
            for _ in rows if found else (1,):
                for name in [name for name in rows if name not in made]:
                    linked = _linked(name, known)
                    if linked is not None or (not found and name in needed):
                        made[name] = self._row(name, fields[name], linked, known, place, own)
        for name, item in fields.items():
            told = schema_type(item) == "object" and any(
                stem in known for stem in map(stem_of, object_properties(item))
            )
            if name in made or name in rows or not (name in needed or told):
                continue
            inner = self._object(name, item, known, place, own, depth + 1)
            made[name] = inner if inner is not None else self._made(item, f"{place}/{name}", name)
        ordered = {name: made[name] for name in fields if name in made}
        return {name: value for name, value in ordered.items() if value is not None or is_valid(None, fields[name])}

    def _object(self, name: str, schema: Mapping[str, Any], known: _Known, place: str, own: str, depth: int) -> Any:
        """Return an object filled from the known rows; none if the schema is not an object."""
        fields = object_properties(schema)
        if schema_type(schema) != "object" or not fields or depth > DEEPEST:
            return None
        if own_identity(schema) is not None:
            return self._row(name, schema, _linked(name, known), known, place, own)
        if any(own_identity(item) is not None for item in fields.values()):
            return self._filled(schema, known, place, {}, own, depth)
        made = self._made(schema, f"{place}/{name}", name)
        for field in fields if isinstance(made, dict) else ():
            other = known.get(stem_of(field) or "")
            identity = _identity(other) if other is not None else None
            if identity is not None and is_valid(identity, fields[field]):
                made = {**made, field: identity}
        return made

    def _row(self, name: str, schema: Mapping[str, Any], linked: Any, known: _Known, place: str, own: str) -> Any:
        """Return the row that another one refers to, or any row of that kind; made up if the state has none."""
        held = known.get(name)
        target = self._resource(name, own, schema)
        key = "" if linked is None else str(linked)
        if held is None and target is not None:
            options = [at for at, _ in self._state.rows(target)] if linked is None else []
            key = self._seed.random(f"{place}/{name}").choice(options) if options else key
            held = self._state.get(target, key)
        told = target or str(schema.get("title") or resource_name(name))
        made = self._made(schema, f"{told}/{key}" if key else f"{place}/{name}", resource_name(told))
        if not isinstance(made, dict):
            return made
        rng = self._seed.random(f"{told}/{key}/shown")
        fields = object_properties(schema)
        for field, value in (held or {}).items():
            if field in fields:
                made.update((field, one) for one in admitted(fields[field], value, rng))
        if held is not None:
            absent = fields.keys() - held.keys() - set(schema.get("required", ()))
            made = {field: value for field, value in made.items() if field not in absent}
            without_made_up_ends(made, held, fields)
        elif linked is not None and is_valid(linked, fields[str(own_identity(schema))]):
            made = placed(made, (str(own_identity(schema)),), linked)
        known.setdefault(name, {**made, **(held or {})})
        return made

    def _resource(self, name: str, own: str, schema: Mapping[str, Any]) -> str | None:
        """Return the resource of a row in a view: the target of a reference of that name, else one of that name or shape."""
        resources = self._plan.resources
        referred = [to for at, to in resources[own].references.items() if stem_of(at[1:]) == resource_name(name)]
        alike = [found for found, item in resources.items() if shows_alike(item, schema)]
        options = [*referred, *(found for found in resources if found in (resource_name(name), name)), *alike]
        return next((found for found in options if _is_alike(resources[found].schema, schema)), None)

    def _made(self, schema: Mapping[str, Any], place: str, name: str) -> Any:
        try:
            return make_valid(schema, self._seed.random(place), name)
        except Unsatisfiable:
            return None


def _is_alike(held: Mapping[str, Any], shown: Mapping[str, Any]) -> bool:
    """Tell whether rows of one schema can be shown by another: they have half of its fields."""
    fields = object_properties(shown)
    return len(fields.keys() & object_properties(held).keys()) * 2 >= len(fields)


def _identity(row: Mapping[str, Any]) -> Any:
    return next((row[name] for name in OWN_IDENTITIES if name in row), None)


def _linked(name: str, known: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the identity that a known row holds for an object named `creator` or `post_creator`; none if there is none."""
    for wanted, row in _holders(name_tokens(name), known):
        for field, value in row.items():
            spoken = stem_of(field)
            if spoken is not None and spoken.split("_") == wanted and isinstance(value, (str, int)):
                return value
    return None


def _holders(words: list[str], known: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[list[str], Mapping[str, Any]]]:
    """Yield (words to find, row): for `post_creator`, the `creator` in the row `post`, then `post_creator` in any row."""
    for name, row in known.items():
        own = name_tokens(name)
        if words[: len(own)] == own and len(words) > len(own):
            yield words[len(own) :], row
    for row in known.values():
        yield words, row
