"""What is asked of a person -> whether it may be lacked: what others gave it, or what it has yet to decide."""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

_GIVEN = word_set(_LISTS, "given")
"""Last words of labels of what stands somewhere or is told by others."""

_PERIODS = {"date", "day", "week", "month", "quarter", "year"}
_TIMED = {"date", "day", "time", "duration"}
_PAST = {"birth", "expiry", "issue", "original", "current"}
"""Words of days and numbers that are what they are, whatever somebody decides."""


def is_given(label: str) -> bool:
    """Tell whether somebody may lack what a label names, since it stands somewhere or is told by others: a serial number."""
    return label.rpartition(" ")[2] in _GIVEN


def is_of_the_calendar(label: str) -> bool:
    """Tell whether a label names a part of the calendar, which everybody knows who wants to see what is in it: a month."""
    return label.rpartition(" ")[2] in _PERIODS


def is_decided(label: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether what a label names is a day, a time or a number that nobody knows but by deciding on it: a new date."""
    if is_given(label) or "enum" in schema or not _PAST.isdisjoint(label.split()):
        return False
    dated = schema.get("format") in ("date", "time", "date-time") or not _TIMED.isdisjoint(label.split())
    return schema_type(schema) in ("integer", "number") or (dated and schema_type(schema) == "string")
