"""Shard files and toolsets -> rows in the store's tables, within the caller's transaction."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import pyarrow as pa
from duckdb import DuckDBPyConnection

from interplay.outputs.store.arrivals import LoadedShard
from interplay.outputs.store.table_rows import SCHEMAS, arrow_tables, toolset_tables
from interplay.schemas.errors import StoreError
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import DatasetRecord

INSERT_ROWS = 500

# The tables that refer to a record; emptied before a changed shard is loaded again.
_CHILDREN = tuple(name for name in SCHEMAS if name != "records")

_Row = tuple[LoadedShard, str, DatasetRecord]


def load_toolset(connection: DuckDBPyConnection, key: str, toolset: Toolset, edges: Iterable[Edge]) -> None:
    """Load a toolset, whose digest is `key`, and the edges of its tool graph, replacing earlier ones."""
    for table, column in (("toolsets", "digest"), ("tools", "toolset"), ("edges", "toolset")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [key])
    for table, rows in toolset_tables(key, toolset, edges).items():
        _insert(connection, table, rows)


def load_rows(connection: DuckDBPyConnection, path: Path, shards: Sequence[LoadedShard]) -> int:
    """Load the records of some shards of one run that are not in the store yet; return how many.

    Raises:
        StoreError: a file is broken, or an index was loaded with other content from another shard.
    """
    rows, added = (row for shard in shards for row in shard.rows()), 0
    first = next(rows)
    run = first[2].run
    _forget_changed(connection, run, shards)
    # One record at a time: with hundreds in memory, garbage collection costs more than reading.
    fresh = _fresh(connection, path, run, shards, chain([first], rows))
    named = ((shard.name, text, record) for shard, text, record in fresh)
    while (tables := arrow_tables(islice(named, INSERT_ROWS)))["records"].num_rows:
        for name, table in tables.items():
            _insert(connection, name, table)
        added += tables["records"].num_rows
    counts = Counter(name for *_, name in _held(connection, run, shards))
    connection.executemany(
        "INSERT OR REPLACE INTO shards VALUES (?, ?, ?, ?, ?)",
        [[run, shard.name, shard.digest, len(shard.indices), counts[shard.name]] for shard in shards],
    )
    return added


def _held(connection: DuckDBPyConnection, run: str, shards: Sequence[LoadedShard]) -> list[tuple[int, int, str, str]]:
    """Return (index, attempt, id, shard) of the records in the index range that some shards span."""
    return connection.execute(
        "SELECT index, attempt, id, shard FROM records WHERE run = ? AND index BETWEEN ? AND ?",
        [run, min(shard.indices[0] for shard in shards), max(shard.indices[-1] for shard in shards)],
    ).fetchall()


def _fresh(
    connection: DuckDBPyConnection, path: Path, run: str, shards: Sequence[LoadedShard], rows: Iterable[_Row]
) -> Iterator[_Row]:
    """Yield the rows of those records that are not in the store yet."""
    present = {(index, attempt): (held, name) for index, attempt, held, name in _held(connection, run, shards)}
    for shard, text, record in rows:
        place = record.index, record.attempt
        if place not in present:
            present[place] = record.id, shard.name
            yield shard, text, record
        elif present[place][0] != record.id:
            raise StoreError(
                f"{shard.path}: index {record.index} of run {run!r} was already loaded from {present[place][1]} with "
                f"another content. Delete {path.name}: the store is built anew from the shard files."
            )


def _forget_changed(connection: DuckDBPyConnection, run: str, shards: Sequence[LoadedShard]) -> None:
    """Delete what was loaded from earlier contents of changed shard files: the files are the truth."""
    digests = {shard.name: shard.digest for shard in shards}
    rows = connection.execute(
        "SELECT name, digest FROM shards WHERE run = ? AND list_contains(?, name)", [run, list(digests)]
    ).fetchall()
    for name in (name for name, digest in rows if digest != digests[name]):
        for table in _CHILDREN:
            connection.execute(
                f"DELETE FROM {table} WHERE record_id IN (SELECT id FROM records WHERE run = ? AND shard = ?)",
                [run, name],
            )
        connection.execute("DELETE FROM records WHERE run = ? AND shard = ?", [run, name])


def _insert(connection: DuckDBPyConnection, name: str, rows: pa.Table) -> None:
    if rows.num_rows:
        connection.register("arriving", rows)
        columns = ", ".join(rows.column_names)
        connection.execute(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM arriving")
        connection.unregister("arriving")
