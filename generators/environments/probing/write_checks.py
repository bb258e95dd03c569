"""Checks of writes: reads and lists show what was created, changed and deleted."""

from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan, body_of, is_technical
from interplay.generators.environments.probing.comparison import (
    Difference,
    disagreement,
    expected_fields,
    short,
)
from interplay.generators.environments.probing.read_checks import MOST_ROWS, as_argument, read_row
from interplay.generators.environments.probing.reading_tools import ToolPairs, identity_of, path_names, places
from interplay.generators.environments.probing.trial import Trial, remedy
from interplay.generators.environments.rows.changes import given_fields
from interplay.generators.environments.rows.pagination import is_size
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid

GIVEN = 4
"""Number of optional arguments that a write is given."""

FULL_PAGE = 20
"""Length from which a list may be one page of several."""


async def check_create(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that the answer, a read and a list show a new row with the values that were given."""
    if item.operation != "create" or item.resource is None or item.lists:
        return
    trial.begin()
    before = trial.environment.state().get(item.resource, {})
    made = await trial.attempt(item.tool.name, {}, GIVEN, 6)
    if made is None:
        return
    arguments, result = made
    resource = trial.plan.resources[item.resource]
    given = {
        name: value
        for name, value in body_of(item, arguments).items()
        if name in given_fields(item, resource, arguments) or item.rows is not None
    }
    shown = item.rows_shown(result.value) if item.rows is not None else []
    if shown:
        _compare(trial, "given_not_answered", (item,), expected_fields(given, item, resource), shown[0])
    new = [row for key, row in trial.environment.state().get(item.resource, {}).items() if key not in before]
    identity = next((identity_of(trial.plan, item, row) for row in [*shown[:1], *new]), None)
    if identity is None:
        return
    reader = pairs.reader(item)
    if reader is not None:
        value = await read_row(trial, item, arguments, reader, identity)
        why = trial.failures.get(reader.tool.name, "no arguments")
        expected, fix = f"the new {item.resource} {identity!r} to be readable", remedy(reader, resource=item.resource)
        if trial.check("created_not_shown", value is not None, (item, reader), expected, why, fix):
            rows = reader.rows_shown(value)
            if len(rows) == 1:
                wanted = expected_fields(given, reader, resource)
                _compare(trial, "created_not_shown", (item, reader), wanted, rows[0])
    await _check_listed(trial, pairs, item, arguments, identity, given)


async def _check_listed(
    trial: Trial,
    pairs: ToolPairs,
    item: ToolPlan,
    arguments: Mapping[str, Any],
    identity: Any,
    given: Mapping[str, Any],
) -> None:
    lister = pairs.lister(item)
    listed = await _listed(trial, lister, item, arguments, given) if lister is not None else None
    if lister is None or listed is None:
        return
    shown = [identity_of(trial.plan, lister, row) for row in listed]
    there = identity in shown
    if there or (None not in shown and len(listed) < FULL_PAGE):
        fix = remedy(lister, resource=item.resource)
        expected, came = f"the new {item.resource} {identity!r} in the list", f"{len(listed)} others"
        trial.check("created_not_listed", there, (item, lister), expected, came, fix)


async def _listed(
    trial: Trial, lister: ToolPlan, near: ToolPlan, arguments: Mapping[str, Any], given: Mapping[str, Any]
) -> list[Mapping[str, Any]] | None:
    """Return the rows of a list with the same owners as a call; none if the list needs arguments that are not known."""
    fixed = places(near, arguments, lister)
    properties = lister.tool.properties
    for name in properties:
        if is_size(name) and schema_type(properties[name]) == "integer":
            most = next((count for count in (100, 50, 20) if is_valid(count, properties[name])), None)
            fixed |= {f"/{name}": most} if most is not None else {}
        elif name in lister.tool.required and f"/{name}" not in fixed and not is_paging(name):
            if name not in given or not is_valid(given[name], properties[name]):
                return None
            fixed[f"/{name}"] = given[name]
    found = await trial.attempt(lister.tool.name, fixed, attempts=1)
    return lister.rows_shown(found[1].value) if found is not None else None


def _compare(
    trial: Trial, kind: Any, tools: tuple[ToolPlan, ...], wanted: Mapping[str, Any], found: Mapping[str, Any]
) -> None:
    missing = (Difference(name, value, None) for name, value in wanted.items() if value and name not in found)
    if wanted:
        trial.check_shown(kind, tools, disagreement(wanted, found) or next(missing, None), "as given")


async def check_update(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that a read shows the values that an update gave."""
    same = pairs.same_path(item)
    puts = item.tool.method in ("PUT", "PATCH")
    changes = item.operation == "update" or (same is not None and puts)
    reader = same or pairs.reader_of(str(item.resource), item)
    if not changes or reader is None or reader.rows is None or reader.rows.many:
        return
    if item.edit is not None and item.edit.does in ("add", "remove", "clear"):
        return
    trial.begin()
    made = await trial.attempt(item.tool.name, {}, GIVEN, 6)
    read = await read_again(trial, item, made[0], reader) if made is not None else None
    shown = reader.rows_shown(read) if read is not None else []
    if made is not None and len(shown) == 1:
        resource = trial.plan.resources.get(str(reader.resource))
        wanted = expected_fields(body_of(item, made[0]), reader, resource)
        fix = remedy(item, operation="update", resource=reader.resource, target=item.target or reader.target)
        if wanted:
            differs = disagreement(wanted, shown[0])
            trial.check_shown("update_not_shown", (item, reader), differs, "as given", fix)


async def read_again(trial: Trial, near: ToolPlan, arguments: Mapping[str, Any], reader: ToolPlan) -> Any | None:
    """Return the result of reading the row that a call of `near` was about; none if the read fails."""
    fixed = places(near, arguments, reader)
    if reader.target is not None and f"/{reader.target}" not in fixed:
        identity = arguments.get(near.target or "")
        if identity is None:
            return None
        fixed[f"/{reader.target}"] = as_argument(reader, reader.target, identity)
    found = await trial.attempt(reader.tool.name, fixed)
    return None if found is None else found[1].value


async def check_delete(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that a deleted row is gone, or at least changed."""
    reader = _shows_what_is_deleted(pairs, item)
    example = await trial.example(item.tool.name) if reader is not None else None
    if example is None or reader is None:
        return
    trial.begin()
    before = await read_again(trial, item, example[0], reader)
    gone = await trial.call(item.tool.name, example[0])
    if before is None or gone.error is not None:
        return
    after = await read_again(trial, item, example[0], reader)
    fix = remedy(item, operation="delete", resource=reader.resource, target=item.target or reader.target)
    sound = after is None or after != before
    trial.check("deleted_still_shown", sound, (item, reader), "nothing there once it is deleted", short(after), fix)
    lister = pairs.lister(item)
    if lister is not None and item.operation == "delete" and item.target is not None:
        listed = await _listed(trial, lister, item, example[0], {})
        identity = str(example[0].get(item.target))
        there = any(str(identity_of(trial.plan, lister, row)) == identity for row in listed or ())
        there = there and (after is None or after == before)
        expected = f"{item.resource} {identity!r} in no list"
        trial.check("deleted_still_listed", not there, (item, lister), expected, "it is listed", fix)


def _shows_what_is_deleted(pairs: ToolPairs, item: ToolPlan) -> ToolPlan | None:
    """Return the tool that reads what `item` deletes; none if only the container of it can be read."""
    same = pairs.same_path(item)
    http, inside = item.tool.http, set(path_names(item))
    if http is None or http.method != "DELETE" or same is None:
        return pairs.reader_of(str(item.resource), item) if item.operation == "delete" and item.target else None
    others = set(item.tool.properties) - inside
    chooses = any(not is_technical(name, item.tool) and not is_paging(name) for name in others)
    narrowed = set(item.tool.required) - inside
    return None if narrowed or (same.operation == "list" and chooses) else same


async def check_action(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that a read shows what an action changed."""
    reader = pairs.reader_of(str(item.resource), item)
    if item.operation != "action" or item.target is None or reader is None:
        return
    for first in range(0, 2 * MOST_ROWS, 2):
        trial.begin()
        before = trial.environment.state().get(str(item.resource), {})
        made = await trial.attempt(item.tool.name, {}, attempts=2, first=first)
        after = trial.environment.state().get(str(item.resource), {})
        key = next((key for key, row in after.items() if before.get(key) not in (None, row)), None)
        if made is not None and key is not None:
            changed = {name: value for name, value in after[key].items() if before[key].get(name) != value}
            wanted = expected_fields(changed, reader)
            read = await read_again(trial, item, made[0], reader) if wanted else None
            shown = reader.rows_shown(read) if read is not None else []
            if len(shown) == 1:
                trial.check_shown("action_not_shown", (item, reader), disagreement(wanted, shown[0]), "afterwards")
            return
