"""Several tasks one after the other: the state is kept, each is verified in the state that the one before left."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.flows.brains import ReplayingBrain
from tests.flows.command_line import exported, quiet, run_clinic
from tests.generators.worlds import SHARED, generator
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.generation.continuation import rebuild
from interplay.flows.generation.generator import Generator
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.generators.values.world_seed import WorldSeed
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.records.verdict import DatasetRecord

AIRLINE = SHARED / "data" / "tau" / "airline.json"


async def sessions_of(world: OpenedWorld, spec: str, count: int, tasks: int) -> list[list[DatasetRecord]]:
    config = RunConfig(toolset=(spec,), tasks_per_session=tasks, shard_size=count * tasks)
    generator = Generator(config, world, await open_graph(world, 0), "test")
    made = [await generator.make_record(index) for index in range(count * tasks)]
    return [made[number : number + tasks] for number in range(0, len(made), tasks)]


def known_by(record: DatasetRecord) -> bool:
    """Tell whether it came out before the task of a record who the user is."""
    start = record.blueprint.start if record.blueprint else None
    return start is not None and any("patient_id" in call.arguments for call, _ in start.calls_with_results())


@pytest.fixture(scope="module")
def clinic() -> OpenedWorld:
    return open_world(["domain:clinic"])


@pytest.fixture(scope="module")
def sessions(clinic: OpenedWorld) -> list[list[DatasetRecord]]:
    return asyncio.run(sessions_of(clinic, "domain:clinic", 8, 3))


def test_each_task_goes_on_from_the_words_and_the_state_of_the_one_before(
    clinic: OpenedWorld, sessions: list[list[DatasetRecord]]
) -> None:
    for session in sessions:
        last = None
        for record in (record for record in session if record.status == "accepted"):
            assert record.trajectory is not None
            assert record.blueprint is not None
            start = record.blueprint.start
            if last is None:
                assert start is None
                assert record.trajectory.kept == 0
            else:
                assert start is not None
                assert start.source == last.id
                assert record.trajectory.messages[: record.trajectory.kept] == start.messages
                spoken = [message.content for message in start.messages]
                assert last.trajectory is not None
                assert spoken == [message.content for message in last.trajectory.messages[: len(spoken)]]
                assert start.world is not None
                there = clinic.renewed(WorldSeed.of(start.world, {}))
                assert asyncio.run(rebuild(there.environment, start)) == []
            last = record
    assert sum(record.status == "accepted" for session in sessions for record in session[1:]) >= 12


def test_one_user_speaks_in_a_session(sessions: list[list[DatasetRecord]]) -> None:
    for session in sessions:
        played = [record.trajectory for record in session if record.status == "accepted" and record.trajectory]
        patients = {
            call.arguments["patient_id"]
            for trajectory in played
            for call in trajectory.calls()
            if "patient_id" in call.arguments
        }
        assert len(patients) <= 1
        assert len({record.blueprint.scenario.persona for record in session if record.blueprint}) == 1


def test_nobody_is_asked_again_who_it_is(sessions: list[list[DatasetRecord]]) -> None:
    for session in sessions:
        for record in session[1:]:
            assert record.blueprint is not None
            wanted = {goal.tool for goal in record.blueprint.goals}
            looks_up = any(action.tool == "find_patient" for action in record.blueprint.actions)
            assert not looks_up or "find_patient" in wanted or not known_by(record)


def test_a_task_is_the_same_whether_those_before_it_were_made_or_not(
    clinic: OpenedWorld, sessions: list[list[DatasetRecord]]
) -> None:
    config = RunConfig(toolset=("domain:clinic",), tasks_per_session=3, shard_size=24)
    generator = Generator(config, clinic, asyncio.run(open_graph(clinic, 0)), "test")
    assert asyncio.run(generator.make_record(5)) == sessions[1][2]


@pytest.mark.skipif(not AIRLINE.exists(), reason="real inputs are not here; set INTERPLAY_SHARED")
def test_goes_on_in_a_sandbox_that_is_made_from_tool_definitions() -> None:
    spec = f"json:{AIRLINE}"
    made = asyncio.run(sessions_of(open_world([spec]), spec, 4, 3))
    records = [record for session in made for record in session]
    assert sum(record.status == "accepted" for record in records) >= 10, [record.stage for record in records]
    begun = [session[2].blueprint for session in made if session[2].blueprint is not None]
    assert len(begun) >= 3
    assert all(blueprint.start for blueprint in begun)


def test_sessions_are_exported_whole(tmp_path: Path) -> None:
    run_clinic(tmp_path / "one", records=12, tasks_per_session=3)
    one = exported(tmp_path / "one", tmp_path / "a")
    with loaded_store(Workspace(tmp_path / "one")) as store:
        run = Workspace(tmp_path / "one").existing_run().run
        accepted, continued = list(store.accepted(run)), store.continued(run)
    rows = [
        json.loads(line) for text in one.values() for line in text.decode().splitlines() if line.startswith('{"id"')
    ]
    assert {row["id"] for row in rows} == {record.id for record in accepted} - continued
    assert len(rows) < len(accepted)
    assert all("weight" not in message for row in rows for message in row["messages"])


def test_models_play_sessions_as_rules_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", "sk-planted")
    told = {"shard_size": 6, "tasks_per_session": 2}
    made = generator("domain:clinic", seed=0)
    rules = Generator(RunConfig.model_validate(told), made.world, made.graph, "test")
    played = [asyncio.run(rules.make_record(index)) for index in range(6)]

    async def main() -> None:
        async with ModelServer(Settings(), ReplayingBrain(played)) as server:
            model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY"}
            settings = {**told, "models": {"m": model}, "roles": {"user": "m", "assistant": "m"}}
            await run(Workspace(tmp_path), parse_config(settings, "test"), quiet, records=4)

    asyncio.run(main())
    records = [record for path in Workspace(tmp_path).finished_shards() for record in read_shard(path)][:6]
    later = [record for record in records if record.blueprint and record.blueprint.start]
    assert len(later) >= 2
    for record in later:
        assert record.trajectory is not None
        own = record.trajectory.messages[record.trajectory.kept :]
        assert all(message.model == "tiny" and message.state for message in own if message.role != "tool")
        assert record.status == "accepted"


def test_tasks_of_a_session_aim_at_holes_as_others_do(clinic: OpenedWorld) -> None:
    settings = {"tasks_per_session": 2, "shard_size": 8, "recipes": {"top_up": 1.0, "evolved": 0.0, "retold": 0.0}}
    config, graph = RunConfig.model_validate(settings), asyncio.run(open_graph(clinic, 0))
    aims = [Aim(kind="tool", name="get_clinic_hours")]

    async def targets(aims: Sequence[Aim]) -> list[str]:
        generator = Generator(config, clinic, graph, "test")
        made = [(await generator.make_records(index, None, aims))[0] for index in range(8)]
        return [record.blueprint.recipe.target for record in made if record.blueprint and record.blueprint.start]

    assert set(asyncio.run(targets(aims))) == {"get_clinic_hours"}
    assert set(asyncio.run(targets(()))) != {"get_clinic_hours"}
