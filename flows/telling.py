"""The scenarios of one shard, chosen one after the other in the order of the indices, whoever waits for whom."""

import asyncio
from dataclasses import dataclass, field

from interplay.validators.duplicates import Duplicates


@dataclass
class Told:
    """What the indices of a shard tell so far: each chooses when those before it have, so that all know the same."""

    indices: range
    stories: Duplicates
    _chosen: dict[int, asyncio.Event] = field(default_factory=dict, init=False, repr=False)

    async def turn(self, index: int) -> None:
        """Wait until the index before this one has chosen."""
        if index - 1 in self.indices:
            await self._event(index - 1).wait()

    def chosen(self, index: int) -> None:
        """Let the next index choose."""
        self._event(index).set()

    def _event(self, index: int) -> asyncio.Event:
        return self._chosen.setdefault(index, asyncio.Event())
