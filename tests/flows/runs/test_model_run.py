"""Whole runs in which models play, over a real SDK, against a server on this machine."""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import GOODBYE, ReplayingBrain
from tests.flows.command_line import exported, quiet
from tests.generators import worlds
from tests.model_server.misbehaviour import Settings, read_fault
from tests.model_server.server import ModelServer
from tests.model_server.wire import Connection, HttpRequest

from interplay.flows.roles import cast
from interplay.flows.runs.committer import Committer, RunProgress, RunSummary
from interplay.flows.runs.model_state import model_state
from interplay.flows.runs.record_removal import remove
from interplay.flows.runs.run import run
from interplay.flows.settings import model_settings
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.cost_course import cost_course
from interplay.flows.workspaces.role_costs import by_role, priced_counts
from interplay.flows.workspaces.run_report import write_report
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.batches.batch_settings import BatchSettings, WaveSettings
from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.outputs.report.pictures import Distributions, distributions, pictures
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import BudgetExceeded, ConfigError
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.blueprints.duplicates import Duplicates

KEY = "sk-planted-0123456789abcdef"
RECORDS = 12


def by_rules() -> tuple[DatasetRecord, ...]:
    """Return the same blueprints, played by rules."""
    return worlds.records("domain:clinic", 40, seed=0)


def config(server: ModelServer, **settings: Any) -> RunConfig:
    """Return a configuration in which one model plays both sides."""
    model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "PLANTED_KEY", "concurrency": 8}
    roles = {"user": "m", "assistant": "m"}
    return parse_config({"models": {"m": model}, "roles": roles, "shard_size": 4, **settings}, "test")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)


def served(play: Callable[[ModelServer], Any], settings: Settings | None = None) -> Any:
    """Run something beside a server that plays well."""

    brain = ReplayingBrain(by_rules())

    async def main() -> Any:
        async with ModelServer(settings or Settings(), brain) as server:
            return await play(server)

    return asyncio.run(main())


def records(folder: Path) -> list[DatasetRecord]:
    """Return all records of a workspace."""
    return [record for path in Workspace(folder).finished_shards() for record in read_shard(path)]


async def make(server: ModelServer, folder: Path, **settings: Any) -> RunSummary:
    """Make records."""
    return await run(Workspace(folder), config(server, **settings), quiet, records=RECORDS)


def test_how_things_stand_with_models_is_told_to_others_while_the_run_goes_on(tmp_path: Path) -> None:
    workspace, seen = Workspace(tmp_path), []

    async def play(server: ModelServer) -> RunSummary:
        return await run(workspace, config(server), lambda _: seen.append(model_state(workspace)), records=RECORDS)

    assert served(play).accepted == RECORDS
    told = [state for state in seen if state is not None]
    assert [limit.name for limit in told[-1].limits] == ["m"]
    assert told[-1].limits[0].answers > 0
    assert model_state(workspace) is None
    assert not workspace.models_file.exists()
    found = distributions_in(workspace)
    assert "tokens" in pictures(found)["cost"]  # what models read and wrote for an accepted record


def test_what_a_record_cost_is_told_as_time_goes_by_in_dollars_where_prices_are_known(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("date: 2026-01-01\nprices: [{model: tiny, input: 2, output: 8}]\n")
    for prices, unit in ((None, "tokens"), (str(tmp_path / "prices.yaml"), "dollars")):
        workspace = Workspace(tmp_path / unit)

        async def play(server: ModelServer, place: Workspace = workspace, prices: str | None = prices) -> RunSummary:
            return await run(place, config(server, prices=prices), lambda _: None, records=RECORDS)

        served(play)
        last = len(list(workspace.finished_shards())) - 1
        course = cost_course(workspace, dict.fromkeys(range(last + 1), 4))
        assert course is not None
        assert course.unit == unit
        assert [at for at, _ in course.points] == sorted(at for at, _ in course.points)
        (spent,) = {sum(each.tokens for each in by_role(priced_counts(workspace)))}
        paid = sum(each.dollars or 0 for each in by_role(priced_counts(workspace)))
        total = course.points[-1][1] * 4 * (last + 1)
        assert total == pytest.approx(spent if unit == "tokens" else paid)
        write_report(workspace, tmp_path / "report.html")
        shown = (tmp_path / "report.html").read_text()
        assert f"{unit.capitalize()} of models for each record accepted so far" in shown
        assert "seconds since the first answer" in shown


def distributions_in(workspace: Workspace) -> Distributions:
    with loaded_store(workspace) as store:
        return distributions(store, workspace.existing_run().run)


def test_makes_records_whose_roles_are_played_by_models(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> tuple[RunSummary, dict[str, Any]]:
        return await make(server, tmp_path), server.seen.summary()

    summary, seen = served(play)
    assert (summary.accepted, summary.rejected) == (RECORDS, 0)
    assert seen["answered_twice"] == 0
    assert summary.spent is not None
    assert summary.spent.calls == seen["answered"]
    made = [record for record in records(tmp_path) if record.trajectory]
    for record in made:
        assert record.trajectory is not None
        assert record.trajectory.models == {"user": "tiny", "assistant": "tiny"}
        assert record.trajectory.usage["user"].prompt > 0
        assert record.trajectory.usage["assistant"].completion > 0
    with loaded_store(Workspace(tmp_path)) as store:
        assert len(store.query("SELECT 1 FROM records WHERE status = 'accepted'", [])) == RECORDS
    assert exported(tmp_path, tmp_path / "exported")


def test_a_models_own_sampling_is_asked_for(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> list[tuple[Any, Any]]:
        models = config(server).models["m"].model_dump() | {"sampling": {"temperature": 0.3, "max_tokens": 333}}
        roles = {"user": "m", "assistant": [{"model": "m", "sampling": {"temperature": 0.9}}]}
        await make(server, tmp_path, models={"m": models}, roles=roles)
        return [(ask.body["temperature"], ask.body["max_tokens"]) for ask in server.asks]

    assert set(served(play)) == {(0.3, 333), (0.9, 333)}


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_makes_the_same_records_with_either_provider(tmp_path: Path, provider: str) -> None:
    async def play(server: ModelServer) -> RunSummary:
        model = {"model": "tiny", "api_key_env": "PLANTED_KEY", "concurrency": 8, "provider": provider}
        model["base_url"] = server.openai_url if provider == "openai" else server.anthropic_url
        return await make(server, tmp_path, models={"m": model})

    summary = served(play)
    assert (summary.accepted, summary.rejected) == (RECORDS, 0)
    rules = [record.trajectory for record in by_rules()[:RECORDS]]
    played = [record.trajectory for record in records(tmp_path)[:RECORDS]]
    for heard, told in zip(map(said_in, played), map(said_in, rules), strict=True):
        assert heard[: len(told)] == told
        assert len(heard) <= len(told) + len(GOODBYE)  # which models say where the rules leave without a word


def said_in(trajectory: Trajectory | None) -> list[tuple[str, str]]:
    """Return who said what."""
    assert trajectory is not None
    return [(message.role, message.content) for message in trajectory.messages]


@pytest.mark.parametrize("orchestrated", [False, True])
def test_counts_what_workers_spend(tmp_path: Path, orchestrated: bool) -> None:
    told: list[RunProgress] = []

    async def play(server: ModelServer) -> tuple[RunSummary, dict[str, Any]]:
        settings = config(server, workers=1 if orchestrated else 2)
        as_task = (lambda made: made) if orchestrated else None
        summary = await run(Workspace(tmp_path), settings, told.append, records=RECORDS, orchestrate=as_task)
        return summary, server.seen.summary()

    summary, seen = served(play)
    assert summary.accepted == RECORDS
    assert summary.spent is not None
    assert summary.spent.calls == seen["answered"]
    assert seen["answered_twice"] == 0
    assert told[-1].models[0].answers == seen["answered"], "the workers tell how things stand"


class Holding(ModelServer):
    """A server that answers no question about one dialogue before it is asked about another one."""

    def __init__(self, brain: ReplayingBrain, held: DatasetRecord, until: DatasetRecord) -> None:
        super().__init__(script=brain)
        self._marks = [_prompt(record) for record in (held, until)]
        self._held: list[tuple[HttpRequest, Connection]] = []
        self._released = False

    def serve(self, request: HttpRequest, connection: Connection) -> None:
        held, until = (mark in request.body for mark in self._marks)
        if held and not self._released:
            self._held.append((request, connection))
            return
        super().serve(request, connection)
        self._released = self._released or until
        while self._released and self._held:
            super().serve(*self._held.pop())


def _prompt(record: DatasetRecord) -> bytes:
    assert record.blueprint is not None
    return canonical_json(scenario_prompt(record.blueprint.scenario, record.blueprint.goals))[1:-1].encode()


def test_begins_another_shard_as_soon_as_those_under_way_cannot_be_enough(tmp_path: Path) -> None:
    known = by_rules()[1:]

    async def play() -> RunSummary:
        async with asyncio.timeout(60), Holding(ReplayingBrain(known), held=known[0], until=known[8]) as server:
            return await run(Workspace(tmp_path), config(server), quiet, records=8)

    summary = asyncio.run(play())
    assert (summary.accepted, summary.rejected) == (8, 1)


def test_asks_nothing_again_that_was_answered(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> int:
        await make(server, tmp_path / "first")
        again = tmp_path / "again"
        again.mkdir()
        shutil.copy(Workspace(tmp_path / "first").journal_file, Workspace(again).journal_file)
        server.reset(Settings())
        await make(server, again)
        return int(server.seen.summary()["asked"])

    assert served(play) == 0
    assert exported(tmp_path / "first", tmp_path / "one") == exported(tmp_path / "again", tmp_path / "two")


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    folder.mkdir()

    async def start(server: ModelServer) -> asyncio.subprocess.Process:
        told = config(server).model_dump(mode="json", exclude_defaults=True)
        (folder / "interplay.yaml").write_text(json.dumps(told))
        return await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("interplay")), "run", "--workspace", str(folder), "--records",
            str(RECORDS), cwd=folder, env={**os.environ, "PLANTED_KEY": KEY}, stderr=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def play(server: ModelServer) -> tuple[dict[str, Any], int]:
        process = await start(server)
        while server.seen.summary()["answered"] < 60:
            await asyncio.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        in_flight = config(server).models["m"].concurrency or 0
        process = await start(server)
        _, errors = await process.communicate()
        assert process.returncode == 0, errors.decode()
        return server.seen.summary(), in_flight

    seen, in_flight = served(play, Settings(latency=0.02))
    assert seen["answered_twice"] <= 2 * in_flight  # on the wire, or on the way to the disk
    assert sum(record.status == "accepted" for record in records(folder)) == RECORDS


def test_faults_of_the_server_cost_no_record(tmp_path: Path) -> None:
    faults = tuple(read_fault(text) for text in ("429:0.05", "500:0.05", "drop:0.05"))

    async def play(server: ModelServer) -> tuple[RunSummary, int]:
        return await make(server, tmp_path), server.seen.summary()["answered_twice"]

    summary, twice = served(play, Settings(faults=faults, seed=3))
    assert (summary.accepted, summary.rejected, twice) == (RECORDS, 0, 0)


def test_stops_at_the_budget_and_goes_on_with_a_larger_one(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> tuple[int, RunSummary]:
        with pytest.raises(BudgetExceeded, match="tokens"):
            await make(server, tmp_path, budget={"tokens": 60_000})
        asked = server.seen.summary()["asked"]
        return asked, await make(server, tmp_path, budget={"tokens": 10_000_000})

    asked, summary = served(play)
    assert asked > 0
    assert summary.accepted == RECORDS
    assert summary.spent is not None
    assert summary.spent.calls > asked


def test_a_workspace_in_which_something_was_paid_for_is_kept_for_its_run(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> None:
        with pytest.raises(BudgetExceeded, match="tokens"):
            await make(server, tmp_path, budget={"tokens": 60_000}, shard_size=RECORDS)
        with pytest.raises(ConfigError, match="was made with other settings"):
            await make(server, tmp_path, seed=1)

    served(play)
    assert not list(Workspace(tmp_path).finished_shards())


def test_a_model_that_plays_badly_costs_its_records_with_the_reason(tmp_path: Path) -> None:
    async def play() -> RunSummary:
        async with ModelServer() as server:
            return await run(Workspace(tmp_path), config(server, max_tries_per_record=1), quiet, records=4)

    with pytest.raises(BudgetExceeded, match="0 of 4 accepted"):
        asyncio.run(play())
    made = records(tmp_path)
    assert len(made) == 4
    assert {record.status for record in made} == {"rejected"}
    assert all(issue for record in made for verdict in record.verdicts for issue in verdict.issues)


def test_a_wrong_key_stops_the_run_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="401"):
        served(lambda server: make(server, tmp_path), Settings(key="another"))


@pytest.mark.parametrize(
    ("kind", "said"), [("405", "Check model, base_url"), ("400", "It took no request of the role")]
)
def test_settings_by_which_nothing_is_answered_stop_the_run(tmp_path: Path, kind: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        served(lambda server: make(server, tmp_path), Settings(faults=(read_fault(kind),), key=KEY))


def test_an_account_that_is_empty_stops_the_run_and_costs_no_record(tmp_path: Path) -> None:
    async def play(server: ModelServer) -> None:
        with pytest.raises(ConfigError, match=r"402.*account's balance"):
            await make(server, tmp_path)
        server.settings = Settings(key=KEY)
        await make(server, tmp_path)

    served(play, Settings(faults=(read_fault("402:0.05"),), key=KEY))
    found = {issue.code for record in records(tmp_path) for one in record.verdicts for issue in one.issues}
    assert "model_failed" not in found


def test_the_key_is_in_no_file(tmp_path: Path) -> None:
    faults = (read_fault("500:0.1"),)
    served(lambda server: make(server, tmp_path / "workspace"), Settings(faults=faults, key=KEY))
    exported(tmp_path / "workspace", tmp_path / "exported")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_the_same_dialogues_are_played_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cast, "WaveSettings", partial(WaveSettings, quiet=0.05))
    monkeypatch.setattr(model_settings, "BatchSettings", partial(BatchSettings, first_look=0.05))

    async def play(server: ModelServer) -> tuple[RunSummary, dict[str, Any]]:
        told = config(server)
        batched = told.models["m"].model_copy(update={"batch": True})
        told = told.model_copy(update={"models": {"m": batched}})
        await make(server, tmp_path / "live")
        server.reset(Settings())
        summary = await run(Workspace(tmp_path / "batched"), told, quiet, records=RECORDS)
        return summary, server.seen.summary()

    summary, seen = served(play)
    assert (summary.accepted, summary.rejected) == (RECORDS, 0)
    assert seen["outcomes"].get("batch", 0) == seen["answered"] > 100
    assert exported(tmp_path / "live", tmp_path / "one") == exported(tmp_path / "batched", tmp_path / "two")


@pytest.mark.parametrize(("copies", "shards"), [(1, 2), (2, 1)])
def test_what_tells_a_story_again_is_made_up_for_before_it_is_committed(
    copies: int, shards: int, tmp_path: Path
) -> None:
    first, other = [record for record in by_rules() if record.status == "accepted"][:2]
    chosen = RunConfig(records=3, shard_size=3, copies=copies)
    committer = Committer(Workspace(tmp_path), chosen, "run", RunProgress(3), lambda: None, Duplicates(copies))
    for index, record in enumerate((first, other, first)):
        committer.note([record.model_copy(update={"index": index})])
    assert committer.shards_needed() == shards


def test_all_that_was_answered_for_a_removed_record_is_asked_again_and_nothing_else(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")

    async def play(server: ModelServer) -> tuple[int, int, int]:
        await run(workspace, config(server), quiet, records=6)
        with loaded_store(workspace) as store:
            gone = next(record for record in store.accepted(workspace.existing_run().run) if record.index)
        assert gone.trajectory is not None
        spoken = sum(message.role != "tool" for message in gone.trajectory.messages)
        deleted = remove(workspace, gone.id, "a customer asked for it").answers
        for path in workspace.finished_shards():
            path.unlink()
        asked = int(server.seen.summary()["asked"])
        await run(workspace, config(server), quiet, records=6)
        return deleted, int(server.seen.summary()["asked"]) - asked, spoken

    deleted, asked, spoken = served(play)
    assert deleted == asked >= spoken
