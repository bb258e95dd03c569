"""Untrusted text -> lines in which control and hidden characters are escaped.

Everything that is printed passes `visible`: lines and errors here, what rich draws in `safe_console.open_console`.
"""

import sys
from typing import TextIO

from interplay.schemas.words.hidden_characters import visible


def print_line(text: str) -> None:
    """Write text and a line feed to standard output, at once: who started a server through a pipe waits for its address."""
    sys.stdout.write(f"{visible(text)}\n")
    sys.stdout.flush()


def print_note(text: str) -> None:
    """Write a line for people to standard error; nothing if the text is empty."""
    if text:
        print_aside(f"interplay: {' '.join(text.split())}")


def print_aside(text: str, stream: TextIO | None = None) -> None:
    """Write text and a line feed to `stream`, by default standard error."""
    (stream or sys.stderr).write(f"{visible(text)}\n")
