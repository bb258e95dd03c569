"""Marks that make a function a tool: the decorator `@tool`, or attributes that other libraries set.

    @tool(effect="write")                    Mark(effect="write")
    @is_tool(ToolType.WRITE)     ->          Mark(effect="write")       the function has __tool__ and __tool_type__

Source: tau2-bench, environment/toolkit.py, for attributes of other libraries.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from interplay.schemas.records.tool import Effect, Requestor

Function = TypeVar("Function", bound=Callable[..., Any])

_MARK = "__interplay_tool__"
_FLAGS = ("__tool__", "is_tool", "_is_tool")
_KINDS = ("__tool_type__", "tool_type")
_EFFECTS: dict[str, Effect] = {"read": "read", "think": "read", "write": "write"}


class ToolError(Exception):
    """Raised by a tool that cannot fulfil a call; its message becomes the error result."""


@dataclass(frozen=True)
class Mark:
    """The arguments of `@tool`; an effect of None is guessed from the function's name and description."""

    effect: Effect | None = None
    name: str = ""
    requestor: Requestor = "assistant"
    phrases: tuple[str, ...] = ()


def tool(
    *, effect: Effect | None = None, phrases: tuple[str, ...] = (), name: str = "", requestor: Requestor = "assistant"
) -> Callable[[Function], Function]:
    """Mark a function as a tool; if any function is marked, unmarked ones are not imported.

    `phrases` are ways in which people ask for it, as verb phrases.
    """

    def mark(function: Function) -> Function:
        setattr(function, _MARK, Mark(effect, name, requestor, phrases))
        return function

    return mark


def mark_of(function: Any) -> Mark | None:
    """Return a function's mark, from `@tool` or another library's decorator; None if it has none."""
    own: Mark | None = getattr(function, _MARK, None)
    if own is not None:
        return own
    kind = next((held for held in (getattr(function, name, None) for name in _KINDS) if held is not None), None)
    if kind is None and not any(getattr(function, name, None) is True for name in _FLAGS):
        return None
    effect = _EFFECTS.get(str(getattr(kind, "value", kind)).lower())
    if getattr(function, "__mutates_state__", None) is True:
        effect = "write"
    return Mark(effect, requestor="user" if getattr(function, "requestor", None) == "user" else "assistant")
