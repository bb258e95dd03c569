"""Shard numbers -> shards made in Prefect tasks: by interplay's own processes, or on one of Prefect's task runners.

A shard file serves as the cache, and appears complete or not at all: if a shard is made twice, by a worker given up and by
another one, its bytes are the same.
"""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, cast

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State, TaskRun
from prefect.logging import get_run_logger
from prefect.runtime import deployment
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner
from prefect.tasks import Task, exponential_backoff

from interplay.flows.prefect.choices import RunnerName
from interplay.flows.runs.foreign_crashes import must_call_apart
from interplay.flows.runs.process_life import end_with_parent
from interplay.flows.runs.run import MakeShard, Orchestrate
from interplay.flows.runs.shards import make_shard_here
from interplay.flows.runs.workers import LOST_WORKERS, make_shard_apart
from interplay.flows.workspaces.shared_workspace import fetch_shard, place_of, workspace_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import (
    ConfigError,
    EnvironmentFailure,
    InterplayError,
    ModelUnavailable,
    StoreInUse,
    StoreUnreachable,
)

PASSING = (ModelUnavailable, EnvironmentFailure, StoreInUse, StoreUnreachable, OSError)
"""Errors that may pass, and are retried; any other one is raised at once."""
RETRIES, FIRST_DELAY = 4, 10
"""How often a shard is retried, and the seconds before the first retry, which double each time."""

WORKERS_JOIN = 30.0
"""Seconds to wait for the first worker of a named Dask scheduler."""


def may_pass(_task: Task[..., Any], _run: TaskRun, state: State[Any]) -> bool:
    """Tell whether a failure is worth a retry."""
    return isinstance(state.data, PASSING)


_task = task(
    name="make_shard",
    task_run_name="shard {number}",
    cache_policy=NO_CACHE,
    persist_result=False,
    retries=RETRIES,
    retry_delay_seconds=exponential_backoff(FIRST_DELAY),
    retry_jitter_factor=0.2,
    retry_condition_fn=may_pass,
)


def as_tasks(make: MakeShard) -> MakeShard:
    """Return `make` as a Prefect task, which waits for one of interplay's own processes."""

    @_task
    async def make_one(number: int) -> Path:
        return await make(number)

    return make_one


@_task
def make_on_runner(folder: str, number: int) -> str:
    """Make a shard in a thread or process of a task runner."""
    end_with_parent()  # Prefect's pools outlive a killed flow
    workspace = Workspace(workspace_folder(folder))
    if must_call_apart(workspace.existing_run().config.toolset):
        return make_shard_apart(workspace, number)
    return make_shard_here(folder, number, lambda _: None)


class _Future(Protocol):
    """The future that a task runner returns for a task."""

    def result(self, timeout: float | None = None, raise_on_failure: bool = True) -> Any: ...


def open_runner(name: RunnerName, workers: int, scheduler: str | None) -> TaskRunner[Any]:
    """Return a task runner of Prefect; with `scheduler`, Dask works at that address, else on this machine.

    Raises:
        ConfigError: Dask is not installed.
    """
    if name == "threads":
        return ThreadPoolTaskRunner(max_workers=workers)
    if name == "processes":
        return ProcessPoolTaskRunner(max_workers=workers)
    try:
        from prefect_dask.task_runners import DaskTaskRunner  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigError("runner: dask needs Dask. Install it with: pip install 'interplay[dask]'") from error
    if scheduler is not None:
        return DaskTaskRunner(address=scheduler)
    local = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    return DaskTaskRunner(cluster_kwargs=local)


def _opened(runner: TaskRunner[Any]) -> TaskRunner[Any]:
    """Open a task runner; with a remote scheduler, wait for its first worker.

    Raises:
        ConfigError: the scheduler does not answer, or no worker joins it in time.
    """
    address: str | None = getattr(runner, "address", None)
    if address is None:
        runner.__enter__()
        return runner
    try:
        runner.__enter__()
        cast(Any, runner).client.wait_for_workers(1, timeout=WORKERS_JOIN)
    except (OSError, ValueError) as error:  # a time-out is an OSError
        with suppress(Exception):  # its client may never have started
            runner.__exit__(None, None, None)
        raise ConfigError(
            f"scheduler: no worker of Dask was found at {address} ({str(error).splitlines()[0]}). Start them with: "
            f"dask scheduler; dask worker {address}"
        ) from error
    return runner


class _Shards:
    """Makes shards on a task runner, which is opened again if the loss of a worker breaks it."""

    def __init__(self, workspace: Workspace, open_one: Callable[[], TaskRunner[Any]], at_once: int) -> None:
        self._workspace = workspace
        self._open = open_one
        self._runner = _opened(open_one())
        self._waiting = ThreadPoolExecutor(at_once, thread_name_prefix="shards")

    async def make(self, number: int) -> Path:
        """Make one shard, unless its file exists.

        Raises:
            InterplayError: too many workers were lost, or the shard itself failed.
        """
        path, folder = self._workspace.shard(number), place_of(self._workspace)
        for _ in range(LOST_WORKERS):
            if path.exists():
                return path
            runner = self._runner
            try:
                future: _Future = runner.submit(make_on_runner, {"folder": folder, "number": number})
                made = Path(await asyncio.get_running_loop().run_in_executor(self._waiting, future.result))
                if not path.exists() and await asyncio.to_thread(fetch_shard, self._workspace, number):
                    return path  # it was made on another machine
                return made
            except Exception as error:
                if not _lost_worker(error):
                    raise
                get_run_logger().warning("A worker was lost while it made shard %s, which is made again.", number)
                self._renew(runner)
        raise InterplayError(
            f"Shard {number} lost its worker {LOST_WORKERS} times. Everything made is kept: run again, with fewer workers "
            "if memory is short."
        )

    def _renew(self, broken: TaskRunner[Any]) -> None:
        """Open another runner; only the first of the shards lost with the broken one does so."""
        if self._runner is broken and isinstance(broken, ProcessPoolTaskRunner):
            self._runner = _opened(self._open())
            _close(broken)

    def close(self) -> None:
        """Close the runner and its processes, without waiting for shards under way."""
        _close(self._runner)
        self._waiting.shutdown(wait=False, cancel_futures=True)


def _lost_worker(error: BaseException) -> bool:
    """Tell whether the process that made a shard is gone, of Dask or of a pool."""
    told = [type(cause).__name__ for cause in (error, error.__cause__, error.__context__) if cause is not None]
    return isinstance(error, BrokenExecutor) or "KilledWorker" in told


def _close(runner: TaskRunner[Any]) -> None:
    executor = getattr(runner, "_executor", None)
    if isinstance(executor, ThreadPoolExecutor) and deployment.id is not None:
        executor.shutdown(wait=False, cancel_futures=True)
        runner._executor = None  # type: ignore[attr-defined]  # or it would wait for its threads; the process ends instead
    for process in list((getattr(executor, "_processes", None) or {}).values()):
        process.terminate()
    runner.__exit__(None, None, None)


@contextmanager
def on_runner(
    workspace: Workspace, name: RunnerName, workers: int, scheduler: str | None = None
) -> Iterator[Orchestrate]:
    """Let the shards of a workspace be made on a task runner instead of interplay's own processes; it is closed with the flow.

    The runner is opened with the first shard: a run that waits for its workspace needs none.

    Raises:
        ConfigError: Dask is not installed, or, with the first shard, the scheduler has no worker.
    """
    open_runner(name, workers, scheduler)
    with ExitStack() as opened:

        def orchestrate(_: MakeShard) -> MakeShard:
            shards = _Shards(workspace, lambda: open_runner(name, workers, scheduler), 2 * workers)
            opened.callback(shards.close)
            return shards.make

        yield orchestrate
