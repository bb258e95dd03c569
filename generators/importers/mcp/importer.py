"""An MCP server, over stdio or streamable HTTP -> the toolset that it lists; needs the extra `interplay[mcp]`.

    mcp-server-time   ->   Tool(name="get_current_time", effect="read", ...), Tool(name="convert_time", ...)

Only the list is taken. The sandbox can answer the calls, or the server itself (`environments/mcp.py`).
Source: Model Context Protocol 2025-06-18, Lifecycle and Tools.
"""

from interplay.generators.importers.definitions.importer import import_definitions
from interplay.generators.importers.mcp.connection import START_TIMEOUT, Address, McpSession
from interplay.schemas.errors import EnvironmentFailure, ImportFailure
from interplay.schemas.records.tool import ImportReport


def import_mcp(place: str, timeout: float = START_TIMEOUT) -> ImportReport:
    """Start the server that `place` (a command, or a URL) names, list its tools, and end it.

    Raises:
        ConfigError: the extra is not installed, or the command is empty.
        ImportFailure: the server cannot be started, dies, or does not answer in time.
    """
    session = McpSession(Address.read(place), start_timeout=timeout)
    try:
        listed = session.submit(session.start()).result()
    except EnvironmentFailure as error:
        raise ImportFailure(str(error)) from error
    finally:
        session.close()
    name = session.address.name
    return import_definitions({**listed, "server": listed["server"] or name}, name, "", f"mcp:{name}")
