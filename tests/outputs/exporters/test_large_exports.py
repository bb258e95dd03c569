"""Exports of more than fits in memory: what an export needs does not grow with the number of its records."""

from pathlib import Path

import pytest
from tests.outputs.builders import RUN, asks, load_all, make_record, make_shard, says

from interplay.outputs.exporters.export import export
from interplay.outputs.exporters.export_formats import FORMATS, FormatName
from interplay.outputs.store import database
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.failure import Failure

TASKS = 1_500
"""Tasks, each with an attempt that passed and one that failed, each of 20,000 characters: 60 MB of records."""

LIMIT = "56MB"
"""What DuckDB may use here: more than the 2,048 rows that it reads at once, and less than all records."""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store of `TASKS` tasks: two records are loaded, the rest are copies of their rows."""
    folder = tmp_path_factory.mktemp("large")
    opening = asks("Hi."), says("Hello."), asks("Tell me all." + " word" * 4_000)
    failed = make_record(0, [*opening, says("No.")], status="rejected").model_copy(
        update={"attempt": 1, "failure": Failure(fault="wrong_argument", stage="execution", message=3)}
    )
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, [make_record(0, [*opening, says("Yes.")]), failed]))
        store.query("UPDATE runs SET config = '{\"tasks_per_session\": 2}'")
        for start in range(1, TASKS, 200):
            store.query(
                "INSERT INTO records SELECT records.* REPLACE (id || n AS id, n AS index, "
                "replace(replace(record, id, id || n), '\"index\":0', '\"index\":' || n) AS record) "
                "FROM records, range(?, ?) AS numbers(n) WHERE index = 0",
                [start, min(start + 200, TASKS)],
            )
            store.query(
                "INSERT INTO dialogues SELECT record_id || n, run, n, dialogue FROM dialogues, range(?, ?) AS numbers(n) "
                "WHERE index = 0",
                [start, min(start + 200, TASKS)],
            )
    return folder / "dataset.duckdb"


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MEMORY_LIMIT", LIMIT)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("format", FORMATS)
def test_exports_more_than_fits_in_memory(large: Path, tmp_path: Path, format: FormatName) -> None:
    with DatasetStore(large) as store:
        report = export(store, RUN, format, tmp_path / "out")
    assert report.rows in (TASKS, 2 * TASKS, 3 * TASKS)  # one of each task, of each turn, or of each step
    assert report.summary() == f"reloaded {report.rows}/{report.rows} identical"


@pytest.mark.usefixtures("little_memory")
def test_reads_all_that_failed_of_more_than_fits_in_memory(large: Path) -> None:
    with DatasetStore(large) as store:
        assert [record.index for record in store.failed(RUN)] == list(range(TASKS))
