"""Escapes control and invisible characters in untrusted text.

    "\\x1b[31mred\\u202e"  ->  "\\\\u001b[31mred\\\\u202e"

The escapes are those of JSON, so that a document stays the same document.
"""

import json
import unicodedata
from functools import lru_cache

_SEEN = frozenset("\n\t\u200c\u200d")
"""Characters that stay: line feeds, tabs, and the joiners that some scripts and emoji need."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories to escape: controls, format characters such as text directions, surrogates, line separators."""


def visible(text: str) -> str:
    """Return `text` with every invisible character escaped, except line feeds, tabs and joiners."""
    if text.isprintable():
        return text
    return "".join(map(_shown, text))


@lru_cache(maxsize=4_096)
def _shown(character: str) -> str:
    hidden = unicodedata.category(character) in _HIDDEN and character not in _SEEN
    return json.dumps(character)[1:-1] if hidden else character
