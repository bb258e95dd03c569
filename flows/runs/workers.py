"""Shard numbers -> shard files, made in parallel by worker processes.

Each worker assembles its generator once, from the workspace, and ends with the run, however the run ends.
"""

import asyncio
import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Self

from pydantic import TypeAdapter

from interplay.flows.roles.cast import Cast
from interplay.flows.runs.foreign_crashes import is_of_script, mark_calls_for, note_crash
from interplay.flows.runs.process_life import end_with_parent
from interplay.flows.runs.shards import make_shard_here, open_here
from interplay.flows.workspaces.shared_workspace import place_of
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.trial_process import without_script
from interplay.generators.environments.toolkit.call_marks import ENDING, call_in
from interplay.generators.models.batches.batched_model import BatchSnapshot
from interplay.generators.models.limits.limit_settings import LimitSnapshot
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.errors import InterplayError

Snapshot = LimitSnapshot | BatchSnapshot
_SNAPSHOTS: TypeAdapter[tuple[Snapshot, ...]] = TypeAdapter(tuple[Snapshot, ...])

LOST_WORKERS = 5
"""How often one shard may lose its worker."""


class WorkerPool:
    """Processes that make the shards of one workspace; they start with the first shard that is missing."""

    def __init__(self, workspace: Workspace, workers: int) -> None:
        self._workspace = workspace
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._reports: Path | None = None
        self._opened = contextlib.ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            _end(self._pool)
        self._opened.close()

    def snapshots(self) -> tuple[Snapshot, ...]:
        """Return the state of each model, added up over all workers; empty before the first report."""
        if self._reports is None:
            return ()
        told = [_SNAPSHOTS.validate_json(path.read_bytes()) for path in sorted(self._reports.glob("*.json"))]
        return add_snapshots([snapshot for snapshots in told for snapshot in snapshots])

    async def make(self, number: int) -> Path:
        """Make one shard, unless its file exists; if a worker is lost, another one makes it, without the call that crashed it.

        Raises:
            InterplayError: too many workers were lost, or the shard itself failed.
        """
        path = self._workspace.shard(number)
        return path if path.exists() else Path(await self._done(f"Shard {number}", _make, number))

    async def open(self, records: int = 0) -> str:
        """Let a worker prepare what shards need, such as the tool graph, and return its notice, see `few_tasks`.

        Raises:
            InterplayError: see `make`.
        """
        return await self._done("The graph of the tools", _open, records)

    async def _done(self, what: str, work: Callable[[str, int, str], str], number: int) -> str:
        """Let a worker do something, and another one if it is lost."""
        lost, times = BrokenProcessPool(), 0
        while times < LOST_WORKERS:
            pool = self._renewed()
            try:
                return await asyncio.wrap_future(self._submit(pool, work, number))
            except BrokenProcessPool as error:
                known, lost = len(ENDING), error
                if self._pool is pool:  # only the first shard that was lost with it
                    self._pool = None
                    processes = _processes(pool)
                    _end(pool)
                    self._note_crashes(processes)
                times += len(ENDING) == known
        raise InterplayError(
            f"{what} lost its worker process {LOST_WORKERS} times, or none could start. Everything made is kept: run "
            "again, with fewer --workers if memory is short."
        ) from lost

    def _note_crashes(self, ended: Sequence[multiprocessing.Process]) -> None:
        """Note the calls that crashed the ended processes."""
        for process in ended:
            mark = Path(self._reports or "", f"{process.pid}.call")
            if process.exitcode is not None and mark.is_file():
                note_crash(call_in(mark.read_bytes()), process.exitcode)

    def _renewed(self) -> ProcessPoolExecutor:
        if self._reports is None:
            self._reports = self._opened.enter_context(scratch_folder())
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers,
                multiprocessing.get_context("spawn"),
                initializer=_start_worker,
                initargs=(self._reports, dict(ENDING), gc.get_threshold()),
            )
        return self._pool

    def _submit(self, pool: ProcessPoolExecutor, work: Callable[[str, int, str], str], number: int) -> Future[str]:
        # Workers start here and inherit the signal mask: Ctrl+C reaches the whole group, but is for the main process.
        needed = any(map(is_of_script, self._workspace.existing_run().config.toolset))
        with _without_interrupts(), nullcontext() if needed else without_script():
            return pool.submit(work, place_of(self._workspace), number, str(self._reports))


def _end(pool: ProcessPoolExecutor) -> None:
    """End the processes without waiting for shards under way; a shard file appears complete or not at all."""
    for process in _processes(pool):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


def _processes(pool: ProcessPoolExecutor) -> list[multiprocessing.Process]:
    return list((getattr(pool, "_processes", None) or {}).values())


def _make(folder: str, number: int, reports: str) -> str:
    """Make one shard in a worker, which reports the state of the models in a file."""
    report = Path(reports, f"{os.getpid()}.json")

    def tell(cast: Cast) -> None:
        partial = report.with_suffix(".partial")
        with contextlib.suppress(OSError):  # the run is over, or the disk is full: progress is only for display
            partial.write_bytes(_SNAPSHOTS.dump_json(cast.snapshots()))
            partial.replace(report)

    return make_shard_here(folder, number, tell)


def _open(folder: str, records: int, _reports: str) -> str:
    return open_here(folder, records)


class _Kept(threading.local):
    """The pool of one process that a thread keeps from one shard to the next."""

    def __init__(self) -> None:
        self.pool: WorkerPool | None = None
        self.made_for: Path | None = None


_kept = _Kept()


def make_shard_apart(workspace: Workspace, number: int) -> str:
    """Make one shard of a prepared workspace in a process that ends with this thread; it is restarted if a call crashes it."""
    if _kept.pool is None or _kept.made_for != workspace.folder:
        _kept.pool, _kept.made_for = WorkerPool(workspace, 1), workspace.folder
    return str(asyncio.run(_kept.pool.make(number)))


def add_snapshots(snapshots: Sequence[Snapshot]) -> tuple[Snapshot, ...]:
    """Add up the figures of several processes for each model."""
    found: dict[str, Snapshot] = {}
    for snapshot in snapshots:
        before = found.get(snapshot.name)
        values = {} if before is None else {key: _added(value, getattr(snapshot, key)) for key, value in before}
        found[snapshot.name] = snapshot.model_copy(update=values)
    return tuple(found.values())


def _added(one: Any, other: Any) -> Any:
    """Return the sum of numbers or counts; of anything else, the first value that is set."""
    if isinstance(one, dict):
        return dict(Counter(one) + Counter(other))
    if isinstance(one, (bool, str)) or one is None or other is None:
        return one or other
    return one + other


@contextmanager
def _without_interrupts() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(reports: Path, ending: dict[bytes, str], collected: tuple[int, int, int]) -> None:
    """Set up a worker: garbage collection, known crashes, call marks, no Ctrl+C, and an end with its parent."""
    gc.set_threshold(*collected)
    ENDING.update(ending)
    mark_calls_for(reports / f"{os.getpid()}.call")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
