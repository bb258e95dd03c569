"""Branches of one dialogue: the same beginning, other words or a mistake, labelled, exported as pairs."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.flows.brains import ReplayingBrain
from tests.flows.command_line import copy_clinic, interplay, quiet
from tests.generators.worlds import SHARED, generator
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.branches.branch_point import branches_at
from interplay.flows.generation.generator import Generator
from interplay.flows.runs.derived_run import begin_branches
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.formats.preference import to_preference
from interplay.outputs.exporters.pairs import pairs_of
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.records.verdict import DatasetRecord

TRAVEL = SHARED / "data" / "openapi" / "train_travel.yaml"


def branching(spec: str, count: int, **settings: object) -> Generator:
    made = generator(spec, seed=0)
    config = RunConfig.model_validate({"toolset": (spec,), "branches": {"count": count, **settings}})
    return Generator(config, made.world, made.graph, "test")


async def attempts(made: Generator, indices: range) -> list[tuple[DatasetRecord, ...]]:
    return [await made.make_records(index) for index in indices]


@pytest.fixture(scope="module")
def clinic() -> list[tuple[DatasetRecord, ...]]:
    return asyncio.run(attempts(branching("domain:clinic", 4, mistakes=2), range(10)))


def check_branches(made: list[tuple[DatasetRecord, ...]]) -> None:
    for whole, *branches in (records for records in made if len(records) > 1):
        assert whole.trajectory is not None
        for branch in branches:
            assert branch.blueprint == whole.blueprint
            assert branch.trajectory is not None
            kept = branch.trajectory.kept
            assert 0 < kept < len(branch.trajectory.messages)
            assert branch.trajectory.messages[kept].role == "assistant"
            assert not any(message.train for message in branch.trajectory.messages[:kept])
            beginning = [(message.content, message.tool_calls) for message in branch.trajectory.messages[:kept]]
            assert beginning == [(message.content, message.tool_calls) for message in whole.trajectory.messages[:kept]]
            if branch.status == "rejected" and branch.stage != "attempts":
                assert branch.failure is not None
                assert branch.failure.message is not None
                assert branch.failure.message >= kept


def test_all_branches_have_their_beginning_in_common_and_fail_after_it(clinic: list[tuple[DatasetRecord, ...]]) -> None:
    check_branches(clinic)
    assert sum(len(records) == 5 for records in clinic) >= 8
    accepted = [record for records in clinic for record in records[1:] if record.status == "accepted"]
    assert len(accepted) >= 12


def test_faults_are_of_several_kinds_and_each_gives_a_pair(clinic: list[tuple[DatasetRecord, ...]]) -> None:
    failed = [record.failure for records in clinic for record in records if record.failure]
    assert len({failure.fault for failure in failed}) >= 4
    pairs = [pair for records in clinic for pair in pairs_of(records)]
    assert len(pairs) >= 0.9 * len(failed)
    assert sum(pair.scope == "turn" for pair in pairs) >= 0.7 * len(pairs)


def test_branches_of_a_sandbox_as_well() -> None:
    if not TRAVEL.exists():
        pytest.skip("real inputs are not here; set INTERPLAY_SHARED")
    made = asyncio.run(attempts(branching(f"openapi:{TRAVEL}", 3), range(6)))
    check_branches(made)
    assert sum(1 for records in made for _ in pairs_of(records)) >= 6


def test_a_turn_that_is_not_there_branches_nothing(clinic: list[tuple[DatasetRecord, ...]]) -> None:
    assert branches_at(clinic[0][0], BranchSettings(turn=60)) is None
    assert branches_at(clinic[0][0], BranchSettings(turn=1)) == 1


def test_how_hard_a_task_is_does_not_follow_from_its_branches(clinic: list[tuple[DatasetRecord, ...]]) -> None:
    assert not any(verdict.check == "solver" for records in clinic for r in records for verdict in r.verdicts)


def test_the_command_branches_what_is_named_and_its_pairs_load_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    copy_clinic(tmp_path / "run")
    where = ("--workspace", tmp_path / "run", "--record", 3, "--record", 5)
    for name, workers in (("one", 1), ("two", 2)):
        answer = interplay(
            monkeypatch, capsys, "branch", *where, "--to", tmp_path / name, "--turn", 2, "-k", 3, "--workers", workers
        )
        assert answer.code == 0, answer.err
    for format in ("openai", "preference"):
        reports = [export_run(Workspace(tmp_path / name), format, tmp_path / name / format) for name in ("one", "two")]
        assert all(report.identical == report.rows > 0 for report in reports)
        for path in (tmp_path / "one" / format).glob("*.jsonl"):
            assert path.read_bytes() == (tmp_path / "two" / format / path.name).read_bytes()
    rows = [
        json.loads(line)
        for path in (tmp_path / "one" / "preference").glob("*.jsonl")
        for line in path.read_text().splitlines()
    ]
    for row in rows:
        assert row["prompt"][-1]["role"] == "user"
        assert row["chosen"][0]["role"] == row["rejected"][0]["role"] == "assistant"
        assert row["chosen"] != row["rejected"]
    answer = interplay(monkeypatch, capsys, "branch", *where, "--to", tmp_path / "none", "--turn", 60)
    assert (answer.code, "turn 60" in answer.err) == (1, True)


def test_a_dialogue_that_failed_branches_right_before_its_fault() -> None:
    made = branching("domain:clinic", 2)
    branches = [record for index in range(8) for record in asyncio.run(made.make_records(index))[1:]]
    failed = next(record for record in branches if record.failure is not None)
    assert failed.trajectory is not None
    assert failed.failure is not None
    parent = failed.model_copy(update={"trajectory": failed.trajectory.model_copy(update={"kept": 0}), "attempt": 0})
    again = Generator(made.config, made.world, made.graph, "test", branched=(parent,))
    first, *others = asyncio.run(again.make_records(0))
    assert (first.status, first.failure) == ("rejected", failed.failure)
    assert [record.status for record in others] == ["accepted", "accepted"]
    assert {record.trajectory.kept for record in others if record.trajectory} == {failed.failure.message}
    [pair] = pairs_of([first, *others])
    assert (pair.scope, pair.fault) == ("turn", failed.failure.message)


def test_a_model_goes_on_from_where_a_dialogue_branches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")
    made = generator("domain:clinic", seed=0)
    rules = [records[0] for records in asyncio.run(attempts(made, range(6)))]

    async def main() -> None:
        async with ModelServer(Settings(), ReplayingBrain(rules)) as server:
            model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY"}
            settings = {"models": {"m": model}, "roles": {"assistant": "m"}, "shard_size": 6}
            told = {**settings, "branches": {"count": 1, "turn": 2}}
            await run(Workspace(tmp_path), parse_config(told, "test"), quiet, records=3)

    asyncio.run(main())
    records = [record for path in Workspace(tmp_path).finished_shards() for record in read_shard(path)]
    branches = [record for record in records if record.attempt]
    assert len(branches) >= 3
    for branch in branches:
        whole = next(record for record in records if (record.index, record.attempt) == (branch.index, 0))
        assert whole.trajectory is not None
        assert branch.trajectory is not None
        kept = branch.trajectory.kept
        assert branch.trajectory.messages[:kept][-1].content == whole.trajectory.messages[:kept][-1].content
        assert branch.trajectory.messages[kept].model == "tiny"


def test_steps_of_the_user_on_its_own_device_are_seen_on_neither_side() -> None:
    made = branching("domain:workspace", 3, mistakes=3)
    found = asyncio.run(attempts(made, range(8)))
    tools = made.world.toolset.tools
    rows = [to_preference(pair, tools) for records in found for pair in pairs_of(records)]
    assert rows
    for row in rows:
        assert row["prompt"][-1]["role"] == "user"
        for side in ("chosen", "rejected"):
            calls = {call["id"] for message in row[side] for call in message.get("tool_calls", [])}
            assert all(message["tool_call_id"] in calls for message in row[side] if message["role"] == "tool")


def test_other_models_go_on_from_stored_dialogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")
    copy_clinic(tmp_path / "stored", records=4)
    stored = [record for path in Workspace(tmp_path / "stored").finished_shards() for record in read_shard(path)]

    async def main() -> None:
        async with ModelServer(Settings(), ReplayingBrain(stored)) as server:
            models = f"{{m: {{model: tiny, base_url: '{server.openai_url}', api_key_env: PLANTED_KEY}}}}"
            (tmp_path / "players.yaml").write_text(f"models: {models}\nroles: {{assistant: m}}\n")
            source, target = Workspace(tmp_path / "stored"), Workspace(tmp_path / "on")
            settings = BranchSettings(count=2, turn=1)
            told = begin_branches(source, target, settings, failed=True, players=tmp_path / "players.yaml")
            await run(target, told, quiet)

    asyncio.run(main())
    made = [record for path in Workspace(tmp_path / "on").finished_shards() for record in read_shard(path)]
    assert [record.index for record in made if record.attempt == 0] == list(range(4))
    branches = [record for record in made if record.attempt and record.trajectory]
    assert len(branches) >= 6
    for branch in branches:
        assert branch.trajectory is not None
        own = branch.trajectory.messages[branch.trajectory.kept :]
        assert all(message.model == "tiny" for message in own if message.role == "assistant")
        assert branch.status == "accepted" or branch.stage == "attempts" or branch.failure is not None
