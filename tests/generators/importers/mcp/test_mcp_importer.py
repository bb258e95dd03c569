"""Listing the tools of MCP servers, good and bad ones."""

import logging
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from interplay.generators.importers.mcp import connection, tool_list
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


ENDLESS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        told = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "shelf", "version": "1"}}
    elif asked["method"] == "tools/list":
        page = int(asked.get("params", {}).get("cursor") or 0)
        names = [f"get_book_{page}_{number}" for number in range(PAGE)]
        schema = {"type": "object", "properties": {"title": {"type": "string"}}}
        told = {"tools": [{"name": name, "inputSchema": schema} for name in names]}
        if page + 1 < PAGES:
            told["nextCursor"] = str(page + 1)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": told}), flush=True)
"""


@pytest.mark.parametrize(
    ("bound", "most", "page", "pages", "taken", "left"),
    [
        ("MOST_TOOLS", 3, 5, 1, 3, "2"),
        ("MOST_TOOLS", 3, 2, 2, 3, "1"),
        ("MOST_TOOLS", 4, 2, 2, 4, ""),
        ("MOST_TOOLS", 3, 5, 9**9, 3, "2 or more"),
        ("MOST_BYTES", 250, 5, 1, 2, "3"),
        ("PAGES", 4, 1, 9**9, 4, "perhaps some"),
        ("PAGES", 4, 1, 4, 4, ""),
    ],
)
def test_a_list_is_read_up_to_a_bound_and_what_is_left_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    bound: str, most: int, page: int, pages: int, taken: int, left: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(tool_list, bound, most)
    with caplog.at_level(logging.WARNING):
        report = import_mcp(python(tmp_path, f"PAGE, PAGES = {page}, {pages}\n{ENDLESS}"))
    assert len(report.toolset.tools) == taken
    told = f"the first {taken} tools of its list are taken, and {left} left out"
    assert (told in caplog.text) == bool(left)


class Flooding(BaseHTTPRequestHandler):
    """Answers with more than anybody reads."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-encoding", "gzip")
        self.end_headers()
        self.wfile.write(b"[" * 2_000)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def flooding() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Flooding) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


def test_an_answer_over_http_is_read_up_to_a_bound(flooding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LARGEST", 1_000)
    with pytest.raises(ImportFailure, match=r"more than .*Is it running, and the address right\?"):
        import_mcp(flooding)
