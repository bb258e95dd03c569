"""A made-up world -> what its rows are drawn from: generators of chance, how many rows there are, whose names people have."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.recipe import MadeWorld


class Size(Record):
    """How many rows there are: from the fewest to the most, mostly about as many as usual."""

    fewest: int = Field(description="Rows at least.")
    usual: int = Field(description="Half of the worlds have fewer, half of them more.")
    most: int = Field(description="Rows at most.")

    def drawn(self, chance: Random) -> int:
        """Return one number of rows; each half of the range has as many worlds."""
        low, high = (self.fewest, self.usual) if chance.random() < 0.5 else (self.usual, self.most)
        return round((low + 1) * float(((high + 1) / (low + 1)) ** chance.random())) - 1


class LocalRandom(Random):
    """A generator of chance that also knows where the people come from that are drawn by it."""

    locale = ""


@dataclass(frozen=True)
class WorldSeed:
    """What the rows of a world are drawn from; `sizes` holds the numbers of rows that were asked for, by resource or `*`.

    Without a world, it is the one in which tools are tried before there are tasks.
    """

    text: str = "0"
    world: MadeWorld | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)

    @classmethod
    def of(cls, world: MadeWorld, sizes: Mapping[str, Size]) -> "WorldSeed":
        """Return the seed of one world."""
        return cls(f"{world.seed}/world/{world.number}", world, sizes)

    def random(self, path: str) -> Random:
        """Return the generator of what stands at a path of the world, the same at every call."""
        if not self.locale:
            return Random(f"{self.text}/{path}")
        local = LocalRandom(f"{self.text}/{path}")
        local.locale = self.locale
        return local

    @cached_property
    def locale(self) -> str:
        """Where people come from; empty where from several countries."""
        return self.world.locale if self.world is not None else ""

    def size(self, resource: str, known: Size, below: str = "") -> int:
        """Return how many rows of a resource there are, `below` some other row; by `known` where nothing else was asked for."""
        if self.world is None:
            return known.usual
        asked = self.sizes.get(resource) or self.sizes.get("*") or known
        return asked.drawn(Random(f"{self.text}/rows of {resource}/{below}"))

    def is_asked(self, resource: str) -> bool:
        """Tell whether somebody asked for a number of rows."""
        return bool(self.sizes.keys() & {resource, "*"})

    def number(self, kind: str) -> int:
        """Return the number that rows of a kind are counted from, so that two worlds seldom hold the same ids."""
        return 1 if self.world is None else Random(f"{self.text}/number of {kind}").randrange(101, 8_000)


OPENING = WorldSeed()
"""That of the world in which tools are tried before there are tasks."""
