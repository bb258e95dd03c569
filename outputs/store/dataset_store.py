"""The DuckDB database of a workspace, loaded from shard files; everything in it can be loaded from them again.

Many processes can read the database, or one can write it, so it is opened briefly:

    with DatasetStore(Path("workspace/dataset.duckdb")) as store:
        store.load_shards([ShardToLoad(Path("workspace/shards/00000.parquet"))])
    with DatasetStore(Path("workspace/dataset.duckdb"), spill=folder) as store:
        for record in store.accepted("demo"): ...

Tables: runs, toolsets, tools, edges, records, messages, calls, verdicts, issues, rounds, reviews, shards (see `tables`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import duckdb
from pydantic import ValidationError

from interplay.outputs.store.database import REBUILD, Transaction, failure, open_database
from interplay.outputs.store.stored_dialogue import StoredDialogue
from interplay.outputs.store.stored_record import read_record, read_task
from interplay.outputs.store.tables import VERSION, version_of
from interplay.schemas.errors import NoSuchRecord, StoreError
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import DatasetRecord

if TYPE_CHECKING:  # imports Arrow, which readers do not need
    from interplay.outputs.store.arrivals import ShardToLoad

FAILED = "status = 'rejected' AND fault NOT IN ('user_fault', 'unclear')"
"""The SQL condition for records of dialogues in which the assistant failed."""
READ_INDICES = 200
"""Number of consecutive indices whose records are in memory at once."""
READ_CHARACTERS, MOST_INDICES = 24_000_000, 2048
"""Limits for reading more than `READ_INDICES` at once: characters of JSON in memory, and indices."""
NAMED_TOGETHER = 10_000
"""Maximum number of ids in one query: with a million, DuckDB keeps 360 MB."""
LOOKED_UP_TOGETHER = 1_000
"""Maximum number of keys looked up at once when checking an index; with more than 2,048, DuckDB does not use the index."""
_Bounds = dict[str, int]
"""The `low` and `high` index of a query."""


class DatasetStore:
    """A DuckDB database of runs, toolsets and records, open for writing or, with `spill`, for reading; a context manager."""

    def __init__(self, path: Path, spill: Path | None = None, wait: float = 0.0) -> None:
        """Open the database at `path`; see `open_database`.

        Raises:
            StoreInUse: another process has it open.
            StoreOutdated: it was to be written, but is of an older version.
            StoreError: it is broken, or of a newer version.
        """
        self.path = path
        self._connection = open_database(path, spill, wait)

    @property
    def is_current(self) -> bool:
        """Whether the tables are of this version; always so for a store opened for writing."""
        return version_of(self._connection) == VERSION

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the database for other processes."""
        self._connection.close()

    def load_run(self, run: str, config: str, seed: int, toolset: str) -> None:
        """Store the configuration (JSON text) and seed of a run, and the digest of its toolset."""
        with Transaction(self._connection, self.path):
            self._connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", [run, config, seed, toolset])

    def load_toolset(self, toolset: Toolset, edges: Iterable[Edge] = (), digest: str = "") -> str:
        """Load a toolset and the edges of its tool graph, replacing earlier edges; return its digest.

        `digest` is the digest that its records use, if they are of a version that computed digests differently.
        """
        key = digest or toolset.digest()
        from interplay.outputs.store.table_loader import load_toolset  # noqa: PLC0415 - imports Arrow, which readers do not need

        with Transaction(self._connection, self.path):
            load_toolset(self._connection, key, toolset, edges)
        return key

    def load_shards(self, arrivals: "Sequence[ShardToLoad]") -> int:
        """Load shard files of one run in one transaction; return the number of new records.

        Loading a shard again changes nothing, unless its file has changed: then its records replace the earlier ones.

        Raises:
            StoreError: a file is broken, or an index was loaded with other content from another shard.
        """
        from interplay.outputs.store.arrivals import inspect_shard  # noqa: PLC0415 - as above
        from interplay.outputs.store.table_loader import load_rows  # noqa: PLC0415

        shards = [inspect_shard(arrival) for arrival in arrivals]
        rows = self.query(
            "SELECT name, digest, loaded FROM shards WHERE list_contains(?, name)", [[shard.name for shard in shards]]
        )
        loaded = {(row["name"], row["digest"]): row["loaded"] for row in rows}
        missing = [shard for shard in shards if loaded.get((shard.name, shard.digest), 0) < shard.wanted]
        if not missing:
            return 0
        with Transaction(self._connection, self.path):
            return load_rows(self._connection, self.path, missing)

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[dict[str, Any]]:
        """Run an SQL query and return all its rows.

        Raises:
            StoreError: DuckDB rejects the query, or the file is damaged.
        """
        try:
            result = self._connection.execute(sql, parameters)
            names = [column[0] for column in result.description or ()]
            return [dict(zip(names, row, strict=True)) for row in result.fetchall()]
        except (duckdb.Error, UnicodeDecodeError) as error:  # of a damaged file
            raise failure(self.path, error) from error

    @contextmanager
    def narrowed(self, ids: Iterable[str]) -> Iterator[None]:
        """Within the context, hide all accepted records from queries but those with these ids; views follow."""
        run = self._connection.execute
        run("CREATE TEMP TABLE shown (id VARCHAR)")
        left = iter(ids)
        while some := list(islice(left, NAMED_TOGETHER)):
            run("INSERT INTO shown SELECT unnest(?)", [some])
        run("CREATE TEMP TABLE hidden AS SELECT id FROM records WHERE status = 'accepted' AND id NOT IN (FROM shown)")
        run("DROP TABLE temp.shown")
        run("CREATE TEMP VIEW records AS SELECT * FROM store.main.records WHERE id NOT IN (FROM hidden)")
        try:
            yield
        finally:
            run("DROP VIEW temp.records")
            run("DROP TABLE temp.hidden")

    @contextmanager
    def others(self, run: str) -> Iterator[None]:
        """Within the context, provide `others(id, of_run)`: all records except the accepted ones of a run.

        These are usually few, so that queries which exclude them take half the time of queries that select the accepted ones.
        """
        hidden = "(FROM hidden)" if self.query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'hidden'") else "()"
        self.query(
            f"CREATE TEMP TABLE others AS SELECT id, run = $run AND id NOT IN {hidden} AS of_run FROM store.main.records "
            f"WHERE run <> $run OR status <> 'accepted' OR id IN {hidden}",
            {"run": run},
        )
        try:
            yield
        finally:
            self.query("DROP TABLE temp.others")

    def record(self, identifier: str) -> DatasetRecord:
        """Return the record with this id, or the only one whose id begins with it.

        Raises:
            NoSuchRecord: there is none, or there are several.
            StoreError: it cannot be read.
        """
        exact = self.query("SELECT id, record FROM records WHERE id = ?", [identifier]) or self.query(
            "SELECT id, record FROM records WHERE starts_with(id, ?) ORDER BY id LIMIT 2", [identifier]
        )
        if len(exact) != 1:
            count = "several records have" if exact else "no record has"
            raise NoSuchRecord(f"{count} an id that begins with {identifier!r}.")
        return self._parsed(exact[0]["record"])

    def read_through(self) -> dict[str, str]:
        """Read everything in the file, so that damage anywhere is noticed, and return a digest of the rows of each table.

        Raises:
            StoreError: a part of it cannot be read or was altered.
        """
        tables = self.query("SELECT table_name AS name FROM duckdb_tables() WHERE database_name = 'store' ORDER BY ALL")
        summed = "SELECT count(*) || ' rows, ' || sum(hash(whole)::HUGEINT) AS told FROM"
        told = {row["name"]: str(self.query(f'{summed} "{row["name"]}" AS whole')[0]["told"]) for row in tables}
        keys = "SELECT table_name AS name, unnest(constraint_column_names) AS key FROM duckdb_constraints() WHERE "
        for index in self.query(f"{keys} database_name = 'store' AND constraint_type = 'PRIMARY KEY'"):
            name, key = index["name"], index["key"]
            held = [row[key] for row in self.query(f'SELECT DISTINCT "{key}" FROM "{name}"')]
            for at in range(0, len(held), LOOKED_UP_TOGETHER):
                some = held[at : at + LOOKED_UP_TOGETHER]
                self.query(f'SELECT 1 FROM "{name}" WHERE "{key}" IN ({", ".join("?" * len(some))})', some)
        return told

    def rejected_examples(self, run: str) -> dict[str, str]:
        """Return issue code -> the first record it rejected, as `interplay show` takes it: `INDEX`, or `INDEX.ATTEMPT` if the
        task has several attempts.
        """
        rows = self.query(
            """
            SELECT code, min_by(told, place) AS first FROM issues JOIN (
                SELECT id, status, index * 10000 + attempt AS place,
                       index || CASE WHEN count(*) OVER (PARTITION BY index) > 1 THEN '.' || attempt ELSE '' END AS told
                FROM records WHERE run = $run
            ) ON id = record_id
            WHERE status = 'rejected' AND severity = 'error' GROUP BY code ORDER BY code
            """,
            {"run": run},
        )
        return {row["code"]: row["first"] for row in rows}

    def count_accepted(self, run: str) -> int:
        """Count the accepted records of a run."""
        rows = self.query("SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [run])
        return int(rows[0]["n"])

    def records(self, run: str) -> Iterator[DatasetRecord]:
        """Yield all records of a run by index and attempt."""
        return self._records(run, "true")

    def accepted(self, run: str) -> Iterator[DatasetRecord]:
        """Yield the accepted records of a run by index, some hundreds in memory at a time."""
        return self._records(run, "status = 'accepted'")

    def failed(self, run: str) -> Iterator[DatasetRecord]:
        """Yield the records of a run in which the assistant failed, by index."""
        return self._records(run, FAILED)

    def contested(self, run: str) -> Iterator[list[DatasetRecord]]:
        """Yield the attempts at each task of a run where some passed and some failed, by index."""
        contested = (
            "attempt IS NOT NULL AND index IN (SELECT index FROM records "
            "WHERE run = $run AND index BETWEEN $low AND $high GROUP BY index "
            "HAVING bool_or(status = 'accepted') AND bool_or(status = 'rejected'))"
        )
        for _, attempts in groupby(self._records(run, contested), lambda record: record.index):
            yield list(attempts)

    def attempts(self, run: str) -> Iterator[list[DatasetRecord]]:
        """Yield for each task of a run the attempts that passed or in which the assistant failed, by index."""
        judged = f"(status = 'accepted' OR ({FAILED}))"
        for _, found in groupby(self._records(run, judged), lambda record: record.index):
            yield list(found)

    def dialogues(self, run: str, reviewed: bool = False, tasks: bool = False) -> Iterator[StoredDialogue]:
        """Yield the accepted dialogues of a run, and with `reviewed` also those that only reviewers rejected.

        With `tasks`, each has its blueprint.
        """
        condition = "(status = 'accepted' OR stage = 'review')" if reviewed else "status = 'accepted'"
        records = self._texts(run, condition, self._record_texts) if tasks else repeat("{}")
        for text, record in zip(self._texts(run, condition, self._dialogue_texts), records, strict=False):
            try:
                dialogue = StoredDialogue.model_validate_json(text)
                yield dialogue.model_copy(update={"blueprint": read_task(record)}) if tasks else dialogue
            except ValidationError as error:
                raise StoreError(f"{self.path}: holds a dialogue that cannot be read. {REBUILD}") from error

    def _dialogue_texts(self, run: str, bounds: _Bounds, _: Sequence[int]) -> dict[int, str]:
        found = self.query(
            "SELECT records.rowid AS place, dialogue FROM (SELECT rowid, id FROM records WHERE index BETWEEN $low AND $high) "
            "AS records JOIN dialogues ON record_id = id WHERE run = $run AND index BETWEEN $low AND $high",
            {"run": run, **bounds},
        )
        return {row["place"]: row["dialogue"] for row in found}

    def _record_texts(self, _: str, bounds: _Bounds, places: Sequence[int]) -> dict[int, str]:
        # No sort, join or subquery beside the JSON column: DuckDB would hold its texts in memory for these.
        found = self.query(
            "SELECT rowid, record FROM records WHERE index BETWEEN $low AND $high "
            f"AND rowid IN ({', '.join(map(str, places))})",
            bounds,
        )
        return {row["rowid"]: row["record"] for row in found}

    def _records(self, run: str, condition: str) -> Iterator[DatasetRecord]:
        """Yield the records of a run that meet an SQL condition, by index and attempt."""
        return map(self._parsed, self._texts(run, condition, self._record_texts))

    def _texts(
        self, run: str, condition: str, read: Callable[[str, _Bounds, Sequence[int]], dict[int, str]]
    ) -> Iterator[str]:
        """Yield the text that `read` returns for each record of a run that meets an SQL condition, by index and attempt."""
        low, span = 0, READ_INDICES
        while True:
            begin = self.query("SELECT min(index) AS low FROM records WHERE run = ? AND index >= ?", [run, low])
            if (start := begin[0]["low"]) is None:
                return
            bounds, low = {"low": start, "high": start + span - 1}, start + span
            rows = self.query(
                "SELECT rowid FROM records WHERE run = $run AND index BETWEEN $low AND $high "
                f"AND {condition} ORDER BY index, attempt",
                {"run": run, **bounds},
            )
            places = [row["rowid"] for row in rows]
            if not places:
                continue
            texts = read(run, bounds, places)
            # DuckDB unpacks 2,048 records to return one, so each step reads as many as fit into memory.
            fit = span * READ_CHARACTERS // sum(map(len, texts.values()))
            span = min(max(fit, READ_INDICES), 2 * span, MOST_INDICES)
            for place in places:
                if place not in texts:
                    raise StoreError(f"{self.path}: lacks the text of a record. {REBUILD}")
                yield texts.pop(place)

    def _parsed(self, text: str) -> DatasetRecord:
        try:
            return read_record(text)
        except ValidationError as error:
            raise StoreError(f"{self.path}: holds a record that cannot be read. {REBUILD}") from error

    def continued(self, run: str) -> frozenset[str]:
        """Return the ids of the records that a later accepted record of the same session contains completely."""
        rows = self.query("SELECT id, status, continues FROM records WHERE run = ? AND continues IS NOT NULL", [run])
        before = {row["id"]: row["continues"] for row in rows}
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

    def run_seed(self, run: str) -> int:
        """Return the seed of a loaded run."""
        return int(self.query("SELECT seed FROM runs WHERE id = ?", [run])[0]["seed"])

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
