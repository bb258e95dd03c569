"""What the tools of domains do with their tables: find a row, number a new one."""

from collections.abc import Mapping
from typing import TypeVar

from interplay.generators.importers.python import ToolError

Row = TypeVar("Row")


def found(table: Mapping[str, Row], key: str, what: str) -> Row:
    """Return the row under `key`.

    Raises:
        ToolError: there is none.
    """
    if key not in table:
        raise ToolError(f"Error: there is no {what} {key}.")
    return table[key]


def next_id(letters: str, table: Mapping[str, object]) -> str:
    """Return the id of the next row of a table that nothing is ever deleted from: `B-0012`."""
    return f"{letters}-{len(table) + 1:04d}"
