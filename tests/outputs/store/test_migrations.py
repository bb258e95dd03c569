"""Migrations: each is applied once and in order, an older store keeps its rows, a newer one is left alone."""

from pathlib import Path

import duckdb
import pytest
from tests.outputs.builders import answers, asks, call, make_record, make_shard, says

from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.migrations import MIGRATIONS, migrate
from interplay.schemas.errors import StoreError


def test_an_older_store_is_brought_up_to_date_and_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "dataset.duckdb"
    with duckdb.connect(str(path)) as connection:
        assert migrate(connection, MIGRATIONS[:2]) == 2
        connection.execute("INSERT INTO runs VALUES ('old', '{}', 1, 'abc')")
    with DatasetStore(path) as store:
        assert store.query("SELECT id FROM runs") == [{"id": "old"}]
        names = [row["name"] for row in store.query("SELECT name FROM migrations ORDER BY version")]
        assert names == [getattr(migration, "__name__", "") for migration in MIGRATIONS]
        assert store.load_shard(make_shard(tmp_path, [make_record(0)])) == 1


def test_what_goes_wrong_gets_the_names_of_today() -> None:
    with duckdb.connect() as connection:
        migrate(connection, MIGRATIONS[:12])
        faults = {"users_fault": "user_fault", "missed_step": "missed_goal", "other": "unclear", "loop": "loop"}
        for number, fault in enumerate(faults):
            connection.execute(
                "INSERT INTO records (id, fault, termination) VALUES (?, ?, 'stuck')", [str(number), fault]
            )
        migrate(connection)
        rows = connection.execute("SELECT fault, termination FROM records ORDER BY id").fetchall()
        assert rows == [(name, "unclear") for name in faults.values()]


def test_nothing_is_applied_twice() -> None:
    with duckdb.connect() as connection:
        assert migrate(connection) == len(MIGRATIONS)
        assert migrate(connection) == 0


def test_a_failing_migration_leaves_no_trace() -> None:
    def fails(connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("CREATE TABLE half (id INTEGER)")
        connection.execute("SELECT * FROM nowhere")

    with duckdb.connect() as connection:
        migrate(connection)
        with pytest.raises(duckdb.Error):
            migrate(connection, (*MIGRATIONS, fails))
        connection.execute("ROLLBACK")
        assert connection.execute("SELECT max(version) FROM migrations").fetchall() == [(len(MIGRATIONS),)]


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dataset.duckdb"
    with DatasetStore(path) as store:
        store.query("INSERT INTO migrations VALUES (99, 'from_the_future')")
    with pytest.raises(StoreError, match="tables are of version 99"):
        DatasetStore(path)


def test_sizes_of_what_was_loaded_before_are_those_of_today(tmp_path: Path) -> None:
    sizes = "SELECT id, characters, words_beside_calls, parallel_calls FROM records ORDER BY id"
    lengths = "SELECT record_id, position, characters FROM messages ORDER BY ALL"
    one, other = call(1, "find_hotel", city="Graz"), call(2, "find_hotel", city="Wien")
    beside = [asks("Hi."), says("Let me see.", one, other), answers(one, "[]"), answers(other, "[]"), says("None.")]
    shard = make_shard(tmp_path, [make_record(0), make_record(1, beside), make_record(2, [asks("Ö.")])])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        store.load_shard(shard)
        before = store.query(sizes), store.query(lengths)
        assert [row["words_beside_calls"] for row in before[0]].count(True) == 1
        for column in ("characters", "words_beside_calls", "parallel_calls"):
            store.query(f"ALTER TABLE records DROP COLUMN {column}")
        store.query("ALTER TABLE messages DROP COLUMN characters")
        store.query("DELETE FROM migrations WHERE name IN ('sizes_of_dialogues', 'funnel_of_groups')")
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        assert (store.query(sizes), store.query(lengths)) == before
