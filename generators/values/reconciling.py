"""The values of an object -> the same, where they have to agree: spans in order, and city, country and time zone of one place."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from interplay.generators.values import words
from interplay.schemas.fields import name_tokens
from interplay.schemas.json_schema import is_valid

CITY, CODE, COUNTRY, ZONE = range(4)
"""What `words.CITIES` tells of a place."""

_KINDS = {
    ("city",): CITY, ("town",): CITY, ("locality",): CITY, ("country", "code"): CODE, ("country",): COUNTRY,
    ("timezone",): ZONE, ("time", "zone"): ZONE, ("tz",): ZONE,
}  # fmt: skip


def reconciled(made: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values made for `properties`, changed where they contradict each other; each still fits its schema."""
    _in_order(made)
    _of_one_place(made, properties)
    return made


def _of_one_place(made: dict[str, Any], properties: Mapping[str, Any]) -> None:
    """Let made-up cities, countries and time zones be those of the address beside them, else of the city, else the country."""
    groups: dict[tuple[str, ...], dict[int, str]] = {}
    for key, value in made.items():
        tokens = tuple(name_tokens(key))
        ending = next((ending for ending in _KINDS if tokens[-len(ending) :] == ending), None)
        if ending is None or not isinstance(value, str):
            continue
        column = CODE if _KINDS[ending] == COUNTRY and len(value) == len("FR") else _KINDS[ending]
        if any(place[column] == value for place in words.CITIES):
            groups.setdefault(tokens[: -len(ending)], {})[column] = key
    for prefix, fields in groups.items():
        first = min(fields)
        beside = [value for key, value in made.items() if tuple(name_tokens(key)) == (*prefix, "address")]
        place = _named_in(beside[0]) if beside and isinstance(beside[0], str) else None
        place = place or next(place for place in words.CITIES if place[first] == made[fields[first]])
        for column, key in fields.items():
            if is_valid(place[column], properties.get(key, {})):
                made[key] = place[column]


def _named_in(address: str) -> tuple[str, ...] | None:
    """Return the place whose city or country an address names."""
    for column in (CITY, COUNTRY):
        for place in words.CITIES:
            if re.search(rf"\b{re.escape(place[column])}\b", address):
                return place
    return None


_PAIRS = (("start", "end"), ("from", "to"), ("departure", "arrival"), ("open", "close"), ("begin", "finish"),
          ("created", "updated"), ("checkin", "checkout"), ("min", "max"), ("issued", "due"))  # fmt: skip

_BRIEF = {"departure", "checkin"}
"""Of these, what takes hours or days, not months."""

DAY = len("2026-03-09")


def _in_order(made: dict[str, Any]) -> None:
    """Bring fields that form a span (start and end, departure and arrival) in order."""
    dated = {key: value for key, value in made.items() if isinstance(value, str) and _dateish(value)}
    by_tokens = {tuple(name_tokens(key)): key for key in dated}
    for tokens, key in by_tokens.items() if len(dated) > 1 else ():
        for early, late in _PAIRS:
            if early not in tokens:
                continue
            other = by_tokens.get(tuple(late if token == early else token for token in tokens))
            if other is None:
                continue
            if made[key] > made[other]:
                made[key], made[other] = made[other], made[key]
            if early in _BRIEF or "time" in tokens:
                made[other] = _soon_after(made[key], made[other])


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
