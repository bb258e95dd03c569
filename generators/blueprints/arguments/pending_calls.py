"""A call whose arguments are being resolved -> what to keep in mind until it is made: what it names, and which rows are sought."""

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
    """A call that waits for its arguments, with those known so far and their origins."""

    tool: Tool
    arguments: dict[str, Any]
    goal: int
    request: int
    origins: dict[str, Origin] = field(default_factory=dict)


@dataclass
class PendingCalls:
    """Three stacks: calls that wait for arguments, the rows that look-ups want for them, and the purposes of these look-ups."""

    _calls: list[Call] = field(default_factory=list)
    _sought: list[tuple[str, str]] = field(default_factory=list)
    _purposes: list[str] = field(default_factory=list)

    @property
    def call(self) -> Call | None:
        """The call that waits for what is done now, if any does."""
        return self._calls[-1] if self._calls else None

    @property
    def calls(self) -> Sequence[Call]:
        """All calls that wait, the latest last."""
        return self._calls

    @property
    def purpose(self) -> str:
        """What people call the kind of thing that is looked for now; empty where nothing is looked for."""
        return self._purposes[-1] if self._purposes else ""

    @contextmanager
    def waiting(self, call: Call) -> Iterator[None]:
        """Let a call wait while its arguments are resolved."""
        self._calls.append(call)
        try:
            yield
        finally:
            self._calls.pop()

    @contextmanager
    def looking_for(self, subject: Subject, purpose: str) -> Iterator[None]:
        """Keep in mind which row is looked for, and what people call its kind."""
        self._sought.append((subject.resource, subject.key))
        try:
            with self.meant_for(purpose):
                yield
        finally:
            self._sought.pop()

    @contextmanager
    def meant_for(self, purpose: str) -> Iterator[None]:
        """Keep in mind what people call the kind of thing that is looked for, whichever row it is."""
        self._purposes.append(purpose)
        try:
            yield
        finally:
            self._purposes.pop()

    def is_sought(self, resource: str, key: str | None = None) -> bool:
        """Tell whether a row of a resource is looked for: the one of a key where that is given."""
        return any(kind == resource and key in (None, sought) for kind, sought in self._sought)

    def named(self, chooser: Chooser) -> Iterator[tuple[str | None, Any]]:
        """Yield what the calls that wait name, with the resource of each."""
        for call in self._calls:
            inputs = chooser.inputs(call.tool.name)
            yield from ((inputs.resource(pointer), value) for pointer, value in leaves(call.arguments) if pointer)
