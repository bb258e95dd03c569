"""Untrusted text -> text in which control and invisible characters are written out.

    "\\x1b[31mred\\u202e"  ->  "\\\\u001b[31mred\\\\u202e"

The escapes are those of JSON, so that a document stays the same document.
"""

import json
import unicodedata
from functools import lru_cache

_SEEN = frozenset("\n\t\u200c\u200d")
"""Line feeds and tabs, and the joiners without which some scripts and pictographs cannot be written."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls (of both sets), directions and other formats, halves of characters, separators of lines."""


def visible(text: str) -> str:
    """Return text in which every invisible character is escaped, except line feeds and tabs."""
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


@lru_cache(maxsize=4_096)
def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in _HIDDEN and character not in _SEEN
    return json.dumps(character)[1:-1] if hidden else character
