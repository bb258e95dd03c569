"""One environment -> the same, which answers out of memory what it was asked before in the very same state.

A task is composed by trying calls and taking them back, and then run again in order and played; most of these calls are
alike. States are told apart by the calls that led to them, so that what no snapshot shows counts too. What checks a task or
a dialogue must not use it.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import orjson

from interplay.schemas.canonical import Change
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import ResourceModel, Toolset

KEPT = 8_000_000
"""Characters of results that are kept."""


class _Place:
    """A state that the environment was in, and what was asked there, with the state that it was in after that."""

    def __init__(self, environment: Environment, snapshot: Any) -> None:
        self._environment = environment
        self.snapshot = snapshot
        self.after: dict[tuple[str, str, bytes], tuple[ToolResult, _Place]] = {}

    @cached_property
    def digest(self) -> str:
        return self._environment.digest()

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        return self._environment.changes()


class Remembering:
    """Passes calls on to an environment that nobody else leaves in another state than it was in."""

    def __init__(self, environment: Environment) -> None:
        self._inner = environment
        self._at = self._home = _Place(environment, environment.snapshot())
        self._held = 0

    @property
    def toolset(self) -> Toolset:
        """The tools of the environment."""
        return self._inner.toolset

    @property
    def resources(self) -> ResourceModel:
        """The resources of the environment."""
        return self._inner.resources

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call, or remember what it returned in this state, and where it led."""
        try:
            key = (call.name, call.requestor, orjson.dumps(call.arguments))
        except TypeError:  # no JSON, or a whole number beyond 64 bits
            return (await self._run(call))[0]
        before = self._at
        known = before.after.get(key)
        if known is None:
            known = await self._run(call)
            self._held += len(known[0].text)
            if self._held > KEPT:
                self._home.after.clear()
                self._held = 0
            before.after[key] = known
        result, place = known
        self.restore(place)
        return result if result.call_id == call.id else result.model_copy(update={"call_id": call.id})

    async def _run(self, call: ToolCall) -> tuple[ToolResult, _Place]:
        """Execute a call, and return where it led with the result: to where it was made, if it changed nothing."""
        before = self._at
        self._at = _Place(self._inner, before.snapshot)  # which is left by `restore`, whatever breaks
        result = await self._inner.call(call)
        snapshot = self._inner.snapshot()
        self._at = before if snapshot == before.snapshot else _Place(self._inner, snapshot)
        return result, self._at

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the environment's state."""
        return self._inner.state()

    def snapshot(self) -> _Place:
        """Return where the environment stands."""
        return self._at

    def restore(self, snapshot: _Place) -> None:
        """Go to where the environment once stood."""
        if snapshot is not self._at:
            self._inner.restore(snapshot.snapshot)
            self._at = snapshot

    def digest(self) -> str:
        """Return the environment's digest."""
        return self._at.digest

    def changes(self) -> tuple[Change, ...]:
        """Return the environment's changes."""
        return self._at.changes
