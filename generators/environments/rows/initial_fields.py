"""A made-up row -> the row in its first status: a new row is not cancelled, paid or closed.

{"status": "cancelled", "closed_at": "2026-03-01T10:00:00Z"}   ->   {"status": "draft"}
{"created_at": "2025-06-14T10:00:00Z"}                         ->   {"created_at": "2026-03-02T12:00:00Z"}
{"comments": [{"created_at": "2025-06-14T10:00:00Z"}]}         ->   {"comments": []}
{"ratings": {"average": 4.2, "count": 19}}                     ->   {"ratings": {"average": 0, "count": 0}}
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from interplay.generators.environments.inference.plans import ResourcePlan
from interplay.generators.environments.rows.clock import as_time, is_time, shows_day, shows_time
from interplay.generators.values.lifetimes import is_final, is_stayed_in
from interplay.generators.values.number_values import is_rating
from interplay.generators.values.texts.ideas import whole_noun
from interplay.generators.values.texts.past_events import tells_event
from interplay.generators.values.texts.things import concept_of
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import RECORDED, is_recorded, name_tokens, names_identity
from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.nouns import is_plural
from interplay.schemas.words.word_classes import is_participle

STATUS = {"status", "state", "stage", "phase"}
_FIRST = words(beside(__file__), "first")
"""Initial statuses, the most certain first."""

_ENDED = word_set(beside(__file__), "ended")
"""Words of times and flags that are set only after creation."""

_HAPPENED = word_set(beside(__file__), "counted")
"""Words of counters that start at 0."""


def in_first_status(resource: ResourcePlan, row: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return `row` as created at `now` in its first status, without times and flags of later events."""
    fields = tuple(resource.schema.get("properties", ()))
    concept = concept_of(whole_noun(resource.name), fields)
    usual = tuple(status for status, _ in concept.texts.get("status", ())) if concept is not None else ()
    return _begun(resource.schema, row, now, usual)


def _begun(
    whole: Mapping[str, Any], row: Mapping[str, Any], now: datetime, usual: Sequence[str], holder: str = ""
) -> dict[str, Any]:
    required = whole.get("required", ())
    begun: dict[str, Any] = {}
    for name, value in row.items():
        schema = whole.get("properties", {}).get(name, {})
        tokens = set(name_tokens(name))
        ended = bool(tokens & _ENDED) or "last" in tokens
        told = tells_event(tuple(name_tokens(name))) and (is_time(name, schema) or shows_time(value))
        happened = value is not None and (told or is_bare_time(name, schema, value))
        if isinstance(value, list) and any(map(_has_a_past, value)) and is_valid([], schema):
            begun[name] = []
        elif isinstance(value, Mapping) and (name == "attributes" or _is_of_the_row(value)):
            begun[name] = _begun(schema, value, now, usual, name)
        elif happened and ended and not tokens & RECORDED and (name not in required or is_valid(None, schema)):
            if name in required:
                begun[name] = None
        elif happened:
            moment = as_time(now, schema, value)
            begun[name] = moment if is_valid(moment, schema) else value
        elif (spoken := _said_by_user(schema)) is not None:
            begun[name] = spoken
        elif isinstance(value, str) and tokens & STATUS:
            begun[name] = first_status(schema, value, usual)
        elif schema_type(schema) == "boolean" and (tokens & _ENDED or _is_done(name)):
            begun[name] = False
        elif schema_type(schema) == "boolean" and is_stayed_in(name):
            begun[name] = True
        elif _tells_how_much_happened(name, schema, holder) and is_valid(0, schema):
            begun[name] = 0
        else:
            begun[name] = value
    return begun


def _tells_how_much_happened(name: str, schema: Mapping[str, Any], holder: str) -> bool:
    """Tell whether a number counts events or averages ratings, so that it starts at 0."""
    if schema_type(schema) in ("integer", "number") and not _HAPPENED.isdisjoint(name_tokens(name)):
        return not _says_what_was_done(name)
    return schema_type(schema) in ("integer", "number") and is_rating(name_tokens(f"{holder}_{name}"))


def _has_a_past(item: Any) -> bool:
    """Tell whether an item of a list was added after the row was created, as a comment with a time is."""
    if not isinstance(item, Mapping):
        return False
    named = {name: tuple(name_tokens(name)) for name in item}
    told = any(tells_event(tokens) and shows_time(item[name]) for name, tokens in named.items())
    return told or _counts_the_past(item)


def _is_of_the_row(part: Mapping[str, Any]) -> bool:
    """Tell whether an object in a row, without an identity, counts the row's events or tells when the row was made."""
    made = any(is_recorded(name) and shows_time(value) for name, value in part.items())
    return ("id" not in part and _counts_the_past(part)) or (made and not any(map(names_identity, part)))


def _counts_the_past(item: Mapping[str, Any]) -> bool:
    """Tell whether an object in a row counts events: `{"average": 4.2, "count": 19}`."""
    return any(_HAPPENED & set(name_tokens(name)) and type(value) is int for name, value in item.items())


def is_bare_time(name: str, schema: Mapping[str, Any], value: Any) -> bool:
    """Tell whether a field is a plain `date` or `timestamp`, which is that of the write unless the call gives it."""
    return {*name_tokens(name)} in _BARE and (is_time(name, schema) or shows_time(value) or shows_day(value))


_BARE = ({"date"}, {"timestamp"})


def _said_by_user(schema: Mapping[str, Any]) -> str | None:
    """Return the option "user" of a field that tells people from programs as authors; none for other fields."""
    options = {item.lower(): item for item in schema.get("enum", ()) if isinstance(item, str)}
    return options.get("user") if options.keys() & _PROGRAMS else None


_PROGRAMS = word_set(beside(__file__), "programs")
"""Options of an author field that are programs."""


def _is_done(name: str) -> bool:
    """Tell whether a flag records an event, which has not happened to a new row: `is_booked`."""
    last = (name_tokens(name) or [""])[-1]
    return is_participle(last) and last not in _STANDING


_STANDING = word_set(beside(__file__), "standing")
"""Participles in flags that hold from the beginning."""


def _says_what_was_done(name: str) -> bool:
    """Tell whether a counter reports what the call itself did, so that it is not 0: `jobs_sent`, `rowsImported`."""
    first, *rest = name_tokens(name) or [""]
    return is_plural(first) and len(rest) == 1 and is_participle(rest[0])


def first_status(schema: Mapping[str, Any], value: str, usual: Sequence[str] = ()) -> str:
    """Return the first status: the default, else the first known initial status, else the first option.

    If the schema lists no options, `value` is kept unless it is one of the `usual` statuses, which are the options then.
    """
    known = [item for item in schema.get("enum", ()) if isinstance(item, str)] or [*usual] * (value in usual)
    if isinstance(schema.get("default"), str) and (not known or schema["default"] in known):
        return str(schema["default"])
    options = {_plain(item): item for item in known}
    return next((options[name] for name in _FIRST if name in options), known[0] if value in known else value)


def later_statuses(schema: Mapping[str, Any], value: Any) -> list[str] | None:
    """Return the statuses after `value` in the order of the schema; none if that order does not seem to be a progression.

    It seems so if the first option is an initial status, or if the last one is final.
    """
    options = [item for item in schema.get("enum", ()) if isinstance(item, str)]
    if len(options) <= len(("open", "closed")) or is_stayed_in(options[0]):
        return None
    if _plain(options[0]) not in _FIRST and not is_final(options[-1]):
        return None
    if value not in options:
        return [] if is_final(value) else None
    return options[options.index(value) + 1 :]


def _plain(status: str) -> str:
    return status.lower().replace("-", "_").replace(" ", "_")
