"""An export that is loaded again is compared with the rows that were written, split by split."""

import json
from pathlib import Path

from interplay.outputs.exporters.reload_check import RowMarks, compare


def test_rows_of_a_split_that_was_not_written_are_too_many(tmp_path: Path) -> None:
    row, marks = {"id": "a", "text": "Hi."}, RowMarks(struct_padding=False)
    marks.note("train", row)
    for split in ("train", "validation"):
        (tmp_path / f"{split}.jsonl").write_text(f"{json.dumps(row)}\n")
    found = compare(tmp_path, "jsonl", marks, lambda: [("train", row)])
    assert (found.identical, found.first_difference) == (1, "1 rows more than the store has")
