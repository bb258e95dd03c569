"""A result returned as a success that in fact reports an error -> that error.

{"status": "error", "message": "Request not found"}   ->   the whole of it
{"success": false, "error": "no such note"}           ->   the whole of it
"Database error: the table is locked"                 ->   the whole of it
"a.txt: Error - no such file\\n---\\nb.txt: Error - …"   ->   the whole of it, since every line with text is an error
{"status": "error", "id": 7, "log": [...]}            ->   none: a row whose own state is "error"
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from interplay.generators.results.result_kinds import is_talk
from interplay.schemas.words.lists import beside, word_set

_FAILED = word_set(beside(__file__), "failed")
_WENT_WELL = word_set(beside(__file__), "went_well")

_BREAK = re.compile(r": | [-\u2013\u2014] ")
"""Separators between the parts of a message: "Database error: the table is locked", "a.txt: Error - no such file"."""

_LONGEST, _BEFORE = 3, 2
"""Maximum words of the part that names an error, and how many leading parts of a line are looked at."""


def refusal_in(value: Any) -> str | None:
    """Return the error that a result reports, as text; None if it reports none.

    A text reports one if its first word is an error word, or if every line with text names an error.
    """
    if isinstance(value, str):
        lines = [line for line in value.splitlines() if any(map(str.isalnum, line))]
        first = value.lstrip("\u274c\u26a0\ufe0f* ").partition(":")[0].split(" ")[0].lower()
        return value if first in _FAILED or (lines and all(map(_tells_an_error, lines))) else None
    if not isinstance(value, Mapping) or not value or not all(is_talk(name) for name in value):
        return None
    blamed = any(isinstance(held, str) and held.lower() in _FAILED for held in value.values())
    denied = any(held is False and name.lower() in _WENT_WELL for name, held in value.items())
    named = any(name.lower() in _FAILED and held for name, held in value.items())
    if not (blamed or denied or named):
        return None
    alone = len(value) == 1 and all(isinstance(held, str) for held in value.values())
    return str(next(iter(value.values()))) if alone else json.dumps(value, ensure_ascii=False)


def _tells_an_error(line: str) -> bool:
    """Tell whether a line names an error before a separator: "Database error: the table is locked"."""
    named = (part.lower().split() for part in _BREAK.split(line, maxsplit=_BEFORE)[:-1])
    return any(words and len(words) <= _LONGEST and words[-1] in _FAILED for words in named)
