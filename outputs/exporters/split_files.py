"""Writes rows to files that `datasets` loads: JSON Lines, Parquet or a saved dataset; one file, several or a folder per split.

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

import orjson

from interplay.outputs.exporters.export_formats import Shape
from interplay.outputs.exporters.export_settings import LARGEST_FILE
from interplay.schemas.json.canonical import json_text

ROWS_PER_GROUP = 200
BUFFERED = 1 << 20
"""Size in bytes of the write buffer."""


class SplitWriter(Protocol):
    """Writes the rows of one split, one at a time."""

    def write(self, row: dict[str, Any]) -> None:
        """Take one row."""
        ...

    def close(self) -> None:
        """Write what is left and close the file."""
        ...

    def size(self) -> int:
        """Return roughly how many bytes were written."""
        ...


class JsonLines:
    """Writes one row per line, objects as they are and absent keys left out."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", BUFFERED)
        self._size = 0

    def write(self, row: dict[str, Any]) -> None:
        """Write one line."""
        self._size += self._file.write(_line(row))

    def size(self) -> int:
        """Return how many bytes were written."""
        return self._size

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _line(row: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a number beyond 64 bits
        return f"{json_text(row)}\n".encode()


class ArrowRows:
    """Collects rows, and hands them in groups to a writer of Arrow tables with the features' schema."""

    def __init__(self, features: Any, file: Any, writer: Any) -> None:
        self._features, self._file, self._writer = features, file, writer
        self._rows: list[dict[str, Any]] = []

    def write(self, row: dict[str, Any]) -> None:
        """Keep one row, and write the group if it is full."""
        self._rows.append(row)
        if len(self._rows) == ROWS_PER_GROUP:
            self._flush()

    def close(self) -> None:
        """Write the last group and close the file."""
        self._flush()
        self._writer.close()
        self._file.close()

    def size(self) -> int:
        """Return how many bytes were written, not counting the unfinished group."""
        return int(self._file.tell())

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(arrow_table(self._rows, self._features))
            self._rows = []


class BoundedFiles:
    """Writes the rows of a split to one file, or to several of about `most` bytes each."""

    def __init__(
        self, folder: Path, split: str, suffix: str, most: int, open_file: Callable[[Path], SplitWriter]
    ) -> None:
        self._folder, self._split, self._suffix, self._most, self._open = folder, split, suffix, most, open_file
        self._number = 0
        self._writer = open_file(self._path(0))

    def _path(self, number: int) -> Path:
        return self._folder / f"{self._split}-{number:05d}.{self._suffix}"

    def write(self, row: dict[str, Any]) -> None:
        """Write one row, to a new file if the current one is full."""
        if self._writer.size() >= self._most:
            self._writer.close()
            self._number += 1
            self._writer = self._open(self._path(self._number))
        self._writer.write(row)

    def size(self) -> int:
        """Return the size of the current file in bytes."""
        return self._writer.size()

    def close(self) -> None:
        """Close the last file; a single file loses its number."""
        self._writer.close()
        if not self._number and self._path(0).exists():
            self._path(0).rename(self._folder / f"{self._split}.{self._suffix}")


def open_split(folder: Path, split: str, shape: Shape, features: Any, most: int = LARGEST_FILE) -> SplitWriter:
    """Open a writer for one split; a saved dataset is first written as an Arrow stream (see `save_dataset`)."""
    if shape == "jsonl":
        return BoundedFiles(folder, split, shape, most, JsonLines)
    if shape == "parquet":
        return BoundedFiles(folder, split, shape, most, lambda path: _parquet(path, features))
    return _arrow_stream(_stream(folder, split), features)


def _parquet(path: Path, features: Any) -> ArrowRows:
    import pyarrow as pa  # noqa: PLC0415  (slow to import)
    import pyarrow.parquet as pq  # noqa: PLC0415

    file = pa.OSFile(str(path), "wb")
    return ArrowRows(features, file, pq.ParquetWriter(file, features.arrow_schema, compression="zstd"))


def _arrow_stream(path: Path, features: Any) -> ArrowRows:
    import pyarrow as pa  # noqa: PLC0415  (slow to import)

    file = pa.OSFile(str(path), "wb")
    return ArrowRows(features, file, pa.ipc.new_stream(file, features.arrow_schema))


def arrow_table(rows: list[dict[str, Any]], features: Any) -> Any:
    """Return rows as an Arrow table with the features' schema."""
    import pyarrow as pa  # noqa: PLC0415
    from datasets import Json, List  # noqa: PLC0415
    from datasets.table import table_cast  # noqa: PLC0415

    encoded = {name for name, kind in features.items() if isinstance(kind, List) and isinstance(kind.feature, Json)}
    plain = pa.schema([(f.name, pa.list_(pa.string()) if f.name in encoded else f.type) for f in features.arrow_schema])
    stored = [{k: [json_text(item) for item in v] if k in encoded else v for k, v in row.items()} for row in rows]
    return table_cast(pa.Table.from_pylist(stored, plain), features.arrow_schema)


def save_dataset(folder: Path, splits: list[str], features: Any, most: int = LARGEST_FILE) -> None:
    """Convert the Arrow streams of all splits to the form that `datasets.load_from_disk` reads."""
    from datasets import Dataset, DatasetDict, DatasetInfo, NamedSplit  # noqa: PLC0415
    from datasets.table import MemoryMappedTable  # noqa: PLC0415

    loaded = {
        split: Dataset(
            MemoryMappedTable.from_file(str(_stream(folder, split))),
            info=DatasetInfo(features=features),
            split=NamedSplit(split),
            # Without an explicit one, a dataset gets a fingerprint that depends on the time of writing.
            fingerprint=file_digest(_stream(folder, split), lambda: hashlib.blake2b(digest_size=8)),
        )
        for split in splits
    }
    with quietly():
        DatasetDict(loaded).save_to_disk(str(folder), max_shard_size=most)
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


def file_digest(path: Path, kind: str | Callable[[], Any] = "sha256") -> str:
    """Return a digest of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def _stream(folder: Path, split: str) -> Path:
    path = folder / "streams" / f"{split}.arrow"
    path.parent.mkdir(exist_ok=True)
    return path
