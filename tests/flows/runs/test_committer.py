"""Shards that were counted get into the store, each once, whoever loads them and in however many steps."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic
from tests.flows.runs.test_run import rejected_of

from interplay.flows.runs import committer
from interplay.flows.runs.committer import Committer, RunProgress
from interplay.flows.workspaces import finished_shards
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.validators.blueprints.duplicates import Duplicates

SHARDS, SIZE = 3, 4


@pytest.fixture
def counted(tmp_path: Path) -> Committer:
    """A committer that has counted three shards, and loaded none; the first record of each is rejected."""
    copy_clinic(tmp_path, SHARDS * SIZE, SIZE)
    place = Workspace(tmp_path)
    place.store_file.unlink()
    for path in place.finished_shards():
        first, *rest = read_shard(path)
        write_shard(path, [rejected_of(first), *rest])
    run = place.existing_run()
    made = Committer(place, run.config, run.run, RunProgress(SHARDS * SIZE), lambda: None, Duplicates(1))

    async def commit() -> None:
        for number in range(SHARDS):
            await made.commit(number, place.shard(number))

    asyncio.run(commit())
    return made


def in_store(made: Committer) -> tuple[int, int]:
    """Return how many records the store holds, and how many of them are accepted."""
    with DatasetStore(made.workspace.store_file) as store:
        [found] = store.query("SELECT count(*) AS n, count(*) FILTER (status = 'accepted') AS accepted FROM records")
    return found["n"], found["accepted"]


def test_what_does_not_fit_into_one_transaction_is_loaded_in_the_next(
    counted: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished_shards, "LOADED_AT_MOST", SIZE + 1)
    counted.load()
    assert in_store(counted) == (SHARDS * SIZE, SHARDS * (SIZE - 1))
    assert counted.progress.rejected_by_issue == {"wrong_final_state": SHARDS}


def test_two_that_load_at_the_same_time_load_each_shard_once(
    counted: Committer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished_shards, "LOADED_AT_MOST", SIZE)
    load, inside, loaded = DatasetStore.load_shards, threading.Event(), list[str]()

    def slowly(store: DatasetStore, shards: Sequence[ShardToLoad]) -> int:
        loaded.extend(shard.path.name for shard in shards)
        if not inside.is_set():
            inside.set()
            second.start()
            second.join(0.3)
        return load(store, shards)

    monkeypatch.setattr(DatasetStore, "load_shards", slowly)
    second = threading.Thread(target=counted.load, args=[60.0])
    counted.load(60.0)
    second.join()
    assert loaded == [counted.workspace.shard(number).name for number in range(SHARDS)]
    assert in_store(counted) == (SHARDS * SIZE, SHARDS * (SIZE - 1))
    assert counted.progress.rejected_by_issue == {"wrong_final_state": SHARDS}


def test_a_summary_counts_what_a_reader_keeps_from_the_store_too(
    counted: Committer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(finished_shards, "LOADED_AT_MOST", SIZE)
    monkeypatch.setattr(committer, "ENDING_WAITS", 0.0)
    counted._load(0.0)  # one shard of three
    with DatasetStore(counted.workspace.store_file, tmp_path / "spill"):
        summary = counted.summary()
    assert (summary.accepted, summary.rejected) == (SHARDS * (SIZE - 1), SHARDS)
    assert (summary.example, summary.kept) == (1, 0)


def test_what_later_shards_aim_at_is_what_none_of_those_before_covers(counted: Committer) -> None:
    place = counted.workspace
    counted.config = counted.config.model_copy(update={"recipes": RecipeSettings(top_up=0.5)})
    assert asyncio.run(counted.aim(begun=4, loaded=4))
    called = {
        call.name
        for path in place.finished_shards()
        for record in read_shard(path)
        if record.status == "accepted" and record.trajectory
        for call in record.trajectory.calls()
    }
    aims = {aim.name for aim in place.aims(4) if aim.kind == "tool"}
    assert called
    assert aims
    assert called.isdisjoint(aims)
