"""The fields of a place -> the same, consistent: city, state, postcode, country, time zone, dialling code, coordinates.

{"city": "Leipzig", "state": "TX", "zip": "40817"}   ->   {"city": "Leipzig", "state": "Saxony", "zip": "04140"}
where the example of a state is "TX"                 ->   {"city": "Austin", "state": "TX", "zip": "78740"}

Fixed fields, given by the user or by the row, decide which place it is; then the city, then the schemas and examples of
the other fields. The places are those of `sample_words.yaml`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from interplay.generators.phrases.labels.address_parts import LONGEST, PARTS
from interplay.generators.values.texts import sample_words
from interplay.generators.values.texts.example_shapes import alike
from interplay.generators.values.texts.names.field_vocabulary import KNOWN
from interplay.schemas.json.object_cache import ObjectCache
from interplay.schemas.json.validation import is_valid
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, rows, table, word_set

CITY, CODE, COUNTRY, ZONE, REGION, REGION_CODE, POSTCODE, DIALLED = range(8)
"""Columns of `sample_words.CITIES`."""

_LISTS = beside(__file__)
_COLUMNS = {
    "city": CITY, "code": CODE, "country": COUNTRY, "zone": ZONE, "region": REGION, "postcode": POSTCODE, "dialled": DIALLED
}  # fmt: skip
_ENDINGS: Mapping[tuple[str, ...], int] = {ending: _COLUMNS[part] for ending, part in PARTS.items() if part in _COLUMNS}
_ADDRESSED = frozenset(tuple(ending.split()) for ending in rows(_LISTS, "addressed"))
"""Fields of an address beside which a state is a region; a `zip` alone may be an archive."""

_LATITUDES, _LONGITUDES = word_set(_LISTS, "latitudes"), word_set(_LISTS, "longitudes")
_COORDINATES: Mapping[str, tuple[float, float]] = table(_LISTS, "coordinates")
_SPREAD = 2_000
"""Divisor that keeps a point within 0.05 degrees of a city's centre."""

_REGIONS = {*sample_words.REGIONS, *(place[REGION] for place in sample_words.CITIES)}

_SAID = (CITY, CODE, COUNTRY, REGION, ZONE, DIALLED)
"""Columns by which a place is recognised, the most reliable first; postcodes are generated instead."""

_UNTOLD: Mapping[str, Any] = {}

Place = tuple[str, ...]
Part = tuple[int, str]
"""The column of a place that a field holds, and the field's name."""


class Fields(NamedTuple):
    """The schemas of an object's fields, and the names of those whose values are fixed."""

    schemas: Mapping[str, Any]
    kept: Collection[str] = ()

    def fits(self, value: Any, name: str) -> bool:
        """Tell whether a field may take a value: it is not fixed, and its schema admits the value."""
        return name not in self.kept and is_valid(value, self.schemas.get(name, {}))


def settle_places(made: dict[str, Any], fields: Fields) -> None:
    """Make the fields of each place in an object consistent."""
    if not any(part[0] == CITY for _, parts, _ in _parts_of(tuple(made)) for part in parts):
        _address_by_name(made, fields)
    for prefix, parts, is_address in _parts_of(tuple(made)):
        held = [part for part in parts if isinstance(made[part[1]], str) and made[part[1]]]
        if not is_address and CITY not in dict(held):  # a state without a city may be anything
            regional = COUNTRY in dict(held)
            held = [part for part in held if part[0] != REGION or (regional and made[part[1]] in _REGIONS)]
        if held:
            _settle(made, prefix, held, fields)
    for latitude, longitude in _coordinates_in(tuple(made)):
        _locate(made, (latitude, longitude), fields)


@lru_cache(maxsize=4_096)
def _coordinates_in(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of latitude and longitude fields: `pickup_lat`, `pickup_lng`."""
    said = [(name_tokens(name), name) for name in names]
    return tuple(
        (first, second)
        for north, first in said
        if not _LATITUDES.isdisjoint(north[-1:])
        for east, second in said
        if east[:-1] == north[:-1] and not _LONGITUDES.isdisjoint(east[-1:])
    )


def _locate(made: dict[str, Any], names: tuple[str, str], fields: Fields) -> None:
    """Set coordinates to a point in the city that the object names, or in some city if it names none."""
    if not all(isinstance(made[name], float) for name in names):
        return
    named = (_named_in(value) for value in made.values() if isinstance(value, str))
    told, chance = next(filter(None, named), None), _chance(made)
    if told is None and any("examples" in fields.schemas.get(name, _UNTOLD) for name in names):
        return
    centre = _COORDINATES[(told or sample_words.CITIES[chance % len(sample_words.CITIES)])[CITY]]
    point = [
        round(at + (chance * factor % 200 - 100) / _SPREAD, 4) for at, factor in zip(centre, (37, 91), strict=True)
    ]
    if all(map(fields.fits, point, names)):
        made |= dict(zip(names, point, strict=True))


@lru_cache(maxsize=4_096)
def _parts_of(names: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], tuple[Part, ...], bool], ...]:
    """Return the fields of places, grouped by the prefix of their names, and whether each group is an address."""
    found: dict[tuple[str, ...], list[Part]] = {}
    said = {tuple(name_tokens(name)) for name in names}
    for name in names:
        part = _part_of_place(name)
        if part is not None:
            found.setdefault(part[0], []).append((part[1], name))
    return tuple(
        (prefix, tuple(sorted(parts)), any((*prefix, *ending) in said for ending in _ADDRESSED))
        for prefix, parts in found.items()
    )


@lru_cache(maxsize=16_384)
def _part_of_place(name: str) -> tuple[tuple[str, ...], int] | None:
    """Return the prefix of a field's name and its column of a place; None for other fields."""
    tokens = tuple(name_tokens(name))
    for length in range(min(LONGEST, len(tokens)), 0, -1):
        if tokens[-length:] in _ENDINGS:
            return tokens[:-length], _ENDINGS[tokens[-length:]]
    return None


def _settle(made: dict[str, Any], prefix: tuple[str, ...], parts: Sequence[Part], fields: Fields) -> None:
    """Make the fields of one place consistent by changing those that are not fixed."""
    free = [
        (column, name)
        for column, name in parts
        if name not in fields.kept and _is_made_up(made[name], column, fields.schemas.get(name, _UNTOLD))
    ]
    fixed = [part for part in parts if part not in free and (part[1] in fields.kept or part[0] == CITY)]
    address = next((name for name in made if tuple(name_tokens(name)) == (*prefix, "address")), "")
    place = _named_in(made[address]) if isinstance(made.get(address), str) else None
    place = (None if prefix or fixed else _called_after(made)) or place
    if place is None:
        place = _place_of(made, free, fixed, fields) if len(free) + len(fixed) > 1 else None
    written = "".join(made[name] for _, name in free) or str(made)
    if place is None:
        free = [(column, name) for column, name in free if column == REGION and made[name] in KNOWN["state"]]
        place = _SOMEWHERE[_chance(made) % len(_SOMEWHERE)]
    for column, name in free:
        schema = fields.schemas.get(name, _UNTOLD)
        if _is_in(place, column, made[name]) and _is_shown(made[name], schema):
            continue
        options = _ways(place, column, made[name], written)
        fitting = [way for way in options if fields.fits(way, name) and _is_shown(way, schema)]
        if fitting:
            made[name] = fitting[0]


def _called_after(made: Mapping[str, Any]) -> Place | None:
    """Return the place in the name of a thing: "Graz Town Hall" is in Graz."""
    names = (made[name] for name in ("name", "title") if isinstance(made.get(name), str))
    return next(filter(None, map(_named_in, names)), None)


def _address_by_name(made: dict[str, Any], fields: Fields) -> None:
    """Move the address of a thing named after a city to that city."""
    address = made.get("address")
    told = _named_in(address) if isinstance(address, str) else None
    shown = isinstance(address, str) and address in fields.schemas.get("address", _UNTOLD).get("examples", ())
    called = _called_after(made) if told is not None or shown else None
    if called is not None and called != told:
        there = f"{sample_words.street(Random(_chance(made)))}, {called[CITY]}"
        made["address"] = there if fields.fits(there, "address") else address


_SOMEWHERE: Sequence[Place] = [("", "", "", "", region, "", "", "") for region in sample_words.REGIONS]
"""Places with a region only, for addresses in unknown cities."""


def _place_of(made: Mapping[str, Any], free: Sequence[Part], fixed: Sequence[Part], fields: Fields) -> Place | None:
    """Return the fixed place, else the one that the free fields name and all schemas admit; None if no place fits."""
    places = [
        place for place in sample_words.CITIES if all(_is_in(place, column, made[name]) for column, name in fixed)
    ]
    if not places or not free:
        return None
    admitted = [_admitted(fields.schemas.get(name, _UNTOLD), column) for column, name in free if name in fields.schemas]
    places = [place for place in places if all(place in all_of for all_of in admitted)] or places
    for wanted in _SAID:
        for column, name in free:
            told = [place for place in places if column == wanted and _is_in(place, column, made[name])]
            if told:
                return told[_chance(made) % len(told)]
    return places[_chance(made) % len(places)]


def _chance(made: Mapping[str, Any]) -> int:
    """Return a number that depends only on the object."""
    return sum(map(ord, "".join(map(str, made.values()))[:80]))


_STATES = {*sample_words.REGIONS, *KNOWN["state"]}
"""Values that are made up for a state or region without knowing that it belongs to an address."""


def _is_made_up(value: str, column: int, schema: Mapping[str, Any]) -> bool:
    """Tell whether a value was made up or is an example, so that it may be replaced."""
    if column in (POSTCODE, DIALLED) or not _SHOWING.isdisjoint(schema):
        return True
    return (column == REGION and value in _STATES) or bool(_places_with(column, value))


_SHOWING = {"examples", "pattern", "maxLength"}


def _is_in(place: Place, column: int, value: str) -> bool:
    """Tell whether a value of a column is that of a place, as name or code, in any case."""
    return place in _places_with(column, value)


@lru_cache(maxsize=65_536)
def _places_with(column: int, value: str) -> tuple[Place, ...]:
    if column == POSTCODE:
        return tuple(place for place in sample_words.CITIES if _written_as(place[POSTCODE]).fullmatch(value))
    said = value.casefold()
    return tuple(place for place in sample_words.CITIES if said in map(str.casefold, _named(place, column)))


def _named(place: Place, column: int) -> tuple[str, ...]:
    """Return the texts that a field may hold for a column of a place: name, code."""
    if column == REGION:
        return (place[REGION], place[REGION_CODE]) if place[REGION_CODE] else (place[REGION],)
    return (place[COUNTRY], place[CODE]) if column == COUNTRY else (place[column],)


def _ways(place: Place, column: int, value: str, written: str) -> Iterator[str]:
    """Yield the notations of a column of a place, the one like `value` first; a postcode takes its digits from `written`."""
    if column == POSTCODE:
        code = _postcode(place[POSTCODE], written)
        yield code
        if place[CODE] == "US":
            yield f"{code}-{_postcode('####', written[::-1])}"
        return
    named = _named(place, column)
    ways = named[::-1] if len(value) == _ABBREVIATED else named
    yield from ways
    for way in ways:
        yield from (way.upper(), way.lower())


_ABBREVIATED = len("FR")


def _postcode(pattern: str, written: str) -> str:
    """Return a postcode for a pattern, with the digits of a text, or digits derived from its characters."""
    digits = [sign for sign in written if sign in "0123456789"] or [str(ord(sign) % 10) for sign in written] or ["1"]
    said = iter(digits * len(pattern))
    return "".join(
        next(said) if sign == "#" else _LETTERS[int(next(said))] if sign == "?" else sign for sign in pattern
    )


_LETTERS = "ABEHJLNRTX"
"""Letters that occur in postcodes everywhere."""


@lru_cache(maxsize=256)
def _written_as(pattern: str) -> re.Pattern[str]:
    ways = {"#": "[0-9]", "?": "[A-Z]"}
    return re.compile("".join(ways.get(sign, re.escape(sign)) for sign in pattern) + r"(?:-\d{4})?")


def _admitted_by(schema: Mapping[str, Any], column: int) -> frozenset[Place]:
    """Return the places of which a column fits a schema and looks like its examples."""
    return frozenset(
        place
        for place in sample_words.CITIES
        if any(is_valid(way, schema) and _is_shown(way, schema) for way in _ways(place, column, "", "1234567"))
    )


_admitted = ObjectCache(_admitted_by)


def _is_shown(way: str, schema: Mapping[str, Any]) -> bool:
    """Tell whether a text looks like the examples of its field; True if there are none."""
    samples = [item for item in schema.get("examples", ()) if isinstance(item, str) and item]
    return not samples or alike(way, samples)


def _named_in(address: str) -> Place | None:
    """Return the place whose city, or else country, an address names."""
    for column, names in _IN_TEXT:
        found = names.search(address)
        if found is not None:
            return next(place for place in sample_words.CITIES if place[column] == found[0])
    return None


_IN_TEXT = tuple(
    (column, re.compile(rf"\b(?:{'|'.join(re.escape(place[column]) for place in sample_words.CITIES)})\b"))
    for column in (CITY, COUNTRY)
)
