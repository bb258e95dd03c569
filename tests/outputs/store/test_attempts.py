"""Several attempts at a task, several runs, and what of them the store yields."""

from pathlib import Path
from typing import Any

from tests.outputs.builders import RUN, load_all, make_record, make_shard

from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict


def attempt(index: int, number: int, accepted: bool = True, **other: Any) -> DatasetRecord:
    """Make the record of one attempt at the task of an index."""
    record = make_record(index, status="accepted" if accepted else "rejected", **other)
    return record.model_copy(update={"id": digest([index, number]), "attempt": number})


def test_the_first_record_that_an_issue_rejected_is_by_index_before_attempt(tmp_path: Path) -> None:
    records = [
        attempt(0, 0),
        attempt(0, 1, False, issues=("late",)),
        attempt(1, 0, False, issues=("late", "early")),
    ]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        assert store.rejected_examples(RUN) == {"early": "1", "late": "0.1"}


def test_a_warning_is_no_example_of_what_rejects(tmp_path: Path) -> None:
    record = attempt(0, 0, False, issues=("late",))
    warned = Verdict(check="structure", issues=(Issue(code="odd", message="Odd.", severity="warning"),))
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        changed = record.model_copy(update={"verdicts": (warned, *record.verdicts)})
        load_all(store, make_shard(tmp_path, [changed]))
        assert store.rejected_examples(RUN) == {"late": "0"}


def test_accepted_records_of_another_run_are_others(tmp_path: Path) -> None:
    own, rejected, other = make_record(0), attempt(1, 0, False), make_record(0, run="other")
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [own, rejected]))
        load_all(store, make_shard(tmp_path, [other], "00001.parquet"), run="other")
        with store.others(RUN):
            rows = store.query("SELECT id, of_run FROM others ORDER BY of_run")
    assert [(row["id"], row["of_run"]) for row in rows] == [(other.id, False), (rejected.id, True)]


def test_a_task_at_which_all_attempts_passed_is_not_contested(tmp_path: Path) -> None:
    records = [attempt(0, 0), attempt(0, 1), attempt(1, 0), attempt(1, 1, False), attempt(2, 0, False)]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        contested = [[(record.index, record.attempt) for record in found] for found in store.contested(RUN)]
    assert contested == [[(1, 0), (1, 1)]]


def test_attempts_come_in_their_order_however_they_were_loaded(tmp_path: Path) -> None:
    records = [attempt(0, 2), attempt(0, 0), attempt(0, 1)]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        assert [record.attempt for record in store.accepted(RUN)] == [0, 1, 2]


def test_what_failed_already_keeps_its_reason_where_its_task_was_told_before(tmp_path: Path) -> None:
    told = Verdict(check="duplicates", issues=(Issue(code="duplicate_scenario", message="Told."),))
    path = make_shard(tmp_path, [attempt(0, 0), attempt(0, 1, False, issues=("late",)), attempt(1, 0)])
    rows = [record for _, record in ShardToLoad(path, rejected={0: told}).rows()]
    assert [(record.status, record.stage) for record in rows] == [
        ("rejected", "duplicates"),
        ("rejected", "execution"),
        ("accepted", None),
    ]
