"""Answers of models -> rows of the journal, which first survive a kill, and then a loss of power.

Two threads work in groups. One commits, in less than a millisecond: then the request's place at the endpoint is free. The
other syncs commits to the disk, in some milliseconds: then the answer is returned.
"""

import asyncio
import contextlib
import os
import queue
import sqlite3
import sys
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from interplay.generators.models.journal.journal_file import (
    PACKED_FROM,
    Question,
    Spender,
    SpentSum,
    connect,
    journal_failure,
    log_of,
    seal_of,
    sums,
)
from interplay.schemas.errors import StoreError
from interplay.schemas.records.dialogue import Usage

GROUP_SECONDS = 0.001
"""Answers within this time are committed together."""

SYNC_SECONDS = 0.004
"""Commits within this time are synced together."""

SELDOM_SECONDS = 0.01
"""After so long without an answer the next one is written at once: waiting for others would cost more than grouping saves."""

SWITCH_SECONDS = 0.001
"""The interpreter's switch interval: with Python's 5 ms, the threads would wait longer for the GIL than for the disk."""

_INSERT = (
    "INSERT OR IGNORE INTO answers (key, role, model, endpoint, sample, batch, outcome, reason, prompt, cached, "
    "completion, reasoning, packed, body, speaker, at, seal) "
    "VALUES (?, ?, ?, ?, ?, ?, 'answered', '', ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD = (
    "INSERT INTO sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
    "prompt = prompt + excluded.prompt, cached = cached + excluded.cached, "
    "completion = completion + excluded.completion, written = written + excluded.written"
)


Item = TypeVar("Item")


@dataclass(slots=True)
class _Answer:
    question: Question
    body: bytes
    usage: Usage
    written: Callable[[], None]
    kept: asyncio.Future[None]


@dataclass(slots=True)
class _Failure:
    key: bytes
    reason: str


class JournalWriter:
    """Writes to one journal; its threads start with the first answer."""

    def __init__(self, path: Path, known: dict[Spender, SpentSum]) -> None:
        self.sums = known
        self._path = path
        self._answers: queue.SimpleQueue[_Answer | _Failure | None] = queue.SimpleQueue()
        self._committed: queue.SimpleQueue[list[_Answer] | None] = queue.SimpleQueue()
        self._threads: tuple[threading.Thread, ...] = ()
        self._broken: StoreError | None = None

    async def put(self, question: Question, body: bytes, usage: Usage, written: Callable[[], None]) -> None:
        """Write an answer; see `Journal.put`."""
        if self._broken:
            written()
            raise self._broken
        kept = asyncio.get_running_loop().create_future()
        self._enqueue(_Answer(question, body, usage, written, kept))
        await kept

    def note_failure(self, key: bytes, reason: str) -> None:
        """Mark an answer as unusable."""
        self._enqueue(_Failure(key, reason[:500]))

    def close(self) -> None:
        """Write and sync pending answers, and end the threads."""
        if self._threads:
            self._answers.put(None)
            for thread in self._threads:
                thread.join()
            self._threads = ()

    def _enqueue(self, item: _Answer | _Failure) -> None:
        if not self._threads:
            sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
            works = (("journal", self._write), ("journal-sync", self._sync))
            self._threads = tuple(threading.Thread(target=work, name=name, daemon=True) for name, work in works)
            for thread in self._threads:
                thread.start()
        self._answers.put(item)

    def _write(self) -> None:
        """Commit queued items, group by group."""
        connection = connect(self._path, "NORMAL")
        going = True
        while going:
            group = _gathered(self._answers, GROUP_SECONDS)
            going = None not in group
            self._commit(connection, [item for item in group if item is not None])
        self._committed.put(None)
        self._threads[1].join()  # the log may vanish with the last connection
        connection.close()

    def _commit(self, connection: sqlite3.Connection, group: Sequence[_Answer | _Failure]) -> None:
        answers = [item for item in group if isinstance(item, _Answer)]
        found = self.sums
        try:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_INSERT, [_row(answer) for answer in answers])
                connection.executemany(_ADD, _added(answers))
                connection.executemany(
                    "UPDATE answers SET outcome = 'failed', reason = ? WHERE key = ?",
                    [(item.reason, item.key) for item in group if isinstance(item, _Failure)],
                )
                found = sums(connection)
        except sqlite3.Error as error:
            self._broken = journal_failure(self._path, error)
        _tell(answers, lambda own: self._publish(own, found))
        self._committed.put(answers)

    def _publish(self, answers: Sequence[_Answer], found: dict[Spender, SpentSum]) -> None:
        """Publish the sums, and report their answers as written in the same step of the event loop."""
        self.sums = found
        for answer in answers:
            answer.written()

    def _sync(self) -> None:
        """Sync commits to the disk, and wake the callers that wait for them, group by group."""
        log: int | None = None
        going = True
        while going:
            groups = _gathered(self._committed, SYNC_SECONDS)
            going = None not in groups
            answers = [answer for group in groups if group is not None for answer in group]
            if not answers:
                continue
            try:
                log = os.open(log_of(self._path), os.O_RDONLY) if log is None else log
                os.fsync(log)
            except OSError as error:
                self._broken = journal_failure(self._path, error)
            _tell(answers, self._release)
        if log is not None:
            os.close(log)

    def _release(self, answers: Sequence[_Answer]) -> None:
        for answer in answers:
            if answer.kept.done():
                continue
            if self._broken is None:
                answer.kept.set_result(None)
            else:
                answer.kept.set_exception(self._broken)


def _gathered(waiting: queue.SimpleQueue[Item], seconds: float) -> list[Item]:
    """Return the next item of a queue, and those that follow within `seconds` unless items are rare."""
    began = time.monotonic()
    found = [waiting.get()]
    if time.monotonic() - began < SELDOM_SECONDS:
        time.sleep(seconds)
    with contextlib.suppress(queue.Empty):
        while True:
            found.append(waiting.get_nowait())
    return found


def _tell(answers: Sequence[_Answer], tell: Callable[[Sequence[_Answer]], None]) -> None:
    """Call `tell` in each event loop, with the answers that are awaited there."""
    for loop in dict.fromkeys(answer.kept.get_loop() for answer in answers):
        with contextlib.suppress(RuntimeError):  # the loop is closed, and its waiters with it
            loop.call_soon_threadsafe(tell, [answer for answer in answers if answer.kept.get_loop() is loop])


def _row(answer: _Answer) -> tuple[Any, ...]:
    question, usage, body = answer.question, answer.usage, answer.body
    packed = len(body) >= PACKED_FROM
    tokens = (usage.prompt, usage.cached, usage.completion, usage.reasoning)
    whose = (question.key, question.role, question.model, question.endpoint, question.sample, int(question.batch))
    sealed = (*whose, *tokens, int(packed), zlib.compress(body, 1) if packed else body)
    return (*sealed, question.speaker, time.time(), seal_of(sealed))


def _added(answers: Iterable[_Answer]) -> list[tuple[Any, ...]]:
    """Return the sums of a group of answers by spender, as rows of `sums`."""
    added: dict[Spender, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for answer in answers:
        question, usage = answer.question, answer.usage
        total = added[Spender(question.role, question.model, question.endpoint, question.batch)]
        for place, count in enumerate((1, usage.prompt, usage.cached, usage.completion, usage.cache_written)):
            total[place] += count
    return [(*payer, *total) for payer, total in added.items()]
