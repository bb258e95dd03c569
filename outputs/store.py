"""Loads shard files into a DuckDB database that a person can query; whatever it holds can be loaded again from them.

One process owns the database at a time, readers included, so it is opened for short and closed again:

    with DatasetStore(Path("workspace/dataset.duckdb")) as store:
        store.load_shard(Path("workspace/shards/00000.parquet"))
        for record in store.accepted("demo"): ...

Tables: runs, toolsets, tools, edges, records, messages, calls, verdicts, issues, rounds, reviews, shards (see `migrations`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import pyarrow as pa

from interplay.outputs.migrations import migrate
from interplay.outputs.rows import SCHEMAS, arrow_tables, toolset_tables
from interplay.outputs.shards import read_rows, shard_digest, shard_outcomes
from interplay.schemas.errors import StoreError
from interplay.schemas.graph import Edge
from interplay.schemas.tools import Toolset
from interplay.schemas.verdict import DatasetRecord, Verdict

INSERT_ROWS = 500
READ_INDICES = 500
MEMORY_LIMIT = "256MB"  # what DuckDB may keep of the database in memory; sorts and joins beyond it go to disk
# Of the tables filled from records, those that name a record; emptied before a changed shard is loaded anew.
_CHILDREN = tuple(name for name in SCHEMAS if name != "records")


class DatasetStore:
    """The one owner of a DuckDB database of runs, toolsets and records; a context manager."""

    def __init__(self, path: Path) -> None:
        """Open the database at `path`, made if it is missing, and bring its tables up to date.

        Raises:
            StoreError: it is locked by another process, broken, or from a newer version.
        """
        self.path = path
        self._connection = _open(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the database for other processes."""
        self._connection.close()

    def load_run(self, run: str, config: str, seed: int, toolset: str) -> None:
        """Note what a run was asked for: its configuration (JSON text), seed, and the digest of its toolset."""
        with _Transaction(self._connection, self.path):
            self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", [run, config, seed, toolset])

    def load_toolset(self, toolset: Toolset, edges: Iterable[Edge] = ()) -> str:
        """Load a toolset and the edges of its tool graph, in place of earlier edges; return its digest."""
        key = toolset.digest()
        with _Transaction(self._connection, self.path):
            for table, column in (("toolsets", "digest"), ("tools", "toolset"), ("edges", "toolset")):
                self._connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [key])
            for table, rows in toolset_tables(key, toolset, edges).items():
                self._insert(table, rows)
        return key

    def load_shard(self, path: Path, until: int | None = None, rejected: Mapping[int, Verdict] | None = None) -> int:
        """Load the records of a shard file, up to and with index `until`, in one transaction; return how many were new.

        `rejected` holds by index what only shows beside the records of earlier shards: these are rejected here.

        Loading a shard again changes nothing, unless the file has changed: then its records replace the earlier ones.

        Raises:
            StoreError: the file is broken, or an index is already there with another content from another shard.
        """
        key = shard_digest(path)
        outcomes = [outcome.index for outcome in shard_outcomes(path)]
        wanted = [index for index in outcomes if until is None or index <= until]
        known = self.query("SELECT loaded FROM shards WHERE name = ? AND digest = ?", [path.name, key])
        if not wanted or (known and known[0]["loaded"] >= len(wanted)):
            return 0
        with _Transaction(self._connection, self.path):
            return self._load_rows(path, key, len(outcomes), max(wanted), rejected or {})

    def _load_rows(self, path: Path, key: str, size: int, last: int, rejected: Mapping[int, Verdict]) -> int:
        rows = (_judged(text, record, rejected) for text, record in read_rows(path) if record.index <= last)
        batch = list(islice(rows, INSERT_ROWS))
        run = batch[0][1].run
        self._forget_changed(run, path.name, key)
        present = {
            (row["index"], row["attempt"]): row
            for row in self.query(
                "SELECT index, attempt, id, shard FROM records WHERE run = ? AND index BETWEEN ? AND ?",
                [run, batch[0][1].index, last],
            )
        }
        added = 0
        while batch:
            fresh = [
                (text, record)
                for text, record in batch
                if _is_fresh(path, record, present.get((record.index, record.attempt)))
            ]
            for name, table in arrow_tables(path.name, fresh).items():
                self._insert(name, table)
            added += len(fresh)
            batch = list(islice(rows, INSERT_ROWS))
        loaded = self.query("SELECT count(*) AS n FROM records WHERE run = ? AND shard = ?", [run, path.name])[0]["n"]
        self._connection.execute(
            "INSERT OR REPLACE INTO shards VALUES (?, ?, ?, ?, ?)", [run, path.name, key, size, loaded]
        )
        return added

    def _forget_changed(self, run: str, name: str, key: str) -> None:
        """Remove what was loaded from an earlier content of this shard file: the file is the truth."""
        if self.query("SELECT 1 AS one FROM shards WHERE run = ? AND name = ? AND digest <> ?", [run, name, key]):
            for table in _CHILDREN:
                self._connection.execute(
                    f"DELETE FROM {table} WHERE record_id IN (SELECT id FROM records WHERE run = ? AND shard = ?)",
                    [run, name],
                )
            self._connection.execute("DELETE FROM records WHERE run = ? AND shard = ?", [run, name])

    def _insert(self, name: str, rows: pa.Table) -> None:
        if rows.num_rows:
            self._connection.register("arriving", rows)
            columns = ", ".join(rows.column_names)
            self._connection.execute(f"INSERT INTO {name} ({columns}) SELECT {columns} FROM arriving")
            self._connection.unregister("arriving")

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[dict[str, Any]]:
        """Run a query of your own and return its rows, all at once.

        Raises:
            StoreError: DuckDB does not accept it.
        """
        try:
            result = self._connection.execute(sql, parameters)
            names = [column[0] for column in result.description or ()]
            return [dict(zip(names, row, strict=True)) for row in result.fetchall()]
        except duckdb.Error as error:
            raise StoreError(f"{self.path}: {str(error).splitlines()[0]}") from error

    def record(self, identifier: str) -> DatasetRecord:
        """Return the record with this id, or the only one whose id starts so.

        Raises:
            StoreError: there is none, or several.
        """
        found = self.query("SELECT id, record FROM records WHERE starts_with(id, ?) ORDER BY id LIMIT 2", [identifier])
        exact = [row for row in found if row["id"] == identifier] or found
        if len(exact) != 1:
            count = "several records" if exact else "no record"
            raise StoreError(f"{self.path}: {count} with an id that starts with {identifier!r}.")
        return DatasetRecord.model_validate_json(exact[0]["record"])

    def accepted(self, run: str) -> Iterator[DatasetRecord]:
        """Yield the accepted records of a run in the order of their indices, a few hundred in memory at a time."""
        bounds = self.query(
            "SELECT min(index) AS low, max(index) AS high FROM records WHERE run = ? AND status = 'accepted'", [run]
        )[0]
        if bounds["low"] is None:
            return
        # Ranges of indices, not one sorted result: a sort would carry all records through memory.
        for low in range(bounds["low"], bounds["high"] + 1, READ_INDICES):
            rows = self.query(
                "SELECT record FROM records WHERE run = ? AND status = 'accepted' AND index BETWEEN ? AND ? "
                "ORDER BY index, attempt",
                [run, low, low + READ_INDICES - 1],
            )
            for row in rows:
                yield DatasetRecord.model_validate_json(row["record"])

    def failed(self, run: str) -> Iterator[DatasetRecord]:
        """Yield the dialogues of a run that the assistant failed, in the order of their indices."""
        rows = self.query(
            "SELECT record FROM records WHERE run = ? AND status = 'rejected' AND fault IS NOT NULL "
            "AND fault NOT IN ('users_fault', 'other') ORDER BY index, attempt",
            [run],
        )
        for row in rows:
            yield DatasetRecord.model_validate_json(row["record"])

    def contested(self, run: str) -> Iterator[list[DatasetRecord]]:
        """Yield the attempts at each task of a run at which some passed and some failed, in the order of the indices."""
        rows = self.query(
            "SELECT index FROM records WHERE run = ? AND attempt IS NOT NULL GROUP BY index "
            "HAVING count(*) FILTER (status = 'accepted') > 0 AND count(*) FILTER (status = 'rejected') > 0 ORDER BY index",
            [run],
        )
        for row in rows:
            found = self.query(
                "SELECT record FROM records WHERE run = ? AND index = ? ORDER BY attempt", [run, row["index"]]
            )
            yield [DatasetRecord.model_validate_json(item["record"]) for item in found]

    def continued(self, run: str) -> frozenset[str]:
        """Return the ids of the records of a run that a later accepted one of their session holds as a whole."""
        rows = self.query(
            "SELECT records.id, status, json_extract_string(record, '$.blueprint.start.source') AS source FROM records "
            "JOIN runs ON runs.id = records.run WHERE run = ? AND json_extract(config, '$.tasks_per_session') > 1 "
            "AND json_extract_string(record, '$.blueprint.start.origin') = 'session'",
            [run],
        )  # fmt: skip
        before = {row["id"]: row["source"] for row in rows}
        found: set[str] = set()
        for row in rows:
            identifier = before.get(row["id"]) if row["status"] == "accepted" else None
            while identifier is not None and identifier not in found:
                found.add(identifier)
                identifier = before.get(identifier)
        return frozenset(found)

    def toolset(self, key: str) -> Toolset:
        """Return the toolset with this digest.

        Raises:
            StoreError: it was never loaded.
        """
        found = self.query("SELECT record FROM toolsets WHERE digest = ?", [key])
        if not found:
            raise StoreError(f"{self.path}: holds no toolset {key}. Load it with the run.")
        return Toolset.model_validate_json(found[0]["record"])

    def run_toolset(self, run: str) -> Toolset:
        """Return the toolset of a run.

        Raises:
            StoreError: the run or its toolset was never loaded.
        """
        found = self.query("SELECT toolset FROM runs WHERE id = ?", [run])
        if not found:
            names = ", ".join(str(row["id"]) for row in self.query("SELECT id FROM runs ORDER BY id LIMIT 10"))
            raise StoreError(f"{self.path}: holds no run {run!r}; it holds {names or 'none at all'}.")
        return self.toolset(found[0]["toolset"])


class _Transaction:
    """Everything inside happens, or nothing does; what DuckDB raises becomes a StoreError that names the file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def __enter__(self) -> None:
        self._connection.execute("BEGIN")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._connection.execute("ROLLBACK" if error else "COMMIT")
        except duckdb.Error as failure:
            error = error or failure
        if isinstance(error, duckdb.Error):
            reason = str(error).splitlines()[0]
            raise StoreError(
                f"{self._path}: could not be written ({reason}). Nothing already loaded is lost: "
                "free some space if the disk is full, and run again."
            ) from error


def _open(path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        quoted = str(path).replace("'", "''")
        # Small row groups and zstd: with DuckDB's defaults, large JSON texts stall inserts for seconds.
        connection.execute(f"ATTACH '{quoted}' AS store (ROW_GROUP_SIZE 2048)")
        connection.execute("USE store")
        connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        connection.execute(f"SET temp_directory = '{quoted}.tmp'")
        migrate(connection)
    except (duckdb.Error, OSError, StoreError) as error:
        connection.close()
        raise StoreError(f"{path}: {_why_closed(error)}") from error
    return connection


def _why_closed(error: Exception) -> str:
    text = str(error).splitlines()[0]
    if "Could not set lock" in text or "already attached by" in text:
        holder = re.search(r"PID (\d+)", str(error))
        who = f"process {holder[1]}" if holder else "another part of this process"
        return f"is in use by {who}. Wait until that is done, or end it, and run again."
    if "not a valid DuckDB database" in text:
        return "is not a dataset store. Delete the file: the store is built anew from the shard files."
    return text


def _judged(text: str, record: DatasetRecord, rejected: Mapping[int, Verdict]) -> tuple[str, DatasetRecord]:
    """Return a record with its JSON text, after a verdict that came later if there is one."""
    if record.index not in rejected or record.status == "rejected":
        return text, record
    judged = record.rejected_by(rejected[record.index])
    return judged.model_dump_json(), judged


def _is_fresh(path: Path, record: DatasetRecord, present: dict[str, Any] | None) -> bool:
    if present is None:
        return True
    if present["id"] == record.id:
        return False
    raise StoreError(
        f"{path}: index {record.index} of run {record.run!r} was already loaded from {present['shard']} with another "
        "content. Delete the store: it is built anew from the shard files."
    )
