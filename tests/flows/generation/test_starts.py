"""Dialogues that begin in the middle of a stored one, or after an imported conversation."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic, exported, interplay, quiet
from tests.generators.worlds import SHARED

from interplay.flows.generation.continuation import is_waiting
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.settings.dialogue_settings import StartSettings
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import Change, since
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

TAU = SHARED / "data" / "tau"
real = pytest.mark.skipif(not TAU.exists(), reason="real inputs are not here; set INTERPLAY_SHARED")


def records(folder: Path) -> list[DatasetRecord]:
    return [record for path in Workspace(folder).finished_shards() for record in read_shard(path)]


def patients(record: DatasetRecord) -> set[str]:
    """Return who a task is about."""
    actions = record.blueprint.actions if record.blueprint else ()
    return {action.arguments["patient_id"] for action in actions if "patient_id" in action.arguments}


def run_from(folder: Path, start: StartSettings, **settings: object) -> list[DatasetRecord]:
    config = RunConfig.model_validate({"shard_size": 6, "start": start, **settings})
    asyncio.run(run(Workspace(folder), config, quiet, records=6))
    return records(folder)


def test_dialogues_go_on_from_the_middle_of_stored_ones(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "stored")
    stored = {record.id: record for record in records(tmp_path / "stored")}
    made = run_from(tmp_path / "on", StartSettings(workspace=tmp_path / "stored", turn=2))
    begun = [record for record in made if record.status == "accepted"]
    assert len(begun) >= 6
    for record in begun:
        assert record.blueprint is not None
        assert record.trajectory is not None
        start = record.blueprint.start
        assert start is not None
        whole = stored[start.source].trajectory
        assert whole is not None
        before = record.trajectory.messages[: record.trajectory.kept]
        assert [message.content for message in before] == [m.content for m in whole.messages[: len(before)]]
        spoken = sum(message.role == "user" and message.act != "user_bye" for message in whole.messages)
        assert sum(message.role == "user" for message in before) == min(2, spoken)
        assert not any(message.train for message in before)
        assert all(message.train for message in record.trajectory.messages[record.trajectory.kept :])
        own = stored[start.source].blueprint
        assert own is not None
        assert record.blueprint.scenario.persona == own.scenario.persona
        assert patients(record) <= patients(stored[start.source]) or not patients(stored[start.source])
        first = record.blueprint.scenario.requests[0] if record.blueprint.scenario.requests else ()
        assert not start.unsettled or not {record.blueprint.goals[goal].tool for goal in first} & {*start.left}
    rows = [
        json.loads(line)
        for name, content in exported(tmp_path / "on", tmp_path / "exported").items() if name.endswith(".jsonl")
        for line in content.decode().splitlines()
    ]  # fmt: skip
    weights = [message.get("weight") for row in rows for message in row["messages"] if message["role"] == "assistant"]
    assert 0 in weights
    assert None in weights


def test_a_question_that_is_left_open_is_left_in_words(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "stored")
    made = run_from(tmp_path / "on", StartSettings(workspace=tmp_path / "stored", turn=1))
    starts = [record.blueprint.start for record in made if record.blueprint and record.blueprint.start]
    assert any(start.unsettled for start in starts)


def test_the_same_whatever_the_number_of_workers_and_when_it_goes_on(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "stored")
    start = StartSettings(workspace=tmp_path / "stored", share=0.7)
    changing = RecipeSettings(registry=0.3, tool_changes=0.3)
    config = RunConfig(shard_size=4, start=start, tasks_per_session=2, recipes=changing)
    for name, workers, goals in (("one", 1, (12,)), ("two", 2, (12,)), ("grown", 1, (4, 12))):
        for goal in goals:
            asked = config.model_copy(update={"workers": workers})
            asyncio.run(run(Workspace(tmp_path / name), asked, quiet, records=goal))
    one, two, grown = (exported(tmp_path / name, tmp_path / f"{name}.out") for name in ("one", "two", "grown"))
    assert one == two == grown


@real
def test_goes_on_from_recorded_dialogues_with_the_rows_that_were_seen_in_them(tmp_path: Path) -> None:
    spec = f"json:{TAU / 'airline.json'}?observations={TAU / 'airline_trajectories.json'}"
    made = run_from(tmp_path, StartSettings(conversations=(TAU / "airline_trajectories.json",)), toolset=(spec,))
    assert sum(record.status == "accepted" for record in made) >= 6
    for record in (record for record in made if record.blueprint is not None):
        [about] = [verdict for verdict in record.verdicts if verdict.check == "start"]
        assert all(issue.severity == "warning" for issue in about.issues)
        assert not any("get_user_details" in issue.message for issue in about.issues)
        assert record.blueprint is not None
        start = record.blueprint.start
        assert start is not None
        users = {call.arguments["user_id"] for call, _ in start.calls_with_results() if "user_id" in call.arguments}
        own = [action.arguments.get("user_id") for action in record.blueprint.actions if "user_id" in action.arguments]
        assert not users or set(own) <= users


@real
def test_conversations_about_other_tools_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no conversation makes a call of"):
        run_from(tmp_path, StartSettings(conversations=(TAU / "airline_trajectories.json",)))


def test_records_are_named_by_number_as_well() -> None:
    named = StartSettings.model_validate({"workspace": "made", "records": [3, "5", "0a1b"]})
    assert named.records == ("3", "5", "0a1b")


def test_settings_that_begin_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="name files of conversations"):
        StartSettings()


def test_a_report_of_conversations_tells_what_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    call = {
        "id": "c",
        "function": {"name": "find_patient", "arguments": '{"name": "Nobody", "birth_date": "1990-01-01"}'},
    }
    chat = [
        {"role": "user", "content": "Do you know me? Nobody, 1 January 1990."},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": '{"patient_id": "P-0001"}'},
        {"role": "assistant", "content": "Yes."},
    ]
    (tmp_path / "chats.json").write_text(json.dumps(chat))
    answer = interplay(
        monkeypatch,
        capsys,
        "import",
        "--toolset",
        "domain:clinic",
        "--conversations",
        tmp_path / "chats.json",
        "--json",
    )
    assert answer.code == 0, answer.err
    [told] = json.loads(answer.out)["conversations"]
    assert (told["name"], told["messages"], told["calls"]) == ("chats.json#0", 4, 1)
    assert "find_patient" in told["differs"][0]


def test_what_differs_since_a_state() -> None:
    base = (Change(path="/a/1/x", before=1, after=2), Change(path="/a/2", before="<missing>", after={"row": {"y": 1}}))
    now = (Change(path="/a/1/x", before=1, after=3), Change(path="/a/3/z", before=0, after=1))
    assert since((), now) == now
    assert since(base, base) == ()
    assert since(base, now) == (
        Change(path="/a/1/x", before=2, after=3),
        Change(path="/a/2", before={"row": {"y": 1}}, after="<missing>"),
        Change(path="/a/3/z", before=0, after=1),
    )


@pytest.mark.parametrize("setting", [{"tasks_per_session": 2}, {"branches": {"count": 2}}])
def test_what_runs_calls_again_needs_tools_that_can(tmp_path: Path, setting: dict[str, object]) -> None:
    told = {"models": {"m": {"model": "a", "base_url": "http://localhost:1/v1"}}, "roles": {"tool": "m"}, **setting}
    with pytest.raises(ConfigError, match=f"{next(iter(setting))}: a model plays the tools"):
        asyncio.run(run(Workspace(tmp_path), parse_config(told, "test"), quiet, records=1))


@real
def test_a_session_goes_on_after_a_recorded_conversation(tmp_path: Path) -> None:
    spec = f"json:{TAU / 'airline.json'}?observations={TAU / 'airline_trajectories.json'}"
    start = StartSettings(conversations=(TAU / "airline_trajectories.json",))
    made = run_from(tmp_path, start, toolset=(spec,), tasks_per_session=3)
    last = [record for record in made if record.index % 6 % 3 == 2 and record.status == "accepted"]
    assert last
    for record in last:
        assert record.blueprint is not None
        assert record.blueprint.start is not None
        assert record.blueprint.start.origin == "session"
        assert 0 < record.blueprint.start.imported < len(record.blueprint.start.messages)
        learnt = [message.train for message in record.blueprint.start.messages]
        assert learnt == [False] * record.blueprint.start.imported + [True] * (
            len(learnt) - record.blueprint.start.imported
        )


def test_a_workspace_that_began_elsewhere_is_refused(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "stored")
    run_from(tmp_path / "on", StartSettings(workspace=tmp_path / "stored", turn=2))
    with pytest.raises(ConfigError, match="start/turn: 2 -> 1"):
        run_from(tmp_path / "on", StartSettings(workspace=tmp_path / "stored", turn=1))


@pytest.mark.parametrize(
    ("words", "waits"),
    [
        ("Which date would you like?", True),
        ("That's done. Is there more I can do?", False),
        ("Welches Datum hätten Sie gern?", True),
        ("Das ist erledigt. Kann ich sonst noch helfen?", False),
    ],
)
def test_what_else_is_no_question_that_is_left_open(words: str, waits: bool) -> None:
    assert is_waiting([Message(role="assistant", content=words)]) is waits
