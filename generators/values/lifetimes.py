"""The moments of an object -> the same, consistent: created before all else, ended only if its status or a flag says so.

{"created": "2026-02-01", "last_login": "2026-01-09"}         ->  "created": "2026-01-09", "last_login": "2026-02-01"
{"status": "active", "canceled_at": "2026-01-04T10:00:00Z"}   ->  {"status": "active"}, if `canceled_at` is optional
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from interplay.generators.values.dependent_fields import Fits, Optional
from interplay.generators.values.moments import DAY, day_of, is_moment
from interplay.generators.values.texts.formatted_texts import TODAY
from interplay.generators.values.texts.past_events import tells_event
from interplay.schemas.words.identifiers import is_recorded, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.word_classes import infinitives, participle_of

_LISTS = beside(__file__)
_ENDS, _SELDOM, _MADE, _STATES, _CLOSING, _LASTING, _FINAL, _STAYED = (
    word_set(_LISTS, name) for name in ("ends", "seldom", "made", "states", "closing", "lasting", "final", "stayed")
)
_COUNTED = 10**8
"""Numbers from this on are moments in seconds since 1970."""


class _Moments(NamedTuple):
    """The roles of an object's fields in its life cycle, by their names alone."""

    created: tuple[str, ...]
    later: tuple[str, ...]
    endings: tuple[tuple[str, frozenset[str]], ...]
    """Field with the moment of an end, or with a remark on it, and the verbs that name that end."""
    states: tuple[str, ...]


@lru_cache(maxsize=4_096)
def _moments(names: tuple[str, ...]) -> _Moments:
    said = {name: tuple(name_tokens(name)) for name in names}
    happened = {name: tokens for name, tokens in said.items() if tells_event(tokens)}
    created = tuple(
        name for name, tokens in happened.items() if not _MADE.isdisjoint((*tokens, *map(participle_of, tokens)))
    )
    states = tuple(name for name, tokens in said.items() if not _STATES.isdisjoint(tokens[-1:]))
    endings = [(name, _verbs(*tokens) & _ENDS) for name, tokens in happened.items()]
    if states:
        closed = {name for name, tokens in happened.items() if not _CLOSING.isdisjoint(_verbs(*tokens))}
        endings = [(name, _CLOSING if name in closed else verbs) for name, verbs in endings]
    endings += [(name, _of_end(tokens)) for name, tokens in said.items() if name not in happened]
    return _Moments(
        created,
        tuple(name for name in happened if name not in created),
        tuple(end for end in endings if end[1]),
        states,
    )


def _of_end(tokens: Sequence[str]) -> frozenset[str]:
    """Return the verbs of the end that a field has a remark on: `rejectionReason`, `cancelled_by`, `locked_until`."""
    if tokens[-1:] == ("until",):
        return _verbs(*tokens) & _LASTING
    if len(tokens) <= 1 or tokens[-1] not in _SAID_OF_ENDS:
        return frozenset()
    return frozenset(verb for verb in _ENDS | _SELDOM if tokens[0].startswith(verb[:-1]))


_SAID_OF_ENDS = word_set(_LISTS, "said_of_ends")


def _verbs(*words: str) -> frozenset[str]:
    return frozenset(verb for word in words for verb in infinitives(word))


_TROUBLES, _TOLD = word_set(_LISTS, "troubles"), word_set(_LISTS, "told")


@lru_cache(maxsize=16_384)
def tells_trouble(name: str) -> bool:
    """Tell whether a field reports a problem, so that it is empty or missing if all is well: `error`, `_warnings`."""
    tokens = name_tokens(name)
    last = tokens[:-1] if tokens[-1:] and tokens[-1] in _TOLD else tokens
    return bool(last) and last[-1] in _TROUBLES


def tells_state(name: str) -> bool:
    """Tell whether a field holds a status, by its name."""
    return not _STATES.isdisjoint(name_tokens(name)[-1:])


def usual_states(name: str, options: Sequence[Any]) -> Sequence[Any]:
    """Return the usual options of a status field: those that do not mean an end or a failure; all options for other fields."""
    if not tells_state(name):
        return options
    return [option for option in options if not is_over(option)] or options


def is_over(state: Any) -> bool:
    """Tell whether a status means an end or a failure."""
    return isinstance(state, str) and (
        tells_trouble(state) or not _verbs(*name_tokens(state)).isdisjoint(_ENDS | _SELDOM)
    )


def is_final(state: Any) -> bool:
    """Tell whether no other status follows this one: an end, a failure, or completion."""
    return is_over(state) or (isinstance(state, str) and not _verbs(*name_tokens(state)).isdisjoint(_FINAL))


def is_done(told: str) -> bool:
    """Tell whether a status, or a flag of this name, means that the thing has taken place: completed, ended, delivered."""
    return not _verbs(*name_tokens(told)).isdisjoint(_CLOSING | _FINAL)


def is_stayed_in(state: str) -> bool:
    """Tell whether rows start with a status, or a flag of this name, and mostly keep it."""
    tokens = name_tokens(state)
    return "not" not in tokens and not _STAYED.isdisjoint(tokens[-1:])


def first_moments(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the fields that hold when a thing was created, the one of its record first."""
    return tuple(sorted(_moments(names).created, key=lambda name: not is_recorded(name)))


def end_what_ended(made: dict[str, Any], fits: Fits, optional: Optional) -> None:
    """Remove the moment of an end, or a remark on it, unless a status or a flag says that it ended.

    The field is deleted if it is `optional`, else set to null if that `fits`.
    """
    told = _moments(tuple(made))
    for name, verbs in told.endings:
        words = isinstance(made.get(name), str) and not _SAID_OF_ENDS.isdisjoint(name_tokens(name)[-1:])
        if not (words or _tells_moment(made.get(name))) or _is_ended(made, told.states, verbs):
            continue
        if optional(name):
            del made[name]
        elif fits(None, name):
            made[name] = None


def _is_ended(made: Mapping[str, Any], states: tuple[str, ...], verbs: frozenset[str]) -> bool:
    if any(isinstance(made.get(name), str) and _verbs(*name_tokens(made[name])) & verbs for name in states):
        return True
    return any(value is True and _verbs(*name_tokens(name)) & verbs for name, value in made.items())


def create_first(made: dict[str, Any], fits: Fits) -> None:
    """Swap the creation with the earliest other moment if that is before it."""
    told = _moments(tuple(made))
    for created in told.created:
        if not _tells_moment(made.get(created)):
            continue
        alike = [name for name in told.later if name in made and _is_alike(made[name], made[created])]
        first = min(alike, key=made.__getitem__, default=created)
        if made[first] < made[created] and fits(made[first], created) and fits(made[created], first):
            made[first], made[created] = made[created], made[first]


def made_between(
    made: Mapping[str, Any], owners: Iterable[Mapping[str, Any]], parts: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return an object with its creation moved after those of its `owners` and before those of its `parts`, by a day if needed.

    Changes recorded before the creation are moved to it.
    """
    told, row = _moments(tuple(made)), dict(made)
    last = max((day for owner in owners if (day := _day_made(owner)) is not None), default=date.min)
    first = min((day for part in parts if (day := _day_made(part)) is not None), default=date.max)
    for name in told.created:
        day = day_of(row.get(name))
        if day is not None and day <= last < TODAY:
            row[name] = (last + A_DAY).isoformat() + row[name][DAY:]
        elif day is not None and day >= first:
            row[name] = (first - A_DAY).isoformat() + row[name][DAY:]
    begun = max((row[name] for name in told.created if is_moment(row.get(name))), default="")
    for name in filter(is_recorded, told.later):
        if is_moment(row.get(name)) and row[name] < begun[: len(row[name])]:
            row[name] = begun[: len(row[name])]
    return row


A_DAY = timedelta(days=1)


def _day_made(row: Mapping[str, Any]) -> date | None:
    """Return the day on which an object was created; None if it has none up to `TODAY`."""
    days = [day_of(row[name]) for name in first_moments(tuple(row)) if name in row]
    return next((day for day in days if day is not None and day <= TODAY), None)


def _tells_moment(value: Any) -> bool:
    if is_moment(value):
        return True
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= _COUNTED


def _is_alike(value: Any, other: Any) -> bool:
    """Tell whether two moments have the same notation, so that they can be compared."""
    if not _tells_moment(value) or isinstance(value, str) != isinstance(other, str):
        return False
    return len(value) == len(other) if isinstance(value, str) else True
