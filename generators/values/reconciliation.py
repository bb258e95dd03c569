"""The values of an object -> the same, where they have to agree: spans in order, one place, what is asked for twice."""

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from interplay.generators.values.sibling_fields import repeat_what_is_asked_twice
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.field_vocabulary import KNOWN
from interplay.generators.values.texts.formatted_texts import address_of, in_ascii
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.calendar import WEEKDAYS
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, word_set

CITY, CODE, COUNTRY, ZONE, REGION = range(5)
"""What `words.CITIES` tells of a place."""

_KINDS = {
    ("city",): CITY, ("city", "name"): CITY, ("country", "name"): COUNTRY, ("town",): CITY, ("locality",): CITY, ("country", "code"): CODE, ("country",): COUNTRY,
    ("country", "iso"): CODE, ("country", "iso", "2"): CODE,
    ("timezone",): ZONE, ("time", "zone"): ZONE, ("tz",): ZONE, ("state",): REGION, ("province",): REGION, ("region",): REGION,
}  # fmt: skip
_STATES = {*sample_words.REGIONS, *KNOWN["state"]}
"""What a field called a state or region is made up as, where nothing beside it says that it is part of an address."""


def reconciled(made: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values made for `properties`, changed where they contradict each other; each still fits its schema."""
    if made:
        put_in_order(made, properties)
        _of_one_place(made, properties)
        _on_its_day(made, properties)
        _reached_by_name(made, properties)
        repeat_what_is_asked_twice(made, properties)
    return made


_GIVEN, _FAMILY = (("first", "name"), ("given", "name"), ("firstname",)), (("last", "name"), ("family", "name"), ("lastname",), ("surname",))  # fmt: skip
_FULL = (("name",), ("full", "name"), ("display", "name"))


def _reached_by_name(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Let the mail address of somebody be made of the name beside it, and the full name of its parts."""
    held = {tuple(name_tokens(key)): key for key, value in made.items() if isinstance(value, str)}
    given, family, full = (next((held[way] for way in ways if way in held), None) for ways in (_GIVEN, _FAMILY, _FULL))
    called = f"{made[given]} {made[family]}" if given and family else made[full] if full else ""
    first, _, last = called.partition(" ")
    made_up = first in sample_words.given_names() and last in sample_words.family_names()
    if not made_up and not (given and family and in_ascii(first).isalpha() and in_ascii(last).isalpha()):
        return
    if full and given and family and _fits(called, full, properties):
        made[full] = called
    mail = next((held[way] for way in (("email",), ("email", "address"), ("mail",)) if way in held), None)
    address = address_of(called)
    if mail and made[mail].endswith("@example.com") and _fits(address, mail, properties):
        made[mail] = address


def _on_its_day(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Let the day of the week be that of the one moment beside it."""
    named = [key for key, value in made.items() if value in WEEKDAYS]
    days = [day for value in made.values() if (day := _day_of(value)) is not None] if len(named) == 1 else []
    if len(days) == 1:
        weekday = WEEKDAYS[days[0].weekday()]
        made[named[0]] = weekday if _fits(weekday, named[0], properties) else made[named[0]]


def _day_of(value: Any) -> date | None:
    """Return the day of a moment as JSON writes it."""
    try:
        return date.fromisoformat(value[:DAY]) if isinstance(value, str) and _DATED.match(value) else None
    except ValueError:
        return None


def _of_one_place(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Let made-up cities, countries and time zones be those of the address beside them, else of the city, else the country."""
    groups: dict[tuple[str, ...], dict[int, str]] = {}
    _in_some_region(made, properties)
    for key, value in made.items():
        part = _part_of_place(key) if isinstance(value, str) else None
        if part is None:
            continue
        prefix, column = part
        column = CODE if column == COUNTRY and len(value) == len("FR") else column
        if any(place[column] == value for place in sample_words.CITIES) or (column == REGION and value in _STATES):
            groups.setdefault(prefix, {})[column] = key
    for prefix, fields in groups.items():
        if CITY not in fields:
            fields.pop(REGION, None)  # a state without a city may be anything
        if not fields:
            continue
        first = min(fields)
        beside = [value for key, value in made.items() if tuple(name_tokens(key)) == (*prefix, "address")]
        place = _named_in(beside[0]) if beside and isinstance(beside[0], str) else None
        place = place or next(place for place in sample_words.CITIES if place[first] == made[fields[first]])
        for column, key in fields.items():
            if _fits(place[column], key, properties):
                made[key] = place[column]


@lru_cache(maxsize=16_384)
def _part_of_place(name: str) -> tuple[tuple[str, ...], int] | None:
    """Return the words before the end of a field's name that says a part of a place, and which part; none for other fields."""
    tokens = tuple(name_tokens(name))
    ending = next((ending for ending in _KINDS if tokens[-len(ending) :] == ending), None)
    return None if ending is None else (tokens[: -len(ending)], _KINDS[ending])


_ADDRESSED = {
    ("city",),
    ("town",),
    ("zip", "code"),
    ("postal", "code"),
    ("postcode",),
    ("street",),
    ("line", "1"),
    ("line1",),
}
"""Parts of an address; a `zip` by itself may be an archive."""


def _in_some_region(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Let the state of an address be a region, be its city one that nobody knows."""
    for key, value in made.items():
        tokens = tuple(name_tokens(key)) if value in KNOWN["state"] else ()
        if tokens[-1:] != ("state",):
            continue
        said = {tuple(name_tokens(other)) for other in made}
        addressed = any((*tokens[:-1], *ending) in said for ending in _ADDRESSED)
        region = sample_words.REGIONS[
            sum(map(ord, value + key + "".join(map(str, made.values()))[:40])) % len(sample_words.REGIONS)
        ]
        if addressed and _fits(region, key, properties):
            made[key] = region


def _named_in(address: str) -> tuple[str, ...] | None:
    """Return the place whose city or country an address names."""
    for column in (CITY, COUNTRY):
        for place in sample_words.CITIES:
            if re.search(rf"\b{re.escape(place[column])}\b", address):
                return place
    return None


_LISTS = beside(__file__)
_PAIRS = tuple(map(tuple, rows(_LISTS, "spans")))
_STAYS = (("arrival", "departure"), *(pair for pair in _PAIRS if pair[0] != "departure"))
_STAYING = word_set(_LISTS, "staying")
"""Words of the fields of a stay, which begins with an arrival; a journey ends with one."""
_AMOUNTS = tuple(map(tuple, rows(_LISTS, "amounts")))
"""Pairs of numbers of which the first is the smaller one."""

_BRIEF = {"departure", "checkin", "arrival", "pickup"}
"""Of these, what takes hours or days, not months."""

_EVENTS = (("start",), ("starts",), ("event", "start"))
"""Names of the beginning of what takes hours."""

DAY = len("2026-03-09")
_DATED = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")


def put_in_order(made: dict[str, Any], properties: Mapping[str, Any], kept: Collection[str] = ()) -> None:
    """Bring fields that form a span (start and end, departure and arrival, lowest and highest) in order, but for those `kept`."""
    held = {tuple(name_tokens(key)): key for key, value in made.items() if _is_sortable(value) and key not in kept}
    if len(held) < 2:
        return
    _below_their_total(made, held, properties)
    stay = not _STAYING.isdisjoint(token for key in made for token in name_tokens(key))
    for tokens, key in held.items():
        texts = isinstance(made[key], str)
        for early, late in (_STAYS if stay else _PAIRS) if texts else _AMOUNTS:
            other = held.get(tuple(late if token == early else token for token in tokens)) if early in tokens else None
            if other is None or other == key or isinstance(made[other], str) != texts:
                continue
            if made[key] > made[other] and _fits(made[other], key, properties) and _fits(made[key], other, properties):
                made[key], made[other] = made[other], made[key]
            if texts and (
                early in _BRIEF or "time" in tokens or tokens in _EVENTS or (early == "in" and "check" in tokens)
            ):
                made[other] = _soon_after(made[key], made[other])


def _below_their_total(
    made: dict[str, Any], held: Mapping[tuple[str, ...], str], properties: Mapping[str, Any]
) -> None:
    """Let no part of something be more than its total: of 3 bags in total, 4 are not free."""
    for tokens, key in held.items():
        total = held.get(("total", *tokens[1:])) if len(tokens) > 1 else None
        if total is None or total == key or isinstance(made[key], str) or isinstance(made[total], str):
            continue
        if made[key] > made[total] and _fits(made[total], key, properties) and _fits(made[key], total, properties):
            made[key], made[total] = made[total], made[key]


def _fits(value: Any, key: str, properties: Mapping[str, Any]) -> bool:
    return is_valid(value, properties.get(key, {}))


def _is_sortable(value: Any) -> bool:
    """Tell whether a value is a moment or a number."""
    return (
        _dateish(value) if isinstance(value, str) else isinstance(value, (int, float)) and not isinstance(value, bool)
    )


def _soon_after(early: str, late: str) -> str:
    """Return the later of two moments on the day of the earlier one, or on the next; of two days, within two weeks."""
    try:
        begin, end = datetime.fromisoformat(early), datetime.fromisoformat(late)
        if len(early) == len(late) == DAY:
            near = begin + timedelta(days=min((end - begin).days, (end - begin).days % 14 + 1))
            return near.date().isoformat()
        near = datetime.combine(begin.date(), end.timetz())
        near += timedelta(days=near <= begin)
        return min(near, end).date().isoformat() + late[DAY:]
    except (ValueError, TypeError, OverflowError):  # times alone, a zone on one side alone
        return late


_DATEISH = re.compile(r"\d{4}-\d{2}-\d{2}|\d{2}:\d{2}")


def _dateish(text: str) -> bool:
    return _DATEISH.match(text) is not None
