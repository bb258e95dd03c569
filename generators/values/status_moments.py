"""The moments named after the stages of a status -> the same, in order, up to the current stage.

choices: pending, confirmed, ready, delivered
{"status": "ready", "confirmed_at": "2026-02-07T12:00:00Z", "ready_at": "2026-02-03T09:00:00Z", "delivered_at": "2026-02-09T09:00:00Z"}
->  {"status": "ready", "confirmed_at": "2026-02-07T12:00:00Z", "ready_at": "2026-02-07T14:45:00Z"}, if the last is optional
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from interplay.generators.values.dependent_fields import Fits, Optional
from interplay.generators.values.lifetimes import first_moments, is_over, tells_state
from interplay.generators.values.moments import DAY, is_moment, written_like
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.schemas.words.identifiers import is_recorded, name_tokens
from interplay.schemas.words.lists import beside, word_set

_QUARTERS, _DAYS = 40, 3
"""Maximum quarters of an hour from one stage to the next, or days if the fields hold dates only."""

_EXPECTED = word_set(beside(__file__), "expected")
"""First words of the names of expected moments of a later stage."""

_ENDINGS = ("at", "on", "date", "time")
"""Last words of the names of moments at which a stage was reached."""


def keep_to_stage(made: dict[str, Any], schemas: Mapping[str, Any], fits: Fits, optional: Optional) -> None:
    """Put the moments of stages in order up to the stage of the status; remove later ones, or null them, where allowed."""
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
        past = [field for field, place in stages if place <= reached or options[place] == made[name]]
        under_way = not is_over(made[name]) and any(
            place > reached and not is_over(options[place]) for _, place in stages
        )
        _follow_each_other(made, [*begun, *past], fits, under_way)


@lru_cache(maxsize=4_096)
def _stages(options: tuple[str, ...], names: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the fields that hold when a stage was reached, each with the stage's index among `options`, sorted by that."""
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


def _follow_each_other(made: dict[str, Any], fields: Sequence[str], fits: Fits, under_way: bool) -> None:
    """Set each moment shortly after the one before it, all in the past, the last of them recently if the row is `under_way`.

    Recorded changes are not earlier than the last one, and expected moments follow soon after it.
    """
    moments = {field: made[field] for field in fields if isinstance(made.get(field), str)}
    told: list[datetime] = []
    for value in moments.values():
        try:
            then = datetime.fromisoformat(value)
        except ValueError:
            return
        if not told:
            then -= max(2 * (then.date() - TODAY) + timedelta(days=len(moments)), timedelta())
        elif len(value) == DAY:
            then = told[-1] + timedelta(days=then.day % _DAYS)
        else:
            then = told[-1] + _a_while(then)
        told.append(then)
    if not told:
        return
    lately = (TODAY - told[-1].date()).days - 1 - told[0].day % _DAYS
    told = [then + timedelta(days=lately) for then in told] if under_way else told
    notes = (
        name for name, value in made.items() if is_recorded(name) and name not in moments and isinstance(value, str)
    )
    noted = {name: told[-1] for name in notes if _is_before(made[name], told[-1])}
    hopes = (
        name
        for name, value in made.items()
        if not _EXPECTED.isdisjoint(name_tokens(name)[:1]) and isinstance(value, str)
    )
    expected = {name: told[-1] + _a_while(told[0]) for name in hopes if is_moment(made[name])}
    for field, then in {**dict(zip(moments, told, strict=True)), **noted, **expected}.items():
        moment = written_like(then, made[field])
        if fits(moment, field):
            made[field] = moment


def _a_while(by: datetime) -> timedelta:
    """Return some quarters of an hour, always the same for the same date."""
    return timedelta(minutes=15 * (1 + by.toordinal() % _QUARTERS))


def _is_before(note: str, moment: datetime) -> bool:
    last = written_like(moment, note)
    return len(note) == len(last) and note < last
