import asyncio
import json
import shutil
import threading
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic, exported, quiet, run_clinic
from tests.flows.commands.test_command_line import PETS

from interplay.flows.runs import committer, shards
from interplay.flows.runs.committer import Committer, RunProgress
from interplay.flows.runs.run import MakeShard, run
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import BudgetExceeded, ConfigError, StoreError
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict


def rejected_of(record: DatasetRecord) -> DatasetRecord:
    issue = Issue(code="wrong_final_state", message="Slot S-0001 is still free.")
    verdict = Verdict(check="outcome", issues=(issue,))
    return record.model_copy(update={"status": "rejected", "stage": "outcome", "verdicts": (verdict,)})


def reject_all(workspace: Workspace, shards: int | None = None) -> None:
    """Let nothing pass of what was made; of several `shards`, the first is repeated in the others."""
    for number, path in enumerate(list(workspace.finished_shards())):
        rejected = [rejected_of(record) for record in read_shard(path)]
        write_shard(path, rejected)
        for other in range(number + 1, shards or 0):
            start = other * len(rejected)
            write_shard(
                workspace.shard(other),
                [
                    record.model_copy(update={"index": start + place, "id": f"{start + place:032x}"})
                    for place, record in enumerate(rejected)
                ],
            )
    workspace.store_file.unlink()


def test_accepts_exactly_as_many_records_as_asked_for(tmp_path: Path) -> None:
    summary = run_clinic(tmp_path, records=10)
    assert summary.accepted == 10
    assert summary.made == 12


def test_does_nothing_when_all_is_there(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    again = run_clinic(tmp_path)
    assert (again.made, again.accepted) == (0, 12)


def test_goes_on_to_a_larger_number_as_if_it_had_been_asked_at_once(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "grown")
    run_clinic(tmp_path / "grown", records=14)
    run_clinic(tmp_path / "whole", records=14)
    assert exported(tmp_path / "grown", tmp_path / "a") == exported(tmp_path / "whole", tmp_path / "b")


def test_keeps_what_is_there_when_fewer_are_asked_for(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    assert run_clinic(tmp_path, records=3).accepted == 12


def test_one_worker_and_two_give_the_same_bytes(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "one")
    run_clinic(tmp_path / "two", workers=2)
    assert exported(tmp_path / "one", tmp_path / "a") == exported(tmp_path / "two", tmp_path / "b")


def test_how_many_indices_go_together_changes_no_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    several = {"shard_size": 6, "attempts": 2, "tasks_per_session": 2}
    run_clinic(tmp_path / "together", records=6, **several)
    monkeypatch.setattr(shards, "TOGETHER", 1)
    run_clinic(tmp_path / "alone", records=6, **several)
    assert exported(tmp_path / "together", tmp_path / "a") == exported(tmp_path / "alone", tmp_path / "b")


def test_a_shard_that_takes_long_holds_up_no_other(tmp_path: Path) -> None:
    fifth = asyncio.Event()

    def first_after_the_fifth(make: MakeShard) -> MakeShard:
        async def made(number: int) -> Path:
            if number == 0:
                await fifth.wait()
            path = await make(number)
            if number == 4:
                fifth.set()
            return path

        return made

    async def main() -> int:
        async with asyncio.timeout(60):
            config = RunConfig(shard_size=4)
            made = run(Workspace(tmp_path), config, quiet, records=24, orchestrate=first_after_the_fifth)
            return (await made).accepted

    assert asyncio.run(main()) == 24


def test_another_seed_gives_other_records(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "zero", records=4)
    run_clinic(tmp_path / "one", records=4, seed=1)
    assert exported(tmp_path / "zero", tmp_path / "a") != exported(tmp_path / "one", tmp_path / "b")


def test_the_first_accepted_records_in_the_order_of_their_indices_count(tmp_path: Path) -> None:
    run_clinic(tmp_path, records=4, shard_size=8)
    workspace = Workspace(tmp_path)
    records = list(read_shard(workspace.shard(0)))
    write_shard(workspace.shard(0), [rejected_of(records[0]), rejected_of(records[2]), records[1], *records[3:]])
    workspace.store_file.unlink()
    with loaded_store(workspace) as store:
        accepted = [record.index for record in store.accepted(records[0].run)]
    assert accepted == [1, 3, 4, 5]


def test_rebuilds_a_missing_store_from_the_shards(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    before = exported(tmp_path, tmp_path / "before")
    (tmp_path / "dataset.duckdb").unlink()
    assert exported(tmp_path, tmp_path / "after") == before


def test_loads_shards_that_a_stale_store_lacks(tmp_path: Path) -> None:
    copy_clinic(tmp_path, records=4)
    shutil.copy(tmp_path / "dataset.duckdb", tmp_path / "old.duckdb")
    run_clinic(tmp_path, records=12)
    before = exported(tmp_path, tmp_path / "before")
    shutil.copy(tmp_path / "old.duckdb", tmp_path / "dataset.duckdb")
    assert exported(tmp_path, tmp_path / "after") == before


def test_makes_a_deleted_shard_anew(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    content = (tmp_path / "shards/shard-000001.parquet").read_bytes()
    (tmp_path / "shards/shard-000001.parquet").unlink()
    assert run_clinic(tmp_path).made == 4
    assert (tmp_path / "shards/shard-000001.parquet").read_bytes() == content


def test_names_a_broken_shard(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    (tmp_path / "shards/shard-000001.parquet").write_bytes(b"torn")
    with pytest.raises(StoreError, match=r"shard-000001\.parquet.*Make it again with: interplay verify"):
        run_clinic(tmp_path)


def test_names_a_shard_that_holds_other_indices(tmp_path: Path) -> None:
    copy_clinic(tmp_path)
    shutil.copy(tmp_path / "shards/shard-000000.parquet", tmp_path / "shards/shard-000001.parquet")
    with pytest.raises(StoreError, match="does not hold the indices 4 to 7"):
        run_clinic(tmp_path)


def test_refuses_another_seed_and_tells_the_difference(tmp_path: Path) -> None:
    copy_clinic(tmp_path, records=4)
    with pytest.raises(ConfigError, match=r"seed: 0 -> 7.*another --workspace"):
        run_clinic(tmp_path, records=2, seed=7)


def test_a_run_that_could_not_begin_leaves_the_workspace_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    models = {"models": {"m": {"provider": "anthropic", "model": "m"}}, "roles": {"user": "m"}}
    config = RunConfig.model_validate({**models, "toolset": ["domain:rental"]})
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY is not set"):
        asyncio.run(run(Workspace(tmp_path), config, quiet))
    assert run_clinic(tmp_path, records=4).accepted == 4
    assert Workspace(tmp_path).toolset().name == "clinic"
    with pytest.raises(ConfigError, match="was made with other settings"):
        asyncio.run(run(Workspace(tmp_path), config, quiet))


def test_tells_differences_in_a_few_words(tmp_path: Path) -> None:
    copy_clinic(tmp_path, records=4)
    models = {"models": {"m": {"model": "m", "base_url": "http://localhost:9/v1"}}, "roles": {"user": "m"}}
    config = RunConfig.model_validate({**models, "seed": 1, "shard_size": 2, "recipes": {"patterns": {"single": 1}}})
    with pytest.raises(ConfigError, match=r"was made with other settings .* more\)\. Ask") as raised:
        asyncio.run(run(Workspace(tmp_path), config, quiet))
    assert len(str(raised.value)) < 1000


def test_gives_up_when_too_much_was_tried_and_names_what_kills(tmp_path: Path) -> None:
    run_clinic(tmp_path, records=8)
    reject_all(Workspace(tmp_path))
    with pytest.raises(BudgetExceeded, match=r"0 of 2 accepted after 4 tries.*outcome \(wrong_final_state, 4 records"):
        run_clinic(tmp_path, records=2, max_tries_per_record=2)


def test_gives_up_early_when_nothing_passes(tmp_path: Path) -> None:
    run_clinic(tmp_path, records=1, shard_size=10)
    reject_all(Workspace(tmp_path), shards=20)
    with pytest.raises(BudgetExceeded, match="0 of 1000 accepted after 200 tries"):
        run_clinic(tmp_path, records=1000, shard_size=10)


def test_writes_neither_time_nor_chance_into_the_run(tmp_path: Path) -> None:
    run_clinic(tmp_path / "a", records=2)
    run_clinic(tmp_path / "b", records=2)
    for name in ("run.json", "graph.json", "toolset.json", "accounts.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "run" in json.loads((tmp_path / "a" / "run.json").read_text())


def test_tells_its_progress_at_the_beginning_and_after_each_shard(tmp_path: Path) -> None:
    heard: list[int] = []

    def tell(progress: RunProgress) -> None:
        heard.append(progress.accepted)

    asyncio.run(run(Workspace(tmp_path), RunConfig(records=7, shard_size=4), tell))
    assert heard == [0, 4, 7]  # once at the beginning, for a notice of too few tasks


def test_a_reader_does_not_stop_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committer, "ENDING_WAITS", 0.1)
    copy_clinic(tmp_path, records=4)
    with loaded_store(Workspace(tmp_path)) as store:
        summary = run_clinic(tmp_path, records=9)
        assert store.count_accepted(summary.run) == 4
    assert (summary.accepted, summary.made) == (9, 8)
    with loaded_store(Workspace(tmp_path)) as store:
        assert store.count_accepted(summary.run) == 9


def test_a_second_run_is_refused_while_one_goes_on(tmp_path: Path) -> None:
    with hold_workspace(Workspace(tmp_path)), pytest.raises(StoreError, match="is in use"):
        run_clinic(tmp_path, records=2)


def test_others_see_what_was_made_slowly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committer, "LOADED_EVERY", 0.0)
    loaded, seen = threading.Event(), list[int]()
    load = Committer._load_some

    def heard(self: Committer) -> None:
        load(self)
        loaded.set()

    def look(progress: RunProgress) -> None:
        assert not progress.accepted or loaded.wait(60)
        loaded.clear()
        with loaded_store(Workspace(tmp_path)) as store:
            seen.append(store.count_accepted(Workspace(tmp_path).existing_run().run))

    monkeypatch.setattr(Committer, "_load_some", heard)
    asyncio.run(run(Workspace(tmp_path), RunConfig(records=8, shard_size=4), look))
    assert seen == [0, 4, 8]


def test_shards_are_counted_while_the_store_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committer, "LOADED_EVERY", 0.0)
    counted, load = threading.Event(), Committer._load_some
    waited: list[bool] = []

    def slowly(self: Committer) -> None:
        waited.append(counted.wait(60))
        load(self)

    def tell(progress: RunProgress) -> None:
        if progress.accepted == 12:
            counted.set()

    monkeypatch.setattr(Committer, "_load_some", slowly)
    summary = asyncio.run(run(Workspace(tmp_path), RunConfig(records=12, shard_size=4), tell))
    assert waited == [True]
    assert summary.accepted == 12
    with loaded_store(Workspace(tmp_path)) as store:
        assert store.count_accepted(summary.run) == 12


def test_a_store_that_cannot_be_loaded_ends_the_run_and_keeps_its_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "LOADED_EVERY", 0.0)
    failed = threading.Event()

    def full(_: Committer) -> None:
        failed.set()
        raise StoreError("the disk is full")

    def wait(progress: RunProgress) -> None:
        assert not progress.accepted or failed.wait(60)

    with monkeypatch.context() as broken:
        broken.setattr(Committer, "_load_some", full)
        with pytest.raises(StoreError, match="disk is full"):
            asyncio.run(run(Workspace(tmp_path), RunConfig(records=12, shard_size=4), wait))
    assert run_clinic(tmp_path, records=12).accepted == 12


@pytest.mark.parametrize("workers", [1, 2])
def test_edges_that_no_task_asked_for_are_run_before_the_store_is_opened(tmp_path: Path, workers: int) -> None:
    (tmp_path / "pets.yaml").write_text(PETS, encoding="utf-8")
    config = RunConfig(toolset=(f"openapi:{tmp_path / 'pets.yaml'}",), records=6, shard_size=2, workers=workers)
    workspace = Workspace(tmp_path / "run")
    asyncio.run(run(workspace, config, lambda _: None))
    graph = workspace.graph()
    assert graph is not None
    assert graph.edges
    assert all(edge.verified is not None for edge in graph.edges)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_workspace_that_is_deleted_ends_its_run_and_stays_deleted(tmp_path: Path, workers: int) -> None:
    place = Workspace(tmp_path / "w")

    def tell(progress: RunProgress) -> None:
        if progress.tried:
            shutil.rmtree(place.folder, ignore_errors=True)

    with pytest.raises(StoreError, match="was deleted or moved away while the run went on"):
        asyncio.run(run(place, RunConfig(records=40, shard_size=2, workers=workers), tell))
    assert not place.folder.exists()
