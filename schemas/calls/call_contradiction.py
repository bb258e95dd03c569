"""A write call and its result -> the arguments that the result contradicts.

set_status(id=7, status="sold")   ->   {"id": 7, "status": "pending"}   contradicts `status`
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from math import isclose
from typing import Any

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens

_PLACES = ("path", "header", "cookie")
"""Locations of arguments that select the row or identify the caller: the row's own `id` and `name` mean something else."""

_TEXTS = {"content", "text", "message", "result", "output"}
"""Names of a result's only field when it is just a status text: `{"content": "Successfully wrote to notes.txt"}`."""

_IDENTITIES = {"id", "ids", "uuid", "guid", "gid", "iid", "key", "ts"}

_MASKED = re.compile(r"[*•…]|x{3,}", re.IGNORECASE)


_ROUNDED = 0.01
"""Relative tolerance within which a number that was set may be rounded."""

_SETTING = ("PUT", "PATCH")
"""HTTP methods that set fields to exactly the given values, numbers included."""


def contradicted(tool: Tool, arguments: Mapping[str, Any], value: Any) -> Iterator[str]:
    """Yield the arguments of a write whose field in the result holds another text or the opposite flag.

    A differing number counts only where the method sets fields (PUT, PATCH): elsewhere it may be a running total. A single
    wrapper object around arguments or result is unwrapped. Identities are skipped: the result may be another row, such as
    the reply to a mail.
    """
    if tool.effect != "write" or not isinstance(value, Mapping) or (len(value) == 1 and _TEXTS & set(value)):
        return
    sets = tool.method in _SETTING
    said = {name: given for name, given in arguments.items() if tool.location(name) not in _PLACES}
    alone = next(iter(value.values())) if len(value) == 1 and not set(said) & set(value) else value
    shown = alone if isinstance(alone, Mapping) else value
    for name, given in said.items():
        if len(said) == 1 and isinstance(given, Mapping) and name not in shown:
            wrong = any(_differs(field, one, shown, sets) for field, one in given.items())
        else:
            wrong = _differs(name, given, shown, sets)
        if wrong:
            yield name


def _differs(name: str, given: Any, shown: Mapping[str, Any], sets: bool) -> bool:
    """Tell whether the field `name` of the result, or one nested in it, contradicts the given value."""
    if name not in shown or _IDENTITIES & set(name_tokens(name)[-1:]):
        return False
    held = shown[name]
    if isinstance(given, Mapping) and isinstance(held, Mapping):
        return any(_differs(field, one, held, sets) for field, one in given.items())
    if not _contrary(given, held, sets):
        return False
    # not if a field such as `cancellation_reason` holds what was given as `reason`
    return not any(other == given for field, other in shown.items() if field.endswith(f"_{name}"))


def _contrary(given: Any, shown: Any, sets: bool) -> bool:
    if isinstance(given, bool) or isinstance(shown, bool):
        return isinstance(given, bool) and isinstance(shown, bool) and given != shown
    if isinstance(given, (int, float)) and isinstance(shown, (int, float)):
        return sets and not isclose(given, shown, rel_tol=_ROUNDED)
    if not (isinstance(given, str) and isinstance(shown, str)) or _MASKED.search(shown):
        return False
    first, second = (re.sub(r"\W+", "", text).casefold() for text in (given, shown))
    return bool(first and second) and first not in second and second not in first and _moment(given) != _moment(shown)


def _moment(text: str) -> Any:
    """Parse an ISO 8601 moment with a time zone; return any other text unchanged."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment if moment.tzinfo is not None else text
