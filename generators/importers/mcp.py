"""An MCP server started over stdio -> the toolset that it lists; needs the extra `interplay[mcp]`.

    mcp-server-time   ->   Tool(name="get_current_time", effect="read", ...), Tool(name="convert_time", ...)

Only the list is taken; calls are answered by the sandbox.
Source: Model Context Protocol 2025-06-18, Lifecycle and Tools.
"""

import asyncio
import shlex
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TextIO

from interplay.generators.importers.tool_json import import_definitions
from interplay.schemas.errors import ConfigError, ImportFailure
from interplay.schemas.tools import ImportReport

TIMEOUT = 30.0
"""Seconds in which the server must have started and listed its tools."""

PAGES = 200
"""Pages of a tool list that are read at most."""

_STDERR_SHOWN = 300


def import_mcp(command: str, timeout: float = TIMEOUT) -> ImportReport:
    """Start the server that `command` names, list its tools, and end it.

    Raises:
        ConfigError: the extra is not installed, or the command is empty.
        ImportFailure: the server cannot be started, dies, or does not answer in time.
    """
    words = shlex.split(command)
    if not words:
        raise ConfigError("toolset 'mcp:': give the command that starts the server, as in mcp:mcp-server-time")
    with ThreadPoolExecutor(1) as pool:  # for a caller that runs in an event loop already
        listed = pool.submit(lambda: asyncio.run(_list(words, timeout))).result()
    return import_definitions(listed, Path(words[0]).name, "", f"mcp:{Path(words[0]).name}")


async def _list(words: Sequence[str], timeout: float) -> dict[str, Any]:
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            async with asyncio.timeout(timeout):
                return await _session(words, log)
        except ImportError as error:
            raise ConfigError("toolset 'mcp:...': install the extra first: pip install 'interplay[mcp]'") from error
        except TimeoutError as error:
            raise ImportFailure(f"mcp:{words[0]}: no list of tools within {timeout:g} s. {_said(log)}") from error
        except Exception as error:  # whatever a foreign server or the SDK may raise, in groups
            raise ImportFailure(f"mcp:{words[0]}: {_cause(error)}. {_said(log)}") from error


async def _session(words: Sequence[str], log: TextIO) -> dict[str, Any]:
    from mcp import ClientSession, StdioServerParameters, types  # noqa: PLC0415 - an optional, heavy library
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    server = StdioServerParameters(command=words[0], args=list(words[1:]))
    async with stdio_client(server, errlog=log) as streams, ClientSession(*streams) as session:
        opened = (await session.initialize()).model_dump(mode="json", by_alias=True, exclude_none=True)
        tools: list[dict[str, Any]] = []
        cursor = None
        for _ in range(PAGES):
            page = await session.list_tools(params=types.PaginatedRequestParams(cursor=cursor))
            content = page.model_dump(mode="json", by_alias=True, exclude_none=True)
            tools += content["tools"]
            cursor = content.get("nextCursor")
            if cursor is None:
                break
        return {"server": opened.get("serverInfo", {}).get("name", words[0]), "tools": tools}


def _cause(error: BaseException) -> str:
    """Return the first real error inside a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{error or type(error).__name__}"[:_STDERR_SHOWN]


def _said(log: TextIO) -> str:
    log.seek(0, 2)
    log.seek(max(0, log.tell() - _STDERR_SHOWN))
    tail = " ".join(log.read().split())
    return f"Its last words: {tail}" if tail else "Start it by hand to see why."
