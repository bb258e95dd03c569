"""Items of a list -> how people describe one without naming it: the latest, the highest, the one in May."""

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
"""Words of dates that limit a period or tell an age, and that are no events."""

_TIMES = ("date", "day", "time", "deadline")
"""Last words of date labels by which things can be the latest."""

FEWEST = 2
"""The fewest items that a superlative compares."""


def descriptions(items: Sequence[Any], position: int) -> list[Description]:
    """Return all descriptions that single out the item at a position."""
    fields = comparable(items)
    return [*extremes(items, position, fields), *in_month(items, position, fields)]


def superlative(items: Sequence[Any], position: int) -> Description | None:
    """Return the superlative that singles out the item at a position, or None."""
    return next(extremes(items, position, comparable(items)), None)


def extremes(items: Sequence[Any], position: int, fields: Sequence[tuple[str, str]]) -> Iterator[Description]:
    """Yield a superlative for each of the `comparable` fields of which the item alone has the most or the least.

    The date field is named where the item's dates are not all the latest: the booking with the latest end date.
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
    """Tell whether a date is that of a part or aspect: "status expires at", not "starts at"."""
    first, *rest = label.removesuffix(" at").removesuffix(" on").split()
    return bool(rest) and first not in _TIMES and can_be_noun(first) and not is_participle(first)


def in_month(items: Sequence[Any], position: int, fields: Sequence[tuple[str, str]]) -> Iterator[Description]:
    """Yield the month of an item, if no other item has a date in that month of any year."""
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
    """Tell whether a date is bookkeeping, by which nobody describes a thing."""
    return is_recorded(name) or name_tokens(name)[:1] == ["last"]


def _months(item: Mapping[str, Any]) -> set[str]:
    """Return the months ("05"), without years, of all dates of an item but bookkeeping ones."""
    return {
        value[5:7]
        for key, value in item.items()
        if isinstance(value, str) and _MOMENT.fullmatch(value) and not is_recorded(key)
    }


def comparable(items: Sequence[Any]) -> list[tuple[str, str]]:
    """Return pointer and label of the fields by which items can be compared: dates of one format, measures."""
    if len(items) < FEWEST or not all(isinstance(item, Mapping) for item in items):
        return []
    found = []
    for pointer, value in speakable_leaves(items[0]):
        label = label_of(pointer)
        born = not BIRTH.isdisjoint(name_tokens(last_name(pointer)))  # nobody says "the patient in November"
        if pointer.count("/") > 1 or isinstance(value, bool) or born:
            continue
        values = [item.get(pointer[1:]) for item in items]
        moments = all(isinstance(value, str) and _MOMENT.fullmatch(value) for value in values)
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
        if (moments and len({len(value) for value in values}) == 1) or (numbers and _is_measure(label)):
            found.append((pointer, label))
    return found


class Sort(NamedTuple):
    """A field value that some items of a list share and others lack, with the field's label and these items' positions."""

    pointer: str
    label: str
    value: str | bool
    places: tuple[int, ...]


def sorts(items: Sequence[Any], schema: Mapping[str, Any]) -> list[Sort]:
    """Return the shared values that people would ask for: a status, a flag that is set, one of a few kinds."""
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
"""The most items that may share a value, as all of them are named."""

_KINDS = {"status", "state", "stage"} | word_set(beside(__file__), "kinds")
"""Last words of fields that hold a status or one of a few kinds."""

MEASURES = MONEY | word_set("measures", "compared")
"""Words of amounts by which people compare things; counters of a service are not among them."""

AMOUNTS = MEASURES | {"quantity"}
"""Words of numbers that people care about."""

_UNTOLD = word_set(beside(__file__), "technical")
"""Words of technical numbers, by which nobody describes a thing."""


def _is_measure(label: str) -> bool:
    """Tell whether people compare things by a number: a price, a size, a rating."""
    words = label.split()
    told = "duration" in words or not _UNTOLD.intersection(words)
    return told and not MEASURES.isdisjoint(words)
