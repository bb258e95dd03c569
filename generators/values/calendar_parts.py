"""The parts of a date in an object -> the same, of one existing date: its year, month, day and weekday.

{"year": 2028, "monthValue": 173, "dayOfMonth": 9, "dayOfWeek": "SUNDAY"}
->  {"year": 2025, "monthValue": 8, "dayOfMonth": 14, "dayOfWeek": "THURSDAY"}
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import permutations
from typing import Any

from interplay.generators.phrases.labels.field_labels import MOMENT_KINDS
from interplay.generators.values.dependent_fields import Fits
from interplay.generators.values.moments import DAY
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.schemas.words.calendar import WEEKDAYS, month_names
from interplay.schemas.words.identifiers import name_tokens

_PARTS: Mapping[tuple[str, ...], Callable[[date], Any]] = {
    ("year",): lambda day: day.year,
    ("month",): lambda day: day.month,
    ("month", "value"): lambda day: day.month,
    ("month", "name"): lambda day: month_names("en")[day.month - 1],
    ("day",): lambda day: day.day,
    ("day", "of", "month"): lambda day: day.day,
    ("day", "of", "year"): lambda day: day.timetuple().tm_yday,
    ("day", "of", "week"): lambda day: day.isoweekday(),
    ("weekday",): lambda day: day.isoweekday(),
}
"""Words of a field's name -> the part of a date that it holds."""

_LONG_AGO = 270
"""Days before `TODAY` within which such a date is made up."""


def agree_on_a_day(made: dict[str, Any], fits: Fits) -> None:
    """Make the parts of a date in an object agree with its year, month and day.

    If these are no date, a date in the past is made up for all of them.
    """
    _on_the_day_of_its_time(made, fits)
    parts = _parts(tuple(made))
    if not parts:
        return
    turn = sum(value for value in made.values() if type(value) is int)
    day = _told(made, parts) or TODAY - timedelta(days=1 + turn % _LONG_AGO)
    for name, said in parts:
        value = _PARTS[said](day)
        if isinstance(made[name], str):
            names = month_names("en") if "month" in said else WEEKDAYS
            value = names[(value - 1) % len(names)] if type(value) is int else value
            value = value.upper() if made[name].isupper() else value
        if fits(value, name):
            made[name] = value


def _on_the_day_of_its_time(made: dict[str, Any], fits: Fits) -> None:
    """Let a `date` beside a `time` that is a moment be the day of that moment, as `startDate` beside `startTime`."""
    for day, moment in _days_and_moments(tuple(made)):
        held, told = made[day], made[moment]
        dated = all(isinstance(value, str) and value[4:5] == value[7:8] == "-" for value in (held, told))
        if dated and len(held) == DAY < len(told) and fits(told[:DAY], day):
            made[day] = told[:DAY]


@lru_cache(maxsize=4_096)
def _days_and_moments(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return pairs of fields for one moment, either of which may hold its day alone."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        tokens = name_tokens(name)
        if tokens and tokens[-1] in MOMENT_KINDS:
            alike[tuple(token for token in tokens if token not in MOMENT_KINDS)].append(name)
    return tuple(pair for held in alike.values() if len(held) == 2 for pair in permutations(held, 2))


def _told(made: Mapping[str, Any], parts: Sequence[tuple[str, tuple[str, ...]]]) -> date | None:
    """Return the date that the integers of an object give; None if they give no valid one."""
    held = {said: made[name] for name, said in parts if type(made[name]) is int}
    month, day = (
        held.get(("month", "value"), held.get(("month",))),
        held.get(("day", "of", "month"), held.get(("day",))),
    )
    try:
        return date(held["year",], month, day) if month is not None and day is not None else None
    except (KeyError, ValueError):
        return None


@lru_cache(maxsize=4_096)
def _parts(names: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the fields that hold parts of a date, each with its words; () unless year, month and day are all there."""
    found = [(name, said) for name in names if (said := tuple(name_tokens(name))) in _PARTS]
    kinds = {said[0] if said[0] != "weekday" else "week" for _, said in found}
    days = any(said[:1] == ("day",) and said[-1] in ("day", "month") for _, said in found)
    return tuple(found) if {"year", "month"} <= kinds and days else ()
