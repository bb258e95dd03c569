"""Live MCP servers are environments, and a recorded session replays without them."""

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.live.mcp_servers import COUNTER, SHELF, command, from_npm, over_http

from interplay.generators.environments.live.live_server import LiveServer
from interplay.generators.environments.live.server_settings import ServerSettings
from interplay.generators.importers.mcp import connection
from interplay.generators.importers.mcp.connection import Address, McpSession
from interplay.generators.importers.mcp.importer import import_mcp
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.json.canonical import Change
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult

pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    """Call in an event loop of its own, as flows do."""
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[LiveServer]:
    server = LiveServer(command(tmp_path, SHELF), settings=ServerSettings(call_timeout=30))
    yield server
    server.close()


def children() -> set[str]:
    """Return the live children of this process, by their ids."""
    tasks = Path("/proc/self/task")
    if not tasks.exists():
        pytest.skip("no /proc to look for children in")
    found: set[str] = set()
    for task in tasks.iterdir():
        with contextlib.suppress(FileNotFoundError):  # the thread has just ended
            found |= set((task / "children").read_text().split())
    return found


def test_all_pages_of_tools_are_read_with_their_effects(shelf: LiveServer) -> None:
    assert [(tool.name, tool.effect) for tool in shelf.toolset.tools] == [
        ("add_note", "write"),
        ("get_note", "read"),
        ("list_notes", "read"),
        ("misbehave", "read"),
        ("draw_random", "write"),
    ]
    assert shelf.toolset.name == "shelf"


def test_structured_content_is_the_value_where_there_is_an_output_schema(shelf: LiveServer) -> None:
    result = call(shelf, "add_note", text="milk")
    assert (result.value, result.text) == ({"id": "n1", "text": "milk"}, '{"id": "n1", "text": "milk"}')


def test_text_is_the_value_and_read_where_it_is_json(shelf: LiveServer) -> None:
    call(shelf, "add_note", text="milk")
    assert call(shelf, "get_note", id="n1").value == {"id": "n1", "text": "milk"}
    assert call(shelf, "get_note", id="n1").text == '{\n "id": "n1",\n "text": "milk"\n}'
    assert call(shelf, "list_notes").value == "n1"
    assert call(shelf, "misbehave", how="NaN").value == "NaN"


def test_other_content_is_the_value_as_it_is(shelf: LiveServer) -> None:
    assert call(shelf, "misbehave", how="picture").value == [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]


def test_errors_keep_their_exact_text(shelf: LiveServer) -> None:
    assert call(shelf, "get_note", id="n9").error == "no note n9"
    assert call(shelf, "list_notes", wrong=1).error == "list_notes takes no arguments"
    assert call(shelf, "steal").error == "Error: there is no tool called steal."


def test_lines_that_are_no_messages_are_passed_over(shelf: LiveServer) -> None:
    assert call(shelf, "misbehave", how="garbage").value == "done"


def test_the_state_is_the_writes_with_their_results(shelf: LiveServer) -> None:
    digest = shelf.digest()
    call(shelf, "list_notes")
    assert (shelf.digest(), shelf.changes()) == (digest, ())
    call(shelf, "add_note", text="milk")
    row = {"tool": "add_note", "arguments": {"text": "milk"}, "result": {"id": "n1", "text": "milk"}}
    assert shelf.state() == {"calls": {"1": row}}
    assert shelf.changes() == (Change(path="/calls/1", before="<missing>", after=row),)
    assert shelf.digest() != digest


def test_going_back_starts_afresh_and_makes_the_writes_again(shelf: LiveServer) -> None:
    start, digest = shelf.snapshot(), shelf.digest()
    call(shelf, "add_note", text="milk")
    later = shelf.snapshot()
    call(shelf, "add_note", text="eggs")
    shelf.restore(later)
    assert call(shelf, "list_notes").value == "n1"
    shelf.restore(start)
    assert shelf.digest() == digest
    assert call(shelf, "list_notes").value == "none"
    assert call(shelf, "add_note", text="tea").value == {"id": "n1", "text": "tea"}
    shelf.restore(later)
    assert call(shelf, "get_note", id="n1").value == {"id": "n1", "text": "milk"}


def test_reading_and_going_back_restarts_nothing(shelf: LiveServer) -> None:
    start, running = shelf.snapshot(), children()
    for _ in range(5):
        call(shelf, "list_notes")
        shelf.restore(start)
    assert children() == running


def test_answers_can_be_used_again_in_the_same_state(tmp_path: Path) -> None:
    server = LiveServer(command(tmp_path, SHELF), reuses=True)
    start = server.snapshot()
    first = call(server, "draw_random")
    later = server.snapshot()
    assert call(server, "draw_random").value != first.value
    server.restore(start)
    assert call(server, "draw_random") == first
    assert server.digest() == later.digest
    server.close()


def test_a_write_that_answers_differently_again_is_a_failure(shelf: LiveServer) -> None:
    start = shelf.snapshot()
    call(shelf, "draw_random")
    later = shelf.snapshot()
    shelf.restore(start)
    call(shelf, "list_notes")
    shelf.restore(later)
    with pytest.raises(EnvironmentFailure, match="draw_random answers differently after a fresh start"):
        call(shelf, "list_notes")
    shelf.restore(start)
    assert call(shelf, "list_notes").value == "none"


def test_a_server_that_dies_is_told_with_its_last_words_and_comes_back(shelf: LiveServer) -> None:
    call(shelf, "add_note", text="milk")
    with pytest.raises(EnvironmentFailure, match=r"died in misbehave.*the shelf fell down"):
        call(shelf, "misbehave", how="die")
    assert call(shelf, "list_notes").value == "n1"


def test_a_server_that_hangs_is_given_up_and_ended(tmp_path: Path) -> None:
    before = children()
    server = LiveServer(command(tmp_path, SHELF), settings=ServerSettings(call_timeout=1))
    with pytest.raises(EnvironmentFailure, match="no answer to misbehave within 1 s"):
        call(server, "misbehave", how="hang")
    assert children() == before
    assert call(server, "list_notes").value == "none"
    server.close()
    assert children() == before


@pytest.mark.parametrize("how", ["deep", "deeper"])
def test_an_answer_that_is_nested_without_end_is_a_text(shelf: LiveServer, how: str) -> None:
    answer = call(shelf, "misbehave", how=how)
    assert answer.value == answer.text
    assert answer.text is not None
    assert answer.text.startswith("[[[")


def test_a_flood_on_stderr_stops_nothing(shelf: LiveServer) -> None:
    assert call(shelf, "misbehave", how="flood").value == "done"
    with pytest.raises(EnvironmentFailure) as caught:
        call(shelf, "misbehave", how="die")
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import sys; sys.exit('no shelf here')", "no shelf here"),
        ("import time; time.sleep(600)", "no list of tools within 1 s"),
        ("import sys\nwhile True: sys.stderr.write('x' * 1000)", "no list of tools within 1 s"),
        ("while True: print('x')", "no list of tools within 1 s"),
    ],
)
def test_a_server_that_does_not_start_is_told(source: str, said: str, tmp_path: Path) -> None:
    before = children()
    with pytest.raises(EnvironmentFailure, match=said):
        LiveServer(command(tmp_path, source), settings=ServerSettings(start_timeout=30 if "exit" in source else 1))
    assert children() <= before


def test_a_server_that_is_slow_to_start_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "TOLD_AFTER", 0.1)
    with caplog.at_level("INFO", logger="interplay.generators.importers"), pytest.raises(EnvironmentFailure):
        LiveServer(command(tmp_path, "import time; time.sleep(600)"), settings=ServerSettings(start_timeout=1))
    assert "has not told its tools yet; it has 1 s in all" in caplog.text


def test_calls_come_from_several_loops_and_threads_at_once(shelf: LiveServer) -> None:
    async def several() -> list[ToolResult]:
        calls = [ToolCall(id="a00000001", name="add_note", arguments={"text": f"t{n}"}) for n in range(5)]
        return await asyncio.gather(*(shelf.call(each) for each in calls))

    threads = [threading.Thread(target=lambda: asyncio.run(several())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(shelf.state()["calls"]) == 20
    assert {row["result"]["id"] for row in shelf.state()["calls"].values()} == {f"n{n}" for n in range(1, 21)}


def test_a_caller_that_gives_up_leaves_a_server_that_can_be_used(shelf: LiveServer) -> None:
    async def impatient() -> None:
        await asyncio.wait_for(shelf.call(ToolCall(id="a00000001", name="misbehave", arguments={"how": "hang"})), 0.3)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert call(shelf, "list_notes").value == "none"


def test_what_lies_outside_the_process_is_brought_back_before_each_start(tmp_path: Path) -> None:
    starts: list[int] = []
    server = LiveServer(command(tmp_path, SHELF), before_start=lambda: starts.append(1))
    start = server.snapshot()
    call(server, "add_note", text="milk")
    server.restore(start)
    call(server, "list_notes")
    server.close()
    assert len(starts) == 2


def test_a_closed_server_is_told(shelf: LiveServer) -> None:
    shelf.close()
    with pytest.raises(EnvironmentFailure, match="was closed"):
        call(shelf, "list_notes")


def test_a_program_that_ends_without_closing_leaves_no_child(tmp_path: Path) -> None:
    source = f"""
from interplay.generators.environments.live.live_server import LiveServer
LiveServer({command(tmp_path, SHELF)!r})
"""
    script = tmp_path / "program.py"
    script.write_text(source)
    before, started = children(), time.monotonic()
    code = os.spawnve(os.P_WAIT, sys.executable, [sys.executable, str(script)], {**os.environ, **paths()})
    assert (code, children()) == (0, before)
    assert time.monotonic() - started < 60


def paths() -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


# Other servers


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_same_server_answers_the_same_over_both_transports(transport: str, tmp_path: Path) -> None:
    def play(place: str) -> None:
        assert [tool.effect for tool in import_mcp(place).toolset.tools] == ["write", "read"]
        server = LiveServer(place)
        assert call(server, "add", number=2).value == {"total": 2}
        assert call(server, "add", number=3).value == {"total": 5}
        assert call(server, "total_now").value == {"result": 5}
        assert (call(server, "add", number=-1).error or "").startswith("Error executing tool add")
        server.close()

    if transport == "stdio":
        play(command(tmp_path, COUNTER))
    else:
        with over_http(tmp_path) as url:
            play(url)


def test_a_url_where_nobody_answers_is_told() -> None:
    with pytest.raises(EnvironmentFailure, match=r"mcp:http://127\.0\.0\.1:9/mcp"):
        LiveServer("http://127.0.0.1:9/mcp", settings=ServerSettings(start_timeout=20))


def test_the_public_time_server_converts_times() -> None:
    pytest.importorskip("mcp_server_time", reason="needs mcp-server-time")
    server = LiveServer(f"{sys.executable} -m mcp_server_time --local-timezone UTC")
    result = call(server, "convert_time", source_timezone="UTC", time="10:00", target_timezone="Asia/Tokyo")
    assert result.value["time_difference"] == "+9.0h"
    wrong = call(server, "convert_time", source_timezone="Nowhere", time="10:00", target_timezone="UTC")
    assert "Invalid timezone" in (wrong.error or "")
    server.close()


@pytest.mark.from_npm
def test_the_public_memory_server_goes_back_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    place = f"MEMORY_FILE_PATH={path} {from_npm('mcp-server-memory')}"
    server = LiveServer(place, before_start=lambda: path.unlink(missing_ok=True))
    start = server.snapshot()
    entities = [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}]
    assert call(server, "create_entities", entities=entities).error is None
    assert call(server, "read_graph").value["entities"][0]["name"] == "Ada"
    later = server.snapshot()
    server.restore(start)
    assert call(server, "read_graph").value["entities"] == []
    server.restore(later)
    assert call(server, "open_nodes", names=["Ada"]).value["entities"][0]["observations"] == ["likes tea"]
    server.close()


@pytest.mark.from_npm
def test_the_public_filesystem_server_writes_and_refuses(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    server = LiveServer(f"{from_npm('mcp-server-filesystem')} {folder}")
    assert server.toolset.tool("read_text_file").effect == "read"
    assert call(server, "write_file", path=str(folder / "a.txt"), content="hello").error is None
    assert (folder / "a.txt").read_text() == "hello"
    assert "hello" in call(server, "read_text_file", path=str(folder / "a.txt")).text
    assert "outside allowed directories" in (call(server, "read_text_file", path="/etc/hostname").error or "")
    server.close()


# Addresses


def test_addresses_are_commands_with_variables_or_urls() -> None:
    assert Address.read("A=1 B='x y' serve --fast a=b") == Address(("serve", "--fast", "a=b"), {"A": "1", "B": "x y"})
    assert Address.read("https://example.org/mcp?key=1").name == "https://example.org/mcp"
    for wrong in ("", "A=1", "serve 'open"):
        with pytest.raises(ConfigError):
            Address.read(wrong)


def test_a_session_that_is_closed_twice_stays_closed(tmp_path: Path) -> None:
    session = McpSession(Address.read(command(tmp_path, SHELF)))
    session.close()
    session.close()
