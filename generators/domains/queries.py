"""What the tools of domains do with their tables: find a row, hold a text against words, number a new row; who is in them."""

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from random import Random
from typing import TypeVar

from interplay.generators.importers.python.decorators import ToolError
from interplay.generators.values.texts.formatted_texts import in_ascii
from interplay.generators.values.texts.sample_words import person
from interplay.generators.values.world_seed import WorldSeed

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
    """Return the id of the next row of a table that nothing is ever deleted from: `B-0012` after `B-0011`."""
    last = next(reversed(list(table)), "-0")
    return f"{letters}-{int(last.rpartition('-')[2]) + 1:04d}"


def people(chance: Random, wanted: int, taken: Collection[str] = ()) -> list[str]:
    """Return full names of different people, none of whose last names is `taken`."""
    found: dict[str, str] = {}
    while len(found) < wanted:
        name = person(chance)
        family = name.partition(" ")[2]
        if name not in found and family not in taken:
            found[name] = family
    return list(found)


def mail_of(name: str) -> str:
    """Return the mail address of a person: `ada.abbot@example.org`."""
    return f"{'.'.join(in_ascii(name).split())}@example.org"


def numbered(seed: WorldSeed, letters: str) -> Iterator[str]:
    """Yield the ids of the rows of a table, from where its numbers begin in a world: `B-0412`, `B-0413`."""
    return (f"{letters}-{number:04d}" for number in count(seed.number(letters)))
