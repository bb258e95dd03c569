"""The finished shards of a workspace -> its index, updated shard by shard while a run goes on.

Only shard files are read, not the store: while the store is being read, a run cannot load its shards.
"""

import multiprocessing
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from interplay.flows.viewer.row_readers import MANY, RowReaders, row_readers
from interplay.flows.workspaces.finished_shards import tally_outcomes
from interplay.flows.workspaces.lock import process_holding
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.shard_file import Outcome, shard_outcomes
from interplay.outputs.viewer.record_index import IndexedShard, IndexWriter, delete_index, open_index
from interplay.outputs.viewer.record_rows import RecordRow
from interplay.schemas.errors import InterplayError
from interplay.validators.blueprints.duplicates import Duplicates

PAUSE = 1.0
"""Seconds between two looks at the shards of a run."""


def bring_up_to_date(workspace: Workspace, path: Path, going: Callable[[], bool] = lambda: True) -> int:
    """Add the shards that the index lacks, as long as `going()` is true; return how many were added.

    If an indexed shard has changed, for example after a withdrawal, the index is rebuilt.

    Raises:
        StoreError: a shard file is broken, or the index cannot be written.
    """
    run = workspace.run()
    if run is None:
        return 0
    with closing(open_index(path)) as index:
        if _is_of(index, workspace, run):
            return _add(index, workspace, run, going)
    delete_index(path)
    with closing(open_index(path)) as index:
        _begin(index, run)
        return _add(index, workspace, run, going)


def _begin(index: sqlite3.Connection, run: RunFile) -> None:
    with index:
        index.executemany(
            "INSERT OR REPLACE INTO about VALUES (?, ?)", [("run", run.run), ("wanted", str(run.config.records))]
        )


def _is_of(index: sqlite3.Connection, workspace: Workspace, run: RunFile) -> bool:
    """Tell whether an index is of this run, and of its shards as they are now."""
    about = {row["key"]: row["value"] for row in index.execute("SELECT * FROM about")}
    if about.get("run") != run.run:
        return False
    shards = [IndexedShard(*tuple(row)[:-1]) for row in index.execute("SELECT * FROM shards ORDER BY number")]
    if about.get("wanted") != str(run.config.records):  # more records of the last shard may count now
        if shards and shards[-1].until < shards[-1].last:
            return False
        _begin(index, run)
    return all(_stamp(workspace.shard(shard.number)) == (shard.size, shard.changed) for shard in shards)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return -1, -1
    return found.st_size, found.st_mtime_ns


def _add(index: sqlite3.Connection, workspace: Workspace, run: RunFile, going: Callable[[], bool]) -> int:
    number, accepted = index.execute("SELECT count(*), coalesce(sum(accepted), 0) FROM shards").fetchone()
    wanted, added = run.config.records - accepted, 0
    if wanted <= 0 or not workspace.shard(number).exists():
        return 0
    writer, waiting = IndexWriter(index), deque[_Counted]()
    many = (
        workspace.shard(number + MANY).exists() and process_holding(workspace) is None
    )  # while a run goes on, it needs the processors
    with row_readers(workspace.toolset(), several=many) as readers:
        while waiting or (wanted > 0 and workspace.shard(number).exists() and going()):
            if wanted > 0 and len(waiting) < readers.ahead and workspace.shard(number).exists() and going():
                counted = _counted(index, workspace, run, number, wanted, [each.stories for each in waiting], readers)
                waiting.append(counted)
                wanted, number = wanted - counted.shard.accepted, number + 1
                continue
            first = waiting.popleft()
            writer.add_shard(first.shard, first.stories, first.rows.result())
            added += 1
    return added


@dataclass(frozen=True)
class _Counted:
    """A counted shard, the stories that it is the first to tell, and its rows, which may still be being read."""

    shard: IndexedShard
    stories: dict[int, str]
    rows: Future[list[RecordRow]]


def _counted(
    index: sqlite3.Connection,
    workspace: Workspace,
    run: RunFile,
    number: int,
    wanted: int,
    told: Sequence[dict[int, str]],
    readers: RowReaders,
) -> _Counted:
    """Count a shard, and start to read it; `told` are the stories of shards that are not in the index yet."""
    path, indices = workspace.shard(number), run.config.shard(number)
    size, changed = _stamp(path)
    outcomes = list(shard_outcomes(path))
    duplicates = _told_before(index, told, outcomes, run.config.copies)
    tally = tally_outcomes(path, outcomes, indices, wanted, duplicates)
    shard = IndexedShard(number, size, changed, tally.accepted, tally.tried, tally.until, indices.stop - 1)
    stories = {
        outcome.index: outcome.story
        for outcome in outcomes
        if outcome.status == "accepted"
        and outcome.story
        and outcome.index <= tally.until
        and outcome.index not in tally.repeats
    }
    return _Counted(shard, stories, readers.read(ShardToLoad(path, tally.until, tally.repeats, run.run)))


def _told_before(
    index: sqlite3.Connection, told: Sequence[dict[int, str]], outcomes: Sequence[Outcome], copies: int
) -> Duplicates:
    """Return which stories of a shard earlier shards tell: those in the index, and those that wait to be added."""
    found, asked = Duplicates(copies), {outcome.story for outcome in outcomes}
    for story in asked:
        for (at,) in index.execute("SELECT idx FROM stories WHERE story = ? ORDER BY idx LIMIT ?", (story, copies)):
            found.keep(story, at)
    for stories in told:
        for at, story in stories.items():
            if story in asked:
                found.keep(story, at)
    return found


def keep_up(places: Sequence[tuple[Path, Path]]) -> None:
    """Keep the indexes of workspaces up to date until the parent process is gone."""
    os.nice(10)  # a run has priority
    parent = os.getppid()

    def going() -> bool:
        return os.getppid() == parent

    while going():
        added = 0
        for folder, path in places:
            try:
                added += bring_up_to_date(Workspace(folder), path, going)
                error_file(path).unlink(missing_ok=True)
            except (InterplayError, sqlite3.Error, OSError) as error:
                _note(path, str(error))
        if not added:
            time.sleep(PAUSE)


def error_file(path: Path) -> Path:
    """Return the file with the error that keeps an index from being made."""
    return path.with_name(f"{path.name}.error")


def _note(path: Path, error: str) -> None:
    """Write the error that keeps an index from being made, for the page to show."""
    error_file(path).write_text(error, encoding="utf-8", errors="replace")


@contextmanager
def upkeep(places: Sequence[tuple[Path, Path]]) -> Iterator[None]:
    """Keep indexes up to date in a process of their own, within the context."""
    process = multiprocessing.get_context("spawn").Process(target=keep_up, args=(list(places),))
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join(5)
