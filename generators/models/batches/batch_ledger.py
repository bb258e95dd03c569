"""Batches about to be submitted -> rows in the journal's file, so that none is submitted twice after a kill.

A batch is recorded before it is created, with a trace by which it can be found in the provider's list, and again with the
provider's id right after. Of the questions only the keys are stored:

    prepared -> submitted -> ended          its questions are deleted when all their answers are in the journal
"""

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from interplay.generators.models.journal.journal_file import Question, connect, journal_failure

SCHEMA = """
CREATE TABLE IF NOT EXISTS batches (
    id INTEGER PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, name TEXT NOT NULL, endpoint TEXT NOT NULL,
    path TEXT NOT NULL, model TEXT NOT NULL, trace TEXT NOT NULL, remote TEXT NOT NULL, began REAL NOT NULL, size INTEGER NOT NULL,
    answered INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS batch_questions (
    batch INTEGER, place INTEGER, key BLOB NOT NULL, role TEXT NOT NULL, sample INTEGER NOT NULL, size INTEGER NOT NULL,
    speaker TEXT NOT NULL DEFAULT '', PRIMARY KEY (batch, place)) WITHOUT ROWID;
"""
ADDED = (
    ("batches", "answered", "INTEGER NOT NULL DEFAULT 0"),
    ("batch_questions", "speaker", "TEXT NOT NULL DEFAULT ''"),
)
"""Columns missing in ledgers of earlier versions."""


@dataclass(frozen=True)
class Entry:
    """One batch with its questions in the order of submission; `remote` is the provider's id, empty until it is known.

    `began` is in seconds since 1970, since the provider's deadline keeps running between runs.
    """

    id: int
    trace: str
    remote: str
    began: float
    questions: tuple[Question, ...]


class BatchLedger:
    """The batches of a workspace; each process owns its batches, and takes over those of dead processes."""

    def __init__(self, path: Path) -> None:
        """Open the ledger in a journal's file; it must be closed.

        Raises:
            StoreError: the file cannot be opened.
        """
        self.path = path
        self._owner = os.urandom(8).hex()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = connect(path)
            self._connection.executescript(SCHEMA)
            for table, column, kind in ADDED:
                if column not in {row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")}:
                    self._connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
            self._life = self._lock_file(self._owner).open("a")
            fcntl.flock(self._life, fcntl.LOCK_EX)
        except (sqlite3.Error, OSError) as error:
            raise journal_failure(path, error) from error

    def prepare(self, name: str, path: str, trace: str, questions: Sequence[Question]) -> Entry:
        """Record a batch of questions to one model at one address, before it is submitted.

        `name` is the model's name in the configuration, since two entries may be one model with different keys.
        """
        first, began = questions[0], time.time()
        head = (self._owner, name, first.endpoint, path, first.model, trace, began, len(questions))
        with self._writing():
            found = self._connection.execute(
                "INSERT INTO batches (owner, state, name, endpoint, path, model, trace, remote, began, size) "
                "VALUES (?, 'prepared', ?, ?, ?, ?, ?, '', ?, ?)",
                head,
            ).lastrowid
            assert found is not None
            rows = [(found, place, q.key, q.role, q.sample, q.size, q.speaker) for place, q in enumerate(questions)]
            self._connection.executemany("INSERT INTO batch_questions VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        return Entry(found, trace, "", began, tuple(questions))

    def submitted(self, entry: Entry, remote: str) -> Entry:
        """Record the provider's id of a batch."""
        with self._writing():
            self._connection.execute(
                "UPDATE batches SET state = 'submitted', remote = ? WHERE id = ?", (remote, entry.id)
            )
        return replace(entry, remote=remote)

    def ended(self, entry: Entry, answered: int = 0) -> None:
        """Record that a batch is over, with `answered` answers in the journal, or was never created."""
        with self._writing():
            change = "UPDATE batches SET state = 'ended', answered = ? WHERE id = ?"
            self._connection.execute(change, (answered, entry.id))
            self._connection.execute("DELETE FROM batch_questions WHERE batch = ?", (entry.id,))

    def unfinished(self, name: str, endpoint: str, path: str, model: str) -> tuple[Entry, ...]:
        """Return the open batches of one model: those of this process, and those taken over from dead processes."""
        with self._guarded():
            found = self._connection.execute(
                "SELECT id, owner, trace, remote, began FROM batches "
                "WHERE state != 'ended' AND name = ? AND endpoint = ? AND path = ? AND model = ? ORDER BY id",
                (name, endpoint, path, model),
            ).fetchall()
        alive = {owner for owner in {row[1] for row in found} - {self._owner} if self._lives(owner)}
        own = [row for row in found if row[1] == self._owner or (row[1] not in alive and self._adopt(row[0], row[1]))]
        for owner in {row[1] for row in own} - {self._owner}:
            self._lock_file(owner).unlink(missing_ok=True)
        return tuple(
            Entry(batch, trace, remote, began, self._questions(batch, endpoint, model))
            for batch, _, trace, remote, began in own
        )

    def _adopt(self, batch: int, owner: str) -> bool:
        """Take a batch over from a dead process; tell whether this succeeded before another process did it."""
        with self._writing():
            taken = self._connection.execute(
                "UPDATE batches SET owner = ? WHERE id = ? AND owner = ?", (self._owner, batch, owner)
            )
        return taken.rowcount == 1

    def known(self, endpoint: str) -> set[str]:
        """Return the provider's ids of all batches ever recorded for an endpoint."""
        with self._guarded():
            rows = self._connection.execute("SELECT remote FROM batches WHERE endpoint = ?", (endpoint,))
            return {remote for (remote,) in rows if remote}

    def close(self) -> None:
        """Close the ledger; open batches are left to the next process."""
        self._connection.close()
        self._lock_file(self._owner).unlink(missing_ok=True)
        self._life.close()

    def _questions(self, batch: int, endpoint: str, model: str) -> tuple[Question, ...]:
        with self._guarded():
            rows = self._connection.execute(
                "SELECT key, size, role, sample, speaker FROM batch_questions WHERE batch = ? ORDER BY place", (batch,)
            )
            return tuple(
                Question(key, size, role, model, endpoint, sample, True, speaker)
                for key, size, role, sample, speaker in rows
            )

    def _lives(self, owner: str) -> bool:
        """Tell whether an owner's process is alive; the system releases its lock when it dies."""
        try:
            with self._lock_file(owner).open("r") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    def _lock_file(self, owner: str) -> Path:
        return self.path.with_name(f"{self.path.name}.{owner}.lock")

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guarded(), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise journal_failure(self.path, error) from error
