"""Checks of reads and lists: rows are readable, consistent, filtered, paged, and listed under their owners only."""

from collections.abc import Iterator, Mapping
from typing import Any

from interplay.generators.environments.inference.plans import ToolPlan
from interplay.generators.environments.probing.comparison import disagreement, short
from interplay.generators.environments.probing.reading_tools import ToolPairs, identity_of, places
from interplay.generators.environments.probing.trial import Trial, remedy
from interplay.generators.environments.rows.pagination import is_size
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import join_pointer, split_pointer
from interplay.schemas.json.fields import schema_at, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens

MOST_ROWS, MOST_FILTERS, MOST_COPIES = 3, 4, 3
MANNERS = set("sort order fields include expand format direction embed select".split())
BOUNDS = set("start end from to since until before after min max".split())


async def check_listed(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that listed rows can be read, and that a read shows them as the list does."""
    found = await trial.example(item.tool.name)
    reader = pairs.reader(item)
    if found is None or item.operation != "list" or reader is None or item.resource is None:
        return
    for row in item.rows_shown(found[1].value)[:MOST_ROWS]:
        resource = trial.plan.resources[str(reader.resource)]
        identity = resource.identity_of(row)
        if identity is None:
            return
        trial.begin()
        await trial.call(item.tool.name, found[0])
        read = await read_row(trial, item, found[0], reader, identity)
        fix = remedy(item, resource=reader.resource) or f"resources: {{{resource.name}: {{identity: FIELD}}}}"
        why = trial.failures.get(reader.tool.name, "no arguments")
        expected = f"the listed {resource.name} {identity!r} to be readable"
        if not trial.check("listed_not_readable", read is not None, (item, reader), expected, why, fix):
            return
        shown = reader.rows_shown(read)
        if len(shown) == 1:
            differs = disagreement(row, shown[0], item.rows.schema if item.rows is not None else {})
            if not trial.check_shown("list_and_read_differ", (item, reader), differs, "as listed"):
                return


async def read_row(
    trial: Trial, near: ToolPlan, arguments: Mapping[str, Any], reader: ToolPlan, identity: Any
) -> Any | None:
    """Return the result of reading one row under the same owners as the call of `near`; none if no attempt succeeds."""
    fixed = {**places(near, arguments, reader), f"/{reader.target}": as_argument(reader, str(reader.target), identity)}
    read = await trial.attempt(reader.tool.name, fixed)
    return None if read is None else read[1].value


def as_argument(plan: ToolPlan, name: str, identity: Any) -> Any:
    """Return an identity converted to the type of a parameter."""
    kind = schema_type(plan.tool.properties.get(name, {}))
    if kind == "string":
        return str(identity)
    return int(identity) if kind == "integer" and str(identity).lstrip("-").isdigit() else identity


async def check_filters(trial: Trial, item: ToolPlan) -> None:
    """Check that a parameter named after a field keeps only rows with its value."""
    found = await trial.example(item.tool.name)
    if found is None or item.operation != "list" or item.resource is None:
        return
    rows = item.rows_shown(found[1].value)
    for name, field, value in list(_filters(item, found[0], rows))[:MOST_FILTERS]:
        trial.begin()
        result = await trial.call(item.tool.name, {**found[0], name: value})
        if result.error is not None:
            trial.check("filter_ignored", False, (item,), f"rows with {field} {short(value)}", result.error)
            continue
        left = item.rows_shown(result.value)
        others = [row[field] for row in left if field in row and not _passes(row[field], value)]
        came = f"{len(left)} rows" + (f", one with {short(others[0])}" if others else "")
        trial.check("filter_ignored", bool(left) and not others, (item,), f"rows with {field} {short(value)}", came)


def _filters(item: ToolPlan, given: Mapping[str, Any], rows: list[Mapping[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    """Yield (parameter, field, value) for parameters named after a field, with the value that fewest rows have."""
    for name, schema in item.tool.properties.items():
        if not rows or name in given or is_paging(name) or set(name_tokens(name)) & (MANNERS | BOUNDS):
            continue
        field = next((key for key in rows[0] if name_tokens(key) == name_tokens(name)), None)
        held = [row[field] for row in rows if field in row and is_valid(row[field], schema)] if field else []
        held = [value for value in held if isinstance(value, (str, int, float)) and value != ""]
        if held and field:
            yield name, field, min(held, key=lambda value: (held.count(value), str(value)))


def _passes(held: Any, value: Any) -> bool:
    """Tell whether a field has the wanted value, or contains it as a text or list; none passes too."""
    if isinstance(held, str) and isinstance(value, str):
        return value.lower() in held.lower()
    return held is None or held == value or (isinstance(held, list) and value in held)


async def check_pages(trial: Trial, item: ToolPlan) -> None:
    """Check that a page has no more rows than asked for, and that the next page has other rows."""
    found = await trial.example(item.tool.name)
    properties = item.tool.properties
    size = next((name for name in properties if is_size(name) and schema_type(properties[name]) == "integer"), None)
    if found is None or item.operation != "list" or item.resource is None or size is None:
        return
    rows = item.rows_shown(found[1].value)
    wanted = next((count for count in (1, 2, 5) if is_valid(count, properties[size])), None)
    if wanted is None or len(rows) <= wanted:
        return
    trial.begin()
    result = await trial.call(item.tool.name, {**found[0], size: wanted})
    shown = item.rows_shown(result.value)
    came = f"{len(shown)} rows" if result.error is None else result.error
    if not trial.check("page_size_ignored", 0 < len(shown) <= wanted, (item,), f"{wanted} rows", came):
        return
    offset = next((name for name in properties if set(name_tokens(name)) <= {"offset", "skip"} and name), None)
    if offset is not None and is_valid(wanted, properties[offset]):
        later = await trial.call(item.tool.name, {**found[0], size: wanted, offset: wanted})
        others = item.rows_shown(later.value)
        trial.check("page_repeated", others != shown, (item,), "other rows on the next page", short(others))


async def check_owner(trial: Trial, item: ToolPlan) -> None:
    """Check that rows listed under one parent are listed under no other."""
    resource = trial.plan.resources.get(str(item.resource))
    if item.operation != "list" or resource is None or resource.parent is None or resource.mirrors is not None:
        return
    name = next((name for name, owner in item.parents if owner == resource.parent), None)
    owner = trial.plan.resources[resource.parent]
    table = trial.environment.state().get(owner.name, {})
    named = [owner.identity_of(row) for row in table.values()]
    identities = [identity for identity in named if identity is not None][:MOST_ROWS]
    if name is None or owner.scope or resource.identity is None:
        return
    seen: dict[str, Any] = {}
    trial.begin()
    for identity in identities:
        listed = await trial.attempt(item.tool.name, {f"/{name}": as_argument(item, name, identity)})
        rows = item.rows_shown(listed[1].value) if listed is not None else []
        for row in rows:
            key = str(identity_of(trial.plan, item, row))
            twice = key in seen and seen[key][0] != identity and not disagreement(row, seen[key][1])
            expected = f"the {resource.name} {key!r} below {owner.name} {short(seen.get(key, [None])[0])} alone"
            came = f"it below {owner.name} {identity!r} as well"
            if not trial.check("child_under_other_parent", not twice, (item,), expected, came):
                return
            seen.setdefault(key, (identity, row))


async def check_copies(trial: Trial, pairs: ToolPairs, item: ToolPlan) -> None:
    """Check that rows embedded in a result exist, and that reads show them with the same values."""
    role = trial.environment.resources.role(item.tool.name)
    found = await trial.example(item.tool.name) if item.operation in ("read", "list") and role.yields else None
    if found is None:
        return
    copies = [(pointer, target) for pointer, target in role.yields.items() if target != item.resource]
    for pointer, target in copies[:MOST_COPIES]:
        reader = pairs.reader_of(target)
        around = len([part for part in split_pointer(item.rows.pointer) if part != "*"]) if item.rows is not None else 0
        copy, identity = _first(found[1].value, split_pointer(pointer), around)
        if reader is None or identity is None or not isinstance(identity, (str, int)):
            continue
        trial.begin()
        await trial.call(item.tool.name, found[0])
        value = await read_row(trial, item, found[0], reader, identity)
        why = trial.failures.get(reader.tool.name, "no arguments")
        expected = f"{target} {identity!r}, named at {pointer}, to be there"
        if not trial.check("named_but_not_there", value is not None, (item, reader), expected, why):
            continue
        shown = reader.rows_shown(value)
        if copy is not None and len(shown) == 1 and split_pointer(pointer)[-1] in shown[0]:
            view = schema_at(item.tool.returns, join_pointer(*split_pointer(pointer)[:-1]))
            differs = disagreement(copy, shown[0], view)
            expected = f"{differs.field} {short(differs.found)}, as {target} {identity!r} has it" if differs else ""
            came = f"{short(differs.wanted)} at {join_pointer(*split_pointer(pointer)[:-1])}" if differs else ""
            trial.check("copy_differs", differs is None, (item, reader), expected, came)


def _first(value: Any, path: tuple[str, ...], around: int) -> tuple[Mapping[str, Any] | None, Any]:
    """Return the object around the first value at a path (only if it lies below a row itself), and that value.

    `around` counts the fields in which the rows of the result stand.
    """
    holder, depth = None, -around
    for number, part in enumerate(path):
        if isinstance(value, list):
            value = value[0] if part == "*" and value else None
            continue
        held = value.get(part) if isinstance(value, Mapping) else None
        if number == len(path) - 1 and isinstance(value, Mapping) and depth > 0:
            holder = value
        value, depth = held, depth + 1
    return holder, value
