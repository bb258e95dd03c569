"""What is told of tools whose answers nothing backs."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.flows.command_line import interplay
from tests.flows.generation.test_plain_answers import TOOLS, definition

from interplay.flows.generation.generator import Generator
from interplay.flows.roles.system_prompt import system_prompt
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.flows.worlds.fitness_warnings import fitness_of, warnings_of
from interplay.flows.worlds.tool_sources import import_source

ROW = {"type": "object", "properties": {"id": {"type": "string"}, "title": {"type": "string"}}, "required": ["id"]}
SHOP = (
    *TOOLS,
    definition("get_book", "Get a book.", "book_id", result=ROW),
    definition("get_weather", "Get the weather.", "city"),
    definition(
        "judge_style", "Judge a style.", "text", result={"type": "object", "properties": {"score": {"type": "number"}}}
    ),
    definition("get_shelf", "Get a shelf.", "shelf_id"),
)


GRAVE = definition("delete_book", "Delete a book.", "book_id")


@pytest.fixture
def source(tmp_path: Path) -> str:
    """Return the specification of tools of all kinds."""
    (tmp_path / "shop.json").write_text(json.dumps({"tools": SHOP}))
    return f"json:{tmp_path / 'shop.json'}"


def test_tells_what_answers_rest_on(source: str) -> None:
    found = fitness_of(import_source(source))
    assert (found.answers, found.tools, found.stateful) == ("sandbox", 8, 3)
    assert found.unbacked == ("get_weather", "judge_style")
    assert (found.plain, found.silent, found.undescribed) == (3, 1, ("get_shelf",))
    first, remedy, last = warnings_of([found])
    assert "2 answer with values that nothing backs: get_weather, judge_style." in first
    assert "outputSchema" in remedy
    assert "get_shelf shows rows of which no schema says what they hold" in last


def test_a_list_of_objects_of_which_nothing_is_said_says_nothing(tmp_path: Path) -> None:
    anything = {"type": "array", "items": {"type": "object"}}
    tools = [definition("forecast", "Forecast the weather.", "city", result=anything)]
    (tmp_path / "sky.json").write_text(json.dumps({"tools": tools}))
    found = fitness_of(import_source(f"json:{tmp_path / 'sky.json'}"))
    assert (found.unbacked, found.silent) == (("forecast",), 1)


def test_says_nothing_where_code_answers() -> None:
    found = fitness_of(import_source("domain:clinic"))
    assert (found.answers, found.unbacked) == ("code", ())
    assert warnings_of([found]) == []


@pytest.mark.parametrize("command", ["import", "explain", "init", "run"])
def test_each_command_that_takes_tools_tells_it(
    command: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.yaml").write_text("shard_size: 4\n")
    arguments = {
        "import": ["import", "--toolset", source],
        "explain": ["import", "--toolset", source, "--explain", "--no-run"],
        "init": ["init", str(tmp_path / "mine"), "--toolset", source],
        "run": [
            "run",
            str(tmp_path / "small.yaml"),
            "--toolset",
            source,
            "--records",
            "2",
            "--workspace",
            str(tmp_path / "w"),
        ],
    }[command]
    said = " ".join(interplay(monkeypatch, capsys, *arguments).out.split())
    assert "2 answer with values that nothing backs: get_weather, judge_style." in said


def test_machines_read_it_too(source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(interplay(monkeypatch, capsys, "import", "--toolset", source, "--json").out)
    assert [item["unbacked"] for item in listed["fitness"]] == [["get_weather", "judge_style"]]


POLICY = "Never refund a booking that is older than a day. " * 20


def with_policy(tmp_path: Path, overrides: str = "") -> str:
    """Return the specification of tools that come with a long policy in prose."""
    (tmp_path / "agency.json").write_text(json.dumps({"policy": POLICY, "tools": (*SHOP, GRAVE)}))
    if overrides:
        (tmp_path / "agency.interplay.yaml").write_text(overrides)
    return f"json:{tmp_path / 'agency.json'}"


def test_policy_of_which_no_rule_was_made_is_told_to_models_alone(tmp_path: Path) -> None:
    spec = with_policy(tmp_path)
    world = open_world([spec])
    assert "Never refund" in system_prompt(world.toolset)
    assert "Never refund" not in system_prompt(world.toolset, prose=False)
    assert world.toolset.rules[0].text in system_prompt(world.toolset, prose=False)
    said = warnings_of([fitness_of(import_source(spec))])
    assert f"json:agency.json: policy of {len(POLICY):,} characters, 1 rule enforced: see interplay policy." in said


@pytest.mark.parametrize("prose", [False, True])
def test_rules_that_play_the_assistant_are_not_told_what_they_do_not_keep(tmp_path: Path, prose: bool) -> None:
    world = open_world([with_policy(tmp_path)])
    made = Generator(RunConfig(prose=prose), world, asyncio.run(open_graph(world)), "run")
    trajectory = asyncio.run(made.make_record(1)).trajectory
    assert trajectory is not None
    assert ("Never refund" in trajectory.system_prompt) is prose
    assert (RunConfig(prose=prose).identity().get("prose", False)) is prose


def test_policy_that_rules_were_made_of_stays(tmp_path: Path) -> None:
    rule = "rules:\n  - {id: one_book, kind: limit, text: One book a day., tools: [get_book], at_most: 1}\n"
    world = open_world([with_policy(tmp_path, rule)])
    assert "Never refund" in system_prompt(world.toolset, prose=False)
    clinic = open_world(["domain:clinic"])
    assert system_prompt(clinic.toolset, prose=False) == system_prompt(clinic.toolset)
