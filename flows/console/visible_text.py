"""Text of others -> text that a terminal only shows: what it would act on, or what nobody would see, is written out.

    "\\x1b[31mred\\u202e"  ->  "\\\\u001b[31mred\\\\u202e"

Everything that is printed passes `visible`: lines and errors here, what rich draws in `terminal.open_console`. The escapes are
those of JSON, so that a document stays the same document.
"""

import json
import sys
import unicodedata

_SEEN = frozenset("\n\t\u200c\u200d")
"""Line feeds and tabs, and the joiners without which some scripts and pictographs cannot be written."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls (of both sets), directions and other formats, halves of characters, separators of lines."""


def visible(text: str) -> str:
    """Return text in which every character that is not seen is escaped, but for line feeds and tabs."""
    if text.isprintable():
        return text
    return "".join(json.dumps(character)[1:-1] if _is_hidden(character) else character for character in text)


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN and character not in _SEEN


def print_line(text: str) -> None:
    """Write text and a line feed to standard output."""
    sys.stdout.write(f"{visible(text)}\n")


def print_note(text: str) -> None:
    """Write a line for people to standard error; nothing where there is no text."""
    if text:
        sys.stderr.write(f"interplay: {visible(' '.join(text.split()))}\n")
