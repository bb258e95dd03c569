"""What users give that nobody hoped for: modules that misbehave, odd places, settings out of bounds."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.generators.worlds import records, shared_spec

from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_world
from interplay.flows.worlds.fitness_warnings import fitness_of_part, warnings_of
from interplay.flows.worlds.tool_sources import import_spec
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import ConfigError, ImportFailure
from interplay.schemas.records.dialogue import ToolCall


@pytest.mark.parametrize("source", ["def broken(:", "raise RuntimeError('no')", "import sys; sys.exit(3)"])
def test_says_in_one_line_why_a_module_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    name = f"misbehaving_{abs(hash(source))}"
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="cannot be imported"):
        import_spec(f"python:{name}")


LOUD = '''
print("hello from the module")

class Loud:
    def __init__(self):
        self.notes = {}

    def get_note(self, key: str) -> str:
        """Get a note."""
        print("hello from a tool")
        return key

    def leave(self) -> str:
        """Leave."""
        raise SystemExit(3)
'''


def test_keeps_standard_output_for_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loud_module.py").write_text(LOUD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    world = open_world(["python:loud_module:Loud"])
    asyncio.run(world.environment.call(ToolCall(id="abcdefghi", name="get_note", arguments={"key": "a"})))
    assert "hello" not in capsys.readouterr().out
    assert "leave" not in {tool.name for tool in world.toolset.tools}
    assert any("leave broke: SystemExit: 3" in line for line in warnings_of([fitness_of_part(world.parts[0])]))


def test_a_source_without_a_tool_that_works_says_what_broke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless_module.py").write_text('def get_a(x: int) -> dict:\n    """Get a."""\n    return get_a(x)\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match="no tool can be used: get_a broke: RecursionError"):
        open_world(["python:endless_module"])


def test_reads_a_shard_below_a_folder_with_a_colon(tmp_path: Path) -> None:
    path = tmp_path / "w-python:module" / "shard-000000.parquet"
    path.parent.mkdir()
    made = records("domain:clinic", 3)
    write_shard(path, made)
    assert tuple(read_shard(path)) == made


@pytest.mark.parametrize(
    "recipes",
    [
        {"max_goals": 100_000},
        {"max_goals": -5},
        {"vague": 7},
        {"patterns": {"single": -1}},
        {"patterns": {"single": 0}},
    ],
)
def test_refuses_settings_out_of_bounds(recipes: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="/recipes"):
        parse_config({"recipes": recipes}, "interplay.yaml")


def test_takes_no_seed_that_the_store_cannot_hold() -> None:
    with pytest.raises(ConfigError, match="/seed"):
        parse_config({"seed": 2**64}, "interplay.yaml")


def test_refuses_a_description_with_empty_paths(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"openapi": "3.0.0", "info": {}, "paths": {}}))
    with pytest.raises(ImportFailure, match="/paths is empty"):
        import_spec(f"openapi:{tmp_path / 'a.json'}")


def test_gives_way_to_the_built_in_tool(tmp_path: Path) -> None:
    tools = [{"name": "search_tools", "parameters": {"type": "object", "properties": {}}}]
    (tmp_path / "a.json").write_text(json.dumps(tools))
    (tool,) = import_spec(f"json:{tmp_path / 'a.json'}").toolset.tools
    assert tool.name != "search_tools"
    assert tool.original_name == "search_tools"


def test_buys_nothing_that_the_user_did_not_ask_for() -> None:
    bought = 0
    for record in records(shared_spec("museum.yaml"), 80):
        if record.blueprint is None or record.trajectory is None:
            continue
        calls = [call.name for call in record.trajectory.calls()]
        if "buyMuseumTickets" in calls:
            bought += 1
            assert "buyMuseumTickets" in [goal.tool for goal in record.blueprint.goals]
            assert "confirm_request" in [message.act for message in record.trajectory.messages]
    assert bought
