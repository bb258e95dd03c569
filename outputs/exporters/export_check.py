"""The folder of an export -> which files were altered, and whether the run would give other rows by now.

`export.json` records what an export was made from and a digest of every other file, in all formats and shapes.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field, ValidationError

from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.exporters.export_rows import RowSource
from interplay.outputs.exporters.export_settings import ExportSettings
from interplay.outputs.exporters.reload_check import RowMarks, compare
from interplay.outputs.exporters.selection import Tally
from interplay.outputs.exporters.split_files import file_digest
from interplay.schemas.errors import StoreError
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain

MANIFEST = "export.json"
DATA = (".jsonl", ".parquet", ".arrow")
"""Suffixes of files that `datasets` would load as rows, even if they do not belong to the export."""
NAMES = ("id", "chosen_id")
"""The columns that name the records which a row is made of."""
RECORD = re.compile(r"[0-9a-f]{32}")


class ExportNote(Record):
    """What an export was made from, and file name -> SHA-256; `files` is empty in exports of older versions."""

    interplay: int = 1
    run: str
    format: FormatName
    shape: Shape
    splits: dict[str, int]
    settings: ExportSettings
    reasoning: bool = True
    files: dict[str, str] = Field(default_factory=dict)


def read_note(folder: Path) -> ExportNote:
    """Read the manifest of an export.

    Raises:
        StoreError: the folder is not an export of a workspace, or its manifest is broken.
    """
    try:
        return ExportNote.model_validate_json(plain(folder / MANIFEST).read_bytes())
    except OSError as error:
        raise StoreError(
            f"{folder / MANIFEST}: cannot be read ({error.strerror}). Name the folder of an export."
        ) from error
    except ValidationError as error:
        raise StoreError(
            f"{folder / MANIFEST}: is broken, or not of an export of a workspace. Delete the folder, and export again."
        ) from error


def digests(folder: Path) -> dict[str, str]:
    """Return path within the folder -> SHA-256, for each file of an export."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / MANIFEST)
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in files}


def damage(folder: Path, note: ExportNote) -> Iterator[tuple[Path, str]]:
    """Yield (path, what is wrong) for each altered or missing file, and for each foreign file that would load as rows."""
    there = digests(folder) if note.files else {}
    for name, digest in sorted(note.files.items()):
        if there.get(name) != digest:
            yield folder / name, "is not as it was written" if name in there else "is missing"
    for name in sorted(there.keys() - note.files.keys()):
        if name.endswith(DATA):
            yield folder / name, "is not part of the export, and would be loaded with it: move it away"


def record_ids(folder: Path) -> Iterator[str]:
    """Yield the ids of the records that the rows of an export are made of; unreadable files are skipped.

    Rows of steps and turns are called `RECORD/PLACE`, those for BFCL `multi_turn_RECORD`; pairs are made of two records.
    """
    for path in sorted(folder.rglob("*")):
        with suppress(ValueError, OSError, pa.ArrowException):
            for name in _row_names(path):
                yield from RECORD.findall(str(name))


def _row_names(path: Path) -> Iterator[object]:
    """Yield the values of the columns `NAMES` in a file of rows; none for other files."""
    if path.suffix == ".jsonl":
        with path.open("rb") as file:
            for line in file:
                row = json.loads(line)
                yield from (row[name] for name in NAMES if isinstance(row, dict) and name in row)
    elif path.suffix == ".parquet":
        parquet = pq.ParquetFile(path)
        there = [name for name in NAMES if name in parquet.schema_arrow.names]
        for batch in parquet.iter_batches(columns=there):
            yield from chain.from_iterable(batch.column(name).to_pylist() for name in there)
    elif path.suffix == ".arrow":
        with pa.memory_map(str(path)) as file:
            for batch in pa.ipc.open_stream(file):
                there = [name for name in NAMES if name in batch.schema.names]
                yield from chain.from_iterable(batch.column(name).to_pylist() for name in there)


def difference(folder: Path, shape: Shape, source: RowSource) -> str:
    """Return a description of the first row that differs from what the run gives now; "" if all are equal."""
    marks = RowMarks(source.format.struct_padding)
    for split, row, _ in source.rows(Tally()):
        marks.note(split, row)
    try:
        return compare(
            folder, shape, marks, lambda: ((split, row) for split, row, _ in source.rows(Tally()))
        ).first_difference
    except StoreError:
        raise
    except Exception as error:
        return f"they cannot be loaded: {(str(error).splitlines() or [type(error).__name__])[0]}"
