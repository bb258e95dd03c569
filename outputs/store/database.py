"""A DuckDB file -> a connection to tables that are up to date, and transactions that say what went wrong."""

import re
from pathlib import Path

import duckdb

from interplay.outputs.store.migrations import migrate
from interplay.schemas.errors import StoreError

MEMORY_LIMIT = "256MB"  # what DuckDB may keep of the database in memory; sorts and joins beyond it go to disk


class Transaction:
    """Everything inside happens, or nothing does; what DuckDB raises becomes a StoreError that names the file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def __enter__(self) -> None:
        self._connection.execute("BEGIN")

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
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


def open_database(path: Path) -> duckdb.DuckDBPyConnection:
    """Open the database at `path`, made if it is missing, and bring its tables up to date.

    Raises:
        StoreError: it is locked by another process, broken, or from a newer version.
    """
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
