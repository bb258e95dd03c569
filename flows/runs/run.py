"""A prepared workspace -> one with the first N accepted records in its store, whatever was there before.

Shards are made in the order of their indices, a limited number ahead; one committer loads them in that order.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import aclosing, asynccontextmanager, nullcontext
from functools import partial
from math import ceil
from pathlib import Path

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.task_process import TaskProcess
from interplay.flows.roles.cast import Cast
from interplay.flows.runs.capacity import few_tasks
from interplay.flows.runs.committer import Committer, OnProgress, RunProgress, RunSummary
from interplay.flows.runs.foreign_crashes import must_call_apart
from interplay.flows.runs.model_state import tell_others, told_to_others
from interplay.flows.runs.shards import make_shard, report_models
from interplay.flows.runs.stages import edges_run_meanwhile, prepare, settle_graph
from interplay.flows.runs.workers import WorkerPool
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.shared_workspace import fetch_shard, shared_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.fitness_warnings import fitness_of_part
from interplay.schemas.errors import InterplayError
from interplay.validators.blueprints.duplicates import Duplicates

MakeShard = Callable[[int], Awaitable[Path]]
"""Makes the shard with a number, unless its file exists, and returns its path."""

LOOK_SECONDS = 0.5
"""Seconds between two looks at whether the shards under way suffice, or another one is to be started."""

Orchestrate = Callable[[MakeShard], MakeShard]
"""Turns the making of a shard into a task of an orchestrator."""


async def run(
    workspace: Workspace,
    config: RunConfig,
    tell: OnProgress,
    source: Path | None = None,
    records: int | None = None,
    orchestrate: Orchestrate | None = None,
    ahead: TaskProcess | None = None,
) -> RunSummary:
    """Make records until `records` of them are accepted, by default the most that the workspace was ever asked for.

    `tell` is called with the progress at the beginning and after each shard. With `orchestrate`, and if calls of tools may
    crash the process, shards are made in worker processes; with `ahead`, tasks are composed in another process, see
    `can_compose_ahead`.

    Raises:
        ConfigError: the workspace belongs to another configuration.
        BudgetExceeded: too many indices were tried, or nearly nothing passes.
        InterplayError: a file could not be read or written, or a worker was killed.
    """
    asked = config if records is None else config.asking(records)
    crashing = must_call_apart(asked.toolset)
    with hold_workspace(workspace), told_to_others(workspace):
        generator = await prepare(workspace, asked, source, ahead, not crashing)
        progress = RunProgress(records or generator.config.records)
        async with aclosing(generator), _still_there(workspace):
            with WorkerPool(workspace, config.workers) as pool:
                apart = crashing or config.workers > 1 or orchestrate is not None
                target = progress.target
                progress.notice = await (pool.open(target) if crashing else few_tasks(generator, target))
                tell(progress)

                def look(cast: Cast) -> None:
                    progress.models = pool.snapshots() if apart else cast.snapshots()
                    progress.spent = cast.spent_by_workers() if apart else cast.spent()
                    tell_others(workspace, progress, os.getpid())
                    tell(progress)

                async with report_models(generator.cast, look):
                    cast = generator.cast
                    spent = (lambda: None) if cast is None else cast.spent_by_workers if apart else cast.spent
                    told = Duplicates(generator.config.copies)
                    settle = partial(settle_graph, workspace, generator)
                    committer = Committer(workspace, generator.config, generator.run, progress, spent, told, settle)
                    if apart:
                        make, at_once = pool.make if orchestrate is None else orchestrate(pool.make), 2 * config.workers
                    else:
                        # A shard waits for its longest dialogue: start more shards than the open dialogues fill.
                        at_once = 1 if cast is None else 1 + 3 * ceil(config.open_dialogues() / config.shard_size)
                        make = partial(make_shard, generator, workspace, note=committer.note)
                    async with edges_run_meanwhile(generator) if apart else nullcontext():
                        await _fill(committer, make, at_once, tell)
                    return committer.summary().model_copy(update=_found(generator, progress))


async def prepare_alone(workspace: Workspace, config: RunConfig, source: Path | None = None) -> None:
    """Prepare a workspace and make no records: for processes and machines that make its shards later.

    Raises:
        StoreInUse: another process works there.
        ConfigError, ImportFailure, StoreError: see `prepare`.
    """
    crashing = must_call_apart(config.toolset)
    with hold_workspace(workspace):
        await (await prepare(workspace, config, source, composes=not crashing)).aclose()
        if crashing:
            with WorkerPool(workspace, 1) as pool:
                await pool.open()


def _found(generator: Generator, progress: RunProgress) -> dict[str, object]:
    """Return what was found out about the tools of a run, for its summary."""
    parts = () if "tool" in generator.config.roles else generator.world.parts
    return {
        "fitness": tuple(map(fitness_of_part, parts)),
        "notice": progress.notice,
        "left_out": generator.workshop(0).left_out if generator.cast is None else {},
        "unasked": tuple(generator.tasks.unasked),
    }


@asynccontextmanager
async def _still_there(workspace: Workspace) -> AsyncIterator[None]:
    """Report a deleted workspace as such, whatever error it causes first."""
    try:
        yield
    except (InterplayError, OSError):
        workspace.require_present()
        raise


async def _fill(committer: Committer, make: MakeShard, ahead: int, tell: OnProgress) -> None:
    """Make shards, `ahead` of them at a time, and commit them in order; those that turn out not to be needed are dropped.

    A slow shard delays the commits of later ones, but not their making.
    """
    under_way: dict[int, asyncio.Task[Path]] = {}
    awaited: asyncio.Task[Path] | None = None
    number = 0
    try:
        while not committer.done and committer.config.shard(number):
            last = number + committer.shards_needed()
            while number + len(under_way) < last and _may_begin(under_way.values(), ahead):
                begun = number + len(under_way)
                if not committer.config.shard(begun):
                    break
                if not await committer.aim(begun, loaded=number):
                    break
                under_way[begun] = asyncio.ensure_future(_made(make, committer, begun))
            if under_way[number] is not awaited:
                awaited = under_way[number]
                committer.progress.makes(committer.config.shard(number))
            if not under_way[number].done():
                busy = [task for task in under_way.values() if not task.done()]
                await asyncio.wait(busy, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                continue
            await committer.commit(number, under_way.pop(number).result())
            tell(committer.progress)
            committer.check_yield()
            number += 1
    finally:
        for task in under_way.values():
            task.cancel()
        await asyncio.gather(*under_way.values(), return_exceptions=True)
        await committer.rest()


def _may_begin(tasks: Collection[asyncio.Task[Path]], ahead: int) -> bool:
    """Tell whether another shard may be started: fewer than `ahead` are being made, and none has failed."""
    if any(task.done() and (task.cancelled() or task.exception() is not None) for task in tasks):
        return False
    return sum(not task.done() for task in tasks) < ahead


async def _made(make: MakeShard, committer: Committer, number: int) -> Path:
    found = committer.workspace.shard(number)
    if found.exists() or (
        shared_folder(committer.workspace) is not None
        and await asyncio.to_thread(fetch_shard, committer.workspace, number)
    ):
        return found
    path = await make(number)
    committer.progress.made += len(committer.config.shard(number))
    return path
