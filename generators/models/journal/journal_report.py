"""A journal on disk -> its answers and batches, listed or counted, even while a run writes to it."""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pydantic import Field

from interplay.generators.models.journal.journal_file import SEALED, is_whole, unpacked
from interplay.schemas.errors import StoreError
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain


class JournalEntry(Record):
    """One answer, without its text; `outcome` is failed if it was paid for but could not be used."""

    key: str
    role: str
    speaker: str = Field(description="Who was asked, by its name in the configuration; empty where it has none.")
    model: str
    endpoint: str
    sample: int
    outcome: str
    reason: str
    prompt: int
    cached: int
    completion: int
    reasoning: int
    bytes: int = Field(description="Length of the answer as it is kept.")


class JournalCount(Record):
    """The answers of one role, speaker, model and outcome."""

    role: str
    speaker: str
    model: str
    endpoint: str
    outcome: str
    answers: int
    prompt: int
    cached: int
    completion: int
    reasoning: int


class JournalSecond(Record):
    """The tokens of one model's answers in one second, counted since 1970."""

    second: int
    model: str
    endpoint: str
    prompt: int
    cached: int
    completion: int


class BatchRow(Record):
    """One batch; its state is `prepared` (only recorded), `submitted` (at the provider), or `ended`.

    `answered` counts its answers in the journal, once it has ended.
    """

    id: int
    state: str
    name: str = Field(description="The model's, in the configuration.")
    model: str
    endpoint: str
    remote: str = Field(description="The provider's id; empty where it is not known.")
    trace: str = Field(
        description="What the batch can be found by at the provider: of OpenAI's, the file of questions."
    )
    began: float = Field(description="Seconds since 1970.")
    questions: int
    answered: int


_BATCH = "id, state, name, model, endpoint, remote, trace, began, size"
_ENTRY = (
    "lower(hex(key)), role, speaker, model, endpoint, sample, outcome, reason, prompt, cached, completion, reasoning"
)
_TOKENS = "sum(prompt), sum(cached), sum(completion), sum(reasoning)"


def entries(path: Path, role: str | None = None, model: str | None = None) -> Iterator[JournalEntry]:
    """Yield the answers of a role and a model, or all, in the order in which they came.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    for row in _answers(path, f"{_ENTRY}, length(body)", role, model, "ORDER BY id"):
        yield JournalEntry.model_validate(dict(zip(JournalEntry.model_fields, row, strict=True)))


def counts(path: Path, role: str | None = None, model: str | None = None) -> tuple[JournalCount, ...]:
    """Return the number of answers and their tokens by role, speaker, model and outcome.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    groups = "role, speaker, model, endpoint, outcome"
    rows = _answers(path, f"{groups}, count(*), {_TOKENS}", role, model, f"GROUP BY {groups} ORDER BY {groups}")
    return tuple(JournalCount.model_validate(dict(zip(JournalCount.model_fields, row, strict=True))) for row in rows)


def by_second(path: Path) -> tuple[JournalSecond, ...]:
    """Return the tokens of answers by the second in which they came, in order; empty if the time of some is unknown.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    groups = "CAST(at AS INTEGER), model, endpoint"
    tokens = "sum(prompt), sum(cached), sum(completion)"
    rows = list(_answers(path, f"{groups}, {tokens}", None, None, f"GROUP BY {groups} ORDER BY {groups}"))
    if rows and not rows[0][0]:
        return ()
    return tuple(JournalSecond.model_validate(dict(zip(JournalSecond.model_fields, row, strict=True))) for row in rows)


def export_answers(path: Path, to: Path, role: str | None = None, model: str | None = None) -> int:
    """Write each answer as a line of JSON, a `JournalEntry` with its `body`; return how many there are.

    Damaged answers are marked `damaged`.

    Raises:
        StoreError: there is no journal, it cannot be read, or the file cannot be written.
    """
    answers = _answers(path, f"{_ENTRY}, length(body), packed, body", role, model, "ORDER BY id")
    first = list(islice(answers, 1))  # fails for a missing journal before the file is made
    damaged = {key.hex() for key in _unlike_seals(path)}
    written, partial = 0, to.with_name(f"{to.name}.partial")
    try:
        with partial.open("w", encoding="utf-8") as file:
            for *row, packed, body in chain(first, answers):
                entry = dict(zip(JournalEntry.model_fields, row, strict=True))
                mark = {"damaged": True} if entry["key"] in damaged else {}
                text = _text(packed, body)
                file.write(json.dumps({**entry, "body": text, **mark}, ensure_ascii=False) + "\n")
                written += 1
        partial.replace(to)
    except OSError as error:
        raise StoreError(f"{to}: cannot be written ({error.strerror}). Name another file.") from error
    return written


def _text(packed: int, body: bytes) -> str:
    """Return an answer as text; empty if it is damaged and cannot be unpacked."""
    try:
        return unpacked(packed, body).decode("utf-8", "replace")
    except zlib.error:
        return ""


def batches(path: Path, model: str | None = None) -> tuple[BatchRow, ...]:
    """Return the batches of a model, or all, in the order in which they were recorded.

    Raises:
        StoreError: there is no journal, or it cannot be read.
    """
    columns = {name for (name,) in _rows(path, "SELECT name FROM pragma_table_info('batches')")}
    if not columns:
        return ()
    answered = "answered" if "answered" in columns else "0"  # a ledger of an earlier version, not opened since
    query = f"SELECT {_BATCH}, {answered} FROM batches WHERE ?1 IS NULL OR model = ?1 ORDER BY id"
    rows = _rows(path, query, model)
    return tuple(BatchRow.model_validate(dict(zip(BatchRow.model_fields, row, strict=True))) for row in rows)


def damaged_answers(path: Path) -> tuple[bytes, ...]:
    """Return the keys of damaged answers.

    Raises:
        StoreError: there is no journal, or the SQLite file itself is damaged.
    """
    found = [told for (told,) in _rows(path, "PRAGMA integrity_check(1)")]
    if found != ["ok"]:
        raise StoreError(f"{path}: the journal is damaged ({found[0]}).")
    return _unlike_seals(path)


def _unlike_seals(path: Path) -> tuple[bytes, ...]:
    if ("seal",) not in set(_rows(path, "SELECT name FROM pragma_table_info('answers')")):
        return ()  # of an earlier version, not opened since
    return tuple(row[0] for row in _rows(path, f"SELECT {SEALED}, seal FROM answers ORDER BY id") if not is_whole(row))


def _answers(path: Path, columns: str, role: str | None, model: str | None, rest: str) -> Iterator[tuple[Any, ...]]:
    known = {name for (name,) in _rows(path, "SELECT name FROM pragma_table_info('answers')")}
    lacking = [f"{value} AS {name}" for name, value in (("speaker", "''"), ("at", "0")) if name not in known]
    told = ", ".join(["*", *lacking])  # see `journal_file.ADDED`
    query = f"SELECT {columns} FROM (SELECT {told} FROM answers) WHERE (?1 IS NULL OR role = ?1) AND (?2 IS NULL OR model = ?2) {rest}"
    return _rows(path, query, role, model)


def _rows(path: Path, query: str, *values: str | None) -> Iterator[tuple[Any, ...]]:
    if not path.exists():
        raise StoreError(f"{path}: there is no journal. Only runs that ask a model keep one.")
    try:
        with closing(sqlite3.connect(f"file:{quote(str(plain(path).absolute()))}?mode=ro", uri=True)) as connection:
            yield from connection.execute(query, values)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path}: the journal cannot be read ({error}).") from error
