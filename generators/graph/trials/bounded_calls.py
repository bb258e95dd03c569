"""A bounded number of tool calls in a state that is restored afterwards; the text of a failure without its values."""

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

    Tools in `stuck`, and tools that were seen to wait (`slow`), are not called. `mark` is called with the name of a tool
    before each call, and with "" after it.
    """

    environment: Environment
    most: int
    stuck: Container[str] = ()
    mark: Callable[[str], None] = lambda _: None
    made: int = 0
    slow: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Take a snapshot of the state to go back to."""
        self._start = self.environment.snapshot()
        self._tools = self.environment.toolset.by_name

    @property
    def is_spent(self) -> bool:
        """Whether no calls are left."""
        return self.made >= self.most

    def tool(self, name: str) -> Tool:
        """Return a tool by its name."""
        return self._tools[name]

    def reset(self) -> None:
        """Restore the state in which it was created."""
        self.environment.restore(self._start)

    def after(self, calls: Sequence[Call], last: Call) -> ToolResult | None:
        """Return the result of `last` after other `calls`, from the initial state; None if it waits or no calls are left.

        The calls before it may fail, since their effects may hold already.
        """
        self.reset()
        for name, arguments in calls:
            self.now(name, arguments)
        return self.now(*last)

    def now(self, name: str, arguments: Mapping[str, Any]) -> ToolResult | None:
        """Return the result of a call in the present state; None if it waits or is not made."""
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
    """Run a coroutine that must not wait, and return its result; None if it waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    return None


def said(failure: str, arguments: Mapping[str, Any]) -> str:
    """Return the text of a failure with the call's values, quoted texts and numbers masked."""
    text = failure[:SAID]
    for value in sorted((str(value) for value in arguments.values() if value not in ("", None)), key=len, reverse=True):
        text = text.replace(value, "_")
    return _VALUES.sub("_", text)
