"""A stored row -> the result that a tool's schema promises."""

import re
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from random import Random
from typing import Any

from interplay.generators.environments.inference.tool_words import ENVELOPES
from interplay.generators.environments.rows.pagination import Page, page_field
from interplay.generators.results.result_kinds import found_in, is_talk
from interplay.generators.values.lifetimes import end_what_ended, tells_trouble
from interplay.generators.values.schema_values import Unsatisfiable, make_valid
from interplay.generators.values.texts.described_values import described_choices
from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import errors, is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_TOTALS = {"total", "count", "totalcount", "itemcount", "results", "found"}
_PAGING = {"pagination", "paging", "meta", "page", "pages", "metadata", "links", "cursors"}
_CARRIED_OUT = word_set(beside(__file__), "carried_out")
"""Names of booleans that report whether a write was carried out."""
_UNSHOWN = word_set(beside(__file__), "unshown")
_FLAGS = {"ok", "success", "successful", "succeeded"}
"""Names of booleans that report success; a failing call is an error and has no result."""
_SUCCESSES = ("success", "succeeded", "successful", "ok")
_FAILURES = {"failure", "failed", "error", "fail"}
_WORDS, _STATUS = {"message", "msg"}, {"status", "code"}
"""Last words of fields that report the outcome of a call in words, and as an HTTP status code."""
_FEW = 3
_BLAME = {"message", "reason", "code", "error", "errors"}
"""Names of fields beside a status that describe an error."""

REPAIRS = 6
"""Invalid fields that are replaced, first where they stand, then with all that is around them, before all is made anew."""


def projected(schema: Mapping[str, Any], row: Mapping[str, Any], rng: Random) -> Any:
    """Return `row` with exactly the fields of `schema`; valid wherever a valid value can be found."""
    result = _projected(schema, row, rng)
    for attempt in range(2 * REPAIRS):
        found = errors(result, schema, limit=1)
        if not found:
            return result
        path, _ = found[0]
        nearest = None if path or attempt else _in_nearest_form(schema, row, rng)
        if nearest is not None:
            return nearest
        result = _repaired(schema, result, path if attempt < REPAIRS else path[:1], rng)
    try:
        return result if is_valid(result, schema) else make_valid(schema, rng)
    except Unsatisfiable:
        return result


def _in_nearest_form(schema: Mapping[str, Any], row: Mapping[str, Any], rng: Random) -> dict[str, Any] | None:
    """Return a row in that of several forms of a schema which keeps most of its values; None if it has no such form."""
    forms = [
        {**branch, "properties": {**schema.get("properties", {}), **object_properties(branch)}}
        for key in ("oneOf", "anyOf")
        for branch in schema.get(key, ())
        if object_properties(branch)
    ]
    shown = [projected(form, row, rng) for form in forms]
    fitting = [item for item in shown if isinstance(item, dict) and is_valid(item, schema)]
    return max(fitting, key=lambda item: sum(row.get(name) == value for name, value in item.items()), default=None)


@lru_cache(maxsize=16_384)
def _is_unshown(name: str) -> bool:
    return not _UNSHOWN.isdisjoint(name_tokens(name)[-1:])


def _projected(schema: Mapping[str, Any], value: Any, rng: Random) -> Any:
    if not isinstance(value, (dict, list, Mapping)):  # a fast path for scalars
        return value
    for key in ("oneOf", "anyOf"):
        for branch in schema.get(key, ()):
            candidate = _projected({**branch, "properties": {**schema.get("properties", {}), **branch.get("properties", {})}}
                                   if "properties" in branch else branch, value, rng)  # fmt: skip
            if is_valid(candidate, schema):
                return candidate
    if isinstance(value, (dict, Mapping)):
        properties = schema.get("properties")
        if not properties:
            return {key: item for key, item in value.items() if not key.startswith("_") and not _is_unshown(key)}
        shown = {key: _projected(sub, value[key], rng) for key, sub in properties.items() if key in value}
        lacking = [key for key in schema.get("required", ()) if key not in shown]
        shown |= {key: _made(properties.get(key, {"type": "string"}), rng, key) for key in lacking}
        if lacking:  # made-up fields must not contradict the row: it is not cancelled
            without_made_up_ends(shown, value, properties)
        return shown
    if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        return [_projected(schema["items"], item, rng) for item in value]
    return value


def without_made_up_ends(shown: dict[str, Any], row: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    """Remove made-up times of ends (`cancelled_at`) from `shown` if its status has not ended; only where null is allowed."""
    end_what_ended(
        shown, lambda end, name: name not in row and is_valid(end, fields.get(name, {})), optional=lambda _: False
    )


def admitted(schema: Mapping[str, Any], value: Any, rng: Random) -> list[Any]:
    """Return a value in the form of a schema, as the only item of a list; an empty list if the schema does not admit it."""
    shown = _projected(schema, value, rng)
    return [item for item in (shown, *_converted(shown)) if is_valid(item, schema)][:1]


def _made(schema: Mapping[str, Any], rng: Random, name: str) -> Any:
    try:
        return make_valid(schema, rng, name)
    except Unsatisfiable:
        return None


def tells_success(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field is a flag that reports success."""
    return name.lower() in _FLAGS and is_valid(True, schema) and not is_valid("", schema)


def _flag(name: str, schema: Mapping[str, Any]) -> bool | None:
    """Return the value of a flag after a successful call: true for success, false for failure; none for other fields."""
    if tells_success(name, schema):
        return True
    return False if name.lower() in _FAILURES and schema_type(schema) == "boolean" else None


_FINE = "OK"
_NOTHING: tuple[Any, ...] = (None, [], {}, "", False, 0)


_OF_ONE_CALL = re.compile(r"\d{4}-\d\d")
"""A date, in a text that says how one call went."""


def _went_well(name: str, schema: Mapping[str, Any], around_content: bool = True) -> list[Any]:
    """Return the value of an outcome field after a successful call, as the only item of a list; else an empty list.

    The default of a status is the outcome of calls only `around_content`, an object or a list; else it may be that of a row.
    """
    flag = _flag(name, schema)
    if flag is not None:
        return [flag]
    if not is_talk(name) or "enum" in schema or "const" in schema:
        return []
    tokens, kind = name_tokens(name), schema_type(schema)
    usual = [schema["default"]] if around_content and "default" in schema else []
    said = [text for text in schema.get("examples", ()) if not isinstance(text, str) or not _OF_ONE_CALL.search(text)]
    options: tuple[Any, ...] = _NOTHING if tells_trouble(name) else (*usual, *said)
    if kind == "string" and tokens[-1] in _WORDS:
        options = (*options, _FINE)
    elif kind in ("integer", "number") and tokens[-1] in _STATUS:
        options = (*options, HTTPStatus.OK.value)
    elif kind == "boolean":
        options = (*options, True)
    elif not tells_trouble(name) and not usual:
        return []
    return [item for item in options if is_valid(item, schema)][:1]


def _is_known(name: str, value: Any, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field of a write's answer is informative: more than its own name, or that there was no error."""
    if isinstance(value, str) and value == " ".join(name_tokens(name)):
        return is_valid(value, schema) and bool({"enum", "const", "examples", "default"} & schema.keys())
    return not (is_talk(name) and value == _FINE) and (value is False or not tells_trouble(name))


def with_success(schema: Mapping[str, Any], result: Any, wrote: bool = False) -> Any:
    """Return a made-up result whose flags report success, where the schema admits that.

    For a call that `wrote`, a bare boolean becomes true, and uninformative fields are left out or null.
    """
    if not isinstance(result, Mapping):
        return True if wrote and result is False and is_valid(True, schema) else result
    found = found_in(result) or (next(iter(result)) if len(result) == 1 else None)
    if wrote and found is not None and result[found] is False:
        result = {**result, found: True}
    if (
        wrote
        and found in ENVELOPES
        and isinstance(result[found], list)
        and all(isinstance(item, str) for item in result[found])
    ):
        bare = {**result, found: []}  # texts without a known meaning
        result = bare if is_valid(bare, schema) else result
    properties = object_properties(schema)
    done = {
        name for name in result if wrote and name in _CARRIED_OUT and schema_type(properties.get(name, {})) == "boolean"
    }
    told: dict[str, Any] = {
        name: flag
        for name in result
        if name in properties and (flag := name in done or _flag(name, properties[name])) is not None
    }
    if found is not None or (wrote and "id" not in result):
        around = found is not None and isinstance(result[found], (Mapping, list))
        rest = (name for name in result if name in properties and name not in told)
        well = {name: _went_well(name, properties[name], around) for name in rest}
        told |= {name: said[0] for name, said in well.items() if said}
    outcomes = {name: _outcome(name, properties[name]) for name in result if name in properties}
    told |= {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    blamed = _BLAME if done or any(outcomes.values()) else set()
    blamed -= set(schema.get("required", ()))
    changed = {name: told.get(name, value) for name, value in result.items() if name not in blamed or name in told}
    needed, shown = set(schema.get("required", ())), dict[str, Any]()
    for name, value in changed.items():
        if not wrote or name not in properties or _is_known(name, value, properties[name]):
            shown[name] = value
        elif name in needed:
            shown[name] = None if is_valid(None, properties[name]) else value
    return next((item for item in (shown, changed) if is_valid(item, schema)), result)


def _outcome(name: str, schema: Mapping[str, Any]) -> str | None:
    """Return the option of a status that means success, if another option means failure."""
    options = [item for item in schema.get("enum", described_choices(schema)) if isinstance(item, str)]
    words = {item.lower(): item for item in options}
    if not set(name_tokens(name)) & {"status", "result", "outcome"} or not words.keys() & _FAILURES:
        return None
    return next((words[word] for word in _SUCCESSES if word in words), None) if len(options) <= _FEW else None


def _repaired(schema: Mapping[str, Any], result: Any, path: tuple[str | int, ...], rng: Random) -> Any:
    """Replace the field at a path, or leave it out if no value fits; in a list, the same field of each item."""
    items = schema.get("items")
    if len(path) > 1 and isinstance(result, list) and isinstance(items, Mapping):
        return [item if is_valid(item, items) else _repaired(items, item, path[1:], rng) for item in result]
    if not path or not isinstance(result, dict):
        return _made(schema, rng, "")
    key = str(path[0])
    inner = schema.get("properties", {}).get(key, {})
    if len(path) > 1 and key in result and not {"properties", "items"}.isdisjoint(inner):
        return {**result, key: _repaired(inner, result[key], path[1:], rng)}
    options = [*_converted(result.get(key)), *_respelt(result.get(key), inner)]
    made = next((item for item in options if is_valid(item, inner)), None)
    made = _made(inner, rng, key) if made is None else made
    kept = {name: value for name, value in result.items() if name != key}
    return kept if made is None and key not in schema.get("required", ()) else {**kept, key: made}


def _converted(value: Any) -> list[Any]:
    """Return a scalar converted to other types: 7 -> "7", "7" -> 7 and 7.0."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return []
    if not isinstance(value, str):
        return [str(value)]
    return [int(value), float(value)] if value.lstrip("-").isdigit() and len(value) < 16 else []


def _respelt(value: Any, schema: Mapping[str, Any]) -> list[Any]:
    """Return the options of a schema that equal a text in another spelling: `APPROVED` for `approved`."""
    options = schema.get("enum", ()) if isinstance(value, str) else ()
    return [item for item in options if isinstance(item, str) and name_tokens(item) == name_tokens(value)]


_NUMERIC = re.compile(r"-?\d+(?:[.,]\d+)?")

CONTENT = object()
"""Placeholder for the content in an envelope."""


def envelope(returns: Mapping[str, Any], pointer: str, rng: Random, page: Page) -> Any:
    """Return the result that `in_envelope` makes, with the placeholder `CONTENT` at `pointer`."""
    return _envelope(returns, split_pointer(pointer), CONTENT, rng, page)


def filled(around: Any, pointer: str, content: Any) -> Any:
    """Return an envelope with `content` in place of the placeholder."""
    return _filled(around, split_pointer(pointer), content)


def _filled(around: Any, path: tuple[str, ...], content: Any) -> Any:
    return content if around is CONTENT else {**around, path[0]: _filled(around[path[0]], path[1:], content)}


def in_envelope(returns: Mapping[str, Any], pointer: str, content: Any, rng: Random, page: Page) -> Any:
    """Return a whole result with `content` at `pointer`, and its paging fields filled from `page`."""
    path = split_pointer(pointer)
    result = _envelope(returns, path, content, rng, page)
    if not path or is_valid(result, returns):
        return result
    for offending, _ in errors(result, returns):
        if offending and offending[0] != path[0]:
            result.pop(str(offending[0]), None)
    for branch in (*returns.get("oneOf", ()), *returns.get("anyOf", ())):
        if not is_valid(result, returns) and path[0] in object_properties(branch):
            result = _envelope({**returns, **branch, "oneOf": (), "anyOf": ()}, path, content, rng, page)
    return result


def _envelope(schema: Mapping[str, Any], path: tuple[str, ...], content: Any, rng: Random, page: Page) -> Any:
    if not path:
        return content
    properties = object_properties(schema)
    result: dict[str, Any] = {} if path[0] in properties else {path[0]: content}
    for key, sub in properties.items():
        if key == path[0]:
            result[key] = _envelope(sub, path[1:], content, rng, page)
            continue
        required = key in schema.get("required", ())
        value = _around(key, sub, rng, page, required)
        if value is not None or (required and is_valid(None, sub)):
            result[key] = value
    return result


def _around(key: str, schema: Mapping[str, Any], rng: Random, page: Page, required: bool) -> Any:
    """Return one field of an envelope: counts and pages from `page`, other fields only if required."""
    tokens, kind = set(name_tokens(key)), schema_type(schema)
    if kind == "object" and "properties" in schema and tokens & _PAGING:
        needed = schema.get("required", ())
        inner = {name: _around(name, sub, rng, page, name in needed) for name, sub in schema["properties"].items()}
        inner = {
            name: value
            for name, value in inner.items()
            if value is not None or (name in needed and is_valid(None, schema["properties"][name]))
        }
        if is_valid(inner, schema) and (inner or required):
            return inner
        return _made(schema, rng, key) if required else None
    if kind in ("integer", "number") and tokens & _TOTALS and not tokens & {"page", "pages"}:
        return page.total
    told = page_field(key, schema, page)
    if told is not None and is_valid(told, schema):
        return told
    if required and (well := _went_well(key, schema)):
        return well[0]
    if "const" in schema or len(schema.get("enum", ())) == 1:
        return schema.get("const", schema.get("enum", [None])[0])
    if (
        required
        and kind == "string"
        and (shown := [item for item in schema.get("examples", ()) if is_valid(item, schema)])
        and not _NUMERIC.fullmatch(str(shown[0]))
    ):
        return shown[0]  # an envelope is the same in each answer, except for numbers
    if not required:
        return None
    nothing = (option for option in (None, "") if tokens & {"next", "cursor", "previous", "prev"})
    return next((option for option in nothing if is_valid(option, schema)), _made(schema, rng, key))
