"""Dialogues in which the user makes steps on its own device, while the assistant guides it."""

import asyncio
import itertools
import json
from pathlib import Path

import pytest
from tests.generators.environments import telecom
from tests.generators.worlds import SHARED
from tests.generators.worlds import generator as first_generator
from tests.generators.worlds import records as first_records

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.exporters.formats.openai import to_openai
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

GUIDED = RecipeSettings(patterns={"guided": 1.0}, faults=0.0)
COUNT = 40
WORKSPACE = "domain:workspace"
TELECOM = f"python:{telecom.__name__}"


def generator(spec: str) -> Generator:
    return first_generator(spec, recipes=GUIDED)


def records(spec: str, count: int = COUNT) -> tuple[DatasetRecord, ...]:
    return first_records(spec, count, recipes=GUIDED)


def messages(record: DatasetRecord) -> tuple[Message, ...]:
    assert record.trajectory is not None
    return record.trajectory.messages


def mock() -> str:
    path = SHARED / "data" / "tau" / "mock.json"
    if not path.exists():
        pytest.skip(f"{path} is not there; set INTERPLAY_SHARED")
    return f"json:{path}"


@pytest.mark.parametrize("spec", [WORKSPACE, TELECOM, "mock"])
def test_users_of_two_sided_environments_make_steps_under_guidance(spec: str) -> None:
    made = records(mock() if spec == "mock" else spec)
    assert sum(record.status == "accepted" for record in made) >= 0.95 * COUNT
    guided = [record for record in made if record.blueprint is not None and record.blueprint.pattern == "guided"]
    assert len(guided) >= 0.8 * COUNT
    for record in guided:
        calls = [call for message in messages(record) if message.role == "user" for call in message.tool_calls]
        assert calls
        assert {call.requestor for call in calls} == {"user"}


def test_the_user_calls_after_it_is_asked_and_tells_right_after_it_has_called() -> None:
    for record in records(WORKSPACE):
        said = messages(record)
        for place, message in enumerate(said):
            if message.act == "perform":
                answers = said[place + 1 : place + 1 + len(message.tool_calls)]
                assert said[place - 1].act == "guide"
                assert not message.content
                assert {answer.role for answer in answers} == {"tool"}
                assert said[place + 1 + len(answers)].act == "report"


def test_the_user_reads_out_what_it_sees_and_the_assistant_says_why_it_asks() -> None:
    for record in records(WORKSPACE):
        said = messages(record)
        looked = [place for place, m in enumerate(said) if [c.name for c in m.tool_calls] == ["check_sync_status"]]
        if looked:
            assert "mail client is not responding" in said[looked[0] + 2].content
            asked = said[looked[0] + 3].content
            assert any(word in asked for word in ("airplane mode is on", "not responding", "asked for", "0.60"))


def test_a_problem_is_seen_looked_into_put_right_and_seen_to_be_right() -> None:
    tools = {
        tuple(action.tool for action in record.blueprint.calls)
        for record in records(WORKSPACE)
        if record.blueprint is not None
    }
    look, toggle, restart = "check_sync_status", "toggle_airplane_mode", "restart_mail_client"
    assert any(calls[:5] == ("get_device_status", look, toggle, restart, "get_device_status") for calls in tools)
    repaired = [record for record in records(WORKSPACE) if record.blueprint and record.blueprint.goals[0].amiss]
    assert all(record.blueprint and record.blueprint.expected.outputs for record in repaired)


def test_the_user_looks_whether_what_the_assistant_did_has_come_through() -> None:
    calls = [
        [action.tool for action in record.blueprint.calls]
        for record in records(TELECOM)
        if record.blueprint is not None
    ]
    assert ["enable_roaming", "check_status_user"] in calls


def test_what_the_assistant_learns_from_is_what_it_hears() -> None:
    record = next(record for record in records(WORKSPACE) if record.status == "accepted")
    toolset = generator(WORKSPACE).world.toolset
    row = to_openai(record, tuple(tool for tool in toolset.tools if tool.name in record.trajectory.all_tools()))  # type: ignore[union-attr]
    own = {tool.name for tool in toolset.tools if tool.requestor == "user"}
    roles = [message["role"] for message in row["messages"]]
    assert not own & {tool["function"]["name"] for tool in json.loads(row["tools"])}
    assert all("tool_calls" not in message for message in row["messages"] if message["role"] == "user")
    assert all(a != b or a == "tool" for a, b in itertools.pairwise(roles))
    assert "Look at what may keep the laptop from being in sync." in row["messages"][0]["content"]
    assert "Empty the bin" in row["messages"][0]["content"]


def test_recipes_ask_for_guidance_only_where_users_have_tools() -> None:
    assert make_recipe(["a"], GUIDED, 0, 0, two_sided=True).pattern == "guided"
    assert make_recipe(["a"], GUIDED, 0, 0).pattern != "guided"
    default = RecipeSettings()
    patterns = [make_recipe(["a"], default, 0, index).pattern for index in range(300)]
    assert "guided" not in patterns


SMALL = """
from interplay.generators.importers.python.importer import tool

class Lines:
    def __init__(self):
        self.lines = {"L1": {"line_id": "L1", "roaming": False}}
        self.phone = {"signal": False}

    @tool(effect="write")
    def enable_roaming(self, line_id: str) -> str:
        "Enable roaming for a line."
        self.lines[line_id]["roaming"] = True
        return "Roaming is enabled."

    @tool(effect="read", requestor="user")
    def check_signal(self) -> bool:
        "Check the signal of the phone."
        return self.phone["signal"]

    def sync_tools(self):
        self.phone["signal"] = self.lines["L1"]["roaming"]
"""


def test_a_small_module_with_a_tool_of_the_user_has_dialogues_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small_lines.py").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    world = open_world(["python:small_lines"])
    maker = Generator(
        RunConfig(toolset=("python:small_lines",), recipes=RecipeSettings(faults=0)),
        world,
        asyncio.run(open_graph(world)),
        "run",
    )

    async def made() -> list[DatasetRecord]:
        return [await maker.make_record(index) for index in range(24)]

    looked = [
        record
        for record in asyncio.run(made())
        if record.status == "accepted" and record.blueprint and record.blueprint.pattern == "guided"
    ]
    assert looked
    for record in looked:
        told = [message.content for message in messages(record) if message.act == "report"]
        assert any("yes" in text for text in told), told
