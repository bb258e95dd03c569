"""The times in rows -> the time of the next change; the system clock is never read."""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import RECORDED, name_tokens

START = datetime(TODAY.year, TODAY.month, TODAY.day, 12, 0, tzinfo=UTC)
"""The time before the first change, on the fixed day of made-up worlds."""

STEP = timedelta(minutes=1)
"""Time between two changes."""

_PAST = RECORDED | {"opened", "started"}
_CHANGED = RECORDED - {"created"} | {"update", "modification"}
_TIMES = {"at", "on", "time", "date", "timestamp", "datetime", "utc"}


def creation_time(number: int) -> datetime:
    """Return the time of the `number`th creation or change, on the fixed day of made-up worlds."""
    return START + number * STEP


def is_time(name: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a field holds a time or a date, as text or as a Unix time."""
    if schema_type(schema) == "string":
        return schema.get("format") in ("date", "date-time") or (
            "format" not in schema and "enum" not in schema and name_tokens(name)[-1:] == ["at"]
        )
    return schema_type(schema) in ("integer", "number") and bool(set(name_tokens(name)[-1:]) & _TIMES)


def next_time(row: Mapping[str, Any]) -> datetime:
    """Return the time of the next change of a row: one step after the latest time that it shows."""
    shown = [_read(value) for name, value in row.items() if set(name_tokens(name)) & _PAST]
    return max([START, *(moment for moment in shown if moment is not None)]) + STEP


def _read(value: Any) -> datetime | None:
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if isinstance(value, int) and not isinstance(value, bool) and value > 10**8:
            return datetime.fromtimestamp(value / (1000 if value > 10**11 else 1), UTC)
        return None
    except (ValueError, OverflowError, OSError):
        return None


def as_time(moment: datetime, schema: Mapping[str, Any], before: Any = None) -> Any:
    """Return a time in the form of a field: text or Unix seconds; milliseconds or a date if `before` was one."""
    if schema_type(schema) != "string":
        seconds = int(moment.timestamp())
        return seconds * 1000 if isinstance(before, int) and before > 10**11 else seconds
    if schema.get("format") == "date" or (isinstance(before, str) and len(before) == len("2026-03-09")):
        return moment.date().isoformat()
    if isinstance(before, str) and _SPACED.fullmatch(before):
        return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_SPACED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
"""A time in the format of databases."""


def shows_time(value: Any) -> bool:
    """Tell whether a value is a text with a date and a time, whatever its schema says."""
    return isinstance(value, str) and len(value) > len("2026-03-09") and _read(value) is not None


def shows_day(value: Any) -> bool:
    """Tell whether a value is a text with a date alone."""
    return isinstance(value, str) and len(value) == len("2026-03-09") and _read(value) is not None


def with_update_time(
    properties: Mapping[str, Any], before: Mapping[str, Any], after: Mapping[str, Any], given: Collection[str] = ()
) -> dict[str, Any]:
    """Return a changed row with a new update time, also of a changed object in it, unless that field is in `given`."""
    row = dict(after)
    if row == before:
        return row
    for name, schema in properties.items():
        inner, was = row.get(name), before.get(name)
        if isinstance(inner, Mapping) and isinstance(was, Mapping):  # JSON:API: {"attributes": {"updated_at": ...}}
            row[name] = with_update_time(object_properties(schema), was, inner)
        if name not in row or name in given or not set(name_tokens(name)) & _CHANGED:
            continue
        if is_time(name, schema) or (isinstance(row[name], str) and _read(row[name]) is not None):
            moved = as_time(next_time(before), schema, row[name])
            row[name] = moved if is_valid(moved, schema) else row[name]
    return row
