"""The arguments of a write -> the fields of the row that they give, and the row afterwards."""

import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.environments.inference.plans import (
    Edit,
    ResourcePlan,
    ToolPlan,
    body_of,
    body_properties,
    placed,
    wrapper_of,
)
from interplay.generators.environments.inference.resources.references import nested_reference
from interplay.generators.environments.inference.resources.relations import is_link
from interplay.generators.environments.inference.resources.row_fields import called_by
from interplay.generators.environments.inference.tool_words import ENVELOPES, stem_of
from interplay.schemas.calls.first_page import is_paging
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.nouns import singular
from interplay.schemas.words.word_classes import infinitives


def given_fields(plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the row that the arguments of a call set."""
    held = resource.schema.get("properties", {})
    inner = object_properties(held.get("attributes", {}))
    known = body_properties(plan).keys() | asked_fields(plan)
    names = {name for name in known if name in held or name in inner or _whole(held, name)}
    given = {
        name: value
        for name, value in body_of(plan, arguments).items()
        if name in names
        and (
            not (
                isinstance(value, bool)
                and schema_type(held.get(name) or inner.get(name, {})) in ("string", "integer", "number")
            )
        )
    }
    if plan.operation == "create" and plan.target is not None and plan.target in arguments and resource.identity:
        given = placed(given, resource.identity_path, arguments[plan.target])
    for name, owner in plan.parents:
        for field in given.keys() & {pointer[1:] for pointer, to in resource.references.items() if to == owner}:
            if name in arguments and is_link(f"/{field}", owner):
                given[field] = arguments[name]
        for pointer in (pointer for pointer, to in resource.references.items() if to == owner and "*" not in pointer):
            way = split_pointer(pointer)
            if len(way) > 1 and name in arguments and is_link(pointer, owner) and isinstance(given.get(way[0]), dict):
                given = placed(given, way, arguments[name])
    body = body_of(plan, arguments)
    given = _in_both_spellings(held, body, given)
    given = {
        **_by_their_choices(plan, held, body),
        **_by_their_kind(plan, held, body),
        **_by_their_names(plan, held, body),
        **given,
        **_by_day_and_time(resource, body),
    }
    return {**_said_of_deed(plan, held, arguments), **given}


def _in_both_spellings(held: Mapping[str, Any], body: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields, also under the row's spelling of their names: `FriendlyName`, `friendly_name`."""
    spelt: dict[tuple[str, ...], list[str]] = {}
    for name in held:
        spelt.setdefault(tuple(name_tokens(name)), []).append(name)
    others = {
        other: value
        for name, value in {**body, **given}.items()
        for other in spelt.get(tuple(name_tokens(name)), ())
        if other != name and other not in given and _takes(held[other], value)
    }
    return {**given, **others}


def _by_their_choices(plan: ToolPlan, held: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields whose options contain the given value and whose name is longer: `status_internal` for `status`.

    A shorter name will do if the tool does not show the argument's own name: `access_type` for `resource_access_type`.
    """
    own, found = object_properties(plan.rows.schema) if plan.rows is not None else held, dict[str, Any]()
    for name, value in body.items():
        said = set(name_tokens(name))
        alike = [field for field, schema in held.items() if value in schema.get("enum", ())]
        alike = [field for field in alike if name not in held or held[field]["enum"] == held[name].get("enum")]
        longer = [field for field in alike if said < set(name_tokens(field))]
        shorter = [field for field in alike if said > set(name_tokens(field)) and name not in own]
        found |= dict.fromkeys([*longer, *shorter], value) if len(longer) + len(shorter) == 1 else {}
    return found


def _by_their_names(plan: ToolPlan, held: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that rows show under another name than the argument's: `song_name` for `song`."""
    if body.keys() <= held.keys():
        return {}
    given, own = body_properties(plan), str(plan.resource)
    named = {
        name: called_by(name, given.get(name, {}), held, own) or _of_deed(plan, held, name)
        for name in body
        if name not in held
    }
    return {field: body[name] for name, field in named.items() if field is not None and _takes(held[field], body[name])}


_REPLACING = word_set(beside(__file__), "replacing")


def _of_deed(plan: ToolPlan, held: Mapping[str, Any], name: str) -> str | None:
    """Return the field that a call replaces, found by its verb: `scheduled_date` for `reschedule(new_date)`."""
    first, *said = name_tokens(name) or [""]
    deeds = name_tokens(plan.tool.original_name)
    fields = [
        field
        for field in held
        if first in _REPLACING and (tokens := name_tokens(field))[-len(said) :] == said != []
        if tokens == said or any(verb in deed for token in tokens for verb in infinitives(token) for deed in deeds)
    ]
    return fields[0] if len(fields) == 1 else None


def _by_day_and_time(resource: ResourcePlan, body: Mapping[str, Any]) -> dict[str, str]:
    """Return the date-time fields whose date or time a call gives: `starts_at` for `start_date` and `start_time`."""
    found: dict[str, str] = {}
    for field, day, time in _moments_given(resource.schema, tuple(body)):
        parts = [str(body[name]) for name in (day, time) if name]
        if all(map(_PART.fullmatch, parts)):
            found[field] = "T".join(parts)
    return found


def _moments_of(schema: Mapping[str, Any], given: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Return (date-time field, date argument, time argument) for fields with an argument in `given`; "" for a missing one."""
    spelt = {tuple(name_tokens(name)): name for name in given}
    found = []
    for field, shown in object_properties(schema).items():
        stem, last = tuple(name_tokens(field)[:-1]), name_tokens(field)[-1:]
        if shown.get("format") == "date-time" and last and last[0] in _MOMENTS:
            stems = [stem, *([(stem[0].removesuffix("s"),)] if len(stem) == 1 else [])]
            day, time = (
                next((spelt[(*own, part)] for own in stems if (*own, part) in spelt), "") for part in ("date", "time")
            )
            found += [(field, day, time)] if day or time else []
    return found


_moments_given = ObjectCache(_moments_of)
_MOMENTS = {"at", "on", "time", "date", "datetime", "timestamp"}
_PART = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?")
"""A date without a time, or a time without a date."""


def _by_their_kind(plan: ToolPlan, held: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields matched by the `title` of their schema, where only one has it: `status` for `approval_status`."""
    if body.keys() <= held.keys():
        return {}
    kinds = {name: schema.get("title") for name, schema in body_properties(plan).items() if name not in held}
    fields = {
        name: [field for field, of in held.items() if of.get("title") == kind] for name, kind in kinds.items() if kind
    }
    return {found[0]: body[name] for name, found in fields.items() if len(found) == 1 and name in body}


def _said_of_deed(plan: ToolPlan, held: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields named after the tool's verb and an argument: `rejectionReason` for `reject(reason)`."""
    path = plan.tool.path
    deeds = {*name_tokens(plan.tool.original_name), *name_tokens(path.rstrip("/").rpartition("/")[2])}
    found: dict[str, Any] = {}
    for name, value in arguments.items() if plan.operation in ("action", "update") else ():
        said = name_tokens(name)
        for field, schema in held.items() if name not in held else ():
            deed, *rest = name_tokens(field) or [""]
            if said and rest == said and any(map(deed.startswith, map(_stem, deeds))) and _takes(schema, value):
                found[field] = value
    return found


_LETTERS = 4
"""Letters that a verb and its noun must share: `cancel`, `cancellation`."""


def _stem(verb: str) -> str:
    return verb[:-1] if len(verb) > _LETTERS else f"{verb} "  # a short word is not a stem: it must match as a whole


def _takes(schema: Any, value: Any) -> bool:
    """Tell whether a value is valid for a field."""
    return isinstance(schema, Mapping) and is_valid(value, schema)


def asked_fields(plan: ToolPlan) -> set[str]:
    """Return the fields of a new row that a call gives in the query instead of the body: `POST /tickets?client_id=...`."""
    if plan.operation != "create" or plan.tool.http is None or plan.rows is None or wrapper_of(plan) is not None:
        return set()
    shown, locations = object_properties(plan.rows.schema), plan.tool.http.locations
    return {name for name in shown if locations.get(name) == "query" and not is_paging(name)}


def with_given(resource: ResourcePlan, row: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return `row` with the given fields; an id given for a field that embeds a row becomes the id of that row."""
    properties = resource.schema.get("properties", {})
    given = _in_place(properties, given)
    if isinstance(inner := given.get("attributes"), Mapping):
        fields, was = object_properties(properties.get("attributes", {})), row.get("attributes") or {}
        told = {name: _as_moment(fields.get(name, {}), was.get(name), value) for name, value in inner.items()}
        given = {**given, "attributes": told}
    settled = {name: _settled(resource, name, row.get(name), value) for name, value in given.items()}
    other = {name for name, value in settled.items() if value is not given[name] and isinstance(value, dict)}
    return merged({name: value for name, value in row.items() if name not in other}, settled)


def without_given(resource: ResourcePlan, row: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists of `row` from which a call removes items, without the given items."""
    given = _in_place(resource.schema.get("properties", {}), given)
    lists = {
        name: value for name, value in given.items() if isinstance(value, list) and isinstance(row.get(name), list)
    }
    return {
        name: [item for item in row[name] if not any(_bears(resource, name, item, value) for value in values)]
        for name, values in lists.items()
    }


def _in_place(properties: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields, also where the row nests them: `name` under `attributes`, `partner_id` as `partner`."""
    inner = object_properties(properties.get("attributes", {}))
    held = dict(given)
    own = {name: value for name, value in given.items() if name in inner and name not in ("attributes", "id", "type")}
    if own:
        attributes = held.get("attributes")
        held["attributes"] = {**own, **attributes} if isinstance(attributes, Mapping) else own
    whole = {stem: value for name, value in given.items() if (stem := _whole(properties, name)) and stem not in held}
    return {**held, **whole}


def _whole(properties: Mapping[str, Any], name: str) -> str | None:
    """Return the field that embeds the row or rows of an id argument: `partner` for `partner_id`, `tags` for `tagIds`."""
    stem = stem_of(name)
    for field, shown in properties.items() if stem is not None else ():
        kind, tokens = schema_type(shown), name_tokens(field)
        many = kind == "array" and name.lower().endswith("ids")
        rows = shown.get("items", {}) if many else shown if kind == "object" else {}
        called = "_".join([*tokens[:-1], singular(tokens[-1])] if many and tokens else tokens)
        if called == stem and _id_below(rows):
            return field
    return None


def _id_below(shown: Mapping[str, Any]) -> str | None:
    """Return the name of the identity in the schema of an embedded row."""
    return next((name for name in ("id", "gid", "uuid", "key") if name in object_properties(shown)), None)


def _settled(resource: ResourcePlan, name: str, before: Any, value: Any) -> Any:
    shown = resource.schema.get("properties", {}).get(name, {})
    if (moment := _as_moment(shown, before, value)) is not value:
        return moment
    if isinstance(value, (str, int, float)) and not isinstance(value, bool) and schema_type(shown) == "object":
        inner = nested_reference(resource, f"/{name}") or _id_below(shown)
        plain = next((key for key in ("value", "amount") if key in object_properties(shown)), None)
        if inner is None and plain is not None and (isinstance(before, Mapping) or before is None):
            return {**(before or {}), plain: value}
        return {inner.split("/")[-1]: value} if inner else before
    if isinstance(value, str) and schema_type(shown) == "array":
        return _settled(resource, name, before, [part.strip() for part in value.split(",") if part.strip()])
    if isinstance(value, list) and value and all(isinstance(item, (str, int)) for item in value):
        inner = nested_reference(resource, f"/{name}")
        if inner and "/*/" in inner:
            return [{inner.split("/")[-1]: item} for item in value]
    return value


def _as_moment(shown: Mapping[str, Any], before: Any, given: Any) -> Any:
    """Return a date-time for a date or time given for a field that holds one, with the other part from `before`."""
    parted = isinstance(given, str) and all(map(_PART.fullmatch, given.split("T")))
    return _moment(given, before) if parted and shown.get("format") == "date-time" else given


def _moment(given: str, before: Any) -> str:
    day, _, time = given.partition("T") if "-" in given[:_DAY] else ("", "", given)
    was = before if isinstance(before, str) and "T" in before else ""
    if not day and not was:
        return given
    day, time = day or was.partition("T")[0], time or was.partition("T")[2] or "00:00:00Z"
    seconds = "" if time.count(":") > 1 else ":00"
    return f"{day}T{time}{seconds}" if time[-1:] == "Z" or not seconds else f"{day}T{time}{seconds}Z"


_DAY = len("2026-03")


def edited(edit: Edit, resource: ResourcePlan, row: Mapping[str, Any], values: list[Any]) -> dict[str, Any]:
    """Return `row` with the field of an edit changed.

    Raises:
        LookupError: a value to be removed is not there.
    """
    head, inner = edit.path[0], edit.path[1:]
    if edit.does == "clear":
        return merged(row, _nested(edit.path, [] if not inner and isinstance(row.get(head), list) else None))
    if edit.does == "set":
        value = _nested(inner, values[0]) if inner else values[0]
        return with_given(resource, row, {head: value})
    held = row.get(head)
    items = list(held) if isinstance(held, list) else []
    for value in values:
        there = [item for item in items if _bears(resource, head, item, value)]
        if edit.does == "remove" and not there:
            raise LookupError(str(value))
        if edit.does == "remove":
            items = [item for item in items if item not in there]
        elif not there:
            items += _settled(resource, head, [], [value])
    return {**row, head: items}


def _nested(path: tuple[str, ...], value: Any) -> Any:
    return {path[0]: _nested(path[1:], value)} if path else value


def _bears(resource: ResourcePlan, field: str, item: Any, value: Any) -> bool:
    """Tell whether an item of a list equals the value or is the row that it identifies."""
    if not isinstance(item, Mapping):
        return bool(item == value)
    inner = (nested_reference(resource, f"/{field}") or "").split("/")[-1]
    names = [inner] if inner else [name for name in item if name in ("id", "gid", "uuid", "key", "name")]
    within = value.items() <= item.items() if isinstance(value, Mapping) else False
    return within or any(str(item.get(name)) == str(value) for name in names)


def bodies_of(plan: ToolPlan, resource: ResourcePlan, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of each row that a call creates: several if an argument is a list of rows."""
    held = resource.schema.get("properties", {})
    owners = {name for name, _ in plan.parents}
    free = [name for name in plan.tool.properties if name not in owners]
    lone = arguments.get(free[0]) if len(free) == 1 else None
    if isinstance(lone, list) and lone and all(isinstance(item, dict) for item in lone):
        items = plan.tool.parameters["properties"][free[0]].get("items", {})
        if object_properties(items).keys() & held.keys() and free[0] not in held:
            return [{name: value for name, value in item.items() if name in held} for item in lone]
    batch = batch_of(plan, resource)
    if batch is not None and _holds_rows(arguments.get(batch)):
        shared = given_fields(plan, resource, {name: value for name, value in arguments.items() if name != batch})
        return [{**shared, **{name: item[name] for name in item if name in held}} for item in arguments[batch]]
    lists = [arguments[name] for name in free if name not in held and _holds_rows(arguments.get(name))]
    if len(lists) == 1 and plan.parents and plan.parents[-1][1] == resource.name:
        return [dict(item) for item in lists[0]]
    return [given_fields(plan, resource, arguments)]


def batch_of(plan: ToolPlan, resource: ResourcePlan) -> str | None:
    """Return the argument that lists the rows to create, by its name: `cards` of `add_cards_to_list`."""
    held = resource.schema.get("properties", {})
    lists = {}
    for name, schema in plan.tool.properties.items():
        items = object_properties(schema.get("items") or {}) if schema_type(schema) == "array" else {}
        if items and name not in held:
            lists[name] = items
    if plan.operation != "create" or len(lists) != 1:
        return None
    (name, items), noun = next(iter(lists.items())), resource.name.split("_")[-1]
    called = name.lower() in ENVELOPES or singular((name_tokens(name) or [""])[-1]) == noun
    return name if called and 2 * len(items.keys() & held.keys()) >= len(items) else None


def _holds_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def merged(row: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return `row` with the given fields, nested objects merged field by field."""
    result = dict(row)
    for name, value in given.items():
        before = result.get(name)
        result[name] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return result
