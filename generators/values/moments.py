"""Days and moments as JSON writes them: read, moved by days, and written again in the form that they had."""

import re
from datetime import date, datetime, timedelta
from typing import Any

DAY = len("2026-03-09")
"""Characters of a day."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")


def is_moment(value: Any) -> bool:
    """Tell whether a value is a text that begins with a day."""
    return isinstance(value, str) and _MOMENT.match(value) is not None


def read_moment(value: Any) -> datetime | None:
    """Return the moment that a value tells, midnight for a day; none where it tells none."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) and len(value) >= DAY else None
    except ValueError:
        return None


def day_of(value: Any) -> date | None:
    """Return the day of a moment; none where a value tells none."""
    try:
        return date.fromisoformat(value[:DAY]) if is_moment(value) else None
    except ValueError:
        return None


def moved_by(moment: str, span: timedelta) -> str:
    """Return a day or a moment some days later, or earlier, at the same time.

    Raises:
        ValueError: it does not begin with a day.
    """
    return (date.fromisoformat(moment[:DAY]) + span).isoformat() + moment[DAY:]


def written_like(moment: datetime, like: str) -> str:
    """Return a moment in the form of another one: as a day, with a time, in UTC."""
    text = moment.isoformat()
    return text[:DAY] if len(like) == DAY else text.replace("+00:00", "Z") if like.endswith("Z") else text
