"""The export as a whole: loads again identically, the same bytes each time, and never over a foreign folder."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.outputs.builders import RUN, answers, asks, call, load_all, make_record, make_shard, says

from interplay.outputs.exporters import export as exporting
from interplay.outputs.exporters.export import export
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, Shape, named_format
from interplay.outputs.exporters.export_settings import ExportSettings
from interplay.outputs.exporters.reload_check import RowMarks, compare
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.splits import Shares
from interplay.schemas.errors import StoreError, StoreInUse
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord

OF_RECORDS = [name for name in FORMATS if named_format(name).of_pair is None and not named_format(name).of_attempts]

OF_TASKS = ("tau2", "bfcl", "rl")
"""Formats that hold nothing of what the assistant says."""

SHAPES: tuple[Shape, ...] = ("jsonl", "parquet", "dataset")


def make_store(folder: Path, records: list[DatasetRecord] | None = None) -> DatasetStore:
    store = DatasetStore(folder / "dataset.duckdb")
    load_all(store, make_shard(folder, [make_record(index) for index in range(60)] if records is None else records))
    return store


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of sixty records and their shards."""
    folder = tmp_path_factory.mktemp("usual")
    with make_store(folder):
        return folder


ODD = 'line\u2028separator, quotes " and \\, null \x00, tab\t, emoji 🙂, <|im_end|>, /slash/'


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of records whose arguments have other keys, and other kinds of numbers, the later they come."""
    folder = tmp_path_factory.mktemp("odd")
    arguments: list[dict[str, Any]] = [
        {"city": "Graz", "nights": "3"},
        {"nights": 3, "price": 25.0, "exact": None},
        {"deep": {"list": [1, "1", None, {"a": []}], "empty": {}, "": ODD}, "flag": True},
        {},
    ]
    records = []
    for index in range(300):
        made = call(index, "book_hotel", **arguments[index // 75])
        records.append(make_record(index, [asks(ODD), says("", made), answers(made, ODD), says(ODD)], task=index % 40))
    with make_store(folder, records):
        return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("an export must not need the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", OF_RECORDS)
def test_loads_again_identically(tmp_path: Path, usual: Path, name: FormatName, shape: Shape) -> None:
    with DatasetStore(usual / "dataset.duckdb") as store:
        report = export(store, RUN, name, tmp_path / "out", shape)
    assert report.summary() == "reloaded 60/60 identical"
    assert sum(report.splits.values()) == report.rows == 60
    assert {"README.md", "export.json"} < set(report.files)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
    assert sorted(entry.name for entry in usual.iterdir()) == ["dataset.duckdb", "shards"]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", OF_RECORDS)
def test_arguments_of_other_tools_late_numbers_and_odd_text_survive(
    tmp_path: Path, odd: Path, name: FormatName, shape: Shape
) -> None:
    """The trap of `datasets`: merged keys padded with null, and a late 3 that becomes "3"."""
    with DatasetStore(odd / "dataset.duckdb") as store:
        report = export(store, RUN, name, tmp_path / "out", shape)
    assert report.summary() == "reloaded 300/300 identical"


def test_a_dialogue_without_any_call_loads_too(tmp_path: Path) -> None:
    records = [make_record(index, [asks("Hi."), says("Hello.")], task=index) for index in range(3)]
    for name in OF_RECORDS:
        with make_store(tmp_path / name, records) as store:
            assert export(store, RUN, name, tmp_path / name / "out").summary() == "reloaded 3/3 identical"


def test_trl_lines_hold_real_objects(tmp_path: Path) -> None:
    with make_store(tmp_path, [make_record(4)]) as store:
        export(store, RUN, "trl", tmp_path / "out")
    row = json.loads((tmp_path / "out" / "train.jsonl").read_text(encoding="utf-8"))
    assert row["messages"][2]["tool_calls"][1]["function"]["arguments"] == {"city": "Graz", "nights": "4"}
    assert row["tools"][1]["function"]["parameters"]["properties"] == {"nights": {"type": "integer"}}


@pytest.mark.parametrize("shape", SHAPES)
def test_tells_honestly_when_a_reader_rounds_a_number(tmp_path: Path, shape: Shape) -> None:
    made = call(1, "book_hotel", price=0.69)
    record = make_record(0, [asks("Hi."), says("", made), answers(made, "1"), says("Done.")])
    with make_store(tmp_path, [record, make_record(1)]) as store:
        report = export(store, RUN, "trl", tmp_path / "out", shape)
    assert (report.identical, report.rounded, report.first_difference) == (1, 1, "")
    assert report.summary() == "reloaded 1/2 identical, 1 with the last digit of a number rounded by `datasets`"


@pytest.mark.parametrize("name", OF_RECORDS)
def test_what_the_assistant_thought_is_kept_or_left_out(tmp_path: Path, name: FormatName) -> None:
    record = make_record(0, [asks("Hi."), says("Hello.", reasoning="A greeting, I think.")])
    with make_store(tmp_path, [record]) as store:
        whole = export(store, RUN, name, tmp_path / "whole")
        bare = export(store, RUN, name, tmp_path / "bare", reasoning=False)
    assert whole.summary() == bare.summary() == "reloaded 1/1 identical"
    texts = [b"".join(path.read_bytes() for path in (tmp_path / side).glob("*.jsonl")) for side in ("whole", "bare")]
    assert b"I think" not in texts[1]
    if name not in OF_TASKS:
        assert (b"I think" in texts[0]) == ("reasoning" not in whole.left_out)
        assert b"Hello." in texts[1]


def test_tells_where_a_number_came_back_as_another(tmp_path: Path) -> None:
    made = call(1, "book_hotel", price=0.69)
    record = make_record(0, [asks("Hi."), says("", made), answers(made, "1"), says("Done.")])
    with make_store(tmp_path, [record]) as store:
        report = export(store, RUN, "trl", tmp_path / "out")
    [split] = report.splits
    file = tmp_path / "out" / f"{split}.jsonl"
    row = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(row).replace("0.69", "0.68") + "\n", encoding="utf-8")

    marks = RowMarks(named_format("trl").struct_padding)
    marks.note(split, row)
    came_back = compare(tmp_path / "out", "jsonl", marks, lambda: [(split, row)])

    assert (came_back.identical, came_back.rounded) == (0, 0)
    assert f"row {record.id} differs at /messages" in came_back.first_difference


def test_tells_of_rows_that_are_missing_or_too_many(tmp_path: Path) -> None:
    records = [make_record(index, [asks("Hi."), says("Hello.")]) for index in range(3)]
    with make_store(tmp_path, records) as store:
        export(
            store, RUN, "openai", tmp_path / "out", settings=ExportSettings(shares=Shares(train=1.0, validation=0.0))
        )
    [file] = (tmp_path / "out").glob("*.jsonl")
    rows = [(file.stem, json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    marks = RowMarks(named_format("openai").struct_padding)
    for split, row in rows:
        marks.note(split, row)

    def found(lines: list[tuple[str, Any]]) -> tuple[int, str]:
        file.write_text("".join(json.dumps(row) + "\n" for _, row in lines), encoding="utf-8")
        came_back = compare(tmp_path / "out", "jsonl", marks, lambda: rows)
        return came_back.identical, came_back.first_difference

    assert found(rows) == (3, "")
    assert found(rows[:2]) == (2, f"{file.stem}: row {rows[2][1]['id']} is missing")
    assert found([*rows, rows[0]]) == (3, "1 rows more than the store has")
    assert found([rows[1], rows[0], rows[2]])[0] == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_records_give_the_same_bytes(tmp_path: Path, shape: Shape) -> None:
    with make_store(tmp_path) as store:
        export(store, RUN, "trl", tmp_path / "first", shape)
        first = files_of(tmp_path / "first")
        export(store, RUN, "trl", tmp_path / "second", shape)
        export(store, RUN, "trl", tmp_path / "first", shape)
    assert files_of(tmp_path / "second") == first
    assert files_of(tmp_path / "first") == first
    assert not any(str(tmp_path).encode() in content for content in first.values())


def test_splits_without_records_have_no_file(tmp_path: Path) -> None:
    with make_store(tmp_path, [make_record(1)]) as store:
        report = export(store, RUN, "openai", tmp_path / "out")
    assert report.splits == {"train": 1}
    kept = [name for name in report.files if not name.startswith("pictures/")]
    assert kept == ["README.md", "croissant.json", "export.json", "train.jsonl"]


def test_no_task_stands_in_two_splits(tmp_path: Path) -> None:
    """Two hundred tasks, because a share of a twentieth of fifty is none at all for one set of signatures in thirteen."""
    with make_store(tmp_path, [make_record(index, task=index % 200) for index in range(400)]) as store:
        report = export(store, RUN, "openai", tmp_path / "out")
        assert len(report.splits) == 3
        crossing = store.query("SELECT signature FROM records GROUP BY signature HAVING count(DISTINCT split) > 1")
    assert crossing == []


def test_refuses_a_folder_that_is_not_an_earlier_export(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("precious")
    with make_store(tmp_path) as store, pytest.raises(StoreError, match="is not an earlier export"):
        export(store, RUN, "openai", tmp_path / "out")
    assert (tmp_path / "out" / "thesis.tex").read_text() == "precious"


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("during", ["_write_rows", "compare"])
def test_two_exports_do_not_write_to_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, during: str, before: bool
) -> None:
    does = getattr(exporting, during)
    with make_store(tmp_path) as store:
        if before:
            export(store, RUN, "openai", tmp_path / "out")

        def also(*given: Any) -> Any:
            with pytest.raises(StoreInUse, match="another export is writing there"):
                export(store, RUN, "sharegpt", tmp_path / "out")
            return does(*given)

        monkeypatch.setattr(exporting, during, also)
        report = export(store, RUN, "openai", tmp_path / "out")
    assert report.identical == report.rows > 0
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_replaces_an_earlier_export_of_another_shape(tmp_path: Path) -> None:
    with make_store(tmp_path) as store:
        export(store, RUN, "openai", tmp_path / "out", "parquet")
        report = export(store, RUN, "openai", tmp_path / "out", "jsonl")
    assert not any(name.endswith(".parquet") for name in report.files)


def test_a_run_without_accepted_records_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with make_store(tmp_path, [make_record(0, status="rejected")]) as store:
        with pytest.raises(StoreError, match="'demo' has no accepted records"):
            export(store, RUN, "openai", tmp_path / "out")
        with pytest.raises(StoreError, match="holds no run 'other'"):
            export(store, "other", "openai", tmp_path / "out")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["dataset.duckdb", "shards"]


def test_a_tool_that_the_toolset_lacks_is_named(tmp_path: Path) -> None:
    with (
        make_store(tmp_path, [make_record(0, tools=("fly",))]) as store,
        pytest.raises(StoreError, match="offers 'fly'"),
    ):
        export(store, RUN, "openai", tmp_path / "out")


def test_an_unwritable_place_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with make_store(tmp_path) as store, pytest.raises(StoreError, match="cannot be written"):
        export(store, RUN, "openai", tmp_path / "file" / "out")


def test_counts_what_the_format_cannot_hold(tmp_path: Path) -> None:
    ends: list[Message] = [asks("Hi."), says("Hello."), asks("Bye.")]
    with make_store(tmp_path, [make_record(0, ends), make_record(1)]) as store:
        report = export(store, RUN, "sharegpt", tmp_path / "out")
    assert report.left_out == {"last_word_of_user": 1}
    assert "last message: 1" in (tmp_path / "out" / "README.md").read_text()


def test_what_an_earlier_export_does_not_list_stays(usual: Path, tmp_path: Path) -> None:
    with DatasetStore(usual / "dataset.duckdb") as store:
        export(store, RUN, "openai", tmp_path / "out", "parquet")
        own = {".git/config": b"[core]", "notes.md": b"hi", "data/extra/more.txt": b"x"}
        for name, content in own.items():
            (tmp_path / "out" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "out" / name).write_bytes(content)
        (tmp_path / "out/.git/refs").mkdir()
        export(store, RUN, "openai", tmp_path / "out", "jsonl")
    found = files_of(tmp_path / "out")
    assert found.items() >= own.items()
    assert (tmp_path / "out/.git/refs").is_dir()
    assert not any(name.endswith(".parquet") for name in found)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_what_one_that_was_killed_left_is_not_lost(usual: Path, tmp_path: Path) -> None:
    with DatasetStore(usual / "dataset.duckdb") as store:
        export(store, RUN, "openai", tmp_path / "out")
        (tmp_path / "out").rename(tmp_path / ".out.old")
        (tmp_path / ".out.old/notes.md").write_text("hi")
        export(store, RUN, "openai", tmp_path / "out")
    assert (tmp_path / "out/notes.md").read_text() == "hi"


@pytest.mark.parametrize("to", ["s3://bucket/x", "a" * 300, "."])
def test_a_place_that_is_no_folder_to_fill_is_refused(
    usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with DatasetStore(usual / "dataset.duckdb") as store, pytest.raises(StoreError, match=r"another|Name one"):
        export(store, RUN, "openai", Path(to))
    assert list(tmp_path.iterdir()) == []
