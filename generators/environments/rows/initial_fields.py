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
from interplay.generators.environments.rows.clock import as_time, is_time, shows_time
from interplay.generators.values.lifetimes import is_final, is_stayed_in
from interplay.generators.values.number_values import is_rating
from interplay.generators.values.texts.ideas import whole_noun
from interplay.generators.values.texts.past_events import tells_event
from interplay.generators.values.texts.things import concept_of
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import RECORDED, name_tokens
from interplay.schemas.words.lists import beside, word_set, words
from interplay.schemas.words.nouns import is_plural
from interplay.schemas.words.word_classes import is_participle

STATUS = {"status", "state", "stage", "phase"}
_FIRST = words(beside(__file__), "first")
"""Statuses in which things begin, the surest first."""

_ENDED = word_set(beside(__file__), "ended")
"""Words of times and flags that are set after creation."""

_HAPPENED = word_set(beside(__file__), "counted")
"""Words of counters, which begin at 0."""


def in_first_status(resource: ResourcePlan, row: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """Return `row` in its first status and made `now`, without the times and flags of what has not happened yet."""
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
        told = tells_event(tuple(name_tokens(name))) or tokens in _BARE
        happened = value is not None and told and (is_time(name, schema) or shows_time(value))
        if isinstance(value, list) and any(map(_has_a_past, value)) and is_valid([], schema):
            begun[name] = []
        elif isinstance(value, Mapping) and (name == "attributes" or ("id" not in value and _counts_the_past(value))):
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
    """Tell whether a number counts what has happened to a thing, or is the average of how it was rated."""
    if schema_type(schema) in ("integer", "number") and not _HAPPENED.isdisjoint(name_tokens(name)):
        return not _says_what_was_done(name)
    return schema_type(schema) in ("integer", "number") and is_rating(name_tokens(f"{holder}_{name}"))


def _has_a_past(item: Any) -> bool:
    """Tell whether an item of a list in a row came to it when the row had been there for some time: a comment, with its moment."""
    if not isinstance(item, Mapping):
        return False
    named = {name: tuple(name_tokens(name)) for name in item}
    told = any(tells_event(tokens) and shows_time(item[name]) for name, tokens in named.items())
    return told or _counts_the_past(item)


def _counts_the_past(item: Mapping[str, Any]) -> bool:
    """Tell whether an object in a row counts what has happened: `{"average": 4.2, "count": 19}`."""
    return any(_HAPPENED & set(name_tokens(name)) and type(value) is int for name, value in item.items())


_BARE = ({"date"}, {"timestamp"})
"""Names of the moment of something that was made, which is now where the call does not give it."""


def _said_by_user(schema: Mapping[str, Any]) -> str | None:
    """Return the choice which says that a person made something, and no program, where a field tells these apart."""
    options = {item.lower(): item for item in schema.get("enum", ()) if isinstance(item, str)}
    return options.get("user") if options.keys() & _PROGRAMS else None


_PROGRAMS = word_set(beside(__file__), "programs")
"""Choices of who said or made something that are no people."""


def _is_done(name: str) -> bool:
    """Tell whether a flag says that something was done to a thing, which it was not yet when it was made: `is_booked`."""
    last = (name_tokens(name) or [""])[-1]
    return is_participle(last) and last not in _STANDING


_STANDING = word_set(beside(__file__), "standing")
"""Participles of flags that tell how a thing is from its beginning."""


def _says_what_was_done(name: str) -> bool:
    """Tell whether a counter says what the call itself did, which is not nothing: `jobs_sent`, `rowsImported`."""
    first, *rest = name_tokens(name) or [""]
    return is_plural(first) and len(rest) == 1 and is_participle(rest[0])


def first_status(schema: Mapping[str, Any], value: str, usual: Sequence[str] = ()) -> str:
    """Return the first status: the default, else the first known opening status, else the first option.

    Where the schema lists no options, the made-up `value` stays, unless it is one of those `usual` for such things.
    """
    known = [item for item in schema.get("enum", ()) if isinstance(item, str)] or [*usual] * (value in usual)
    if isinstance(schema.get("default"), str) and (not known or schema["default"] in known):
        return str(schema["default"])
    options = {_plain(item): item for item in known}
    return next((options[name] for name in _FIRST if name in options), known[0] if value in known else value)


def later_statuses(schema: Mapping[str, Any], value: Any) -> list[str] | None:
    """Return the statuses that come after one, in the order of a schema; none where that is not the order in which things go on.

    That it is shows in the first of them, with which things begin and in which they do not stay, or in the last, with which they end.
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
