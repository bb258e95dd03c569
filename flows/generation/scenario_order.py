"""The scenarios of one shard, chosen one after the other in the order of the indices, whoever waits for whom."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from interplay.validators.blueprints.duplicates import Duplicates


@dataclass
class ScenarioOrder:
    """What the indices of a shard tell so far: each chooses when those before it in `indices` have, so that all know the same."""

    indices: Sequence[int]
    stories: Duplicates
    _chosen: dict[int, asyncio.Event] = field(default_factory=dict, init=False, repr=False)

    async def turn(self, index: int) -> None:
        """Wait until the index before this one has chosen."""
        before = self._before.get(index)
        if before is not None:
            await self._event(before).wait()

    @cached_property
    def _before(self) -> dict[int, int]:
        return {later: earlier for earlier, later in pairwise(self.indices)}

    def chosen(self, index: int) -> None:
        """Let the next index choose."""
        self._event(index).set()

    def _event(self, index: int) -> asyncio.Event:
        return self._chosen.setdefault(index, asyncio.Event())
