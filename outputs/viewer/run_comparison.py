"""Two indexes -> how their runs differ: means and shares with intervals, and names that only one of them has."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from interplay.outputs.report.intervals import wilson
from interplay.outputs.viewer.index_search import Search, find
from interplay.outputs.viewer.record_rows import KINDS, NUMBERS

COMPARED = {kind: title for kind, title in KINDS.items() if kind not in ("stage", "fault", "language", "split")}
"""Kinds of names that are compared -> their titles."""
SHOWN, EXAMPLES = 60, 2
"""Maximum number of names with examples, and examples per name."""
Z = 1.96
"""Half-width in standard errors of a 95 % interval of the normal distribution."""


@dataclass(frozen=True)
class Measured:
    """A figure with its interval, and the number of records behind it."""

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Compared:
    """One figure in both runs; `kind` is empty if it is not a share of records."""

    kind: str
    name: str
    sides: tuple[Measured, Measured]

    @property
    def differs(self) -> bool:
        """Whether the intervals do not overlap; False if only one run has the figure."""
        one, other = self.sides
        return bool(one.count and other.count) and (one.low > other.high or other.low > one.high)

    @property
    def only(self) -> int | None:
        """The only side (0 or 1) that has it; None if both or neither do."""
        one, other = (side.value > 0 for side in self.sides)
        return None if one == other else 0 if one else 1


def means(indices: Sequence[sqlite3.Connection]) -> list[Compared]:
    """Return the share of accepted records, and the mean of each number over the records that have it."""
    found = [Compared("", "accepted", _pair([_share(index, "status", "accepted") for index in indices]))]
    counted = [_means(index) for index in indices]
    found += [Compared("", name, _pair([one[name] for one in counted])) for name in counted[0]]
    return [one for one in found if any(side.count for side in one.sides)]


def shares(indices: Sequence[sqlite3.Connection]) -> list[Compared]:
    """Return the share of records with each name, sorted by difference relative to uncertainty."""
    found = []
    for kind in COMPARED:
        names = {
            row["name"] for index in indices for row in index.execute("SELECT name FROM names WHERE kind = ?", (kind,))
        }
        found += [Compared(kind, name, _pair([_share(index, kind, name) for index in indices])) for name in names]
    return sorted(found, key=lambda one: (-_apart(one), one.kind, one.name))


def examples(
    indices: Sequence[sqlite3.Connection], found: Sequence[Compared]
) -> dict[tuple[int, str, str], list[sqlite3.Row]]:
    """Return (side, kind, name) -> a few records, for names by which the runs differ.

    `found` must be sorted by how much they differ; examples are given for the first `SHOWN` that differ or that one run lacks.
    """
    told = [one for one in found if one.only is not None or one.differs][:SHOWN]
    return {
        (side, one.kind, one.name): list(find(index, Search(names=((one.kind, one.name),))).rows[:EXAMPLES])
        for one in told
        for side, index in enumerate(indices)
        if one.sides[side].value > 0
    }


def _apart(one: Compared) -> float:
    first, second = one.sides
    spread = (first.high - first.low) + (second.high - second.low)
    return abs(first.value - second.value) / spread if spread else 0.0


def _pair(sides: Sequence[Measured]) -> tuple[Measured, Measured]:
    return sides[0], sides[1]


def _share(index: sqlite3.Connection, kind: str, name: str) -> Measured:
    whole = index.execute("SELECT coalesce(max(number) + 1, 0) FROM records").fetchone()[0]
    row = index.execute("SELECT accepted + rejected FROM names WHERE kind = ? AND name = ?", (kind, name)).fetchone()
    count = row[0] if row else 0
    low, high = wilson(count, whole)
    return Measured(count / whole if whole else 0.0, low, high, whole)


def _means(index: sqlite3.Connection) -> dict[str, Measured]:
    """Return the mean of each number, computed in one pass over the records."""
    names = [name for name in NUMBERS if name != "attempt"]
    asked = ", ".join(f"count({name}), avg({name}), avg(1.0 * {name} * {name})" for name in names)
    row = tuple(index.execute(f"SELECT {asked} FROM records").fetchone())
    return {name: _measured(*row[3 * place : 3 * place + 3]) for place, name in enumerate(names)}


def _measured(count: int, mean: float | None, square: float | None) -> Measured:
    if mean is None or square is None:
        return Measured(0.0, 0.0, 0.0, 0)
    spread = Z * sqrt(max(0.0, square - mean * mean) / count)
    return Measured(mean, mean - spread, mean + spread, count)
