"""A made-up world -> the random generators of its data, its numbers of rows, and the locale of its people."""

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
        """Return a random number of rows; half of the draws are below `usual`, half above."""
        low, high = (self.fewest, self.usual) if chance.random() < 0.5 else (self.usual, self.most)
        return round((low + 1) * float(((high + 1) / (low + 1)) ** chance.random())) - 1


class LocalRandom(Random):
    """A random generator that also knows the locale of the people it draws."""

    locale = ""


@dataclass(frozen=True)
class WorldSeed:
    """The seed of a world's rows; `sizes` holds the configured numbers of rows, by resource or `*`.

    Without `world`, it is the world in which tools are tried before there are tasks.
    """

    text: str = "0"
    world: MadeWorld | None = None
    sizes: Mapping[str, Size] = field(default_factory=dict)

    @classmethod
    def of(cls, world: MadeWorld, sizes: Mapping[str, Size]) -> "WorldSeed":
        """Return the seed of one world."""
        return cls(f"{world.seed}/world/{world.number}", world, sizes)

    def random(self, path: str) -> Random:
        """Return the random generator for a path of the world, in the same state at every call."""
        if not self.locale:
            return Random(f"{self.text}/{path}")
        local = LocalRandom(f"{self.text}/{path}")
        local.locale = self.locale
        return local

    @cached_property
    def locale(self) -> str:
        """The locale of the world's people; empty if they come from several countries."""
        return self.world.locale if self.world is not None else ""

    def size(self, resource: str, known: Size, below: str = "") -> int:
        """Return the number of rows of a resource, `below` a parent row if given; drawn from `known` if none is configured."""
        if self.world is None:
            return known.usual
        asked = self.sizes.get(resource) or self.sizes.get("*") or known
        return asked.drawn(Random(f"{self.text}/rows of {resource}/{below}"))

    def is_asked(self, resource: str) -> bool:
        """Tell whether a number of rows is configured for a resource."""
        return bool(self.sizes.keys() & {resource, "*"})

    def number(self, kind: str) -> int:
        """Return the number from which the ids of a kind are counted, so that two worlds seldom share ids."""
        return 1 if self.world is None else Random(f"{self.text}/number of {kind}").randrange(101, 8_000)


OPENING = WorldSeed()
"""The seed of the world in which tools are tried before there are tasks."""
