"""The kind of a tool's result: one row, a list, a page of a list, or a bare acknowledgement."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Any

from interplay.schemas.json.canonical import join_pointer
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import beside, word_set

_LISTS = beside(__file__)

_TALK = word_set(_LISTS, "talk")
"""Fields that report how a call went rather than what it found, in lower case without separators."""

_COUNTING = word_set(_LISTS, "counting")
"""Words in the names of fields that give a total count."""

_FURTHER = word_set(_LISTS, "further")
"""Words of fields that say whether, or where, a list goes on."""

_PLACE_OF_PAGE = word_set(_LISTS, "place_of_page")
"""Words of fields that give the number of a page."""

_OF_CALLS = frozenset("statuscode success ok errorcode requestid traceid responsecode httpstatus httpcode".split())
"""Those of `_TALK` that never belong to a row."""

HOLDING = frozenset(("data", "result", "results", "payload"))
"""Fields that hold the payload of a result."""


def found_in(names: Iterable[str]) -> str | None:
    """Return the only field of an answer that does not report how the call went: "meta" of `{"status": 200, "meta": {...}}`."""
    return _found_in(tuple(names))


@lru_cache(maxsize=16_384)
def _found_in(names: tuple[str, ...]) -> str | None:
    rest = [name for name in names if not is_talk(name)]
    return rest[0] if len(rest) == 1 and len(names) > 1 else None


@lru_cache(maxsize=16_384)
def is_talk(name: str) -> bool:
    """Tell whether a field reports how a call went rather than what it found."""
    return "".join(filter(str.isalnum, name)).lower() in _TALK


def payload_of(value: Any) -> str | None:
    """Return the field that holds the payload of an answer, if all its other fields only report how the call went."""
    name = _payload_in(value)
    if name is None or not isinstance(value[name], (dict, list)):
        return None
    rest = (key for key, item in value.items() if isinstance(item, dict) and key != name)
    return name if all(key.lower() in _BESIDE for key in rest) else None


def is_beside_a_list(name: str, lists: Iterable[str]) -> bool:
    """Tell whether a field is metadata of one of these lists, and not a payload: `meta` in `{"messages": [...], "meta": {}}`."""
    return name.lower() in _BESIDE and any(key.lower() not in _BESIDE for key in lists if key != name)


def total_in(value: Any, shown: int) -> int:
    """Return the largest total count that an answer states; `shown` if it states none."""
    told = (
        number
        for holder in ([value, *value.values()] if isinstance(value, dict) else ())
        if isinstance(holder, dict)
        for name, number in holder.items()
        if type(number) is int and (tokens := name_tokens(name)) and _COUNTING.issuperset(tokens)
    )
    return max(told, default=shown)


def shows_part(value: Any, shown: int) -> bool:
    """Tell whether an answer that shows so many rows says that there are more: in total, on other pages, or behind a cursor."""
    holders = [value, *value.values()] if isinstance(value, dict) else []
    told = [
        (name_tokens(name), item) for holder in holders if isinstance(holder, dict) for name, item in holder.items()
    ]
    numbers = [({*tokens}, item) for tokens, item in told if type(item) is int and tokens]
    pages = [item for tokens, item in numbers if "pages" in tokens or tokens == {"total", "page"}]
    # a bare "number" is Spring's, which counts pages from 0
    number = [item + (tokens == {"number"}) for tokens, item in numbers if tokens <= _PLACE_OF_PAGE]
    goes_on = bool(pages and number) and max(number) < pages[0]
    for tokens, item in told:
        further = not _FURTHER.isdisjoint(tokens) and (item is True or (isinstance(item, str) and item != ""))
        goes_on = goes_on or further or (item is False and tokens[-1:] == ["last"])
    return goes_on or total_in(value, shown) > shown


def says_how_it_went(value: Any, field: str) -> bool:
    """Tell whether a field only reports how the call went, in an answer with a payload in another field, even an empty one."""
    name = _payload_in(value)
    return name is not None and field != name and is_talk(field)


def _payload_in(value: Any) -> str | None:
    """Return the field with the payload of an answer, whatever it holds; none if that is metadata of a list beside it."""
    name = _payload(tuple(value)) if isinstance(value, dict) else None
    lists = (key for key, item in value.items() if isinstance(item, list)) if name is not None else ()
    return None if name is None or is_beside_a_list(name, lists) else name


@lru_cache(maxsize=16_384)
def _payload(names: tuple[str, ...]) -> str | None:
    """Return the field that holds the payload: "data" of `{"status_code": 200, "service": "x", "data": {...}}`."""
    found = _found_in(names)
    if found is not None or not _OF_ONE.isdisjoint(names):
        return found
    spelt = {"".join(filter(str.isalnum, name)).lower() for name in names}
    holders = [name for name in names if name.lower() in HOLDING]
    told = not _OF_CALLS.isdisjoint(spelt) or (len(holders) == 1 and _BESIDE.issuperset(spelt - {holders[0].lower()}))
    return holders[0] if len(holders) == 1 and len(names) > 1 and told else None


def list_in(value: Any) -> tuple[str, list[Any] | None]:
    """Return the pointer and the items of the list that a result is about; ("", None) if it is not about a list."""
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
    if isinstance(page, dict) and (own[0].lower() in HOLDING or not _PAGING.isdisjoint(page)):
        pointer, items = list_in(page)
        return join_pointer(own[0]) + pointer, items
    return "", None


def tells_of_pages(name: str) -> bool:
    """Tell whether a field describes the page of a list or its total: `page_size`, `total_records`."""
    tokens = name_tokens(name)
    return name.lower() in _PAGING or (len(tokens) > 1 and _PAGED.issuperset(tokens))


def says_beside(name: str, item: Collection[str]) -> bool:
    """Tell whether a list is only metadata of an answer: by its `name`, or as its items (`item`) are just keys and values."""
    return name.lower() in _BESIDE or (0 < len(item) <= len(_PAIR) and _PAIR.issuperset(item))


_BESIDE = {"metadata", "meta", "links", "_links", "errors", "warnings", "facets", "aggregations", "included", "headers"}
_PAIR = {"key", "value"}


def is_page(value: Any) -> bool:
    """Tell whether a result is one page of a list: a list with enough paging fields beside it."""
    return isinstance(value, dict) and holds_page(value) and list_in(value)[1] is not None


def holds_page(names: Iterable[str]) -> bool:
    """Tell whether field names include enough paging fields for a page of a list."""
    return len(_PAGING.intersection(names)) >= _TELLING


_TELLING = 3
"""Paging fields from which on an answer counts as a page."""

_DONE = {"result", "data", "response", "done", "completed", "deleted", "updated", "removed", "created", "saved", "sent"}
"""Fields that acknowledge a call when they are true."""

_OF_ONE = {"id", "name", "title"}
"""Fields of a single row, which an envelope of a list does not have."""

_PAGING = word_set(_LISTS, "paging")
"""Paging fields, in lower case."""

_PAGED = _PAGING | _COUNTING | {"number", "per"}
"""Words that make up the names of paging fields of several words."""

_FEW = 6
"""Maximum number of fields of an envelope, not counting paging fields."""


def is_empty(value: Any) -> bool:
    """Tell whether a result is an empty list, on its own or in an envelope."""
    payload = payload_of(value)
    value = value[payload] if payload is not None else value
    held = value.get("_embedded", value) if isinstance(value, dict) else None
    lists = [item for item in held.values() if isinstance(item, list)] if isinstance(held, dict) else []
    return value == [] or (bool(lists) and not any(lists))


def says_only_that_it_went_well(value: Any) -> bool:
    """Tell whether a result only acknowledges the call: `{"ok": true}`."""
    if not isinstance(value, dict) or not value:
        return False
    return all(
        is_talk(name) or ((held is True or held == []) and name.lower() in _DONE) for name, held in value.items()
    )
