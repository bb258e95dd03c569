"""What a tool should answer -> what it answers when something goes wrong with it: nothing, a part, a copy, another form.

[{"id": 1, "due_on": "2024-05-01"}]  ->  {"version": 2, "keys": "camelCase", "data": [{"id": 1, "dueOn": "2024-05-01"}]}
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from interplay.generators.results.result_kinds import list_in
from interplay.schemas.records.fault import FaultKind

_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]*)+")
_HUMP = re.compile(r"[A-Z]")
_BAR = re.compile(r"_([a-z])")


def suits(kind: FaultKind, value: Any) -> bool:
    """Tell whether an answer can go wrong in this way."""
    if kind == "empty_result":
        return bool(list_in(value)[1])
    if kind == "partial_page":
        return len(list_in(value)[1] or ()) > 1
    return isinstance(value, (dict, list)) and bool(value)


def emptied(value: Any) -> Any:
    """Return the answer without the items of its list, which says that there are some: else it could be believed."""
    return _cut(value, 0, {})


def partial(value: Any) -> Any:
    """Return the answer with the first half of its list, which says that it is a part."""
    return _cut(value, max(1, len(list_in(value)[1] or ()) // 2), {"partial": True})


def _cut(value: Any, length: int, told: Mapping[str, Any]) -> Any:
    pointer, items = list_in(value)
    if items is None:
        return value
    counted = {**told, "returned": length, "available": len(items)}
    return {**counted, "items": items[:length]} if not pointer else {**counted, **value, pointer[1:]: items[:length]}


def stale(value: Any) -> Any:
    """Return an older answer, which says that it is one."""
    return {"stale": True, "warning": "Response is a cached copy and may be out of date.", "data": value}


def drifted(value: Any) -> Any:
    """Return the answer in another form: in an envelope, and its keys in another case where that can be undone."""
    keys = set(_keys(value))
    if any(_SNAKE.fullmatch(key) for key in keys) and not any(_CAMEL.fullmatch(key) for key in keys):
        return {"version": 2, "keys": "camelCase", "data": _renamed(value, _camel)}
    if any(_CAMEL.fullmatch(key) for key in keys) and not any(_SNAKE.fullmatch(key) for key in keys):
        return {"version": 2, "keys": "snake_case", "data": _renamed(value, _snake)}
    return {"version": 2, "data": value}


def straightened(value: Any) -> Any:
    """Return what `drifted` was given."""
    back = {"camelCase": _snake, "snake_case": _camel}.get(str(value.get("keys")))
    return value["data"] if back is None else _renamed(value["data"], back)


def _camel(key: str) -> str:
    return _BAR.sub(lambda found: found[1].upper(), key) if _SNAKE.fullmatch(key) else key


def _snake(key: str) -> str:
    return _HUMP.sub(lambda found: f"_{found[0].lower()}", key) if _CAMEL.fullmatch(key) else key


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _keys(item)


def _renamed(value: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(value, Mapping):
        return {rename(key): _renamed(item, rename) for key, item in value.items()}
    return [_renamed(item, rename) for item in value] if isinstance(value, list) else value
