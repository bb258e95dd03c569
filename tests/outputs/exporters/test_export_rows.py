"""Which dialogues of a run have rows, and what is counted of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.outputs.builders import RUN, load_all, make_record, make_shard, wrong_attempt
from tests.outputs.exporters.test_selection import session

from interplay.outputs.exporters.export_formats import FormatName, named_format
from interplay.outputs.exporters.export_rows import RowSource
from interplay.outputs.exporters.export_settings import ExportSettings
from interplay.outputs.exporters.selection import Tally
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.schemas.records.verdict import DatasetRecord


def rows(
    folder: Path, records: Sequence[DatasetRecord], format: FormatName, **settings: Any
) -> tuple[list[dict[str, Any]], Tally]:
    tally = Tally()
    with DatasetStore(folder / "dataset.duckdb") as store:
        load_all(store, make_shard(folder, records))
        source = RowSource(store, RUN, store.run_toolset(RUN), named_format(format), ExportSettings(**settings))
        return [row for _, row, _ in source.rows(tally)], tally


@pytest.mark.parametrize("format", ["openai", "steps", "kto"])
def test_of_a_session_the_last_dialogue_has_rows_and_is_counted_and_no_other(
    tmp_path: Path, format: FormatName
) -> None:
    *_, last = records = session("accepted", "accepted")
    found, tally = rows(tmp_path, records, format)
    assert {row["id"].partition("/")[0] for row in found} == {last.id}
    assert len({row["id"] for row in found}) == len(found)
    assert [*tally.placed] == [last.id]
    assert len(tally.tokens) == 1


def test_a_dialogue_that_is_in_several_pairs_is_counted_once_with_its_tokens(tmp_path: Path) -> None:
    right, wrong = make_record(4), wrong_attempt()
    other = wrong.model_copy(update={"id": "f" * 32, "attempt": 2})
    found, tally = rows(tmp_path, [right, wrong, other], "preference")
    assert [(row["chosen_id"], row["id"]) for row in found] == [(right.id, wrong.id), (right.id, other.id)]
    assert [*tally.placed] == [right.id]
    assert len(tally.tokens) == 1


def test_a_dialogue_of_just_as_many_tokens_as_are_allowed_is_kept(tmp_path: Path) -> None:
    [row], _ = rows(tmp_path, [make_record(0)], "openai")
    for fewer, kept in ((0, 1), (1, 0)):
        found, tally = rows(tmp_path, [make_record(0)], "openai", max_tokens=row["tokens"] - fewer)
        assert (len(found), tally.too_long) == (kept, 1 - kept)
