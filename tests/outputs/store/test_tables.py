"""The tables of a store: made once, all or none; a store of another version is left alone."""

from pathlib import Path

import duckdb
import pytest
from tests.outputs.builders import load_shard, make_record, make_shard

from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.tables import VERSION
from interplay.schemas.errors import StoreError, StoreOutdated


def test_tables_are_made_once(tmp_path: Path) -> None:
    for added in (1, 0):
        with DatasetStore(tmp_path / "dataset.duckdb") as store:
            assert store.query("SELECT version FROM migrations") == [{"version": VERSION}]
            assert load_shard(store, make_shard(tmp_path, [make_record(0)])) == added


def test_an_older_store_is_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "dataset.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE migrations (version INTEGER PRIMARY KEY, name VARCHAR)")
        connection.execute("INSERT INTO migrations VALUES (1, 'runs_and_toolsets'), (2, 'records')")
    before = path.read_bytes()
    with pytest.raises(StoreOutdated, match=r"dataset\.duckdb: the tables are of version 2, .* Delete the file"):
        DatasetStore(path)
    with DatasetStore(path, tmp_path) as store:
        assert not store.is_current
    assert path.read_bytes() == before


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dataset.duckdb"
    with DatasetStore(path) as store:
        store.query("INSERT INTO migrations VALUES (99)")
    with pytest.raises(StoreError, match="tables are of version 99"):
        DatasetStore(path)
