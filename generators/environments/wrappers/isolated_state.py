"""One environment -> many, each with its own state, for dialogues that run side by side in one world.

Snapshots are cheap, so a branch goes to its own state before each call, and keeps where the call left it. All who use
the shared environment take turns through one lock; an environment that never waits makes nobody wait for it.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import ResourceModel, Toolset


@dataclass(frozen=True)
class _Place:
    """The state of an isolated environment between two calls."""

    snapshot: Any
    state: Mapping[str, Mapping[str, Any]]
    digest: str
    changes: tuple[Change, ...]


class IsolatedEnvironment:
    """A view of `shared` with a state of its own; see `isolated`."""

    def __init__(self, shared: Environment, lock: asyncio.Lock, home: Any) -> None:
        self._shared, self._lock, self._home = shared, lock, home
        self._at = self._look()

    @property
    def toolset(self) -> Toolset:
        """The tools of the shared environment."""
        return self._shared.toolset

    @property
    def resources(self) -> ResourceModel:
        """The resources of the shared environment."""
        return self._shared.resources

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call in this branch's state; see `Environment.call`."""
        async with self._lock:
            self._shared.restore(self._at.snapshot)
            try:
                result = await self._shared.call(call)
                self._at = self._look()
                return result
            finally:
                self._shared.restore(self._home)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return this branch's state."""
        return self._at.state

    def snapshot(self) -> Any:
        """Return where this branch stands."""
        return self._at

    def restore(self, snapshot: Any) -> None:
        """Go to where this branch, or another of the same environment, once stood."""
        self._at = snapshot

    def digest(self) -> str:
        """Return the digest of this branch's state."""
        return self._at.digest

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the state in which the shared environment was opened."""
        return self._at.changes

    def _look(self) -> _Place:
        shared = self._shared
        return _Place(shared.snapshot(), dict(shared.state()), shared.digest(), shared.changes())


async def isolated(shared: Environment, lock: asyncio.Lock, at: Any = None) -> IsolatedEnvironment:
    """Return a branch that begins at a snapshot, or where `shared` stands now, and between calls always stands again."""
    async with lock:
        home = shared.snapshot()
        if at is not None:
            shared.restore(at)
        try:
            return IsolatedEnvironment(shared, lock, home)
        finally:
            shared.restore(home)
