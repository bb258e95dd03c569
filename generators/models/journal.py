"""Every answer of a model -> a row on disk before anybody reads it, so that no question is paid for twice.

One SQLite file holds all answers of a workspace; many processes may write to it. A row:

    key        digest of base URL, path, payload and sample index      role, model, endpoint, sample
    outcome    answered | failed (it was paid for, and could not be used)
    prompt, cached, completion, reasoning      tokens               body       the answer, as it came

Beside the answers stand their sums, from which a budget knows what was spent, by whichever process and before which kill.
Neither keys nor headers get here: a payload holds none, and only its digest is kept.
"""

import asyncio
import contextlib
import queue
import sqlite3
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from interplay.schemas.canonical import canonical_json
from interplay.schemas.dialogue import Usage
from interplay.schemas.errors import StoreError

GROUP_SECONDS = 0.001
"""Answers that arrive within this time are made durable together."""

PACKED_FROM = 4096
"""Bytes from which an answer is compressed: below, the time weighs more than the space."""

BUSY_SECONDS = 60.0

SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, role TEXT NOT NULL, model TEXT NOT NULL, endpoint TEXT NOT NULL,
    sample INTEGER NOT NULL, batch INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, reasoning INTEGER NOT NULL,
    packed INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS sums (
    role TEXT, model TEXT, endpoint TEXT, batch INTEGER, calls INTEGER NOT NULL,
    prompt INTEGER NOT NULL, cached INTEGER NOT NULL, completion INTEGER NOT NULL, written INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (role, model, endpoint, batch)) WITHOUT ROWID;
"""
_INSERT = (
    "INSERT OR IGNORE INTO answers (key, role, model, endpoint, sample, batch, outcome, reason, prompt, cached, "
    "completion, reasoning, packed, body) VALUES (?, ?, ?, ?, ?, ?, 'answered', '', ?, ?, ?, ?, ?, ?)"
)
_ADD = (
    "INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "prompt = prompt + excluded.prompt, cached = cached + excluded.cached, "
    "completion = completion + excluded.completion, written = written + excluded.written"
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, as the journal knows it; `size` is the payload's length in bytes."""

    key: bytes
    size: int
    role: str
    model: str
    endpoint: str
    sample: int
    batch: bool = False


class Payer(NamedTuple):
    """Who spent: what sums are kept by."""

    role: str
    model: str
    endpoint: str
    batch: bool


class Sum(NamedTuple):
    """What was spent; `cached` and `written`, read from and put into the provider's cache, are part of `prompt`."""

    calls: int
    prompt: int
    cached: int
    completion: int
    written: int = 0


def ask(
    base_url: str, path: str, model: str, payload: Mapping[str, Any], role: str, sample: int, batch: bool = False
) -> Question:
    """Return the question that a payload is; the order of its keys makes no difference."""
    try:
        content = orjson.dumps(payload, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # integers beyond 64 bits, half characters
        content = canonical_json(payload).encode(errors="surrogatepass")
    head = f"{base_url}\n{path}\n{model}\n{sample}\n".encode()
    key = blake2b(content, digest_size=16, key=blake2b(head, digest_size=32).digest()).digest()
    return Question(key, len(content), role, model, base_url, sample, batch)


@dataclass(slots=True)
class _Answer:
    question: Question
    body: bytes
    usage: Usage
    counted: Callable[[], None]
    kept: asyncio.Future[None]


@dataclass(slots=True)
class _Failure:
    key: bytes
    reason: str


class Journal:
    """The answers of a workspace: looked up by key, written in groups by a thread of its own."""

    def __init__(self, path: Path) -> None:
        """Open the journal, or make it.

        Raises:
            StoreError: it cannot be opened, or is no journal.
        """
        self.path = path
        self._queue: queue.SimpleQueue[_Answer | _Failure | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._broken: StoreError | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._reader = connect(path)
            self._reader.executescript(SCHEMA)
            with contextlib.suppress(sqlite3.OperationalError):  # it has the column, unless an older version made it
                self._reader.execute("ALTER TABLE sums ADD COLUMN written INTEGER NOT NULL DEFAULT 0")
            self.sums = _sums(self._reader)
        except (sqlite3.Error, OSError) as error:
            raise journal_failure(path, error) from error
        self.resumed = bool(self.sums)

    def get(self, key: bytes) -> bytes | None:
        """Return the answer that a question had, or none.

        Raises:
            StoreError: the journal cannot be read.
        """
        try:
            found = self._reader.execute("SELECT packed, body FROM answers WHERE key = ?", (key,)).fetchone()
            return None if found is None else unpacked(*found)
        except (sqlite3.Error, zlib.error) as error:
            raise journal_failure(self.path, error) from error

    async def put(self, question: Question, body: bytes, usage: Usage, counted: Callable[[], None]) -> None:
        """Keep an answer; when this returns it outlives a kill, and a loss of power.

        `counted` is called at the moment from which `sums` contain it.

        Raises:
            StoreError: it cannot be written.
        """
        if self._broken:
            raise self._broken
        kept = asyncio.get_running_loop().create_future()
        self._enqueue(_Answer(question, body, usage, counted, kept))
        await kept

    def refresh(self) -> None:
        """Take up what other processes kept; for one that asks nothing itself, since its own calls might count twice.

        Raises:
            StoreError: the journal cannot be read.
        """
        try:
            self.sums = _sums(self._reader)
        except sqlite3.Error as error:
            raise journal_failure(self.path, error) from error

    def note_failure(self, key: bytes, reason: str) -> None:
        """Note that an answer could not be used; lost at most with a kill, and found again by reading the answer."""
        self._enqueue(_Failure(key, reason[:500]))

    def close(self) -> None:
        """Write what is waiting, and close."""
        if self._writer is not None:
            self._queue.put(None)
            self._writer.join()
            self._writer = None
        self._reader.close()

    def _enqueue(self, item: _Answer | _Failure) -> None:
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
            self._writer.start()
        self._queue.put(item)

    def _write(self) -> None:
        """Commit what has gathered, group after group; one sync to the disk for each."""
        connection = connect(self.path)
        going = True
        while going:
            group = [self._queue.get()]
            time.sleep(GROUP_SECONDS)
            with contextlib.suppress(queue.Empty):
                while True:
                    group.append(self._queue.get_nowait())
            going = None not in group
            self._commit(connection, [item for item in group if item is not None])
        connection.close()

    def _commit(self, connection: sqlite3.Connection, group: list[_Answer | _Failure]) -> None:
        answers = [item for item in group if isinstance(item, _Answer)]
        failure = None
        try:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_INSERT, [_row(answer) for answer in answers])
                connection.executemany(_ADD, _added(answers))
                connection.executemany(
                    "UPDATE answers SET outcome = 'failed', reason = ? WHERE key = ?",
                    [(item.reason, item.key) for item in group if isinstance(item, _Failure)],
                )
                sums = _sums(connection)
        except sqlite3.Error as error:
            sums, failure = self.sums, journal_failure(self.path, error)
            self._broken = failure
        loops = {answer.kept.get_loop() for answer in answers}
        for loop in loops:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                own = [answer for answer in answers if answer.kept.get_loop() is loop]
                loop.call_soon_threadsafe(self._tell, own, sums, failure)

    def _tell(self, answers: list[_Answer], sums: dict[Payer, Sum], failure: StoreError | None) -> None:
        """Publish the sums, and in the same moment tell those who wait that their answers are kept."""
        self.sums = sums
        for answer in answers:
            answer.counted()
            if answer.kept.done():
                continue
            if failure is None:
                answer.kept.set_result(None)
            else:
                answer.kept.set_exception(failure)


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal so that many processes may read and write it, and so that a commit is on the disk."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    # Were it NORMAL, a loss of power could take back answers that were handed on and paid for. Groups make it cheap.
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def unpacked(packed: int, body: bytes) -> bytes:
    """Return an answer as it came."""
    return zlib.decompress(body) if packed else body


def _row(answer: _Answer) -> tuple[Any, ...]:
    question, usage, body = answer.question, answer.usage, answer.body
    packed = len(body) >= PACKED_FROM
    tokens = (usage.prompt, usage.cached, usage.completion, usage.reasoning)
    whose = (question.key, question.role, question.model, question.endpoint, question.sample, question.batch)
    return (*whose, *tokens, packed, zlib.compress(body, 1) if packed else body)


def _added(answers: Iterable[_Answer]) -> list[tuple[Any, ...]]:
    """Sum up a group by payer."""
    added: dict[Payer, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for answer in answers:
        question, usage = answer.question, answer.usage
        total = added[Payer(question.role, question.model, question.endpoint, question.batch)]
        for place, count in enumerate((1, usage.prompt, usage.cached, usage.completion, usage.cache_written)):
            total[place] += count
    return [(*payer, *total) for payer, total in added.items()]


def _sums(connection: sqlite3.Connection) -> dict[Payer, Sum]:
    rows = connection.execute(
        "SELECT role, model, endpoint, batch, calls, prompt, cached, completion, written FROM sums"
    )
    return {Payer(row[0], row[1], row[2], bool(row[3])): Sum(*row[4:]) for row in rows}


def journal_failure(path: Path, error: Exception) -> StoreError:
    """Return the error for a journal that cannot be read or written."""
    return StoreError(
        f"{path}: the journal of answers cannot be used ({error}). Check the disk and the file's rights; "
        "a broken file can be moved away, at the price of asking its questions again."
    )
