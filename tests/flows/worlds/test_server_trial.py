"""A live server is tried: its rows, names and order are learnt, what cannot be used is left out, and a run goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.generators.environments.live.mcp_servers import DIARY, SHELF, command

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.settings.specs import parse_spec
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.flows.worlds.corrections import explain_tools
from interplay.generators.environments.live.live_server import LiveServer
from interplay.schemas.errors import ConfigError, EnvironmentFailure
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import SEARCH_TOOL

pytest.importorskip("mcp", reason="needs the extra interplay[mcp]")


def opened(spec: str) -> tuple[OpenedWorld, LiveServer]:
    world = open_world([spec])
    server = world.parts[0].environment
    assert isinstance(server, LiveServer)
    return world, server


def call(server: LiveServer, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(server.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def tools_of(world: OpenedWorld) -> set[str]:
    return {tool.name for tool in world.toolset.tools} - {SEARCH_TOOL}


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"mcp+live:{command(tmp_path_factory.mktemp('diary'), DIARY)}"


def test_an_empty_server_is_filled_and_two_openings_are_the_same(diary: str, caplog: pytest.LogCaptureFixture) -> None:
    states = []
    for _ in range(2):
        _, server = opened(diary)
        states.append(server.state())
        server.close()
    assert states[0] == states[1]
    rows = states[0]["entry"]
    assert len(rows) == 4
    assert all(row["madeAt"].startswith("2026-03-02T09:00:00.") for row in rows.values())
    assert "shows no rows at first: it begins with what 4 calls of create_entry make" in caplog.text


def test_a_text_that_structured_content_wraps_is_read_for_what_it_holds(tmp_path: Path) -> None:
    wrapped = DIARY.replace('"inputSchema": schema}', '"inputSchema": schema, "outputSchema": tool_result}').replace(
        "def tool(", 'tool_result = {"type": "object", "properties": {"result": STRING}}\n\ndef tool(', 1
    )
    wrapped = wrapped.replace('"isError": failed}', '"isError": failed, "structuredContent": {"result": text}}')
    world, server = opened(f"mcp+live:{command(tmp_path, wrapped)}?only=*_entry,list_entries")
    assert tools_of(world) == {"create_entry", "get_entry", "list_entries", "delete_entry"}
    assert len(server.state()["entry"]) == 4
    server.close()


def test_an_error_beside_the_arguments_of_its_call_is_an_error(tmp_path: Path) -> None:
    said = DIARY.replace('{"success": False, "error": "no such entry"}', '{"error": "no such entry"} | arguments')
    _, server = opened(f"mcp+live:{command(tmp_path, said)}?only=*_entry,list_entries")
    assert "no such entry" in str(call(server, "get_entry", entryId="none").error)
    server.close()


def test_tools_that_remove_things_stay_writes_where_no_answer_shows_a_change(tmp_path: Path) -> None:
    idle = (
        DIARY.replace("rows.clear()", "pass")
        .replace('row or {"success": False', 'row or {"entry": None')
        .replace('rows[row["entryId"]] = row', "pass")
    )
    world, server = opened(f"mcp+live:{command(tmp_path, idle)}?only=get_weather,list_entries,delete_entry")
    server.close()
    effects = {tool.name: tool.effect for tool in world.toolset.tools}
    assert (effects["get_weather"], effects["delete_entry"]) == ("read", "write")


def test_tools_that_cannot_be_used_are_left_out_with_their_reasons(
    diary: str, caplog: pytest.LogCaptureFixture
) -> None:
    world, server = opened(diary)
    server.close()
    assert tools_of(world) == {"create_entry", "get_entry", "list_entries", "delete_entry", "clear_all", "get_weather"}
    told = caplog.text
    assert "roll_dice is left out: it answers otherwise " in told
    assert "hang_up is left out: died in hang_up." in told
    assert "\x1b" not in told
    assert "check_flood is left out: no call of it succeeded: Error: the answer of check_flood is longer" in told
    assert "get_broken is left out: no call of it succeeded: name " in told


def test_what_is_named_anew_keeps_its_name_after_going_back(diary: str) -> None:
    _, server = opened(diary)
    home = server.snapshot()
    made = call(server, "create_entry", title="Walk", mood="good").value
    later = server.snapshot()
    server.restore(home)
    call(server, "create_entry", title="Rain", mood="bad")
    server.restore(later)
    assert call(server, "get_entry", entryId=made["entryId"]).value == made
    shown = call(server, "list_entries").value["entries"]
    assert made in shown
    server.restore(home)
    assert call(server, "create_entry", title="Walk", mood="good").value == made
    assert call(server, "get_entry", entryId="none").error == '{"success": false, "error": "no such entry"}'
    server.close()


def test_a_tool_that_brings_the_server_back_saves_fresh_starts(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    spec = f"mcp+live:{command(tmp_path, DIARY.replace('> 2:', '> 2000:'))} {starts}"
    _, server = opened(spec)
    home, before = server.snapshot(), starts.read_text()
    for title in ("Walk", "Rain", "Snow"):
        assert call(server, "create_entry", title=title, mood="good").error is None
        server.restore(home)
    assert len(starts.read_text()) - len(before) <= 1
    server.close()


def test_what_outlasts_the_server_is_told_and_a_folder_of_its_own_brings_it_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = command(tmp_path, DIARY)
    world, server = opened(f"mcp+live:{place} {tmp_path / 'diary.json'}")
    server.close()
    assert "what is written outlasts the server" in caplog.text
    assert tools_of(world) == {"get_entry", "list_entries", "get_weather"}
    for remedy in ("{fresh}/diary.json", f"{tmp_path}/own.json?before_start=rm -f {tmp_path}/own.json"):
        world, server = opened(f"mcp+live:{place} {remedy}")
        server.close()
        assert "create_entry" in tools_of(world), remedy


def test_tools_that_a_later_start_does_not_list_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    world, server = opened(f"mcp+live:{command(tmp_path, DIARY)} {tmp_path / 'starts'}")
    server.close()
    assert "get_weather" not in tools_of(world)
    assert "get_weather is left out" in caplog.text


def test_set_up_calls_are_made_at_each_start_and_their_tools_are_not_offered(diary: str) -> None:
    calls = '[{"tool": "create_entry", "arguments": {"title": "First", "mood": "good"}}]'
    world, server = opened(f"{diary}?first_calls={calls}&set_up=create_entry,clear_all")
    assert tools_of(world) == {"get_entry", "list_entries", "delete_entry", "get_weather"}
    assert [row["title"] for row in server.state()["entry"].values()] == ["First"]
    home = server.snapshot()
    (entry,) = server.state()["entry"]
    assert call(server, "delete_entry", entryId=entry).error is None
    assert server.state().get("entry", {}) == {}
    server.restore(home)
    assert call(server, "get_entry", entryId=entry).value["title"] == "First"
    server.close()


def test_a_server_of_which_no_tool_can_be_used_is_refused_with_the_reasons(diary: str) -> None:
    with pytest.raises(ConfigError, match=r"no tool of mcp:.* can be used: roll_dice is left out"):
        open_world([f"{diary}?only=roll_dice"])


def test_a_command_before_the_start_that_fails_is_told(diary: str) -> None:
    with pytest.raises((ConfigError, EnvironmentFailure, Exception), match="before_start: false ended with 1"):
        open_world([f"{diary}?before_start=false"])


def test_records_of_a_live_server_are_the_same_in_any_process(diary: str) -> None:
    async def made() -> list[str]:
        world, server = opened(diary)
        generator = Generator(RunConfig(toolset=(diary,), seed=3), world, await open_graph(world), "run")
        records = [await generator.make_record(index) for index in range(3)]
        server.close()
        assert any(record.status == "accepted" for record in records)
        return [record.model_dump_json() for record in records]

    assert asyncio.run(made()) == asyncio.run(made())


def test_a_recording_plays_the_same_without_the_server(diary: str, tmp_path: Path) -> None:
    async def made(spec: str) -> list[Any]:
        world = open_world([spec])
        generator = Generator(RunConfig(toolset=(diary,), seed=3), world, await open_graph(world), "run")
        return [
            (record.stage, record.trajectory and record.trajectory.messages)
            for record in [await generator.make_record(index) for index in range(3)]
        ]

    file = tmp_path / "session.jsonl"
    live = asyncio.run(made(f"{diary}?record={file}"))
    assert asyncio.run(made(f"mcp+recorded:{file}")) == live
    (account,) = asyncio.run(explain_tools([f"mcp+recorded:{file}"], run=False))
    (entry,) = [item for item in account.resources if item.name == "entry"]
    assert entry.identity
    assert entry.because[entry.identity]
    assert all(tool.because[pointer] for tool in entry.tools for pointer in tool.references)
    assert asyncio.run(made(f"{diary}?record={file}")) == live


def test_a_tool_that_hangs_costs_what_calls_it(tmp_path: Path) -> None:
    world, server = opened(f"mcp+live:{command(tmp_path, SHELF)}?call_timeout=2&only=add_note,get_note,list_notes")
    server.close()
    assert tools_of(world) == {"add_note", "get_note", "list_notes"}


# How a configuration and a specification say it


def test_settings_of_a_server_are_said_in_the_configuration_and_in_one_line() -> None:
    config = parse_config(
        {
            "toolset": [
                {
                    "source": "mcp+live:DB={fresh}/n.db notes",
                    "before_start": "cp a&b {fresh}/n.db",
                    "first_calls": [{"tool": "load", "arguments": {"name": "100%"}}],
                    "set_up": ["load", "unload"],
                    "call_timeout": 5,
                }
            ]
        },
        "interplay.yaml",
    )
    spec = parse_spec(config.toolset[0])
    assert spec.place == "DB={fresh}/n.db notes"
    assert dict(spec.live) == {
        "before_start": "cp a&b {fresh}/n.db",
        "first_calls": '[{"tool": "load", "arguments": {"name": "100%"}}]',
        "set_up": "load,unload",
        "call_timeout": "5",
    }
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize("entry", [{"source": "domain:clinic"}, {"source": "mcp+live:x", "patience": 3}, {}])
def test_wrong_settings_of_a_server_are_told(entry: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="toolset"):
        parse_config({"toolset": [entry]}, "interplay.yaml")


@pytest.mark.parametrize("option", ["call_timeout=soon", "call_timeout=0", "first_calls=[7]", "first_calls=/none.json"])
def test_values_that_do_not_fit_are_told(diary: str, option: str) -> None:
    with pytest.raises(ConfigError, match=option.partition("=")[0]):
        open_world([f"{diary}?{option}"])
