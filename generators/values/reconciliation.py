"""The values of an object -> the same without contradictions: spans in order, one place, repeated values equal."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from interplay.generators.values.calendar_parts import agree_on_a_day
from interplay.generators.values.dependent_fields import TAKEN_OFF, follow
from interplay.generators.values.durations import ends, shorter_and_longer
from interplay.generators.values.lifetimes import create_first, end_what_ended
from interplay.generators.values.moments import DAY, day_of, moved_by, read_moment, written_like
from interplay.generators.values.occurrences import let_be_over
from interplay.generators.values.places import Fields, settle_places
from interplay.generators.values.sibling_fields import address_by_name, repeat_what_is_asked_twice, type_by_extension
from interplay.generators.values.status_moments import keep_to_stage
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.formatted_texts import MADE_UP, address_of, in_ascii
from interplay.generators.values.texts.past_events import has_happened
from interplay.generators.values.whole_counts import sum_up
from interplay.schemas.json.fields import is_number
from interplay.schemas.words.calendar import WEEKDAYS
from interplay.schemas.words.identifiers import last_word, name_tokens
from interplay.schemas.words.lists import beside, rows, word_set
from interplay.schemas.words.word_classes import can_be_noun


def reconciled(
    made: dict[str, Any],
    properties: Mapping[str, Any],
    required: Collection[str] | None = None,
    beside: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return the values made for `properties`, changed where they contradict each other; each still fits its schema.

    Values `beside` them, in the row that a call changes, stay. If `required` is given, other fields that must be absent are
    removed.
    """
    if not made:
        return made
    whole = {**_others(beside, made), **made} if beside else made
    fields = Fields(properties, frozenset(whole) - frozenset(made) if beside else ())
    optional = frozenset(made) - frozenset(required if required is not None else made)
    follow(whole, fields.fits, optional.__contains__)
    if required is not None:
        end_what_ended(whole, fields.fits, optional.__contains__)
    create_first(whole, fields.fits)
    put_in_order(whole, properties, fields.kept)
    sum_up(whole, lambda value, name: name not in fields.kept and fields.fits(value, name))
    if required is not None:
        keep_to_stage(whole, properties, fields.fits, optional.__contains__)
        let_be_over(whole, fields.fits)
    for end, moment in ends(whole, whole):
        whole[end] = moment if end not in fields.kept and fields.fits(moment, end) else whole[end]
    agree_on_a_day(whole, fields.fits)
    settle_places(whole, fields)
    _on_its_day(whole, fields)
    _reached_by_name(whole, fields)
    _gender_by_name(whole, fields)
    address_by_name(whole, fields.fits)
    type_by_extension(whole, fields.fits)
    _identified_alike(whole, fields)
    repeat_what_is_asked_twice(whole, properties)
    if whole is not made:
        for name in list(made):
            if name in whole:
                made[name] = whole[name]
            else:
                del made[name]
    return made


def _identified_alike(made: dict[str, Any], fields: Fields) -> None:
    """Set a field that refers to the object beside it to that object's identity: `partner_id`, beside `partner`."""
    for name, held in made.items():
        identity = held.get("id") if isinstance(held, Mapping) else None
        if identity is None:
            continue
        identifying = [*name_tokens(name), "id"]
        named = next((other for other in made if name_tokens(other) == identifying), None)
        if named is not None and type(made[named]) is type(identity) and fields.fits(identity, named):
            made[named] = identity


def _others(beside: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a row that are not made anew, comparing names in any spelling."""
    said = {tuple(name_tokens(name)) for name in made}
    return {name: value for name, value in beside.items() if tuple(name_tokens(name)) not in said}


_GIVEN, _FAMILY = (("first", "name"), ("given", "name"), ("firstname",)), (("last", "name"), ("family", "name"), ("lastname",), ("surname",))  # fmt: skip
_FULL = (("full", "name"), ("display", "name"), ("name",))
_MAIL = (("email",), ("email", "address"), ("mail",))
_PERSONAL = {words: kind for kind, ways in enumerate((_GIVEN, _FAMILY, _FULL, _MAIL)) for words in ways}


@lru_cache(maxsize=4_096)
def _people_in(names: tuple[str, ...]) -> tuple[tuple[str | None, str | None, str | None, str | None], ...]:
    """Return the fields of first, last and full name and mail address of each person: `owner_name`, `owner_email`."""
    found: dict[tuple[str, ...], dict[int, str]] = {}
    for name in names:
        tokens = tuple(name_tokens(name))
        for words, kind in _PERSONAL.items():
            if tokens[-len(words) :] == words:
                found.setdefault(tokens[: -len(words)], {}).setdefault(kind, name)
                break
    several = (held for held in found.values() if len(held) > 1)
    return tuple((held.get(0), held.get(1), held.get(2), held.get(3)) for held in several)


def _reached_by_name(made: dict[str, Any], fields: Fields) -> None:
    """Derive a person's mail address from the name beside it, and the full name from its parts."""
    for given, family, full, mail in _people_in(tuple(made)):
        _agree(made, fields, given, family, full, mail)


def _agree(
    made: dict[str, Any], fields: Fields, given: str | None, family: str | None, full: str | None, mail: str | None
) -> None:
    if mail is not None and mail in fields.kept:
        _called_as_reached(made, fields, given, family, full, str(made[mail]))
    parts = [made[name] for name in (given, family) if name is not None and made[name] is not None]
    called = " ".join(map(str, parts)) if parts else str(made[full]) if full else ""
    first, _, last = called.partition(" ")
    made_up = first in sample_words.given_names() and (
        last in sample_words.family_names() or (not last and bool(given))
    )
    if not made_up and not (given and family and in_ascii(first).isalpha() and in_ascii(last).isalpha()):
        return
    if full and given and family and full not in fields.kept and fields.fits(called, full):
        made[full] = called
    if mail is None or not isinstance(made[mail], str) or not made[mail].endswith(MADE_UP):
        return
    if not (last or family) and in_ascii(first) in made[mail]:
        return
    address = address_of(called)
    if fields.fits(address, mail):
        made[mail] = address


def _gender_by_name(made: dict[str, Any], fields: Fields) -> None:
    """Set a person's gender by the first name beside it, if only women or only men have that name."""
    for told in (name for name in made if last_word(name) in _GENDERS):
        owner = tuple(name_tokens(told)[:-1])
        named = (name for name in made if tuple(name_tokens(name)) in {(*owner, *words) for words in (*_GIVEN, *_FULL)})
        first = next((str(made[name]).partition(" ")[0] for name in named if made[name]), "")
        initial = sample_words.gender_of(first)[:1]
        declared = fields.schemas.get(told, {}).get("enum") or _said_like(made[told])
        options = [item for item in declared if isinstance(item, str) and item.lower().startswith(initial)]
        if initial and len(options) == 1 and isinstance(made[told], str) and told not in fields.kept:
            made[told] = options[0]


def _said_like(gender: Any) -> Sequence[str]:
    """Return both genders in the notation of one of them: "F" and "M" for "M"."""
    ways = (way for words in (("female", "male"), ("f", "m")) for way in (words, [each.title() for each in words]))
    return next((way for way in ways if gender in way), ())


_REACHED = re.compile(r"([a-z]{2,20})\.([a-z]{2,20})@\S{3,100}")


def _called_as_reached(
    made: dict[str, Any], fields: Fields, given: str | None, family: str | None, full: str | None, mail: str
) -> None:
    """Set a person's name to that in a fixed mail address: `kalle.berg@...`."""
    found = _REACHED.fullmatch(mail)
    if found is None:
        return
    first, last = found[1].capitalize(), found[2].capitalize()
    for name, value in ((given, first), (family, last), (full, f"{first} {last}")):
        if name is not None and in_ascii(str(made[name])) != in_ascii(value) and fields.fits(value, name):
            made[name] = value


def _on_its_day(made: dict[str, Any], fields: Fields) -> None:
    """Set the weekday to that of the only moment beside it."""
    named = [key for key, value in made.items() if value in WEEKDAYS]
    days = [day for value in made.values() if (day := day_of(value)) is not None] if len(named) == 1 else []
    if len(days) == 1:
        weekday = WEEKDAYS[days[0].weekday()]
        made[named[0]] = weekday if fields.fits(weekday, named[0]) else made[named[0]]


_LISTS = beside(__file__)
_GENDERS = word_set(_LISTS, "genders")
_PAIRS = tuple(map(tuple, rows(_LISTS, "spans")))
_STAYS = (("arrival", "departure"), *(pair for pair in _PAIRS if pair[0] != "departure"))
_STAYING = word_set(_LISTS, "staying")
"""Words of the fields of a stay, which begins with an arrival; a journey ends with one."""
_AMOUNTS = tuple(map(tuple, rows(_LISTS, "amounts")))
"""Pairs of number fields of which the first is the smaller."""

_BRIEF = {"departure", "checkin", "arrival", "pickup"}
"""First words of spans that take hours or days, not months."""

_BEGINS = {"start", "starts", "started", "begin", "begins", "began", "from"}
"""First words of the beginnings of spans that take hours if they have a time of day."""

_EVENTS = (("start",), ("starts",), ("event", "start"))
"""Names of the beginnings of spans that take hours."""


class Span(NamedTuple):
    """Two fields of which the first holds the earlier moment or the smaller number.

    `texts` are moments, other spans numbers. A brief one ends on the day of its beginning or the next, and so does one that
    `begins` if both have a time of day. One that takes `hours` does not last into the next day.
    """

    early: str
    late: str
    texts: bool
    is_brief: bool = False
    begins: bool = False
    hours: bool = False


@lru_cache(maxsize=4_096)
def spans_among(names: tuple[str, ...]) -> tuple[Span, ...]:
    """Return the spans among the fields of an object, by their names alone."""
    said = {tuple(name_tokens(name)): name for name in names}
    stay = not _STAYING.isdisjoint(token for tokens in said for token in tokens)
    found = []
    for tokens, name in said.items():
        for texts, pairs in ((True, _STAYS if stay else _PAIRS), (False, _AMOUNTS), (False, _PAIRS)):
            for early, late in (pair for pair in pairs if pair[0] in tokens):
                swapped = (late if token == early else token for token in tokens)
                other = said.get(tuple(filter(None, swapped)))
                if other is not None and other != name:
                    checked_in = early == "in" and "check" in tokens
                    brief = early in _BRIEF or "time" in tokens or tokens in _EVENTS or checked_in
                    found.append(Span(name, other, texts, texts and brief, tokens[0] in _BEGINS, "time" in tokens))
    return tuple(dict.fromkeys(found))


_BEFORE = {"subtotal", "sub", "net"} | TAKEN_OFF
"""Words of amounts before a total is made of them, which are no parts of it."""


@lru_cache(maxsize=4_096)
def _parts(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the fields that hold a part, each with the field of its total or limit: nonfree_bags, total_bags; uses, max_uses."""
    said = {tuple(name_tokens(name)): name for name in names}
    stems = {name: frozenset("use" if token in _USES else token for token in tokens) for tokens, name in said.items()}
    so_far = {stem - _SO_FAR: name for name, stem in stems.items() if _MOST.isdisjoint(stem)}
    bounded = [
        (so_far[stem - _MOST], name)
        for name, stem in stems.items()
        if stem - _MOST and not _MOST.isdisjoint(stem) and stem - _MOST in so_far
    ]
    totals = (
        (name, said.get(("total", *tokens[1:])) if len(tokens) > 1 and tokens[0] not in _BEFORE else None)
        for tokens, name in said.items()
    )
    known = [(name, total) for name, total in totals if total is not None and total != name]
    counts = {tokens[:-1]: name for tokens, name in said.items() if tokens[1:] and tokens[-1] == "count"}
    return (*known, *bounded, *_counted_parts(counts))


def _counted_parts(counts: Mapping[tuple[str, ...], str]) -> Iterator[tuple[str, str]]:
    """Yield counts in one state with the count of all, by what they count: unread, item; active_users, users."""
    things = [name for counted, name in counts.items() if len(counted) == 1 and can_be_noun(counted[0])]
    for counted, name in counts.items():
        every = counts.get(counted[1:])
        if every is None and len(counted) == 1 and not can_be_noun(counted[0]) and len(things) == 1:
            every = things[0]
        if every is not None:
            yield name, every


_MOST, _SO_FAR, _USES = (word_set(_LISTS, name) for name in ("most", "so_far", "uses"))


def put_in_order(made: dict[str, Any], properties: Mapping[str, Any], kept: Collection[str] = ()) -> None:
    """Put fields that form a span in order (start and end, departure and arrival, lowest and highest); those `kept` stay."""
    fields, names = Fields(properties, kept), tuple(made)
    for part, total in (*_parts(names), *shorter_and_longer(names)):
        if is_number(made[part]) and is_number(made[total]) and made[part] > made[total]:
            _exchange(made, part, total, fields)
    for span in spans_among(names):
        first, second = made[span.early], made[span.late]
        if span.texts:
            ordered = (
                isinstance(first, str) and isinstance(second, str) and tells_moment(first) and tells_moment(second)
            )
        else:
            ordered = is_number(first) and is_number(second)
        if not ordered:
            continue
        if _later(first, second):
            _exchange(made, span.early, span.late, fields)
        timed = bool(span.begins and _TIMED.match(str(first)) and _TIMED.match(str(second)))
        if (span.is_brief or timed) and span.late not in kept:
            made[span.late] = _soon_after(
                made[span.early], made[span.late], timed or span.hours, _LONGEST if timed else _DAY_LONG
            )
        at_once = made[span.early] == made[span.late] and not has_happened(tuple(name_tokens(span.late)))
        longer = _a_day_on(made[span.late]) if at_once and span.late not in kept else None
        if longer is not None and fields.fits(longer, span.late):
            made[span.late] = longer


def ends_moved_along(before: Mapping[str, Any], after: Mapping[str, Any], given: Collection[str]) -> dict[str, str]:
    """Return the ends of a row's spans whose beginnings a call has moved, shifted by as much.

    Only ends that would come before the beginning, or were on the same day, are moved, and none that the call has `given`.
    """
    found = {}
    for span in spans_among(tuple(after)) if before is not after else ():
        if not span.texts or span.late in given or before.get(span.early) == after[span.early]:
            continue
        was, now, end = (read_moment(value) for value in (before.get(span.early), after[span.early], after[span.late]))
        if was is None or now is None or end is None or len({moment.tzinfo is None for moment in (was, now, end)}) > 1:
            continue
        if now > end or (was.date() == end.date() and len(after[span.late]) > DAY):
            found[span.late] = written_like(end + (now - was), after[span.late])
    return found


def _later(first: Any, second: Any) -> bool:
    return bool(first > second) and not (
        isinstance(first, str) and first[:DAY] == second[:DAY] and DAY in (len(first), len(second))
    )


def _exchange(made: dict[str, Any], key: str, other: str, fields: Fields) -> None:
    """Swap two values; if they do not fit, mirror the one that may change to the other side of the fixed one."""
    first, second = made[key], made[other]
    if fields.fits(second, key) and fields.fits(first, other):
        made[key], made[other] = second, first
    for name, fixed, moved in ((other, first, second), (key, second, first)):
        value = _mirrored(fixed, moved) if (made[key], made[other]) == (first, second) else None
        if value is not None and fields.fits(value, name):
            made[name] = value


def _mirrored(fixed: Any, moved: Any) -> Any:
    """Return `moved` mirrored at `fixed`: as far after it as it was before, or the reverse."""
    if isinstance(fixed, str):
        try:
            day, far = date.fromisoformat(fixed[:DAY]), date.fromisoformat(moved[:DAY])
        except ValueError:
            return None
        return moved_by(moved, 2 * (day - far))
    return round(2 * fixed - moved, 2) if isinstance(moved, float) else 2 * fixed - moved


def _soon_after(early: str, late: str, hours: bool, longest: timedelta) -> str:
    """Return the later of two moments moved to the day of the earlier one or the next; for two dates, within two weeks.

    If it takes `hours`, it does not end on the next day or after the `longest` time, but some quarters of an hour later.
    """
    try:
        begin, end = datetime.fromisoformat(early), datetime.fromisoformat(late)
        if len(early) == len(late) == DAY:
            near = begin + timedelta(days=min((end - begin).days, (end - begin).days % 14 + 1))
            return near.date().isoformat()
        near = datetime.combine(begin.date(), end.timetz())
        if (near <= begin or near - begin > longest) and hours and len(late) > DAY:
            near = begin + timedelta(minutes=15 * (2 + end.toordinal() % _QUARTERS))
            return f"{near.date().isoformat()}{late[DAY]}{near:%H:%M}{late[len('2026-03-09T00:00') :]}"
        near += timedelta(days=near <= begin)
        return min(near, end).date().isoformat() + late[DAY:]
    except (ValueError, TypeError, OverflowError):  # times without dates, or only one with a time zone
        return late


_LONGEST, _DAY_LONG = timedelta(hours=4), timedelta(days=1)
"""Maximum duration of a span with times of day, and of one with departure and arrival."""

_QUARTERS = 7
"""Maximum quarters of an hour, beyond two, of a span that takes hours."""


def _a_day_on(moment: Any) -> str | None:
    """Return the same time a day later; None for a date without a time, since a span may begin and end on it."""
    if not isinstance(moment, str) or not _TIMED.match(moment):
        return None
    return moved_by(moment, timedelta(days=1))


_TIMED = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}")
_DATEISH = re.compile(r"\d{4}-\d{2}-\d{2}|\d{2}:\d{2}")


def tells_moment(text: str) -> bool:
    """Tell whether a text begins with a date or a time of the day."""
    return _DATEISH.match(text) is not None
