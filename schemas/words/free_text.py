"""An argument and its schema -> whether it is free text: a sentence of one's own, which is not compared to the letter.

What a sentence is follows from the shape of the value: several words, and not all of them names. A schema that says which values
there are, or how they are written, makes it none.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_CONSTRAINTS = ("enum", "const", "format", "pattern")
_WORD = re.compile(r"[^\W\d_]+")
_REACH = 3
"""Number of words from which a text counts as a sentence, unless all of them are names."""
_FORMULA = re.compile(r"[\d.,\s()+*/%^-]*\d\s*[-+*/%^]\s*[\d(][\d.,\s()+*/%^-]*")


def is_free_text(value: Any, schemas: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether a value is free text or a formula, given what its schema prescribes."""
    if not isinstance(value, str) or any(key in schema for schema in schemas for key in _CONSTRAINTS):
        return False
    if _FORMULA.fullmatch(value):
        return " " in value
    words = _WORD.findall(value)
    if len(words) < _REACH or len(value.split()) < _REACH:
        return False
    return any(not word[0].isupper() for word in words[1:])
