"""Calls of tools in a state that is brought back afterwards, bounded in number; what a failure says, without its values."""

import re
from collections.abc import Callable, Container, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Tool

SAID = 200
"""Characters of a failure that are compared."""

_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|[\d.,:-]*\d[\d.,:-]*")

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""

T = TypeVar("T")


@dataclass
class TrialCalls:
    """Makes at most `most` calls, from the state in which it was created.

    `stuck` are tools that were given up. They are not called, and neither are tools that were seen to wait for something.
    `mark` is told the name of a tool before it is called, and an empty one afterwards.
    """

    environment: Environment
    most: int
    stuck: Container[str] = ()
    mark: Callable[[str], None] = lambda _: None
    made: int = 0
    slow: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Keep the state to go back to."""
        self._start = self.environment.snapshot()
        self._tools = self.environment.toolset.by_name

    @property
    def is_spent(self) -> bool:
        """Whether no call is left."""
        return self.made >= self.most

    def tool(self, name: str) -> Tool:
        """Return a tool by its name."""
        return self._tools[name]

    def reset(self) -> None:
        """Go back to the state that it was made in."""
        self.environment.restore(self._start)

    def after(self, calls: Sequence[Call], last: Call) -> ToolResult | None:
        """Return what the `last` call answers after other `calls`, from the start; none where it waits or no call is left.

        The calls before it may fail: what they are to bring about may hold already.
        """
        self.reset()
        for name, arguments in calls:
            self.now(name, arguments)
        return self.now(*last)

    def now(self, name: str, arguments: Mapping[str, Any]) -> ToolResult | None:
        """Return what a call answers in the present state."""
        if self.is_spent or name in self.slow or name in self.stuck:
            return None
        self.made += 1
        tool = self._tools[name]
        call = ToolCall(id=f"try{self.made:06}", name=name, arguments=dict(arguments), requestor=tool.requestor)
        self.mark(name)
        try:
            result = finished(self.environment.call(call))
        except EnvironmentFailure:
            return None
        finally:
            self.mark("")
        if result is None:
            self.slow.add(name)
        return result


def finished(coroutine: Coroutine[Any, Any, T]) -> T | None:
    """Run a coroutine that must not wait and return its result; none where it waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    return None


def said(failure: str, arguments: Mapping[str, Any]) -> str:
    """Return what a failure says apart from values: without the values of the call, quoted texts and numbers."""
    text = failure[:SAID]
    for value in sorted((str(value) for value in arguments.values() if value not in ("", None)), key=len, reverse=True):
        text = text.replace(value, "_")
    return _VALUES.sub("_", text)
