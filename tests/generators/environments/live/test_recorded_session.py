"""A session with a server is recorded call by call, and played again without the server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.live.mcp_servers import SHELF, command

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.environments.live.live_server import LiveServer
from interplay.generators.environments.live.recorded_session import (
    RecordedCall,
    ReplayedSession,
    ServerTrial,
    SessionFile,
    load_session,
)
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord

pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")


def call(environment: Environment, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(environment.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def records(spec: str, count: int) -> list[DatasetRecord]:
    """Make the first records of a toolset."""

    async def make() -> list[DatasetRecord]:
        world = open_world([spec])
        generator = Generator(RunConfig(toolset=(spec,), seed=7), world, await open_graph(world), "run")
        return [await generator.make_record(index) for index in range(count)]

    return asyncio.run(make())


def test_a_recorded_session_replays_without_the_server(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    place = command(tmp_path, SHELF)
    tools = LiveServer(place)
    trial = ServerTrial(toolset=tools.toolset)
    live = LiveServer(place, tools.toolset, records=SessionFile(path, "shelf", tools.toolset, trial))
    start = live.snapshot()
    steps: list[tuple[str, dict[str, Any]]] = [
        ("list_notes", {}),
        ("add_note", {"text": "milk"}),
        ("list_notes", {}),
        ("get_note", {"id": "n7"}),
    ]
    answers = [call(live, name, **arguments) for name, arguments in steps]
    after = (live.digest(), live.changes(), live.state())
    assert [made.tool for made in load_session(path).calls] == [name for name, _ in steps]
    live.restore(start)
    live.close()
    tools.close()
    replayed = ReplayedSession(load_session(path))
    opening = replayed.snapshot()
    assert [call(replayed, name, **arguments) for name, arguments in steps] == answers
    assert (replayed.digest(), replayed.changes(), replayed.state()) == after
    replayed.restore(opening)
    assert call(replayed, "list_notes").value == "none"
    assert call(replayed, "steal").error == "Error: there is no tool called steal."
    with pytest.raises(EnvironmentFailure, match="holds no call of add_note"):
        call(replayed, "add_note", text="eggs")


def test_a_server_goes_on_with_what_was_recorded_of_it(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    drawn = []
    for _ in range(2):
        listed = LiveServer(command(tmp_path, SHELF))
        server = LiveServer(command(tmp_path, SHELF), listed.toolset, records=SessionFile(path, "s", listed.toolset))
        drawn.append(call(server, "draw_random"))
        server.close()
        listed.close()
    assert drawn[0] == drawn[1]
    assert len(load_session(path).calls) == 1


def test_a_run_over_a_recording_makes_the_records_of_the_run_over_the_server(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    live = records(f"mcp+live:{command(tmp_path, SHELF)}?record={path}&without=misbehave,draw_random", 5)
    (tmp_path / "server.py").unlink()
    assert [each.model_dump_json() for each in records(f"mcp+recorded:{path}", 5)] == [
        each.model_dump_json() for each in live
    ]
    assert any(each.status == "accepted" for each in live)


def test_a_recording_with_other_tools_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    SessionFile(path, "a", Toolset(name="a", tools=()))
    with pytest.raises(ConfigError, match="other tools"):
        SessionFile(path, "a", Toolset(name="b", tools=(), policy="Be kind."))
    with pytest.raises(ConfigError, match="cannot be written"):
        SessionFile(tmp_path / "absent" / "session.jsonl", "a", Toolset(name="a", tools=()))


def test_a_last_line_that_was_cut_short_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    file = SessionFile(path, "a", Toolset(name="a", tools=()))
    file.add(RecordedCall(tool="t", arguments={}, value=1, text="1", after=""))
    whole = path.read_bytes()
    path.write_bytes(whole + whole.splitlines()[-1][:20])
    assert [each.tool for each in load_session(path).calls] == ["t"]
    path.write_bytes(whole + b"{}\n")
    with pytest.raises(ConfigError, match="line 3: /tool"):
        load_session(path)


@pytest.mark.parametrize(("text", "said"), [(None, "cannot be read"), ("{}", "/server"), ("[", "recorded session")])
def test_a_file_that_is_no_recorded_session_is_refused(text: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ConfigError, match=said):
        load_session(path)
