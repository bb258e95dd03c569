"""A call that writes and its result -> the arguments that the result contradicts.

set_status(id=7, status="sold")   ->   {"id": 7, "status": "pending"}   contradicts `status`
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from interplay.schemas.records.tool import Tool
from interplay.schemas.words.identifiers import name_tokens

_PLACES = ("path", "header", "cookie")
"""Where arguments stand that say which row is meant, or who asks: a row under it has an `id` and a `name` of its own."""

_TEXTS = {"content", "text", "message", "result", "output"}
"""The one field of an answer that is nothing but words on how it went: `{"content": "Successfully wrote to notes.txt"}`."""

_IDENTITIES = {"id", "ids", "uuid", "guid", "gid", "iid", "key", "ts"}

_MASKED = re.compile(r"[*•…]|x{3,}", re.IGNORECASE)


def contradicted(tool: Tool, arguments: Mapping[str, Any], value: Any) -> Iterator[str]:
    """Yield the arguments whose fields in a result hold another text, or the contrary; a number may be a sum by then.

    An identity names the target, and the result may show another row: the answer to a mail.
    """
    if tool.effect != "write" or not isinstance(value, Mapping) or (len(value) == 1 and _TEXTS & set(value)):
        return
    places = tool.http.locations if tool.http is not None else {}
    for name, given in arguments.items():
        if name not in value or places.get(name) in _PLACES or _IDENTITIES & set(name_tokens(name)[-1:]):
            continue
        if _contrary(given, value[name]):
            kept = any(held == given for field, held in value.items() if field.endswith(f"_{name}"))
            if not kept:  # the reason of a cancellation, beside that of the appointment
                yield name


def _contrary(given: Any, shown: Any) -> bool:
    if isinstance(given, bool) and isinstance(shown, bool):
        return given != shown
    if not (isinstance(given, str) and isinstance(shown, str)) or _MASKED.search(shown):
        return False
    first, second = (re.sub(r"\W+", "", text).casefold() for text in (given, shown))
    return bool(first and second) and first not in second and second not in first and _moment(given) != _moment(shown)


def _moment(text: str) -> Any:
    """Return the moment that a text tells, with its zone; any other text as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment if moment.tzinfo is not None else text
