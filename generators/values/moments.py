"""Dates and times as JSON texts: read, shifted by days, and written in the notation of another."""

import re
from datetime import date, datetime, timedelta
from typing import Any

DAY = len("2026-03-09")
"""Length of a date, in characters."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")


def is_moment(value: Any) -> bool:
    """Tell whether a value is a text that begins with a date."""
    return isinstance(value, str) and _MOMENT.match(value) is not None


def read_moment(value: Any) -> datetime | None:
    """Return the datetime in a text, midnight for a date alone; None if it holds none."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) and len(value) >= DAY else None
    except ValueError:
        return None


def day_of(value: Any) -> date | None:
    """Return the date of a moment; None if a value is no moment."""
    try:
        return date.fromisoformat(value[:DAY]) if is_moment(value) else None
    except ValueError:
        return None


def moved_by(moment: str, span: timedelta) -> str:
    """Return a date or moment shifted by whole days, at the same time of day.

    Raises:
        ValueError: it does not begin with a date.
    """
    return (date.fromisoformat(moment[:DAY]) + span).isoformat() + moment[DAY:]


def written_like(moment: datetime, like: str) -> str:
    """Return a moment in the notation of another: as a date, with a time, in UTC."""
    text = moment.isoformat()
    return text[:DAY] if len(like) == DAY else text.replace("+00:00", "Z") if like.endswith("Z") else text
