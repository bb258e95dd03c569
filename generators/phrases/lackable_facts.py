"""The label of a fact -> whether a user may lack the value: because others assign it, or because it is not yet decided."""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.json.fields import schema_type
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

_GIVEN = word_set(_LISTS, "given") | word_set("identities", "printed")
"""Last words of labels of values that are printed somewhere or assigned by others."""

_PERIODS = {"date", "day", "week", "month", "quarter", "year"}
_TIMED = {"date", "day", "time", "duration"}
_PAST = {"birth", "expiry", "issue", "original", "current"}
"""Words of dates and numbers that are fixed, so that nobody decides on them."""


def is_given(label: str) -> bool:
    """Tell whether a user may lack the value because it is printed somewhere or assigned by others: a serial number."""
    return label.rpartition(" ")[2] in _GIVEN


def is_of_the_calendar(label: str) -> bool:
    """Tell whether a label names a calendar period, which a user who asks about that period always knows: a month."""
    return label.rpartition(" ")[2] in _PERIODS


def is_decided(label: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a label names a date, a time or a number that is known only once decided on: a new date."""
    if is_given(label) or "enum" in schema or not _PAST.isdisjoint(label.split()):
        return False
    dated = schema.get("format") in ("date", "time", "date-time") or not _TIMED.isdisjoint(label.split())
    return schema_type(schema) in ("integer", "number") or (dated and schema_type(schema) == "string")
