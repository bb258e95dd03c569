"""Texts that must not be kept -> a journal without the answers that say them; what was spent on these stays counted."""

import json
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from interplay.generators.models.journal.journal_file import BUSY_SECONDS, journal_failure, unpacked

TELLING = 20
"""Characters from which on a text that two share is taken for the same text."""


def erase(path: Path, texts: Collection[str]) -> int:
    """Delete the answers that hold one of `texts`, or are part of one; return how many. They would be asked for again.

    Raises:
        StoreError: the journal cannot be read or written.
    """
    wanted = [text for text in texts if len(text) >= TELLING]
    if not path.exists() or not wanted:
        return 0
    try:
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as journal:
            journal.execute("PRAGMA secure_delete = ON")
            rows = journal.execute("SELECT id, packed, body FROM answers")
            found = [number for number, packed, body in rows if _holds(unpacked(packed, body), wanted)]
            journal.executemany("DELETE FROM answers WHERE id = ?", [(number,) for number in found])
            if found:
                journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(found)
    except sqlite3.Error as error:
        raise journal_failure(path, error) from error


def _holds(body: bytes, texts: Collection[str]) -> bool:
    said = [text for text in _strings(_parsed(body)) if len(text) >= TELLING]
    return any(text in each or each in text for each in said for text in texts)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in a value, and those in texts that are JSON themselves, as structured answers are."""
    if isinstance(value, str):
        yield value
        if value[:1] in "{[":
            inner = _parsed(value.encode())
            if not isinstance(inner, str):
                yield from _strings(inner)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
