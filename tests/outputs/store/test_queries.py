"""The documented queries run as they are, and answer what their headings ask."""

import re
from pathlib import Path

from tests.outputs.builders import hotel_dialogue, load_all, make_record, make_shard, replace_first

from interplay.outputs.store import dataset_store as store_module
from interplay.outputs.store.dataset_store import DatasetStore

QUERIES = Path(store_module.__file__).with_name("queries.md").read_text(encoding="utf-8")


def test_every_documented_query_runs(tmp_path: Path) -> None:
    queries = re.findall(r"```sql\n(.*?)```", QUERIES, re.DOTALL)
    changing = replace_first(hotel_dialogue("Graz", 0), offered=("find_hotel", "book_hotel", "cancel"))
    records = [make_record(0, changing), make_record(1, status="rejected", issues=("wrong_final_state",))]
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, records))
        rejected, called, recovered, changes = (store.query(query) for query in queries)
    assert [tuple(row.values()) for row in rejected] == [
        ("execution", "wrong_final_state", 1, "It is wrong_final_state.")
    ]
    assert [tuple(row.values()) for row in called] == [
        ("cancel", "read", 0, 0),
        ("book_hotel", "write", 1, 0),
        ("find_hotel", "read", 2, 1),
    ]
    assert [tuple(row.values()) for row in recovered] == [(0, "find_hotel", "nothing found", "Booked: hotel 7.")]
    assert [tuple(row.values()) for row in changes] == [("user", "inform_intent_clear", 1, 1, 3.0)]


def test_every_documented_column_exists(tmp_path: Path) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        known = {row["column_name"] for row in store.query("SELECT column_name FROM information_schema.columns")}
        tables = {row["table_name"] for row in store.query("SELECT table_name FROM information_schema.tables")}
    for line in re.findall(r"^\| `.*$", QUERIES, re.MULTILINE):
        names, _, columns = line.strip("| ").split(" | ")
        assert set(re.findall(r"`(\w+)`", names)) <= tables
        assert set(re.findall(r"`(\w+)`", columns)) <= known
