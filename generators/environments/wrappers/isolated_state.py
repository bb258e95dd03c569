"""One environment -> many, each with its own state, for dialogues that run concurrently in one world.

Snapshots are cheap, so each isolated environment restores its own state before a call, and keeps the state after it. Access to
the shared environment is serialised by a lock; if its calls never wait, nobody waits for the lock.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interplay.generators.environments.wrappers.wrapped_environment import WrappedEnvironment
from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult


@dataclass(frozen=True)
class _Place:
    """The state of an isolated environment between two calls."""

    snapshot: Any
    state: Mapping[str, Mapping[str, Any]]
    digest: str
    changes: tuple[Change, ...]


class IsolatedEnvironment(WrappedEnvironment):
    """A view of `shared` with a state of its own; see `isolated`."""

    def __init__(self, shared: Environment, lock: asyncio.Lock, home: Any) -> None:
        super().__init__(shared)
        self._lock, self._home = lock, home
        self._at = self._look()

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call in its own state; see `Environment.call`."""
        async with self._lock:
            self._inner.restore(self._at.snapshot)
            try:
                result = await self._inner.call(call)
                self._at = self._look()
                return result
            finally:
                self._inner.restore(self._home)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return its own state."""
        return self._at.state

    def snapshot(self) -> Any:
        """Return a token for the present state."""
        return self._at

    def restore(self, snapshot: Any) -> None:
        """Restore the state of a token from this or another isolated environment over the same shared one."""
        self._at = snapshot

    def digest(self) -> str:
        """Return the digest of its own state."""
        return self._at.digest

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the opening state of the shared environment."""
        return self._at.changes

    def _look(self) -> _Place:
        shared = self._inner
        return _Place(shared.snapshot(), dict(shared.state()), shared.digest(), shared.changes())


async def isolated(shared: Environment, lock: asyncio.Lock, at: Any = None) -> IsolatedEnvironment:
    """Return an isolated environment that begins at a snapshot, or at the present state of `shared`."""
    async with lock:
        home = shared.snapshot()
        if at is not None:
            shared.restore(at)
        try:
            return IsolatedEnvironment(shared, lock, home)
        finally:
            shared.restore(home)
