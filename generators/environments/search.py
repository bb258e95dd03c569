"""An environment -> the same one with a tool that finds tools by what they do."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from interplay.schemas.canonical import Change
from interplay.schemas.dialogue import ToolCall, ToolResult
from interplay.schemas.fields import name_tokens, singular
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import ResourceModel, Source, Tool, ToolRole, Toolset

SEARCH_TOOL = "search_tools"
FOUND = 5
"""Tools that a search returns at most."""

_SEARCH = Tool(
    name=SEARCH_TOOL,
    original_name=SEARCH_TOOL,
    summary="Find tools that can do something.",
    description="Find the tools that fit a need, best first. Use it when it is not clear which tool serves a request.",
    parameters={
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "What is to be done, in plain words."}
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    returns={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "description": {"type": "string"}},
            "required": ["name", "description"],
        },
    },
    source=Source(file="interplay", pointer="search_tools"),
)


class SearchableTools:
    """Adds `search_tools` to an environment; all else is passed on."""

    def __init__(self, environment: Environment) -> None:
        self._inner = environment
        roles = (*environment.resources.roles, ToolRole(tool=SEARCH_TOOL, operation="compute", why="finds tools"))
        self._resources = environment.resources.model_copy(update={"roles": roles})

    @cached_property
    def toolset(self) -> Toolset:
        """The tools of the environment, and the search."""
        return self._inner.toolset.model_copy(update={"tools": (*self._inner.toolset.tools, _SEARCH)})

    @property
    def resources(self) -> ResourceModel:
        """The resources of the environment."""
        return self._resources

    @cached_property
    def _index(self) -> list[tuple[Tool, frozenset[str], frozenset[str]]]:
        return [
            (
                tool,
                frozenset(_stems(" ".join(name_tokens(tool.name)))),
                frozenset(_stems(f"{tool.summary} {tool.description[:300]} {' '.join(tool.phrases)}")),
            )
            for tool in self._inner.toolset.tools
        ]

    async def call(self, call: ToolCall) -> ToolResult:
        """Answer a search, or pass the call on."""
        if call.name != SEARCH_TOOL:
            return await self._inner.call(call)
        wanted = set(_stems(str(call.arguments.get("query", ""))))
        ranked = sorted(
            ((2 * len(wanted & names) + len(wanted & words), tool) for tool, names, words in self._index),
            key=lambda item: (-item[0], item[1].name),
        )
        found = [
            {"name": tool.name, "description": tool.summary or tool.description[:120]}
            for score, tool in ranked[:FOUND]
            if score > 0
        ]
        return ToolResult.of(call, found)

    def state(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the environment's state."""
        return self._inner.state()

    def snapshot(self) -> Any:
        """Return the environment's snapshot."""
        return self._inner.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Bring back a snapshot."""
        self._inner.restore(snapshot)

    def digest(self) -> str:
        """Return the environment's digest."""
        return self._inner.digest()

    def changes(self) -> tuple[Change, ...]:
        """Return the environment's changes."""
        return self._inner.changes()


def _stems(text: str) -> list[str]:
    return [singular(word)[:6] for word in re.findall(r"[a-z]{3,}", text.lower())]
