"""Items of a list -> how a person means one of them without naming it: the latest, the highest."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.values.speakable import MONEY, label_of, speakable_leaves
from interplay.schemas.blueprint import Description
from interplay.schemas.canonical import at_pointer

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?")
FEWEST = 2
"""Items that a superlative compares at least."""


def most_or_least(items: Sequence[Any], position: int) -> Description | None:
    """Return the description by which the item at a place is singled out by the least or the most of a field, if any."""
    for pointer, label in comparable(items):
        values = [at_pointer(item, pointer) for item in items]
        own = values[position]
        if values.count(own) > 1:
            continue
        moment = isinstance(own, str)
        if own == max(values):
            return Description(kind="latest" if moment else "highest", pointer=pointer, label=label)
        if own == min(values):
            return Description(kind="earliest" if moment else "lowest", pointer=pointer, label=label)
    return None


def comparable(items: Sequence[Any]) -> list[tuple[str, str]]:
    """Return pointer and label of the fields by which items can be compared: moments of one form, amounts."""
    if len(items) < FEWEST or not all(isinstance(item, Mapping) for item in items):
        return []
    found = []
    for pointer, value in speakable_leaves(items[0]):
        label = label_of(pointer)
        if pointer.count("/") > 1 or isinstance(value, bool):
            continue
        values = [item.get(pointer[1:]) for item in items]
        moments = all(isinstance(value, str) and _MOMENT.fullmatch(value) for value in values)
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
        if (moments and len({len(value) for value in values}) == 1) or (
            numbers and (set(label.split()) & MONEY or not label.endswith(("id", "number", "code", "year")))
        ):
            found.append((pointer, label))
    return found
