"""An environment -> the same with a tool that searches for tools by what they do."""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

from interplay.generators.environments.wrappers.tool_index import ToolIndex
from interplay.generators.environments.wrappers.wrapped_environment import WrappedEnvironment
from interplay.generators.phrases.plain_phrases import derived_nouns, saying_all
from interplay.schemas.protocols import Environment
from interplay.schemas.records.chat import closed_object
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.phrases import ToolPhrases
from interplay.schemas.records.tool import SEARCH_TOOL, ResourceModel, Source, Tool, ToolRole, Toolset

FOUND = 5
"""Tools that a search returns at most."""

LONGEST_SCHEMAS, LONGEST_DESCRIPTION = 6_000, 400
"""Characters of parameter schemas, as JSON, in one result in total; characters of each description."""

_SEARCH = Tool(
    name=SEARCH_TOOL,
    original_name=SEARCH_TOOL,
    summary="Find tools that can do something.",
    description="Find the tools that fit a need, best first; those found can be called from then on. Use it when no tool "
    "at hand serves a request.",
    parameters=closed_object(
        {"query": {"type": "string", "minLength": 1, "description": "What is to be done, in plain words."}}
    ),
    returns={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "description": {"type": "string"},
                "parameters": {"type": "object", "description": "JSON Schema; left out where it is very long."},
            },
            "required": ["name", "description"],
        },
    },
    source=Source(file="interplay", pointer="search_tools"),
)


class SearchableTools(WrappedEnvironment):
    """Adds `search_tools` to an environment, and `phrases` to its tools.

    `like` is the wrapper of the same environment in another world, whose tools, resources and index are shared.
    """

    def __init__(
        self,
        environment: Environment,
        phrases: Mapping[str, ToolPhrases] = MappingProxyType({}),
        like: "SearchableTools | None" = None,
    ) -> None:
        super().__init__(environment)
        self._phrases = phrases
        self._like = like
        if like is not None:
            self._resources = like.resources
            return
        roles = (*environment.resources.roles, ToolRole(tool=SEARCH_TOOL, operation="compute", why="finds tools"))
        self._resources = environment.resources.model_copy(update={"roles": roles})

    @cached_property
    def toolset(self) -> Toolset:
        """The tools of the environment, and `search_tools`."""
        if self._like is not None:
            return self._like.toolset
        known = self._inner.toolset.phrased(self._phrases)
        nouns = derived_nouns(known.tools, self._inner.resources.roles)
        roles = self._inner.resources.by_tool
        tools = (*(saying_all(tool, roles.get(tool.name)) for tool in known.tools), _SEARCH)
        return known.model_copy(update={"tools": tools, "derived_nouns": nouns})

    @property
    def resources(self) -> ResourceModel:
        """The resources and roles of the environment, and the role of `search_tools`."""
        return self._resources

    @cached_property
    def _registry(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self._inner.toolset.tools if tool.requestor == "assistant"}

    @cached_property
    def _index(self) -> ToolIndex:
        if self._like is not None:
            return self._like._index
        return ToolIndex(list(self._registry.values()), self._inner.resources.roles)

    async def call(self, call: ToolCall) -> ToolResult:
        """Answer a search, or pass the call on."""
        if call.name != SEARCH_TOOL:
            return await self._inner.call(call)
        query = call.arguments.get("query")
        if not isinstance(query, str):
            return ToolResult.failed(call, "Error: the query must be a text.")
        return ToolResult.of(call, _shown([self._registry[name] for name in self._index.best(query[:1000], FOUND)]))


def _shown(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """Return the result of a search; parameters are included for the best tools, as long as there is room."""
    shown: list[dict[str, Any]] = []
    room = LONGEST_SCHEMAS
    for tool in tools:
        described = tool.description or tool.summary
        short = (
            described if len(described) <= LONGEST_DESCRIPTION else (tool.summary or described)[:LONGEST_DESCRIPTION]
        )
        shown.append({"name": tool.name, "description": short})
        length = len(json.dumps(tool.parameters))
        if length <= room:
            shown[-1]["parameters"] = tool.parameters
            room -= length
    return shown
