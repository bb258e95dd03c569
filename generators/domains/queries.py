"""What the tools of domains do with their tables: find a row, hold a text against words, number a new row."""

from collections.abc import Mapping
from typing import TypeVar

from interplay.generators.importers.python.decorators import ToolError

Row = TypeVar("Row")

MOST_ROWS = 8
"""Rows that a list holds at most."""


def found(table: Mapping[str, Row], key: str, what: str) -> Row:
    """Return the row under `key`.

    Raises:
        ToolError: there is none.
    """
    if key not in table:
        raise ToolError(f"Error: there is no {what} {key}.")
    return table[key]


def has_words(text: str, wanted: str | None) -> bool:
    """Tell whether a text has all the words that are wanted, if any are."""
    return set((wanted or "").casefold().split()) <= set(text.casefold().split())


def next_id(letters: str, table: Mapping[str, object]) -> str:
    """Return the id of the next row of a table that nothing is ever deleted from: `B-0012`."""
    return f"{letters}-{len(table) + 1:04d}"
