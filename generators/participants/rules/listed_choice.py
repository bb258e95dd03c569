"""A choice from a list, and what an assistant from elsewhere makes of it -> what is said of it: the place alone may mislead.

"The second one" is of what was shown. Who shows a part of a list, or in another order, is told the value itself; who takes another
item for it is told so.
"""

import re
from collections.abc import Collection, Sequence
from datetime import date
from typing import Any

from interplay.schemas.json.canonical import leaves, value_at
from interplay.schemas.json.json_text import read_result
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.dialogue import Message
from interplay.schemas.words.mentions import mentions


def value_meant(fact: Fact, messages: Sequence[Message], today: date | None = None) -> str:
    """Return the plain value that stands for "the second one", or for what a thing is called where only other values of it were shown.

    Empty where the list is no such list, or was said in its order. Days may be told from `today` on: tomorrow.
    """
    items, place, since = _listed(fact, messages)
    text = " ".join(message.content for message in messages[since:] if message.role == "assistant")
    if fact.value and items:
        return (
            _shown_of(items, place, text)
            if not any(mentions(text, value, today=today) for value in fact.value.values())
            else ""
        )
    if fact.value or not items or isinstance(items[place], (dict, list)):
        return ""
    found = [(re.search(rf"(?<!\w){re.escape(str(item))}(?!\w)", text), index) for index, item in enumerate(items)]
    shown = [index for _, index in sorted((match.start(), index) for match, index in found if match is not None)]
    return "" if shown[: place + 1] == list(range(place + 1)) else str(items[place])


def _shown_of(items: Sequence[Any], place: int, text: str) -> str:
    """Return the first text of an item that is shown to the letter, and that no other item has; empty where none is."""
    others = [value for index, item in enumerate(items) if index != place for _, value in leaves(item)]
    own = (value for _, value in leaves(items[place]) if isinstance(value, str) and value)
    return next(
        (value for value in own if value not in others and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)), ""
    )


def is_listed(fact: Fact, messages: Sequence[Message]) -> bool:
    """Tell whether a result has shown the list from which something is chosen."""
    return bool(_listed(fact, messages)[0])


def is_mistaken(
    fact: Fact, messages: Sequence[Message], others: Collection[Any] = (), today: date | None = None
) -> bool:
    """Tell whether the last message speaks of another item of the list than the one that is meant; not one of `others`, meant too."""
    items, place, _ = _listed(fact, messages)
    told = [_told(fact, item) for item in items]
    told = [
        values if index == place or not any(value in others for value in values) else []
        for index, values in enumerate(told)
    ]
    spoken = [
        bool(values) and all(mentions(messages[-1].content, value, today=today) for value in values) for values in told
    ]
    return bool(items) and not spoken[place] and any(spoken)


def _told(fact: Fact, item: Any) -> list[Any]:
    """Return by what an item is told from others: the values that a choice names, or the item itself."""
    if not isinstance(item, dict):
        return [] if fact.value else [item]
    values = [value_at(item, pointer) for pointer in fact.value]
    return [value for value in values if value is not None]


def _is_meant(fact: Fact, item: Any) -> bool:
    return all(value_at(item, pointer) == value for pointer, value in fact.value.items())


def _listed(fact: Fact, messages: Sequence[Message]) -> tuple[list[Any], int, int]:
    """Return the list that has the choice in its place, as the latest result shows it, that place, and the message after that."""
    above, _, place = str(fact.choice).rpartition("/")
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "tool" and not messages[index].failed:
            items = value_at(read_result(messages[index].content), above)
            if isinstance(items, list) and int(place) < len(items) and _is_meant(fact, items[int(place)]):
                return items, int(place), index + 1
    return [], 0, 0
