"""What is asked of an export beside its format: columns, splits, held-out tools, lengths, sizes of files."""

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset
from tests.outputs.builders import RUN, asks, load_all, make_record, make_shard, make_toolset, says

from interplay.outputs.exporters.columns import COLUMNS
from interplay.outputs.exporters.export import ExportReport, export
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, Shape, named_format
from interplay.outputs.exporters.export_settings import ExportSettings
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.splits import Shares, read_shares
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.records.recipe import MadeWorld
from interplay.schemas.records.tool import Source
from interplay.schemas.records.verdict import DatasetRecord

COUNT = 60


def made(folder: Path, format: FormatName, shape: Shape = "jsonl", **settings: Any) -> ExportReport:
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, [in_world(make_record(index), index // 3) for index in range(COUNT)]))
        return export(store, RUN, format, folder / "out", shape, settings=ExportSettings(**settings))


def in_world(record: DatasetRecord, number: int) -> DatasetRecord:
    assert record.blueprint is not None
    blueprint = record.blueprint.model_copy(update={"world": MadeWorld(seed=1, number=number)})
    return record.model_copy(update={"blueprint": blueprint})


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "out").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("format", [name for name in FORMATS if named_format(name).of_pair is None])
def test_every_format_has_the_columns_unless_they_are_left_out(tmp_path: Path, format: FormatName) -> None:
    report = made(tmp_path, format)
    assert report.identical == report.rows > 0
    assert all(set(COLUMNS) <= set(row) for row in rows(tmp_path))
    made(tmp_path, format, columns=False)
    assert all(list(row) == list(named_format(format).features()) for row in rows(tmp_path))


def test_columns_tell_what_the_record_holds(tmp_path: Path) -> None:
    made(tmp_path, "openai")
    row = next(row for row in rows(tmp_path) if row["index"] == 4)
    assert (row["pattern"], row["world"], row["calls"], row["turns"], row["domain"]) == (
        "sequential",
        "1/1",
        3,
        4,
        "Hotels",
    )
    assert json.loads(row["gold_actions"])[0]["arguments"] == {"nights": 4}
    assert row["tokens"] > 50
    assert row["licence"] == "Apache-2.0"
    assert row["reviewed"] is False


def test_splits_have_the_shares_asked_for_and_share_no_world(tmp_path: Path) -> None:
    report = made(tmp_path, "openai", shares=Shares(train=0.6, validation=0.2))
    assert report.splits["train"] < 45
    assert len(report.splits) == 3
    places: dict[str, set[str]] = {}
    for row in rows(tmp_path):
        places.setdefault(row["world"], set()).add(row["split"])
    assert {len(found) for found in places.values()} == {1}


def test_only_the_test_split_uses_a_tool_that_is_held_out(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such tool"):
        made(tmp_path, "openai", hold_out=("find_flight",))
    report = made(tmp_path, "openai", hold_out=("find_hotel",))
    assert set(report.splits) == {"test"}
    assert report.left_out_rows == {"held_out": COUNT - report.splits["test"]}


def test_only_the_test_split_uses_tools_of_a_source_that_is_held_out(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="all tools come from it"):
        made(tmp_path, "openai", hold_out=("a.json",))
    toolset = make_toolset()
    other = Source(file="taxis.json", pointer="/tools/0")
    tools = tuple(
        tool.model_copy(update={"source": other}) if tool.name == "book_hotel" else tool for tool in toolset.tools
    )
    toolset = toolset.model_copy(update={"tools": tools})
    with DatasetStore(tmp_path / "other.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(index) for index in range(COUNT)]), toolset=toolset)
        for name in ("taxis.json", "taxis", "json:taxis.json"):
            report = export(store, RUN, "openai", tmp_path / "out", settings=ExportSettings(hold_out=(name,)))
            assert set(report.splits) == {"test"}
        assert all(row["source"] == ["a.json", "taxis.json"] for row in rows(tmp_path))


def test_long_dialogues_are_left_out_and_counted(tmp_path: Path) -> None:
    long = make_record(1, [asks("word " * 4_000), says("Yes.")])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0), long]))
        report = export(store, RUN, "openai", tmp_path / "out", settings=ExportSettings(max_tokens=1_000))
        assert (report.rows, report.left_out_rows) == (1, {"too_long": 1})
        with pytest.raises(StoreError, match="2 too long"):
            export(store, RUN, "openai", tmp_path / "out", settings=ExportSettings(max_tokens=1))


@pytest.mark.parametrize("shape", ["jsonl", "parquet"])
def test_files_have_a_bounded_size_and_load_as_one(tmp_path: Path, shape: Shape) -> None:
    report = made(tmp_path, "openai", shape, file_bytes=20_000 if shape == "jsonl" else 1)
    assert report.identical == COUNT
    if shape == "jsonl":
        assert len([name for name in report.files if name.startswith("train-")]) > 3


def test_rows_stream(tmp_path: Path) -> None:
    made(tmp_path, "openai", "parquet")
    streamed = load_dataset(str(tmp_path / "out"), streaming=True, cache_dir=str(tmp_path / "cache"))
    assert sum(1 for split in streamed.values() for _ in split) == COUNT


@pytest.mark.parametrize("text", ["0.8,0.1", "0.8,0.1,0.2", "a,b,c", "1.5,-0.5,0", "nan,0,1"])
def test_shares_that_do_not_make_one_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="three shares that make 1"):
        read_shares(text)


def test_files_for_trainers_name_files_and_columns_that_are_there(tmp_path: Path) -> None:
    made(tmp_path, "sharegpt")
    for name, entry in json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8")).items():
        assert (tmp_path / "out" / entry["file_name"]).exists(), name
        assert set(entry["columns"].values()) <= set(rows(tmp_path)[0])
    croissant = json.loads((tmp_path / "out" / "croissant.json").read_text("utf-8"))
    assert {file["contentUrl"] for file in croissant["distribution"]} == {
        p.name for p in (tmp_path / "out").glob("*.jsonl")
    }
    assert "### Train with LLaMA-Factory" in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_what_is_to_be_pasted_names_all_files_of_a_split(tmp_path: Path) -> None:
    made(tmp_path, "sharegpt", file_bytes=20_000)
    card = (tmp_path / "out" / "README.md").read_text("utf-8")
    asked = card.split("path/to/this/folder\ndataset: ")[1].split("\n")[0].split(",")
    known = json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8"))
    assert len(asked) > 3
    assert {known[name]["file_name"] for name in asked} == {p.name for p in (tmp_path / "out").glob("train-*")}


def test_what_is_to_be_pasted_loads_a_saved_dataset_as_one(tmp_path: Path) -> None:
    made(tmp_path, "trl", "dataset")
    assert "load_dataset" not in (tmp_path / "out" / "README.md").read_text("utf-8")
    made(tmp_path, "sharegpt", "dataset")
    assert "### Train" not in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_the_card_tells_of_the_dialogues_of_which_there_are_rows(tmp_path: Path) -> None:
    long = make_record(1, [asks("word " * 4_000), says("Yes.")])
    with DatasetStore(tmp_path / "dataset.duckdb") as store:
        load_all(store, make_shard(tmp_path, [make_record(0), make_record(2), long]))
        export(store, RUN, "openai", tmp_path / "out", settings=ExportSettings(max_tokens=1_000))
        card = (tmp_path / "out" / "README.md").read_text("utf-8")
        assert "\n2 dialogues in which" in card
        assert "The run has 3 accepted dialogues. All figures here are of the 2" in card
        assert "| accepted (dialogues) | 3 |" in card
        assert store.count_accepted(RUN) == 3
