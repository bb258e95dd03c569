"""Items of a list -> how a person means one of them without naming it: the latest, the highest, the one in May."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from interplay.generators.phrases.labels.field_labels import MONEY, label_of
from interplay.generators.phrases.speakable_values import speakable_leaves
from interplay.generators.values.texts.past_events import BIRTH
from interplay.schemas.json.canonical import at_pointer, last_name
from interplay.schemas.json.fields import object_properties, schema_type
from interplay.schemas.records.blueprint import Description
from interplay.schemas.words.identifiers import is_recorded, name_tokens
from interplay.schemas.words.lists import beside, word_set
from interplay.schemas.words.word_classes import can_be_noun, is_participle, is_predicate

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?")
_LASTING = {"until", "valid", "expiry", "expires", "birth"}
"""Words of moments at which nothing takes place."""

_TIMES = ("date", "day", "time", "deadline")
"""Last words of the labels of moments that can be the latest."""

FEWEST = 2
"""The fewest items that a superlative compares."""


def descriptions(items: Sequence[Any], position: int) -> list[Description]:
    """Return all descriptions by which the item at a place is singled out."""
    fields = comparable(items)
    return [*extremes(items, position, fields), *in_month(items, position, fields)]


def superlative(items: Sequence[Any], position: int) -> Description | None:
    """Return the description by which the item at a place is singled out by the least or the most of a field, if any."""
    return next(extremes(items, position, comparable(items)), None)


def extremes(items: Sequence[Any], position: int, fields: Sequence[tuple[str, str]]) -> Iterator[Description]:
    """Yield those of the `comparable` fields of which an item alone has the most or the least.

    Where the moments of an item are not all the latest, the field is said: the booking with the latest end date.
    """
    moments = [pointer for pointer, _ in fields if isinstance(at_pointer(items[0], pointer), str)]
    for pointer, label in fields:
        values = [at_pointer(item, pointer) for item in items]
        own = values[position]
        if values.count(own) > 1 or own not in (max(values), min(values)):
            continue
        most = own == max(values)
        if not isinstance(own, str):
            yield Description(kind="highest" if most else "lowest", pointer=pointer, label=label)
            continue
        others = ([at_pointer(item, other) for item in items] for other in moments)
        agreed = all(values[position] == (max(values) if most else min(values)) for values in others)
        if not most and all(_is_kept(other[1:]) for other in moments):
            continue
        bare = agreed and not _says_of_what(label)
        if bare or label.rpartition(" ")[2] in _TIMES:
            kind = "latest" if most else "earliest"
            yield Description(kind=kind, pointer=pointer, label="" if bare else label)


def _says_of_what(label: str) -> bool:
    """Tell whether a moment is that of something else than the thing itself: "status expires at", not "starts at"."""
    first, *rest = label.removesuffix(" at").removesuffix(" on").split()
    return bool(rest) and first not in _TIMES and can_be_noun(first) and not is_participle(first)


def in_month(items: Sequence[Any], position: int, fields: Sequence[tuple[str, str]]) -> Iterator[Description]:
    """Yield the month of an item, where no other item has to do with that month of any year."""
    dated = [
        (pointer, label)
        for pointer, label in fields
        if isinstance(at_pointer(items[0], pointer), str) and not _is_kept(pointer[1:])
        if not _LASTING & set(label.split())
    ]
    for pointer, label in dated[:1]:
        month = at_pointer(items[position], pointer)[:7]
        if not any(month[5:] in _months(item) for place, item in enumerate(items) if place != position):
            yield Description(kind="month", pointer=pointer, label=label, month=month)


def _is_kept(name: str) -> bool:
    """Tell whether people do not speak of a moment when they say that something is in May, or the earliest of all."""
    return is_recorded(name) or name_tokens(name)[:1] == ["last"]


def _months(item: Mapping[str, Any]) -> set[str]:
    """Return the months, without their years, that an item has to do with."""
    return {
        value[5:7]
        for key, value in item.items()
        if isinstance(value, str) and _MOMENT.fullmatch(value) and not is_recorded(key)
    }


def comparable(items: Sequence[Any]) -> list[tuple[str, str]]:
    """Return pointer and label of the fields by which items can be compared: moments of one form, amounts."""
    if len(items) < FEWEST or not all(isinstance(item, Mapping) for item in items):
        return []
    found = []
    for pointer, value in speakable_leaves(items[0]):
        label = label_of(pointer)
        born = not BIRTH.isdisjoint(name_tokens(last_name(pointer)))  # nobody is spoken of as the patient in November
        if pointer.count("/") > 1 or isinstance(value, bool) or born:
            continue
        values = [item.get(pointer[1:]) for item in items]
        moments = all(isinstance(value, str) and _MOMENT.fullmatch(value) for value in values)
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
        if (moments and len({len(value) for value in values}) == 1) or (numbers and _is_measure(label)):
            found.append((pointer, label))
    return found


class Sort(NamedTuple):
    """What some items of a list have in common and others do not: a field, its label and value, and where the items stand."""

    pointer: str
    label: str
    value: str | bool
    places: tuple[int, ...]


def sorts(items: Sequence[Any], schema: Mapping[str, Any]) -> list[Sort]:
    """Return the sorts of items that people would ask for: those in some state, with some flag set, of one of a few kinds."""
    if len(items) < FEWEST or not all(isinstance(item, Mapping) for item in items):
        return []
    found = []
    for name, field in object_properties(schema).items():
        label, values = label_of(f"/{name}"), [item.get(name) for item in items]
        flag = schema_type(field) == "boolean" and is_predicate(label)
        if not flag and ("enum" not in field or not _KINDS.intersection(label.split()[-1:])):
            continue
        for value in (True,) if flag else dict.fromkeys(value for value in values if isinstance(value, str) and value):
            places = tuple(place for place, own in enumerate(values) if own == value and type(own) is type(value))
            if 0 < len(places) < len(items) and len(places) <= MOST_OF_A_SORT:
                found.append(Sort(f"/{name}", label, value, places))
    return found


MOST_OF_A_SORT = 8
"""Items at most of which all are named."""

_KINDS = {"status", "state", "stage"} | word_set(beside(__file__), "kinds")
"""Last words of fields that tell how a thing stands, or of which of a few kinds it is."""

MEASURES = MONEY | word_set("measures", "compared")
"""What people compare things by; nobody singles a thing out by how many of something a service has counted for it."""

_UNTOLD = word_set(beside(__file__), "technical")
"""Words of numbers that nobody has in mind when they single something out."""


def _is_measure(label: str) -> bool:
    """Tell whether a number is one by which people tell things apart: a price, a size, a rating."""
    words = label.split()
    told = "duration" in words or not _UNTOLD.intersection(words)
    return told and not MEASURES.isdisjoint(words)
