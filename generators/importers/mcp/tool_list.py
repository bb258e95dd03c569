"""The tool list of an MCP server, all pages -> {"server": name, "tools": [definition], "more": ""}, unchanged and bounded.

The SDK rejects a whole list for one tool that breaks the protocol; here only that tool is rejected.
Source: Model Context Protocol 2025-06-18, Tools and Pagination.
"""

import json
from typing import Any

MOST_TOOLS, MOST_BYTES, PAGES = 5_000, 32 * 1024**2, 200
"""Most tools, bytes of all tools, and pages that are read of a list."""


class ToolListFilter:
    """Stream of a server's messages that keeps the SDK from rejecting a whole tool list for one invalid tool.

    `tools` keeps the last page of the list unchanged, for the importer to judge; the SDK gets a minimal valid form of each
    tool. `odd` counts lines that are not messages.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.tools: list[Any] = []
        self.odd = 0

    def __aiter__(self) -> "ToolListFilter":
        return self

    async def __anext__(self) -> Any:
        heard = await self._stream.__anext__()
        self.odd += isinstance(heard, Exception)
        result = getattr(getattr(heard, "message", None), "result", None)
        if isinstance(result, dict) and isinstance(result.get("tools"), list):
            self.tools = result["tools"]
            result["tools"] = [
                _needed(tool) for tool in self.tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)
            ]
        return heard

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> "ToolListFilter":
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._stream.__aexit__(*error)


def _needed(tool: dict[str, Any]) -> dict[str, Any]:
    """Return the name and schemas of a tool; a schema that the SDK would reject is replaced or dropped."""
    given = tool.get("inputSchema")
    fits = isinstance(given, dict) and given.get("type") == "object" and isinstance(given.get("properties", {}), dict)
    needed = {"name": tool["name"], "inputSchema": given if fits else {"type": "object"}}
    returned = tool.get("outputSchema")
    is_object = isinstance(returned, dict) and returned.get("type") == "object"
    return needed | ({"outputSchema": returned} if is_object else {})


async def list_tools(session: Any, heard: ToolListFilter) -> dict[str, Any]:
    """Initialise the session and return {"server": name, "tools": [definition], "more": how many tools were left out}."""
    from mcp.types import PaginatedRequestParams  # noqa: PLC0415

    opened = (await session.initialize()).model_dump(mode="json", by_alias=True, exclude_none=True)
    tools: list[Any] = []
    cursors: list[str | None] = [None]
    size, left, ended = 0, 0, False
    while not ended and not left and len(cursors) <= PAGES:
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursors[-1]))
        for tool in heard.tools:
            size += len(json.dumps(tool))
            if left or len(tools) == MOST_TOOLS or size > MOST_BYTES:
                left += 1
            else:
                tools.append(tool)
        ended = page.next_cursor is None or page.next_cursor in cursors
        cursors.append(page.next_cursor)
    more = "" if ended and not left else f"{left or 'perhaps some'}{'' if ended or not left else ' or more'}"
    return {"server": opened.get("serverInfo", {}).get("name", ""), "tools": tools, "more": more}
