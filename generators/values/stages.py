"""The moments of an object that the choices of its status name -> the same, as far as it has come, one after the other.

choices: pending, confirmed, ready, delivered
{"status": "ready", "confirmed_at": "2026-02-07T12:00:00Z", "ready_at": "2026-02-03T09:00:00Z", "delivered_at": "2026-02-09T09:00:00Z"}
->  {"status": "ready", "confirmed_at": "2026-02-07T12:00:00Z", "ready_at": "2026-02-07T14:45:00Z"}, where the time may be missing
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from interplay.generators.values.dependent_fields import Fits, Optional
from interplay.generators.values.lifetimes import first_moments, is_over, tells_state
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.schemas.words.identifiers import is_recorded, name_tokens

_DAY = len("2026-03-09")
_QUARTERS, _DAYS = 40, 3
"""Quarters of an hour at most from one stage to the next, and days where only days are told."""

_ENDINGS = ("at", "on", "date", "time")
"""Last words of the moment at which a stage was reached."""


def keep_to_stage(made: dict[str, Any], schemas: Mapping[str, Any], fits: Fits, optional: Optional) -> None:
    """Let the moments of stages follow each other up to the one that the status tells; later ones go, where they may be missing."""
    for name in [name for name in made if tells_state(name)]:
        options = tuple(option for option in schemas.get(name, {}).get("enum", ()) if isinstance(option, str))
        stages = _stages(options, tuple(made))
        if not stages or made[name] not in options:
            continue
        reached = 0 if is_over(made[name]) else options.index(made[name])
        for field, place in stages:
            if place > reached and not is_over(options[place]) and made.get(field) is not None:
                _unset(made, field, fits, optional)
        begun = [field for field in first_moments(tuple(made)) if field not in dict(stages)]
        _follow_each_other(made, [*begun, *(field for field, place in stages if place <= reached)], fits)


@lru_cache(maxsize=4_096)
def _stages(options: tuple[str, ...], names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the fields that hold when a status was reached, each with the place of that among its choices."""
    said = {tuple(name_tokens(option)): place for place, option in enumerate(options)}
    tokens = {name: tuple(name_tokens(name)) for name in names}
    found = [
        (name, said[words[:-1]])
        for name, words in tokens.items()
        if words[-1:] and words[-1] in _ENDINGS and words[:-1] in said
    ]
    return tuple(sorted(found, key=lambda stage: stage[1]))


def _unset(made: dict[str, Any], field: str, fits: Fits, optional: Optional) -> None:
    if optional(field):
        del made[field]
    elif fits(None, field):
        made[field] = None


def _follow_each_other(made: dict[str, Any], fields: Sequence[str], fits: Fits) -> None:
    """Let each moment come soon after the one before it, the first of them in the past; and no note of a change before them."""
    moments = [(field, made[field]) for field in fields if isinstance(made.get(field), str)]
    told: list[datetime] = []
    for field, value in moments:
        try:
            then = datetime.fromisoformat(value)
        except ValueError:
            return
        if not told:
            then -= max(2 * (then.date() - TODAY) + timedelta(days=len(moments)), timedelta())
        elif len(value) == _DAY:
            then = told[-1] + timedelta(days=then.day % _DAYS)
        else:
            then = told[-1] + timedelta(minutes=15 * (1 + then.toordinal() % _QUARTERS))
        told.append(then)
        moment = _written(then, value)
        if fits(moment, field):
            made[field] = moment
    for name, value in made.items():
        noted = is_recorded(name) and name not in fields and isinstance(value, str)
        last = _written(told[-1], value) if told and noted else ""
        if noted and len(value) == len(last) and value < last and fits(last, name):
            made[name] = last


def _written(moment: datetime, like: str) -> str:
    """Return a moment as another one is written: as a day, with a time, in UTC."""
    text = moment.isoformat()
    return text[:_DAY] if len(like) == _DAY else text.replace("+00:00", "Z") if like.endswith("Z") else text
