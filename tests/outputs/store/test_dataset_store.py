"""The dataset store: derived from shard files, the same however often they are loaded, one owner at a time."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.outputs.builders import (
    RUN,
    asks,
    counts,
    load_all,
    load_shard,
    make_record,
    make_shard,
    make_toolset,
    not_composed,
    says,
)

from interplay.outputs.store import dataset_store
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import READ_INDICES, DatasetStore
from interplay.outputs.store.shard_file import write_shard
from interplay.schemas.errors import StoreError


def test_loads_every_table(tmp_path: Path) -> None:
    shard = make_shard(
        tmp_path, [make_record(0), make_record(1, status="rejected", issues=("a", "b")), not_composed(2)]
    )
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, shard)
        assert counts(store) == {
            "runs": 1, "toolsets": 1, "tools": 3, "edges": 1, "records": 3, "messages": 14, "calls": 6, "verdicts": 3,
            "issues": 3, "shards": 1, "rounds": 3, "reviews": 0,
        }  # fmt: skip
        row = store.query("SELECT * EXCLUDE (record, id, signature, story) FROM records WHERE index = 1")[0]
        assert row == {
            "run": "demo", "index": 1, "status": "rejected", "stage": "execution", "pattern": "sequential",
            "target": "book_hotel", "goals": 1, "turns": 4, "calls": 3, "split": "train",
            "toolset": make_toolset().digest(), "termination": "user_ended",
            "models": '{"assistant": "rules", "user": "rules"}', "version": "0.1.0", "shard": "00000.parquet",
            "difficulty": None, "operator": "compose", "parent": None, "sequence": "book_hotel", "revisions": 0,
            "safety": None, "twin": None, "pair": None, "attempt": 0, "fault": None, "went_wrong": None,
            "language": "en", "continues": None, "pass_rate": None, "pass_low": None, "pass_high": None,
            "filter_reason": "execution/a", "sense": None, "redrawn": None, "characters": 211, "words_beside_calls": False,
            "parallel_calls": True,
        }  # fmt: skip


def test_keeps_calls_with_arguments_results_and_failures(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(4)]))
        rows = store.query("SELECT position, tool, arguments, result, failed FROM calls ORDER BY call_id")
    assert [tuple(row.values()) for row in rows] == [
        (1, "find_hotel", '{"city": "Graz", "nights": null}', '{"hotels": [{"id": 7}]}', False),
        (1, "find_hotel", '{"city": "Graz", "nights": "4"}', "nothing found", True),
        (4, "book_hotel", '{"nights": 4}', '{"booking": 12.5}', False),
    ]


def test_loading_twice_changes_nothing(tmp_path: Path) -> None:
    shard = make_shard(tmp_path, [make_record(0), not_composed(1)])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, shard)
        before = counts(store)
        load_all(store, shard)
        assert load_shard(store, shard) == 0
        assert counts(store) == before
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        assert load_shard(store, shard) == 0
        assert counts(store) == before


def test_loads_up_to_an_index_and_the_rest_later(tmp_path: Path) -> None:
    shard = make_shard(tmp_path, [make_record(index) for index in range(10)])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        assert load_shard(store, shard, until=3) == 4
        assert [record.index for record in store.accepted(RUN)] == [0, 1, 2, 3]
        assert load_shard(store, shard, until=3) == 0
        assert load_shard(store, shard, until=2) == 0
        assert load_shard(store, shard) == 6
        assert [record.index for record in store.accepted(RUN)] == list(range(10))


def test_a_cut_before_the_shard_loads_nothing(tmp_path: Path) -> None:
    shard = make_shard(tmp_path, [make_record(5)])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        assert load_shard(store, shard, until=4) == 0
        assert counts(store)["shards"] == 0


def test_a_shard_that_was_made_anew_replaces_its_records(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0), make_record(1)]))
        other = make_record(0, [asks("Hi."), says("Hello.")])
        assert load_shard(store, make_shard(tmp_path, [other])) == 1
        assert list(store.accepted(RUN)) == [other]
        assert counts(store) | {"tools": 0} == {
            "runs": 1, "toolsets": 1, "tools": 0, "edges": 1, "records": 1, "messages": 2, "calls": 0, "verdicts": 1,
            "issues": 0, "shards": 1, "rounds": 1, "reviews": 0,
        }  # fmt: skip


def test_two_shards_that_disagree_on_an_index_are_refused_as_a_whole(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0)]))
        disagreeing = make_shard(tmp_path, [make_record(0, [asks("Hi.")]), make_record(1)], "00001.parquet")
        with pytest.raises(StoreError, match=r"index 0 of run 'demo' was already loaded from 00000\.parquet"):
            load_shard(store, disagreeing)
        assert counts(store)["records"] == 1


def test_a_broken_shard_loads_nothing_and_the_store_stays_usable(tmp_path: Path) -> None:
    broken = tmp_path / "00001.parquet"
    broken.write_bytes(b"PAR1 not really")
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        with pytest.raises(StoreError, match=r"00001\.parquet"):
            load_shard(store, broken)
        load_all(store, make_shard(tmp_path, [make_record(0)]))
        assert counts(store)["records"] == 1


def test_runs_of_the_same_shard_names_stay_apart(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path / "a", [make_record(0)]))
        load_all(store, make_shard(tmp_path / "b", [make_record(0, run="second")]), run="second")
        assert [len(list(store.accepted(run))) for run in (RUN, "second")] == [1, 1]


def test_finds_a_record_by_a_unique_beginning_of_its_id(tmp_path: Path) -> None:
    records = [make_record(index) for index in range(40)]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        assert store.record(records[3].id) == records[3]
        assert store.record(records[3].id[:12]) == records[3]
        with pytest.raises(StoreError, match="several records have an id that begins with ''"):
            store.record("")
        with pytest.raises(StoreError, match="no record has an id that begins with 'zz'"):
            store.record("zz")


def test_streams_accepted_records_in_order_over_gaps_and_shards(tmp_path: Path) -> None:
    indices = [0, 3, READ_INDICES - 1, READ_INDICES, 5 * READ_INDICES + 1]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        for number, index in enumerate(reversed(indices)):
            shard = [make_record(index), make_record(index + 1, status="rejected")]
            load_all(store, make_shard(tmp_path, shard, f"{number}.parquet"))
        assert [record.index for record in store.accepted(RUN)] == indices
        assert list(store.accepted("unknown")) == []


def test_records_larger_than_what_is_read_at_once_are_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_store, "READ_CHARACTERS", 1)
    monkeypatch.setattr(dataset_store, "READ_INDICES", 2)
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(index) for index in range(7)]))
        assert [record.index for record in store.accepted(RUN)] == [*range(7)]


def test_can_be_built_anew_from_the_shard_files(tmp_path: Path) -> None:
    shards = [make_shard(tmp_path, [make_record(index)], f"{index}.parquet") for index in range(3)]
    found = []
    for order in (shards, shards[::-1]):
        with DatasetStore(tmp_path / f"{order[0].stem}.duckdb") as store:
            load_all(store, *order)
            found.append((list(store.accepted(RUN)), counts(store)))
    assert found[0] == found[1]


def test_a_store_in_use_names_the_process_that_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "dataset.duckdb"
    DatasetStore(path).close()
    holder = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match=rf"dataset\.duckdb: is in use by process {process.pid}\. Wait"):
            DatasetStore(path)
        process.communicate("")


def test_a_second_owner_in_the_same_process_is_refused(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb"), pytest.raises(StoreError, match="in use by another part"):
        DatasetStore(tmp_path / "dataset.duckdb")


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dataset.duckdb").write_text("hello " * 1000)
    with pytest.raises(StoreError, match="is not a dataset store"):
        DatasetStore(tmp_path / "dataset.duckdb")


def test_an_unknown_run_names_the_known_ones(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store)
        assert store.run_toolset(RUN) == make_toolset()
        with pytest.raises(StoreError, match="holds no run 'other'; it holds demo"):
            store.run_toolset("other")


def test_a_query_that_is_wrong_is_a_store_error(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store, pytest.raises(StoreError, match="nowhere"):
        store.query("SELECT * FROM nowhere")


def test_a_full_disk_while_loading_is_a_store_error_and_rolls_back(tmp_path: Path) -> None:
    """In a process of its own: DuckDB gives up on a database whose file cannot grow."""
    write_shard(tmp_path / "00000.parquet", [make_record(index) for index in range(300)])
    script = """
import resource, sys
from pathlib import Path
from interplay.outputs.store import dataset_store
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.errors import StoreError
folder = Path(sys.argv[1])
store = DatasetStore(folder / "dataset.duckdb")
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
try:
    store.load_shards([ShardToLoad(folder / "00000.parquet")])
    store.close()
except StoreError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False, cwd=Path.cwd()
    )
    assert "dataset.duckdb: could not be written" in done.stdout, done
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        assert counts(store)["records"] == 0
        assert load_shard(store, tmp_path / "00000.parquet") == 300


def test_loads_many_shards_at_once_or_none_of_them(tmp_path: Path) -> None:
    shards = [make_shard(tmp_path, [make_record(2 * n), make_record(2 * n + 1)], f"{n:05}.parquet") for n in range(3)]
    twice = make_shard(tmp_path, [make_record(5, [asks("Hi.")]), make_record(6)], "00003.parquet")
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, shards[0])
        with pytest.raises(StoreError, match=r"00003\.parquet: index 5 .* already loaded from 00002\.parquet"):
            store.load_shards([ShardToLoad(path) for path in (*shards, twice)])
        assert counts(store)["records"] == 2
        assert store.load_shards([ShardToLoad(shards[0]), ShardToLoad(shards[1]), ShardToLoad(shards[2], until=4)]) == 3
        assert [record.index for record in store.accepted(RUN)] == [0, 1, 2, 3, 4]
        assert {(row["name"], row["loaded"]) for row in store.query("SELECT name, loaded FROM shards")} == {
            ("00000.parquet", 2), ("00001.parquet", 2), ("00002.parquet", 1),
        }  # fmt: skip


def test_a_store_is_made_in_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "new" / "folder" / "dataset.duckdb") as store:
        assert store.is_current


def test_a_shard_of_another_run_is_not_loaded(tmp_path: Path) -> None:
    shard = make_shard(tmp_path, [make_record(0, run="other")])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        with pytest.raises(StoreError, match="holds records of another run"):
            store.load_shards([ShardToLoad(shard, run=RUN)])
        assert counts(store)["records"] == 0
