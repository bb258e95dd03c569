"""Text of others -> lines that a terminal only shows; what it would act on, or what nobody would see, is written out.

Everything that is printed passes `visible`: lines and errors here, what rich draws in `terminal.open_console`.
"""

import sys
from typing import TextIO

from interplay.schemas.words.hidden_characters import visible


def print_line(text: str) -> None:
    """Write text and a line feed to standard output."""
    sys.stdout.write(f"{visible(text)}\n")


def print_note(text: str) -> None:
    """Write a line for people to standard error; nothing where there is no text."""
    if text:
        print_aside(f"interplay: {' '.join(text.split())}")


def print_aside(text: str, stream: TextIO | None = None) -> None:
    """Write text and a line feed to standard error, or to what that was before."""
    (stream or sys.stderr).write(f"{visible(text)}\n")
