"""A DuckDB file -> a connection to its tables, and transactions with useful errors."""

import re
import time
from pathlib import Path

import duckdb

from interplay.outputs.store.tables import make_tables, version_of
from interplay.schemas.errors import StoreError, StoreInUse, StoreOutdated, first_line
from interplay.schemas.plain_file import plain

MEMORY_LIMIT = "256MB"  # DuckDB's memory limit; larger sorts and joins spill to disk


class Transaction:
    """An all-or-nothing transaction, which turns errors of DuckDB into a StoreError that names the file."""

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
            if _DAMAGED.search(reason):
                raise StoreError(f"{self._path}: is damaged ({reason}). {REBUILD}") from error
            raise StoreError(
                f"{self._path}: could not be written ({reason}). Nothing already loaded is lost: "
                "free some space if the disk is full, and run again."
            ) from error


_DAMAGED = re.compile(r"\bcorrupt", re.IGNORECASE)
"""Matches DuckDB's message about a damaged file."""

OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
"""Settings that keep DuckDB from downloading extensions, whatever an untrusted store file asks for."""

WAIT_STEP = 0.01
"""Seconds between two attempts to open a database that is in use."""

REBUILD = "Delete the file: the store is built anew from the shard files."


def open_database(path: Path, spill: Path | None = None, wait: float = 0.0) -> duckdb.DuckDBPyConnection:
    """Open the database at `path`, which is created if missing.

    With `spill`, a folder for what does not fit in memory, it is opened read-only. A database can be open in many reading
    processes or in one writing process; if it is in use, opening is retried for `wait` seconds.

    Raises:
        StoreInUse: another process has it open.
        StoreOutdated: it was to be written, but is of an older version.
        StoreError: it is broken, or of a newer version.
    """
    end = time.monotonic() + wait
    while True:
        try:
            return _open(path, spill)
        except StoreInUse:
            if time.monotonic() >= end:
                raise
            time.sleep(WAIT_STEP)


def _open(path: Path, spill: Path | None) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:", config=OFFLINE)
    begun = is_begun(path)
    try:
        if path.exists():
            plain(path)
        quoted = _quoted(path.absolute())  # DuckDB would expand a ~ to the home folder
        if spill is None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and not begun:
                path.unlink()
        # Small row groups and zstd: with DuckDB's defaults, large JSON texts stall inserts for seconds.
        connection.execute(
            f"ATTACH '{quoted}' AS store (TYPE duckdb, {'ROW_GROUP_SIZE 8192' if spill is None else 'READ_ONLY'})"
        )
        connection.execute("USE store")
        connection.execute(f"SET temp_directory = '{_quoted(spill) if spill else f'{quoted}.tmp'}'")
        if spill is None:
            make_tables(connection)
        else:
            version_of(connection)  # raises for a newer version
        connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
    except (duckdb.Error, OSError, StoreError) as error:
        connection.close()
        if spill is None and not begun and _NO_ROOM in str(error):
            path.unlink(missing_ok=True)  # the remains hold nothing
        raise _closed(path, error) from error
    return connection


_NO_ROOM = "No space left on device"
"""Part of DuckDB's message about a full disk, in the operating system's words."""


def is_begun(path: Path) -> bool:
    """Tell whether a database file exists and is not empty; a full disk leaves an empty one."""
    return path.exists() and path.stat().st_size > 0


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _closed(path: Path, error: Exception) -> StoreError:
    """Return the error for a database that could not be opened, with what to do about it."""
    text = first_line(error)
    if "Could not set lock" in text or "already attached by" in text:
        holder = re.search(r"PID (\d+)", str(error))
        who = f"process {holder[1]}" if holder else "another part of this process"
        return StoreInUse(f"{path}: is in use by {who}. Wait until that is done, or end it, and run again.")
    if _NO_ROOM in str(error):
        return StoreError(f"{path}: cannot be written ({_NO_ROOM}). Make room, and run again.")
    if isinstance(error, StoreOutdated):
        return StoreOutdated(f"{path}: {text} {REBUILD}")
    if isinstance(error, OSError):
        return StoreError(f"{path}: cannot be used ({error.strerror or text}). Put this right, and run again.")
    if "Cannot open file" in text:
        return StoreError(f"{path}: {text} Permit it or move it away: a store is built anew from the shard files.")
    if isinstance(error, StoreError):
        return StoreError(f"{path}: {text}")
    return StoreError(f"{path}: is not a dataset store, or a damaged one ({text[:200]}). {REBUILD}")


_OF_THE_FILE = (
    duckdb.IOException, duckdb.SerializationException, duckdb.InternalException, duckdb.FatalException, UnicodeDecodeError
)  # fmt: skip
"""Errors that mean a damaged file; so does `duckdb.Error` itself, which a wrong checksum raises."""


def failure(path: Path, error: Exception) -> StoreError:
    """Return the error for a failed query, with what to do if the file rather than the query is at fault."""
    damaged = isinstance(error, _OF_THE_FILE) or type(error) is duckdb.Error
    remedy = f" Unless the disk is full, the file is damaged. {REBUILD}" if damaged else ""
    if isinstance(error, duckdb.CatalogException):
        remedy = f" If you did not ask for that yourself, the store was changed. {REBUILD}"
    return StoreError(f"{path}: {first_line(error)[:300]}{remedy}")
