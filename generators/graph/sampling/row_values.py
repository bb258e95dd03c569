"""A row and a parameter -> the row's value for it, by the words of its name, or an item of a list that can be removed."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import ToolRole
from interplay.schemas.words.identifiers import RECORDED, name_tokens
from interplay.schemas.words.nouns import singular

Row = Mapping[str, Any]

SEARCH = {"search", "query", "q", "term", "keyword", "keywords", "text", "name", "title"}
SOUGHT = {"search", "query", "q", "term", "keyword"}
"""Last words of parameters that search a field: `username_query`."""

_SAME = {"state": "status", "states": "status", "statuses": "status"}
_CALLED_BY = (
    "name",
    "title",
    "full_name",
    "display_name",
    "label",
    "subject",
    "last_name",
    "family_name",
    "surname",
    "username",
    "email",
)
"""Fields that name the row that they belong to, best first."""


def row_value(name: str, schema: Mapping[str, Any], row: Row) -> Any:
    """Return the value that a row has for a parameter, by the words of its name, or None."""
    wanted, held, fields = _wanted(name), row, _public(tuple(row))
    if "attributes" in row and isinstance(row["attributes"], Mapping):
        held = {**{key: row[key] for key in fields}, **row["attributes"]}
        fields = tuple(held)
    for key in _called(fields, wanted):
        fitted = _fitted(held[key], schema)
        if fitted is not None:
            return fitted
    timed = not _DATED.isdisjoint(wanted) and "zone" not in wanted
    if timed or schema.get("format") in ("date", "date-time"):
        dated = (held[key] for key in _lasting(fields))
        fitting = (
            _fitted(value, schema)
            for value in dated
            if isinstance(value, str) and value[4:5] == "-" and value[:4].isdigit()
        )
        return next((value for value in fitting if value is not None), None)
    if wanted and wanted[-1] in _PERIODS:
        return _period_in(row, fields, wanted[-1], schema)
    if not SEARCH.isdisjoint(wanted):
        return next(
            (row[key] for key in _labels(tuple(row)) if isinstance(row[key], str) and is_valid(row[key], schema)), None
        )
    return None


def _period_in(row: Row, fields: tuple[str, ...], period: str, schema: Mapping[str, Any]) -> Any:
    """Return the month or year of the first date of a row in the form that a parameter takes, or None."""
    dated = (row[key] for key in _lasting(fields) if isinstance(row.get(key), str))
    day = next((value for value in dated if value[4:5] == "-" and value[:4].isdigit()), None)
    if day is None:
        return None
    start, end = _PERIODS[period]
    options = (int(day[start:end]), day[:end], day[start:end])
    return next((option for option in options if is_valid(option, schema)), None)


@lru_cache(maxsize=16_384)
def _labels(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields that name their row, best first, in whatever spelling."""
    spelt = {"_".join(name_tokens(name)): name for name in reversed(fields)}
    return tuple(spelt[label] for label in _CALLED_BY if label in spelt)


_DATED = {"date", "day", "time", "when"}
_PERIODS = {"month": (5, 7), "year": (0, 4)}
"""Words of parameters that name a period, with the part of a date that says it."""


@lru_cache(maxsize=16_384)
def _wanted(name: str) -> tuple[str, ...]:
    """Return the words of a parameter's name without the one that marks it as a filter."""
    words = words_of_field(name)
    if words[:1] == ("filter",) and len(words) > 1:
        return words[1:]
    return words[:-1] if len(words) > 1 and words[-1] in SOUGHT and words[0] not in SEARCH else words


@lru_cache(maxsize=16_384)
def _public(fields: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in fields if not name.startswith("_"))


@lru_cache(maxsize=16_384)
def _lasting(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields that do not say when a row was created or changed."""
    return tuple(name for name in fields if RECORDED.isdisjoint(name_tokens(name)))


@lru_cache(maxsize=16_384)
def _called(fields: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields whose names consist of the wanted words, then those whose names begin or end with them."""
    size = len(wanted)
    return tuple(
        name
        for name in sorted(fields, key=lambda name: words_of_field(name) != wanted)
        if size and wanted in (words_of_field(name)[-size:], words_of_field(name)[:size])
    )


@lru_cache(maxsize=65_536)
def words_of_field(name: str) -> tuple[str, ...]:
    """Return the words of a field's name, in the singular and with synonyms unified."""
    return tuple(_SAME.get(token, singular(token)) for token in name_tokens(name))


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return `value` in the form that fits `schema`: as it is, as a list of one, or as the first of a list; else None."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        value = [
            item[label]
            for item in value
            if isinstance(item, Mapping)
            for label in _CALLED_BY
            if isinstance(item.get(label), str)
        ]
    options = [value]
    if isinstance(value, list) and value:
        options += [value[:1], value[0]]
    elif schema_type(schema) == "array":
        options.append([value])
    return next((option for option in options if option not in (None, "", []) and is_valid(option, schema)), None)


def removable(role: ToolRole, pointer: str, row: Row, schema: Mapping[str, Any]) -> list[Any]:
    """Return the values of an argument that removes one item of a list in the row; empty for other arguments."""
    place = role.removes.get(pointer)
    held = items_at(row, place) if place is not None else []
    return [item for item in held if is_valid(item, _item_schema(schema))]


def items_at(row: Row, pointer: str) -> list[Any]:
    """Return what identifies each item of a list in a row: a scalar itself, or the identity in an object.

    The pointer may lead to the identifying field: `/items/*/productId`.
    """
    place, _, key = pointer.partition("/*/")
    value: Any = row
    for part in split_pointer(place):
        value = value.get(part) if isinstance(value, Mapping) else None
    items = value if isinstance(value, list) else []
    names = (key,) if key else ("id", "gid", "uuid", "key", "name")
    return [
        next((item[name] for name in names if name in item), None) if isinstance(item, Mapping) else item
        for item in items
    ]


def _item_schema(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    items = schema.get("items") if schema_type(schema) == "array" else schema
    return items if isinstance(items, Mapping) else {}


_FRACTION = re.compile(r"\d{1,12}\.\d{1,9}")


def fit_identity(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return an identity in the type that a parameter takes: many APIs return a number and expect it as text."""
    if schema.get("type") == "array" and isinstance(value, (int, str)):  # a single identity for a list
        schema = _item_schema(schema)
    kind, other = schema.get("type"), value
    if isinstance(value, int):
        other = str(value)
    elif isinstance(value, str) and value.lstrip("-").isdigit():
        other = int(value)
    elif isinstance(value, str) and kind == "number" and _FRACTION.fullmatch(value):
        other = float(value) if repr(float(value)) == value else value
    if not isinstance(kind, str):  # a union of types
        return other if not is_valid(value, schema) and is_valid(other, schema) else value
    wanted = (int, float) if kind in ("integer", "number") else str if kind == "string" else type(value)
    return value if isinstance(value, wanted) else other
