"""The journal: answers of models, looked up by question, and stored before they are used."""

import contextlib
import logging
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

from interplay.generators.models.journal.journal_file import (
    ADDED,
    SCHEMA,
    SEALED,
    Question,
    Spender,
    SpentSum,
    connect,
    is_whole,
    journal_failure,
    sums,
    unpacked,
)
from interplay.generators.models.journal.journal_writer import JournalWriter
from interplay.schemas.records.dialogue import Usage

log = logging.getLogger(__name__)


class Journal:
    """The answers of a workspace, looked up by key and written by background threads."""

    def __init__(self, path: Path) -> None:
        """Open the journal, or create it.

        Raises:
            StoreError: the file cannot be opened, or is no journal.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._reader = connect(path)
            self._reader.executescript(SCHEMA)
            for column in ADDED:
                with contextlib.suppress(sqlite3.OperationalError):  # fails if the column exists already
                    self._reader.execute(column)
            self._writer = JournalWriter(path, sums(self._reader))
        except (sqlite3.Error, OSError) as error:
            raise journal_failure(path, error) from error
        self.resumed = bool(self.sums)

    def get(self, key: bytes) -> bytes | None:
        """Return the answer to a question, or None; a damaged answer is deleted, so that its question is asked again.

        Raises:
            StoreError: the journal cannot be read.
        """
        try:
            found = self._reader.execute(f"SELECT {SEALED}, seal FROM answers WHERE key = ?", (key,)).fetchone()
            if found is None:
                return None
            if not is_whole(found):
                self._reader.execute("DELETE FROM answers WHERE key = ?", (key,))
                log.warning("%s: an answer is damaged (%s). Its question is asked again.", self.path, found[1])
                return None
            *_, packed, body, _ = found
            return unpacked(packed, body)
        except (sqlite3.Error, zlib.error) as error:
            raise journal_failure(self.path, error) from error

    @property
    def sums(self) -> dict[Spender, SpentSum]:
        """What was spent, as known to this process."""
        return self._writer.sums

    async def put(self, question: Question, body: bytes, usage: Usage, written: Callable[[], None]) -> None:
        """Store an answer; when this returns, it survives a loss of power.

        `written` is called once, some milliseconds earlier, when the answer survives a kill and `sums` include it; also
        if it could not be written.

        Raises:
            StoreError: the answer cannot be written.
        """
        await self._writer.put(question, body, usage, written)

    def refresh(self) -> None:
        """Read the sums that other processes wrote; only for a process that asks nothing, lest its own calls count twice.

        Raises:
            StoreError: the journal cannot be read.
        """
        try:
            self._writer.sums = sums(self._reader)
        except sqlite3.Error as error:
            raise journal_failure(self.path, error) from error

    def note_failure(self, key: bytes, reason: str) -> None:
        """Mark an answer as unusable; if a kill loses the mark, reading the answer sets it again."""
        self._writer.note_failure(key, reason)

    def close(self) -> None:
        """Write pending answers, and close."""
        self._writer.close()
        self._reader.close()
