"""Rows get into Arrow as they are, and without pandas."""

import subprocess
import sys

import pyarrow as pa
import pytest

from interplay.outputs.store.arrow import arrow_table

SCHEMA = pa.schema([("n", pa.int64()), ("text", pa.large_string()), ("share", pa.float64()), ("flag", pa.bool_())])
ROWS = [
    (2**63 - 1, 'Zoë said: "no"\n\\u0041\u0000\u2028🙂', 0.1, True),
    (-1, "2026-11-22T10:00:00Z", 1.0, False),
    (None, None, None, None),
    (0, "", 1e-9, None),
]


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], ROWS * 5_000, []], ids=["few", "one", "many", "none"])
def test_a_table_is_what_arrow_makes_of_the_same_lists(rows: list[tuple[object, ...]]) -> None:
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in SCHEMA]

    table = arrow_table(SCHEMA, rows)

    assert table.equals(pa.table(dict(zip(SCHEMA.names, columns, strict=True)), schema=SCHEMA))
    assert table.column("text").num_chunks <= 1


def test_a_row_may_be_larger_than_a_block_usually_is() -> None:
    text = "long " * 2_000_000

    assert arrow_table(SCHEMA, [(1, text, None, None)] * 2).column("text").to_pylist() == [text, text]


def test_a_row_that_does_not_fit_the_columns_is_told() -> None:
    with pytest.raises(ValueError, match="shorter"):
        arrow_table(SCHEMA, [(1, "two")])


def test_making_tables_does_not_import_pandas() -> None:
    code = (
        "import sys, pyarrow as pa; from interplay.outputs.store.arrow import arrow_table; schema = pa.schema([('n', pa.int64())]); "
        "arrow_table(schema, [(1,)]); arrow_table(schema, []); sys.exit('pandas' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
