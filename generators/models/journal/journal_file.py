"""The journal's SQLite file: every answer of a model is a row before it is used, so that no question is paid for twice.

One file holds all answers of a workspace; many processes may write to it. A row:

    key        digest of base URL, path, model, payload and sample index      role, speaker, model, endpoint, sample
    outcome    answered | failed (it was paid for, but could not be used)
    prompt, cached, completion, reasoning      tokens               body       the answer, as it came
    at         seconds since 1970 when it came; 0 in journals of earlier versions. It does not affect records.
    seal       a digest of the `SEALED` columns, by which damage is noticed; empty in journals of earlier versions

A second table holds their sums, from which a budget knows what was spent by all processes, killed ones included. API keys and
headers are never stored: a payload holds none, and only its digest is kept.
"""

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple

from interplay.generators.models.transport.json_body import in_order
from interplay.schemas.errors import StoreError
from interplay.schemas.plain_file import plain

PACKED_FROM = 4096
"""Least bytes of an answer that is compressed; for smaller ones the time outweighs the space."""

BUSY_SECONDS = 60.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, role TEXT NOT NULL, model TEXT NOT NULL, endpoint TEXT NOT NULL,
    sample INTEGER NOT NULL, batch INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    packed INTEGER NOT NULL, body BLOB NOT NULL, speaker TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL DEFAULT 0, seal BLOB NOT NULL DEFAULT X'');
CREATE TABLE IF NOT EXISTS sums (
    role TEXT, model TEXT, endpoint TEXT, batch INTEGER, calls INTEGER NOT NULL,
    prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, written INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (role, model, endpoint, batch)) WITHOUT ROWID;
"""
ADDED = (
    "ALTER TABLE sums ADD COLUMN written INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE answers ADD COLUMN speaker TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE answers ADD COLUMN at REAL NOT NULL DEFAULT 0",
    "ALTER TABLE answers ADD COLUMN seal BLOB NOT NULL DEFAULT X''",
)
"""Columns missing in journals of earlier versions."""
SEALED = "key, role, model, endpoint, sample, batch, prompt, cached, completion, reasoning, packed, body"
"""The columns that the seal is computed from."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request as the journal knows it; `size` is the payload's length in bytes.

    `speaker` is the asked model's name in the configuration, for roles with several models.
    """

    key: bytes
    size: int
    role: str
    model: str
    endpoint: str
    sample: int
    batch: bool = False
    speaker: str = ""


class Spender(NamedTuple):
    """The key of a sum: who spent."""

    role: str
    model: str
    endpoint: str
    batch: bool


class SpentSum(NamedTuple):
    """What was spent; `cached` and `written` (tokens read from and written to the provider's cache) are part of `prompt`."""

    calls: int
    prompt: int
    cached: int
    completion: int
    written: int = 0


def question_of(
    base_url: str,
    path: str,
    model: str,
    payload: Mapping[str, Any],
    role: str,
    sample: int,
    batch: bool = False,
    speaker: str = "",
) -> Question:
    """Return the question for a payload; the order of the payload's keys makes no difference."""
    content = in_order(payload)
    head = f"{base_url}\n{path}\n{model}\n{sample}\n".encode()
    key = blake2b(content, digest_size=16, key=blake2b(head, digest_size=32).digest()).digest()
    return Question(key, len(content), role, model, base_url, sample, batch, speaker)


def connect(path: Path, synchronous: Literal["FULL", "NORMAL"] = "FULL") -> sqlite3.Connection:
    """Open a journal so that many processes may read and write it.

    A commit survives a kill; with FULL, or once the file of `log_of` is synced, also a loss of power.
    """
    if path.exists():
        plain(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    return connection


def log_of(path: Path) -> Path:
    """Return SQLite's write-ahead log; the file exists as long as a connection is open."""
    return path.with_name(f"{path.name}-wal")


def sums(connection: sqlite3.Connection) -> dict[Spender, SpentSum]:
    """Return what was spent, by spender."""
    rows = connection.execute(
        "SELECT role, model, endpoint, batch, calls, prompt, cached, completion, written FROM sums"
    )
    return {Spender(row[0], row[1], row[2], bool(row[3])): SpentSum(*row[4:]) for row in rows}


def seal_of(row: Sequence[Any]) -> bytes:
    """Return the digest of a row's `SEALED` columns."""
    *told, body = row
    content = body if isinstance(body, bytes) else repr(body).encode()  # damage may change even the type
    return blake2b(repr(tuple(told)).encode() + content, digest_size=8).digest()


def is_whole(row: Sequence[Any]) -> bool:
    """Tell whether a row of the `SEALED` columns and the seal is undamaged; rows without a seal count as such."""
    *sealed, seal = row
    return not seal or seal == seal_of(sealed)


def unpacked(packed: int, body: bytes) -> bytes:
    """Return an answer as it came."""
    return zlib.decompress(body) if packed else body


def journal_failure(path: Path, error: Exception) -> StoreError:
    """Return the error for a journal that cannot be read or written."""
    return StoreError(
        f"{path}: the journal of answers cannot be used ({error}). Check the disk and the file's rights; "
        "a broken file can be moved away, at the price of asking its questions again."
    )
