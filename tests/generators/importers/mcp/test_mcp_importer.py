"""Listing the tools of MCP servers, good and bad ones."""

import sys
from pathlib import Path

import pytest

from interplay.generators.importers.mcp.importer import import_mcp
from interplay.schemas.errors import ConfigError, ImportFailure

pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")

SERVER = '''
from mcp.server.mcpserver import MCPServer

server = MCPServer("shelf")

@server.tool()
def add_book(title: str, pages: int = 100) -> dict:
    """Add a book to the shelf."""
    return {"title": title, "pages": pages}

server.run()
'''


def python(tmp_path: Path, source: str) -> str:
    path = tmp_path / "server.py"
    path.write_text(source)
    return f"{sys.executable} {path}"


def test_lists_the_tools_of_a_server(tmp_path: Path) -> None:
    report = import_mcp(python(tmp_path, SERVER))
    assert [tool.name for tool in report.toolset.tools] == ["add_book"]
    assert report.toolset.tools[0].effect == "write"
    assert report.toolset.name == "shelf"


def test_says_what_a_dying_server_said_last(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="no shelf here"):
        import_mcp(python(tmp_path, "import sys; sys.exit('no shelf here')"))


def test_does_not_wait_for_a_silent_server(tmp_path: Path) -> None:
    with pytest.raises(ImportFailure, match="within 1 s"):
        import_mcp(python(tmp_path, "import time; time.sleep(60)"), timeout=1)


def test_names_a_command_that_is_not_there() -> None:
    with pytest.raises(ImportFailure, match="no-such-server"):
        import_mcp("no-such-server")


def test_wants_a_command() -> None:
    with pytest.raises(ConfigError, match="give the command"):
        import_mcp(" ")
