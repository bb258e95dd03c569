"""A choice from a list, and how the assistant showed the list -> the value to name, since a position alone may be misleading.

"The second one" counts what was shown. An assistant that shows only part of the list, or in another order, is told the value
itself; one that takes another item for it is corrected.
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
    """Return the value to say instead of "the second one", or instead of a choice's own values if only others were shown.

    Empty if no such list was returned, or if it was shown in its order. Dates may be relative to `today`: tomorrow.
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
    """Return the first text of an item that is shown unchanged and that no other item has; empty if there is none."""
    others = [value for index, item in enumerate(items) if index != place for _, value in leaves(item)]
    own = (value for _, value in leaves(items[place]) if isinstance(value, str) and value)
    return next(
        (value for value in own if value not in others and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)), ""
    )


def is_listed(fact: Fact, messages: Sequence[Message]) -> bool:
    """Tell whether a result has shown the list of a choice."""
    return bool(_listed(fact, messages)[0])


def is_mistaken(
    fact: Fact, messages: Sequence[Message], others: Collection[Any] = (), today: date | None = None
) -> bool:
    """Tell whether the last message mentions another item of the list than the chosen one.

    `others` are values of further chosen items, which it may mention.
    """
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
    """Return the values that identify an item: those that the choice names, or the item itself."""
    if not isinstance(item, dict):
        return [] if fact.value else [item]
    values = [value_at(item, pointer) for pointer in fact.value]
    return [value for value in values if value is not None]


def _is_meant(fact: Fact, item: Any) -> bool:
    return all(value_at(item, pointer) == value for pointer, value in fact.value.items())


def _listed(fact: Fact, messages: Sequence[Message]) -> tuple[list[Any], int, int]:
    """Return the list of a choice in the latest result with it, the choice's index, and the index of the next message."""
    above, _, place = str(fact.choice).rpartition("/")
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "tool" and not messages[index].failed:
            items = value_at(read_result(messages[index].content), above)
            if isinstance(items, list) and int(place) < len(items) and _is_meant(fact, items[int(place)]):
                return items, int(place), index + 1
    return [], 0, 0
