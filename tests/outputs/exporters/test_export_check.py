"""Of which records an export holds rows, whatever its format and the shape of its files."""

from pathlib import Path

import pytest
from tests.outputs.builders import RUN, load_all, make_record, make_shard, wrong_attempt

from interplay.outputs.exporters.export import export
from interplay.outputs.exporters.export_check import record_ids
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.store.dataset_store import DatasetStore

RIGHT, WRONG = make_record(4), wrong_attempt()


@pytest.mark.parametrize(
    ("format", "shape", "held"),
    [
        ("openai", "jsonl", {RIGHT.id}),
        ("openai", "parquet", {RIGHT.id}),
        ("openai", "dataset", {RIGHT.id}),
        ("bfcl", "jsonl", {RIGHT.id}),
        ("steps", "jsonl", {RIGHT.id}),
        ("kto", "jsonl", {RIGHT.id, WRONG.id}),
        ("preference", "jsonl", {RIGHT.id, WRONG.id}),
        ("preference", "parquet", {RIGHT.id, WRONG.id}),
        ("preference", "dataset", {RIGHT.id, WRONG.id}),
    ],
)
def test_the_records_of_all_rows_are_found_and_a_torn_file_hides_none(
    tmp_path: Path, format: FormatName, shape: Shape, held: set[str]
) -> None:
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [RIGHT, WRONG]))
        export(store, RUN, format, tmp_path / "out", shape)
    for ending in ("jsonl", "parquet", "arrow"):
        (tmp_path / "out" / f"a-torn.{ending}").write_bytes(b'{"id": "torn')
    (tmp_path / "out/a-list.jsonl").write_text('7\n["id"]\n{"id": null}\n')
    assert set(record_ids(tmp_path / "out")) == held
