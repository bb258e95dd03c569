"""One environment -> the same with a cache: a call that was made before in the same state is answered from memory.

Composing a task tries calls and undoes them, then runs and plays them again, so most calls are repeated. A state is identified
by the calls that led to it, so that hidden state, which no snapshot shows, counts too. Checks of a task or dialogue must not use
the cache.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from interplay.generators.environments.wrappers.wrapped_environment import WrappedEnvironment
from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult

KEPT = 16_000_000
"""Characters of results that the cache holds at most."""


@dataclass(eq=False)
class _Place:
    """A state of the environment, and the calls made in it, each with its result and the next state."""

    snapshot: Any
    after: dict[tuple[str, str, bytes], tuple[ToolResult, "_Place"]] = field(default_factory=dict)
    digest: str | None = None
    changes: tuple[Change, ...] | None = None


class CachedEnvironment(WrappedEnvironment):
    """Caches the calls of an environment whose other users restore its state.

    The inner environment is restored to another state only when it is needed there, but to the initial state at once.
    """

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._at = self._home = _Place(environment.snapshot())
        self._stands: _Place | None = self._home
        self._held = 0

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call, or return its cached result and move to the cached next state."""
        try:
            key = (call.name, call.requestor, orjson.dumps(call.arguments))
        except TypeError:  # not JSON, or an integer beyond 64 bits
            return (await self._run(call))[0]
        before = self._at
        known = before.after.get(key)
        if known is None:
            known = await self._run(call)
            before.after[key] = known
            self._held += len(known[0].text)
            if self._held > KEPT:
                self._forget()
        result, self._at = known
        return result if result.call_id == call.id else result.model_copy(update={"call_id": call.id})

    def _forget(self) -> None:
        """Clear the cache of all states but the first, and of the first too if it holds more than three quarters."""
        held = sum(len(result.text) for result, _ in self._home.after.values())
        if held > 3 * KEPT // 4:
            self._home.after.clear()
            held = 0
        for _, place in self._home.after.values():
            if place is not self._home:
                place.after.clear()
        self._held = held

    async def _run(self, call: ToolCall) -> tuple[ToolResult, _Place]:
        """Execute a call, and return its result and the next state: the present one if nothing changed."""
        before = self._at
        self._go_there()
        self._stands = None  # unknown if the call breaks
        result = await self._inner.call(call)
        snapshot = self._inner.snapshot()
        self._at = self._stands = before if snapshot == before.snapshot else _Place(snapshot)
        return result, self._at

    def _go_there(self) -> None:
        """Restore the inner environment to the present state, unless it is there already."""
        if self._stands is not self._at:
            self._inner.restore(self._at.snapshot)
            self._stands = self._at

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the state of the inner environment; the next call may change it."""
        self._go_there()
        return self._inner.state()

    def snapshot(self) -> _Place:
        """Return a token for the present state."""
        return self._at

    def restore(self, snapshot: _Place) -> None:
        """Go back to a state."""
        self._at = snapshot
        if snapshot is self._home:
            self._go_there()

    def digest(self) -> str:
        """Return the digest of the state."""
        if self._at.digest is None:
            self._go_there()
            self._at.digest = self._inner.digest()
        return self._at.digest

    def changes(self) -> tuple[Change, ...]:
        """Return what differs from the opening state."""
        if self._at.changes is None:
            self._go_there()
            self._at.changes = self._inner.changes()
        return self._at.changes
