"""Writes the records of a range of indices as one shard file, and reads them back.

A shard file is Parquet (zstd) with one row per attempt, in the order of the indices and of the attempts at each:

    index | id                               | status   | story       | record
    ------|----------------------------------|----------|-------------|-----------------------------------------------
    0     | 5d41402abc4b2a76b9719d911017c592 | accepted | 9c1f0a72... | {"id": "5d41...", "run": "demo", "index": 0, ...}

Shard files are the truth for a run's progress; the dataset store is derived from them. Each holds a digest of its own bytes in
the metadata of its footer: a file that was altered raises an error instead of being read.
"""

import errno
import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from socket import gethostname
from threading import get_ident

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from interplay.outputs.store.arrow import arrow_table
from interplay.outputs.store.shard_seal import BLANK, SEAL, read_shard_bytes, remake, sealed
from interplay.outputs.store.stored_record import read_record
from interplay.schemas.errors import StoreError, first_line
from interplay.schemas.plain_file import plain
from interplay.schemas.records.verdict import DatasetRecord

SHARD_SCHEMA = pa.schema(
    [
        ("index", pa.int64()),
        ("id", pa.string()),
        ("status", pa.string()),
        ("story", pa.string()),
        ("record", pa.large_string()),
    ]
)
ROWS_PER_GROUP = 256
PARTIAL_SUFFIX = ".partial"

_WITHDRAWN = b"interplay.withdrawn"
_UNSEALED = {b"ARROW:schema"}
"""The metadata keys of a file that was written before files had a digest."""


def write_shard(path: Path, records: Iterable[DatasetRecord], withdrawn: Sequence[str] = ()) -> None:
    """Write `records`, sorted by index and attempt, to `path` atomically; the same records give the same bytes.

    Notes of the `withdrawn` records, one JSON text each, are kept in the file's metadata as a second copy.

    Raises:
        StoreError: the file cannot be written, or a record holds text that is not Unicode.
    """
    ordered = sorted(records, key=lambda record: (record.index, record.attempt))
    texts = [_record_json(path, record) for record in ordered]
    rows = (
        (record.index, record.id, record.status, record.blueprint.story() if record.blueprint else "", text)
        for record, text in zip(ordered, texts, strict=True)
    )
    write_rows(path, rows, withdrawn)


def write_rows(path: Path, rows: Iterable[tuple[int, str, str, str, str]], withdrawn: Sequence[str] = ()) -> None:
    """Write rows of `SHARD_SCHEMA` as a shard file, atomically.

    Raises:
        StoreError: the file cannot be written.
    """
    content = BytesIO()
    noted = {_WITHDRAWN: "\n".join(withdrawn).encode()} if withdrawn else {}
    metadata = {**noted, SEAL: BLANK}  # the seal comes last, since it is searched for from the end
    table = arrow_table(SHARD_SCHEMA, rows).replace_schema_metadata(metadata)
    pq.write_table(
        table,
        content,
        compression="zstd",
        row_group_size=ROWS_PER_GROUP,
        use_dictionary=False,
        write_page_checksum=True,  # for other readers; the seal covers the whole file
    )
    _replace_file(path, sealed(content.getvalue()))


def read_shard(path: Path) -> Iterator[DatasetRecord]:
    """Yield the records of a shard file by index.

    Raises:
        StoreError: the file is missing or broken.
    """
    for _, record in read_rows(path):
        yield record


def read_rows(path: Path) -> Iterator[tuple[str, DatasetRecord]]:
    """Yield (JSON text, record) for each record of a shard file, reading a few at a time.

    Raises:
        StoreError: the file is missing or broken.
    """
    for batch in _batches(path, ["record"]):
        for text in batch.column("record").to_pylist():
            try:
                yield text, read_record(text)
            except ValidationError as error:
                first = error.errors()[0]
                where = "/".join(str(part) for part in first["loc"])
                raise StoreError(
                    f"{path}: holds a record that cannot be read ({where}: {first['msg']}). {remake(path)}"
                ) from error


def withdrawn_notes(path: Path) -> list[str]:
    """Return the notes of withdrawn records in a shard file, one JSON text each.

    Raises:
        StoreError: the file is missing or broken.
    """
    try:
        noted: bytes = pq.read_metadata(plain(path)).metadata.get(_WITHDRAWN, b"")
        return noted.decode().splitlines()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise StoreError(f"{path}: is not a readable shard file ({first_line(error)}). {remake(path)}") from error


def record_at(path: Path, row: int) -> DatasetRecord:
    """Return the record in one row of a shard file; only the row group around it is read and checked.

    Raises:
        StoreError: the file is missing or broken, or has fewer rows.
    """
    try:
        with pq.ParquetFile(plain(path), page_checksum_verification=True) as file:
            group, place = 0, row
            while place >= file.metadata.row_group(group).num_rows:
                place -= file.metadata.row_group(group).num_rows
                group += 1
            return read_record(file.read_row_group(group, columns=["record"]).column("record")[place].as_py())
    except (pa.ArrowException, OSError, IndexError, ValueError) as error:
        raise StoreError(f"{path}: row {row} cannot be read ({first_line(error)}). {remake(path)}") from error


@dataclass(frozen=True)
class Outcome:
    """The status of a record, and the digest of its scenario (see `Blueprint.story`).

    `story` is "" if there is no scenario, and in files written before scenarios were compared.
    """

    index: int
    status: str
    story: str


def shard_outcomes(path: Path) -> Iterator[Outcome]:
    """Yield the outcome of each record without parsing the records.

    Raises:
        StoreError: the file is missing or broken.
    """
    for batch in _batches(path, ["index", "status", "story"]):
        yield from (Outcome(**{"story": "", **row}) for row in batch.to_pylist())


def _batches(path: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """Check the digest of a file, and yield its rows in batches."""
    content = read_shard_bytes(path)
    try:
        with pq.ParquetFile(BytesIO(content), page_checksum_verification=True) as file:
            held = set(file.metadata.metadata or ())
            if held != _UNSEALED and (SEAL not in held or sealed(content) != content):
                raise StoreError(f"{path}: is damaged: its bytes are not those that were written. {remake(path)}")
            for batch in file.iter_batches(ROWS_PER_GROUP, columns=columns):
                batch.validate(full=True)
                yield batch
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise StoreError(f"{path}: is not a readable shard file ({first_line(error)}). {remake(path)}") from error


def _record_json(path: Path, record: DatasetRecord) -> str:
    try:
        return record.model_dump_json()
    except PydanticSerializationError as error:
        raise StoreError(
            f"{path}: record {record.index} cannot be written as JSON ({first_line(error)}). "
            "Leave the record out: its arguments hold text that is not valid Unicode."
        ) from error


def _replace_file(path: Path, content: bytes) -> None:
    # A worker that was given up may still be writing the same shard, so each writer has its own partial file.
    partial = path.with_name(f"{path.name}.{gethostname()}-{os.getpid()}-{get_ident()}{PARTIAL_SUFFIX}")
    try:
        path.parent.mkdir(exist_ok=True)  # without `parents`: a deleted workspace is not created again
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        for left in path.parent.glob(f"{glob.escape(path.name)}*{PARTIAL_SUFFIX}"):
            left.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path.exists():
            return  # another writer finished first, with the same bytes
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written ({error.strerror}). {_remedy(error)}") from error


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a rename in it survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remedy(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "Nothing already made is lost: free some space and run again."
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return "Nothing already made is lost: make the folder writable and run again."
    return "Nothing already made is lost: put this right and run again."
