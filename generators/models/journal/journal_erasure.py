"""Records that must not be kept -> a journal without the answers given for them; their cost stays counted."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from interplay.generators.models.journal.journal_file import BUSY_SECONDS, journal_failure, unpacked
from interplay.schemas.plain_file import plain

TELLING = 20
"""Least characters of a text for a match to show that two answers share it."""

Whose = Literal["own", "shared", "others"]
"""For whom an answer was asked: the records to erase, all records of the run, or others."""


def erase(path: Path, whose: Callable[[str, int], Whose], texts: Collection[str], part: str = "") -> int:
    """Delete answers, and return how many; `whose` tells from role and sample for whom each was asked.

    Of `own` answers all are deleted, or with `part` those that contain it; of `shared` ones those that contain, or are
    contained in, one of `texts`.

    Raises:
        StoreError: the journal cannot be read or written.
    """
    if not path.exists():
        return 0

    def gone(role: str, sample: int, packed: int, body: bytes) -> bool:
        of = whose(role, sample)
        if of == "own":
            return not part or any(part in said for said in _strings(_parsed(unpacked(packed, body))))
        return of == "shared" and _tells(unpacked(packed, body), texts)

    try:
        with closing(sqlite3.connect(plain(path), timeout=BUSY_SECONDS, isolation_level=None)) as journal:
            journal.execute("PRAGMA secure_delete = ON")
            rows = journal.execute("SELECT id, role, sample, packed, body FROM answers")
            found = [number for number, *answer in rows if gone(*answer)]
            journal.executemany("DELETE FROM answers WHERE id = ?", [(number,) for number in found])
            if found:
                journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(found)
    except (sqlite3.Error, OSError) as error:
        raise journal_failure(path, error) from error


def erase_damaged(path: Path, keys: Collection[bytes]) -> None:
    """Delete the answers with these keys, which are damaged, so that their questions are asked again.

    Raises:
        StoreError: the journal cannot be written.
    """
    try:
        with closing(sqlite3.connect(plain(path), timeout=BUSY_SECONDS, isolation_level=None)) as journal:
            journal.executemany("DELETE FROM answers WHERE key = ?", [(key,) for key in keys])
    except (sqlite3.Error, OSError) as error:
        raise journal_failure(path, error) from error


def _tells(body: bytes, texts: Collection[str]) -> bool:
    wanted = [text for text in texts if len(text) >= TELLING]
    said = [text for text in _strings(_parsed(body)) if len(text) >= TELLING]
    return any(text in each or each in text for each in said for text in wanted)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in a value, also those inside texts that are JSON, as structured answers are."""
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
