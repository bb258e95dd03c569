"""A read answers in another form that can be undone: in an envelope, with its keys in another case.

[{"id": 1, "due_on": "2024-05-01"}]  ->  {"version": 2, "keys": "camelCase", "data": [{"id": 1, "dueOn": "2024-05-01"}]}
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from interplay.generators.faults.fault_effect import FaultEffect

_SNAKE = re.compile(r"[a-z]+(?:_[a-z]+)+")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]*)+")
_HUMP = re.compile(r"[A-Z]")
_BAR = re.compile(r"_([a-z])")


def distort(value: Any) -> Any:
    """Return the answer in an envelope, with its keys in the other case where that can be undone."""
    keys = set(_keys(value))
    if any(_SNAKE.fullmatch(key) for key in keys) and not any(_CAMEL.fullmatch(key) for key in keys):
        return {"version": 2, "keys": "camelCase", "data": _renamed(value, _camel)}
    if any(_CAMEL.fullmatch(key) for key in keys) and not any(_SNAKE.fullmatch(key) for key in keys):
        return {"version": 2, "keys": "snake_case", "data": _renamed(value, _snake)}
    return {"version": 2, "data": value}


def restore(value: Any) -> Any:
    """Return the answer that `distort` was given."""
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


FAULT = FaultEffect(distort=distort, restore=restore, keeps_value=True)
