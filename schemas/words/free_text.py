"""Tells whether an argument value is free text: a sentence in the caller's own words, which is not compared literally.

Its shape decides: several words, not all of them capitalised. It is not if the schema lists the values or prescribes a format.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_CONSTRAINTS = ("enum", "const", "format", "pattern")
_WORD = re.compile(r"[^\W\d_]+")
_REACH = 3
"""Minimum number of words of a sentence."""
_FORMULA = re.compile(r"[\d.,\s()+*/%^-]*\d\s*[-+*/%^]\s*[\d(][\d.,\s()+*/%^-]*")


def is_free_text(value: Any, schemas: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether a value is free text or a formula with spaces; not if one of `schemas` restricts it."""
    if not isinstance(value, str) or any(key in schema for schema in schemas for key in _CONSTRAINTS):
        return False
    if _FORMULA.fullmatch(value):
        return " " in value
    words = _WORD.findall(value)
    if len(words) < _REACH or len(value.split()) < _REACH:
        return False
    return any(not word[0].isupper() for word in words[1:])
