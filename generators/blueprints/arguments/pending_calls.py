"""A call whose arguments are being resolved -> what to remember meanwhile: waiting calls, rows looked up, purposes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.blueprints.arguments.argument_choice import Chooser
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.json.canonical import leaves
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.tool import Tool


@dataclass
class Call:
    """A call that waits for its arguments, with the ones resolved so far and their origins."""

    tool: Tool
    arguments: dict[str, Any]
    goal: int
    request: int
    origins: dict[str, Origin] = field(default_factory=dict)


@dataclass
class PendingCalls:
    """Three stacks: waiting calls, rows that look-ups are made for, and purposes of these look-ups."""

    _calls: list[Call] = field(default_factory=list)
    _sought: list[tuple[str, str]] = field(default_factory=list)
    _purposes: list[str] = field(default_factory=list)

    @property
    def call(self) -> Call | None:
        """The innermost waiting call, or None."""
        return self._calls[-1] if self._calls else None

    @property
    def calls(self) -> Sequence[Call]:
        """All waiting calls, the innermost last."""
        return self._calls

    @property
    def purpose(self) -> str:
        """What people call the thing that is being looked up; empty if none is."""
        return self._purposes[-1] if self._purposes else ""

    @contextmanager
    def waiting(self, call: Call) -> Iterator[None]:
        """Push a call while its arguments are resolved."""
        self._calls.append(call)
        try:
            yield
        finally:
            self._calls.pop()

    @contextmanager
    def looking_for(self, subject: Subject, purpose: str) -> Iterator[None]:
        """Push the row that is being looked up, and what people call it."""
        self._sought.append((subject.resource, subject.key))
        try:
            with self.meant_for(purpose):
                yield
        finally:
            self._sought.pop()

    @contextmanager
    def meant_for(self, purpose: str) -> Iterator[None]:
        """Push what people call the thing that is being looked up, whichever row it is."""
        self._purposes.append(purpose)
        try:
            yield
        finally:
            self._purposes.pop()

    def is_sought(self, resource: str, key: str | None = None) -> bool:
        """Tell whether a row of a resource is being looked up, or the row with `key` if given."""
        return any(kind == resource and key in (None, sought) for kind, sought in self._sought)

    def named(self, chooser: Chooser) -> Iterator[tuple[str | None, Any]]:
        """Yield (resource, value) of all arguments of waiting calls."""
        for call in self._calls:
            inputs = chooser.inputs(call.tool.name)
            yield from ((inputs.resource(pointer), value) for pointer, value in leaves(call.arguments) if pointer)
