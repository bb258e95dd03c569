"""The moments of a completed object -> the same, on past days.

{"status": "completed", "start_time": "2026-05-06T12:15:00Z", "completed_at": "2025-12-26T15:30:00Z"}
->  {"status": "completed", "start_time": "2026-02-11T12:15:00Z", "completed_at": "2026-02-11T15:30:00Z"}
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from interplay.generators.values.dependent_fields import Fits
from interplay.generators.values.lifetimes import first_moments, is_done, tells_state
from interplay.generators.values.moments import DAY, day_of, moved_by
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import has_happened, is_ahead
from interplay.schemas.words.identifiers import is_recorded, name_tokens
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)
_TAKES_PLACE, _PLANS = (word_set(_LISTS, name) for name in ("takes_place", "plans"))
_WEEKS = 8
"""Weeks before `TODAY` within which most completed things took place."""


class _Moments(NamedTuple):
    """Moment fields by role: when the thing takes place, when it was completed, when a change was recorded."""

    planned: tuple[str, ...]
    done: tuple[str, ...]
    notes: tuple[str, ...]


def let_be_over(made: dict[str, Any], fits: Fits) -> None:
    """Move a completed object's planned moments before `TODAY`, and its completion not before them."""
    moments = _moments_in(tuple(made))
    planned = [name for name in moments.planned if day_of(made[name]) is not None]
    if not planned or not _has_taken_place(made):
        return
    shift = timedelta(days=_shift(made, planned))
    moved = {name: moved_by(made[name], shift) for name in planned}
    if shift and all(fits(moment, name) for name, moment in moved.items()):
        made.update(moved)
    last = max((made[name] for name in planned), key=lambda moment: moment[:DAY])
    for name in (*moments.done, *moments.notes):
        at = day_of(made[name])
        if at is None or last[:DAY] <= made[name][:DAY] <= TODAY.isoformat():
            continue
        moment = last[:DAY] + made[name][DAY:]
        moment = last if len(last) == len(moment) and moment < last else moment
        if fits(moment, name):
            made[name] = moment


@lru_cache(maxsize=4_096)
def _moments_in(names: tuple[str, ...]) -> _Moments:
    said = {name: tuple(name_tokens(name)) for name in names}
    happened = {name: tokens for name, tokens in said.items() if has_happened(tokens)}
    planned = (
        name
        for name, tokens in said.items()
        if name not in happened
        and not _TAKES_PLACE.isdisjoint(tokens)
        and all(token in _PLANS or not is_ahead(token) for token in tokens)
    )
    created = first_moments(names)
    notes = (name for name in names if is_recorded(name) and name not in created)
    done = (name for name in happened if is_done(name))
    return _Moments(tuple(planned), tuple(done), tuple(notes))


def is_still_ahead(row: Mapping[str, Any]) -> bool:
    """Tell whether all planned moments of a row are after `TODAY`."""
    days = [day for name in _moments_in(tuple(row)).planned if (day := day_of(row[name])) is not None]
    return bool(days) and min(days) > TODAY


def _has_taken_place(made: Mapping[str, Any]) -> bool:
    states = (value for name, value in made.items() if tells_state(name) and isinstance(value, str))
    flags = (name for name, value in made.items() if value is True)
    return any(map(is_done, (*states, *flags)))


def _shift(made: Mapping[str, Any], planned: list[str]) -> int:
    """Return by how many days to move the `planned` moments so that they are past and, if possible, after the creation."""
    days = sorted(day for name in planned if (day := day_of(made[name])) is not None)
    if days[-1] < TODAY:
        return 0
    since = [day for name in first_moments(tuple(made)) if (day := day_of(made.get(name))) is not None]
    room = (TODAY - max(since)).days - (days[-1] - days[0]).days if since else 7 * _WEEKS
    ago = 1 + days[-1].toordinal() % max(1, min(room - 1, 7 * _WEEKS))
    return (TODAY - days[-1]).days - ago
