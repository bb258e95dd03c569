"""Steps of a task -> the rows that they end: no call may change what was cancelled, or what belongs to it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from interplay.generators.blueprints.drafting.draft import DeadEnd, Step
from interplay.generators.environments.rows.initial_fields import later_statuses
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.values.lifetimes import is_done, is_final, tells_state
from interplay.generators.values.occurrences import is_still_ahead
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.tool import WRITING, ToolRole
from interplay.schemas.words.identifiers import name_tokens

_ENDING = {"cancel", "delete", "discard", "remove", "revoke", "terminate", "void", "withdraw"}
_TAKING_AWAY = {"delete", "remove", "discard"}
"""Of these, what is also done to rows that are over."""
_ENDING_STATUS = {"cancelled", "canceled", "deleted", "revoked", "terminated", "void", "withdrawn"}
_BEGINNING_ANEW = {"reactivate", "reinstate", "reopen", "restore", "uncancel", "undelete", "undo"}


def check_not_ended(
    tool: str, arguments: Mapping[str, Any], before: Collection[Step], roles: Mapping[str, ToolRole]
) -> None:
    """Check that a call changes no row that an earlier step has ended, unless it restores the row.

    Raises:
        DeadEnd: it changes one.
    """
    role = roles.get(tool)
    if role is None or role.operation not in WRITING or _BEGINNING_ANEW & set(name_tokens(tool)):
        return
    over: set[tuple[str, str]] = set()
    for step in before:
        over |= set(_ended_by(step, roles))
        if over and _BEGINNING_ANEW & set(name_tokens(step.tool)) and step.tool in roles:
            over -= set(_named(roles[step.tool], step.arguments))
    if over and any(row in over for row in _named(role, arguments)):
        raise DeadEnd(f"{tool} is about what is over by then")


def check_not_ended_at_start(tool: str, arguments: Mapping[str, Any], world: World) -> None:
    """Check that the state of a row allows a call: nobody voids a void invoice, or locks what is locked.

    Nor may a status go backwards: a refunded order is not picked up.

    Raises:
        DeadEnd: the state of a row does not allow it.
    """
    role = world.roles.get(tool)
    if role is not None and role.operation in ("update", "action"):
        _check_goes_on(role, arguments, world)
    if role is None or role.operation not in ("action", "delete"):
        return
    ends = ends_row(role, world)
    for resource, key in _named(role, arguments):
        row = world.subject(resource, key) if resource == role.resource else None
        if row is not None and _is_over(role, row, ends):
            raise DeadEnd(f"{tool} is about what is over already")


def over_at_start(tool: str, world: World) -> set[str]:
    """Return the keys of rows that are already in the state into which a tool would bring them."""
    role, found = world.roles[tool], set[str]()
    if role.operation in ("action", "delete") and role.resource in world.resources and role.resource is not None:
        for key in world.environment.state().get(world.resources[role.resource].table, {}):
            row = world.subject(role.resource, str(key))
            if row is not None and _is_over(role, row, ends_row(role, world)):
                found.add(str(key))
    return found


def ends_row(role: ToolRole, world: World) -> bool:
    """Tell whether a tool ends the rows that it acts on, by its name: `cancel_booking` does."""
    ending = _ENDING if role.operation == "action" else _ENDING - _TAKING_AWAY
    return not ending.isdisjoint(name_tokens(world.tools[role.tool].original_name))


def _is_over(role: ToolRole, row: Subject, ends: bool) -> bool:
    states = [str(value).lower() for name, value in row.row.items() if tells_state(name)]
    if ends and any(map(is_final, states)):
        return True
    anew = not _BEGINNING_ANEW.isdisjoint(name_tokens(role.tool))
    if role.operation == "action" and not anew and not _ENDING_STATUS.isdisjoint(states):
        return True
    if any(map(_is_done, role.leads_to.values())) and is_still_ahead(row.row):
        return True  # nobody completes today what takes place in May
    return bool(role.leads_to) and role.leads_to.items() <= row.row.items()


def _is_done(state: Any) -> bool:
    return isinstance(state, str) and is_done(state) and state.lower() not in _ENDING_STATUS


def _check_goes_on(role: ToolRole, arguments: Mapping[str, Any], world: World) -> None:
    """Check that a status which a call sets comes after the row's present one, where statuses have an order.

    Raises:
        DeadEnd: it would go back, or complete what is still to come.
    """
    rows = [world.subject(resource, key) for resource, key in _named(role, arguments) if resource == role.resource]
    for name, state in arguments.items() if any(rows) else ():
        schema = world.tools[role.tool].properties.get(name, {})
        for row in (row for row in rows if row is not None) if tells_state(name) else ():
            later = later_statuses(schema, row.row.get(name))
            if later is not None and state not in later:
                raise DeadEnd(f"{role.tool} would set something back to {state}")
            if _is_done(state) and is_still_ahead(row.row):
                raise DeadEnd(f"{role.tool} would set something to {state} that is still to come")


def _ended_by(step: Step, roles: Mapping[str, ToolRole]) -> Iterator[tuple[str, str]]:
    """Yield the (resource, key) pairs of its own resource that a step ends."""
    role = roles.get(step.tool)
    if role is None or role.operation not in ("delete", "action", "update") or step.withheld or step.misses:
        return
    status = {str(value).lower() for _, value in leaves(dict(step.arguments))} & _ENDING_STATUS
    named = name_tokens(step.tool)
    if role.operation == "delete" or status or not _ENDING.isdisjoint((named[0], named[-1])):
        yield from (row for row in _named(role, step.arguments) if row[0] == role.resource)


def _named(role: ToolRole, arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the (resource, key) pairs of the rows that arguments name."""
    for pointer, value in leaves(dict(arguments)):
        resource = referred(role, pointer)
        if resource is not None:
            yield from ((resource, str(item)) for item in (value if isinstance(value, list) else [value]))
