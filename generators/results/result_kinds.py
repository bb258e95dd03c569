"""What kind of thing a tool returned: one row, a list of them, or nothing."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

_TALK = word_set(_LISTS, "talk")
"""Fields that say how a call went rather than what it found, in small letters alone."""

_COUNTING = word_set(_LISTS, "counting")
"""Words of fields that tell how many there are in all."""

_OF_CALLS = frozenset("statuscode success ok errorcode requestid traceid responsecode httpstatus httpcode".split())
"""Those of them that no thing has."""

_HOLDING = frozenset(("data", "result", "results", "payload"))
"""Fields that hold what a call found."""


def found_in(names: Iterable[str]) -> str | None:
    """Return the one of an answer's fields that does not say how the call went: "meta" of `{"status": 200, "meta": {...}}`."""
    return _found_in(tuple(names))


@lru_cache(maxsize=16_384)
def _found_in(names: tuple[str, ...]) -> str | None:
    rest = [name for name in names if not is_talk(name)]
    return rest[0] if len(rest) == 1 and len(names) > 1 else None


@lru_cache(maxsize=16_384)
def is_talk(name: str) -> bool:
    """Tell whether a field says how a call went rather than what it found."""
    return "".join(filter(str.isalnum, name)).lower() in _TALK


def payload_of(value: Any) -> str | None:
    """Return the field that holds what a call found, in an answer whose other fields only say how it went."""
    name = _payload(tuple(value)) if isinstance(value, dict) else None
    if name is None or not isinstance(value[name], (dict, list)):
        return None
    rest = (key for key, item in value.items() if isinstance(item, dict) and key != name)
    return name if all(key.lower() in _BESIDE for key in rest) else None


def total_in(value: Any, shown: int) -> int:
    """Return how many there are in all, where an answer that shows some tells of more; else how many are `shown`."""
    told = (
        number
        for holder in ([value, *value.values()] if isinstance(value, dict) else ())
        if isinstance(holder, dict)
        for name, number in holder.items()
        if type(number) is int and (tokens := name_tokens(name)) and _COUNTING.issuperset(tokens)
    )
    return max(told, default=shown)


def says_how_it_went(value: Any, field: str) -> bool:
    """Tell whether a field of an answer only tells how the call went: another field holds what was found, even if that is nothing."""
    name = _payload(tuple(value)) if isinstance(value, dict) else None
    return name is not None and field != name and is_talk(field)


@lru_cache(maxsize=16_384)
def _payload(names: tuple[str, ...]) -> str | None:
    """Return the field around which all others tell of the call: "data" of `{"status_code": 200, "service": "x", "data": {...}}`."""
    found = _found_in(names)
    if found is not None or not _OF_ONE.isdisjoint(names):
        return found
    spelt = {"".join(filter(str.isalnum, name)).lower() for name in names}
    holders = [name for name in names if name.lower() in _HOLDING]
    told = not _OF_CALLS.isdisjoint(spelt) or (len(holders) == 1 and _BESIDE.issuperset(spelt - {holders[0].lower()}))
    return holders[0] if len(holders) == 1 and len(names) > 1 and told else None


def list_in(value: Any) -> tuple[str, list[Any] | None]:
    """Return pointer and items of the list that a result is about, if it is about one."""
    payload = payload_of(value)
    if payload is not None:
        pointer, items = list_in(value[payload])
        return join_pointer(payload) + pointer, items
    if isinstance(value, list):
        return "", value
    if not isinstance(value, dict) or not _OF_ONE.isdisjoint(value):
        return "", None
    embedded = value.get("_embedded")
    if isinstance(embedded, dict):
        lists = [key for key, item in embedded.items() if isinstance(item, list)]
        if len(lists) == 1:
            return join_pointer("_embedded", lists[0]), embedded[lists[0]]
    filled = [key for key, item in value.items() if isinstance(item, list) and item]
    lists = [key for key in filled if isinstance(value[key][0], dict)]
    lists = (
        [key for key in lists if not says_beside(key, value[key][0])] or lists or (filled if holds_page(value) else [])
    )
    own = [key for key in value if not tells_of_pages(key)]
    if len(lists) == 1 and len(own) <= _FEW:
        return join_pointer(lists[0]), value[lists[0]]
    page = value.get(own[0]) if len(own) == 1 else None
    if isinstance(page, dict) and (own[0].lower() in _HOLDING or not _PAGING.isdisjoint(page)):
        pointer, items = list_in(page)
        return join_pointer(own[0]) + pointer, items
    return "", None


def tells_of_pages(name: str) -> bool:
    """Tell whether a field says which part of a list an answer holds, or how much there is: `page_size`, `total_records`."""
    tokens = name_tokens(name)
    return name.lower() in _PAGING or (len(tokens) > 1 and _PAGED.issuperset(tokens))


def says_beside(name: str, item: Collection[str]) -> bool:
    """Tell whether a list, by its name and the fields of its items, only says something of an answer: `metadata`, keys and values."""
    return name.lower() in _BESIDE or (0 < len(item) <= len(_PAIR) and _PAIR.issuperset(item))


_BESIDE = {"metadata", "meta", "links", "_links", "errors", "warnings", "facets", "aggregations", "included", "headers"}
_PAIR = {"key", "value"}


def is_page(value: Any) -> bool:
    """Tell whether a result is a part of a list, by what it says of the rest."""
    return isinstance(value, dict) and holds_page(value) and list_in(value)[1] is not None


def holds_page(names: Iterable[str]) -> bool:
    """Tell whether fields are those of an answer that shows a part of a list."""
    return len(_PAGING.intersection(names)) >= _TELLING


_TELLING = 3
"""Fields about the rest of a list that make an answer a part of it."""

_DONE = {"result", "data", "response", "done", "completed", "deleted", "updated", "removed", "created", "saved", "sent"}
"""Fields that say that a call went well where they are true."""

_OF_ONE = {"id", "name", "title"}
"""Fields of one thing, which no list around others has."""

_PAGING = word_set(_LISTS, "paging")
"""Fields that say which part of a list an answer holds, in small letters."""

_PAGED = _PAGING | _COUNTING | {"number", "per"}
"""Words of names of such fields that have several."""

_FEW = 6
"""Fields of an answer around a list at most."""


def is_empty(value: Any) -> bool:
    """Tell whether a result is an empty list, alone or in an envelope."""
    payload = payload_of(value)
    value = value[payload] if payload is not None else value
    held = value.get("_embedded", value) if isinstance(value, dict) else None
    lists = [item for item in held.values() if isinstance(item, list)] if isinstance(held, dict) else []
    return value == [] or (bool(lists) and not any(lists))


def says_only_that_it_went_well(value: Any) -> bool:
    """Tell whether a result holds no more than how the call went: `{"ok": true}`."""
    if not isinstance(value, dict) or not value:
        return False
    return all(
        is_talk(name) or ((held is True or held == []) and name.lower() in _DONE) for name, held in value.items()
    )
