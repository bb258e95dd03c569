"""Helpers of domains for their tables: look up a row, match words, number rows, invent people."""

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
"""Most rows that a tool lists."""


def found(table: Mapping[str, Row], key: str, what: str) -> Row:
    """Return the row under `key`; `what` names the kind of row in the error.

    Raises:
        ToolError: there is no such row.
    """
    if key not in table:
        raise ToolError(f"Error: there is no {what} {key}.")
    return table[key]


def has_words(text: str, wanted: str | None) -> bool:
    """Tell whether a text contains all words of `wanted`; always true without any."""
    return set((wanted or "").casefold().split()) <= set(text.casefold().split())


def next_id(letters: str, table: Mapping[str, object]) -> str:
    """Return the id for the next row of a table: `B-0012` after `B-0011`; rows must never be deleted."""
    last = next(reversed(list(table)), "-0")
    return f"{letters}-{int(last.rpartition('-')[2]) + 1:04d}"


def people(chance: Random, wanted: int, taken: Collection[str] = ()) -> list[str]:
    """Return `wanted` different full names, without the last names in `taken`."""
    found: dict[str, str] = {}
    while len(found) < wanted:
        name = person(chance)
        family = name.partition(" ")[2]
        if name not in found and family not in taken:
            found[name] = family
    return list(found)


def mail_of(name: str) -> str:
    """Return a person's mail address: `ada.abbot@example.org`."""
    return f"{'.'.join(in_ascii(name).split())}@example.org"


def numbered(seed: WorldSeed, letters: str) -> Iterator[str]:
    """Yield ids for the rows of a table, from its first number in a world on: `B-0412`, `B-0413`."""
    return (f"{letters}-{number:04d}" for number in count(seed.number(letters)))
