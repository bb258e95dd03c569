"""Writes rows into files that `datasets` loads: JSON Lines, Parquet, or a saved dataset; one file or folder per split.

The same rows give the same bytes. Columns of the `Json()` feature are written as JSON text made here, since the
encoder of `datasets` rounds floats.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from interplay.outputs.exporters.assistant_view import json_text
from interplay.outputs.exporters.export_formats import Shape

ROWS_PER_GROUP = 200


class SplitWriter(Protocol):
    """Writes the rows of one split, one at a time."""

    def write(self, row: dict[str, Any]) -> None:
        """Take one row."""
        ...

    def close(self) -> None:
        """Write what is left and close the file."""
        ...


class JsonLines:
    """Writes one row a line, objects as they are and absent keys left out."""

    def __init__(self, folder: Path, split: str) -> None:
        self._file = (folder / f"{split}.jsonl").open("w", encoding="utf-8", newline="\n")

    def write(self, row: dict[str, Any]) -> None:
        """Write one line."""
        self._file.write(json_text(row) + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ArrowRows:
    """Collects rows and hands them on in groups, as tables of the features' Arrow schema."""

    def __init__(self, features: Any, write_table: Callable[[Any], object], close: Callable[[], object]) -> None:
        self._features = features
        self._write_table = write_table
        self._close = close
        self._rows: list[dict[str, Any]] = []

    def write(self, row: dict[str, Any]) -> None:
        """Keep one row, and write the group when it is full."""
        self._rows.append(row)
        if len(self._rows) == ROWS_PER_GROUP:
            self._flush()

    def close(self) -> None:
        """Write the last group and close the file."""
        self._flush()
        self._close()

    def _flush(self) -> None:
        if self._rows:
            self._write_table(arrow_table(self._rows, self._features))
            self._rows = []


def open_split(folder: Path, split: str, shape: Shape, features: Any) -> SplitWriter:
    """Open the file of one split; a saved dataset is first written as an Arrow stream (see `save_dataset`)."""
    if shape == "jsonl":
        return JsonLines(folder, split)
    import pyarrow as pa  # noqa: PLC0415  (slow to import)
    import pyarrow.parquet as pq  # noqa: PLC0415

    schema = features.arrow_schema
    if shape == "parquet":
        parquet = pq.ParquetWriter(folder / f"{split}.parquet", schema, compression="zstd")
        return ArrowRows(features, parquet.write_table, parquet.close)
    file = pa.OSFile(str(_stream(folder, split)), "wb")
    stream = pa.ipc.new_stream(file, schema)

    def close() -> None:
        stream.close()
        file.close()

    return ArrowRows(features, stream.write_table, close)


def arrow_table(rows: list[dict[str, Any]], features: Any) -> Any:
    """Return rows as an Arrow table of the features' schema."""
    import pyarrow as pa  # noqa: PLC0415
    from datasets import Json, List  # noqa: PLC0415
    from datasets.table import table_cast  # noqa: PLC0415

    encoded = {name for name, kind in features.items() if isinstance(kind, List) and isinstance(kind.feature, Json)}
    plain = pa.schema([(f.name, pa.list_(pa.string()) if f.name in encoded else f.type) for f in features.arrow_schema])
    stored = [{k: [json_text(item) for item in v] if k in encoded else v for k, v in row.items()} for row in rows]
    return table_cast(pa.Table.from_pylist(stored, plain), features.arrow_schema)


def save_dataset(folder: Path, splits: list[str], features: Any) -> None:
    """Turn the Arrow streams of all splits into what `datasets.load_from_disk` reads."""
    from datasets import Dataset, DatasetDict, DatasetInfo, NamedSplit  # noqa: PLC0415
    from datasets.table import MemoryMappedTable  # noqa: PLC0415

    loaded = {
        split: Dataset(
            MemoryMappedTable.from_file(str(_stream(folder, split))),
            info=DatasetInfo(features=features),
            split=NamedSplit(split),
            # Without one of its own, a dataset gets a fingerprint that depends on the time of writing.
            fingerprint=_digest(_stream(folder, split)),
        )
        for split in splits
    }
    with quietly():
        DatasetDict(loaded).save_to_disk(str(folder))
    del loaded
    shutil.rmtree(_stream(folder, "").parent)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep `datasets` from drawing its own progress bars."""
    import datasets  # noqa: PLC0415

    disabled = datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        if not disabled:
            datasets.enable_progress_bars()


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON, keys sorted."""
    path.write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()


def _stream(folder: Path, split: str) -> Path:
    path = folder / "streams" / f"{split}.arrow"
    path.parent.mkdir(exist_ok=True)
    return path
