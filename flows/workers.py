"""Shard numbers -> shard files, made by processes side by side.

Each worker assembles its generator once, from the workspace, and ends with the run, however the run ends.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from interplay.flows.stages import make_shard_here
from interplay.flows.workspace import Workspace
from interplay.schemas.errors import InterplayError


class WorkerPool:
    """Processes that make the shards of one workspace; they start with the first shard that is missing."""

    def __init__(self, workspace: Workspace, workers: int) -> None:
        self._workspace = workspace
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        # Shards under way are not waited for: a shard file appears complete or not at all.
        for process in _processes(self._pool):
            process.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def make(self, number: int) -> Path:
        """Make one shard, unless its file is there.

        Raises:
            InterplayError: a worker was killed, or what the shard itself raised.
        """
        path = self._workspace.shard(number)
        if path.exists():
            return path
        try:
            made: str = await asyncio.wrap_future(self._submit(number))
            return Path(made)
        except BrokenProcessPool as error:
            raise InterplayError(
                "A worker process was ended from outside, or could not start. Everything made is kept: run again, "
                "with fewer --workers if memory is short."
            ) from error

    def _submit(self, number: int) -> Future[str]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, multiprocessing.get_context("spawn"), initializer=_start_worker
            )
        # Processes are started here and inherit the mask: Ctrl+C reaches the whole group, and is for the main process.
        with _without_interrupts():
            return self._pool.submit(make_shard_here, str(self._workspace.folder.absolute()), number)


def _processes(pool: ProcessPoolExecutor) -> list[multiprocessing.process.BaseProcess]:
    return list((getattr(pool, "_processes", None) or {}).values())


@contextmanager
def _without_interrupts() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the main process: when it is killed, nobody else tells its workers to end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
