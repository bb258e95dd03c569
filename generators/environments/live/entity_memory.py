"""The tool results of a trajectory -> a memory of the entities in them, which later results must agree with.

get_pet(pet_id=3) -> {"id": 3, "name": "Rex"}     remembered: pet 3 has the name Rex
list_pets()       -> [{"id": 3, "name": "Max"}]   disagrees: the pet 3 has /name 'Rex', not 'Max'
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.environments.inference.plans import Plan, ResourcePlan, ToolPlan
from interplay.generators.environments.rows.changes import bodies_of, given_fields, with_given
from interplay.schemas.json.canonical import canonical, pointer_token
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

Row = Mapping[str, Any]

DISAGREEMENTS = 5
"""Disagreements that are reported at most."""

_VOLATILE = word_set(beside(__file__), "volatile")
"""Words in names of fields that a write may change without being given them."""

_UNSEEN: Row = {}


@dataclass(frozen=True)
class EntityMemory:
    """Rows by resource and identity, as far as results have shown them; a deleted row is none."""

    rows: Mapping[tuple[str, str], Row | None] = field(default_factory=dict)

    def is_deleted(self, resource: str | None, key: str) -> bool:
        """Tell whether the row is known to be deleted."""
        return self.rows.get((str(resource), key), _UNSEEN) is None

    def joined(self, later: "EntityMemory") -> "EntityMemory":
        """Return this memory updated with a later one."""
        rows = dict(self.rows)
        for key, row in later.rows.items():
            rows[key] = None if row is None else {**(rows.get(key) or {}), **row}
        return EntityMemory(rows)

    def tables(self) -> dict[str, dict[str, Row]]:
        """Return the rows known to exist: resource -> identity -> row."""
        found: dict[str, dict[str, Row]] = {}
        for (resource, key), row in self.rows.items():
            if row is not None:
                found.setdefault(resource, {})[key] = row
        return found


def named_key(plan: ToolPlan, arguments: Row) -> str | None:
    """Return the identity in the target argument of a call; none if it is not given."""
    return str(arguments[plan.target]) if plan.target is not None and plan.target in arguments else None


def rows_with_keys(plan: ToolPlan, resource: ResourcePlan, arguments: Row, value: Any) -> list[tuple[str, Row]]:
    """Return (identity, row) for the rows in a result; a row without an identity gets the one that the call names."""
    if plan.rows is None:
        return []
    named = named_key(plan, arguments)
    found = []
    for row in plan.rows.shown(value):
        shown = resource.identity_of(row)
        key = named if shown is None else shown
        if key is not None:
            found.append((str(key), row))
    return found


def disagreements(plan: Plan, tool: str, arguments: Row, value: Any, memory: EntityMemory) -> list[str]:
    """Return the contradictions between a result and its call or earlier results, at most `DISAGREEMENTS`."""
    asked = plan.tools[tool]
    if asked.resource is None:
        return []
    resource = plan.resources[asked.resource]
    shown = rows_with_keys(asked, resource, arguments, value)
    keys = [key for key, _ in shown]
    found = [f"the {resource.name} {key!r} is shown twice" for at, key in enumerate(keys) if key in keys[:at]]
    for key, row in shown:
        found += _of_row(asked, resource, arguments, key, row, memory.rows.get((resource.name, key), _UNSEEN))
    return found[:DISAGREEMENTS]


def _of_row(
    plan: ToolPlan, resource: ResourcePlan, arguments: Row, key: str, row: Row, known: Row | None
) -> Iterator[str]:
    name = f"the {resource.name} {key!r}"
    creating = plan.operation == "create"
    wanted = named_key(plan, arguments)
    if wanted not in (None, key) and not (plan.rows and plan.rows.many):
        yield f"{plan.target} is {wanted!r}, but {name} is shown"
        return
    if known is None and not creating:
        yield f"{name} was deleted before"
        return
    if creating and known and plan.target is None and not plan.single:
        yield f"{name} was there before: a new one needs an identity of its own"
        return
    expected = dict(known or {})
    if plan.operation in ("create", "update", "action"):
        expected = {field: value for field, value in expected.items() if not _is_volatile(field)}
        given = given_fields(plan, resource, arguments) if len(bodies_of(plan, resource, arguments)) == 1 else {}
        expected = {} if plan.operation == "action" else with_given(resource, expected, given)
    for pointer, held, said in _contrary(expected, row):
        yield f"{name} has {pointer} {held!r:.80}, not {said!r:.80}"


def _is_volatile(name: str) -> bool:
    return bool(set(name_tokens(name)) & _VOLATILE)


def _contrary(known: Any, said: Any, pointer: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield pointer and both values of the fields in which two values differ; fields that only one has are ignored."""
    if isinstance(known, Mapping) and isinstance(said, Mapping):
        for key in known:
            if key in said:
                yield from _contrary(known[key], said[key], f"{pointer}/{pointer_token(key)}")
    elif canonical(known) != canonical(said):
        yield pointer, known, said


def remembered(plan: Plan, tool: str, arguments: Row, value: Any, memory: EntityMemory) -> EntityMemory:
    """Return the memory updated with the entities in a result and the changes of a write."""
    made = plan.tools[tool]
    if made.resource is None:
        return memory
    resource, rows = plan.resources[made.resource], dict(memory.rows)
    target = named_key(made, arguments)
    if made.operation == "delete":
        return EntityMemory(rows | {(resource.name, target): None}) if target is not None else memory
    if made.operation in ("update", "action") and target is not None:
        before = rows.get((resource.name, target)) or {}
        kept = {field: value for field, value in before.items() if not _is_volatile(field)}
        given = given_fields(made, resource, arguments) if made.operation == "update" else {}
        rows[resource.name, target] = with_given(resource, kept, given)
    for key, row in rows_with_keys(made, resource, arguments, value):
        rows[resource.name, key] = {**(rows.get((resource.name, key)) or {}), **row}
    return EntityMemory(rows)
