"""An MCP server, over stdio or streamable HTTP -> the toolset that it lists; needs the extra `interplay[mcp]`.

    mcp-server-time   ->   Tool(name="get_current_time", effect="read", ...), Tool(name="convert_time", ...)

Only the list is read; calls are answered by the sandbox, or by the server itself (`environments/live/`).
Source: Model Context Protocol 2025-06-18, Lifecycle and Tools.
"""

import logging
from collections.abc import Callable

from interplay.generators.importers.definitions.importer import import_definitions
from interplay.generators.importers.mcp.connection import START_TIMEOUT, Address, McpSession
from interplay.generators.importers.mcp.tool_list import MOST_BYTES, MOST_TOOLS, PAGES
from interplay.schemas.errors import EnvironmentFailure, ImportFailure
from interplay.schemas.records.tool import ImportReport

log = logging.getLogger(__name__)


def import_mcp(
    place: str, timeout: float = START_TIMEOUT, before_start: Callable[[str], None] = lambda _: None
) -> ImportReport:
    """Start the server at `place` (a command or a URL), list its tools, and stop it.

    `before_start` is called before the start with the path of the server's own folder; empty if it has none.

    Raises:
        ConfigError: the extra is not installed, the command is empty, or its quotes do not match.
        ImportFailure: the server cannot be started, dies, or does not answer in time.
    """
    session = McpSession(Address.read(place), timeout, before_start=lambda: before_start(session.folder))
    try:
        listed = session.submit(session.start()).result()
    except EnvironmentFailure as error:
        raise ImportFailure(str(error)) from error
    finally:
        session.close()
    name, more = session.address.name, listed.pop("more")
    if more:
        log.warning(
            "mcp:%s: the first %s tools of its list are taken, and %s left out: %s tools, %s MB and %s pages are read at most. "
            "Let the server list fewer, or start one for each part of them.",
            name, len(listed["tools"]), more, MOST_TOOLS, MOST_BYTES // 1024**2, PAGES,
        )  # fmt: skip
    return import_definitions({**listed, "server": listed["server"] or name}, name, "", f"mcp:{name}")
