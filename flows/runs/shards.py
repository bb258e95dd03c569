"""A prepared workspace and the number of a shard -> its file, made in this process."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.tasks import ScenarioOrder
from interplay.flows.roles.cast import Cast
from interplay.flows.runs.capacity import few_tasks
from interplay.flows.runs.stages import open_generator
from interplay.flows.workspaces.shared_workspace import fetch_shard, offer_shard, shared_folder, workspace_folder
from interplay.flows.workspaces.withdrawals import noted_for, withdrawals, withhold
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.blueprints.duplicates import Duplicates

TOGETHER = 16
"""Indices that rules make together, step by step."""

WATCHED_EVERY = 1.0
"""Seconds between two reports on the models."""


async def make_shard(
    generator: Generator,
    workspace: Workspace,
    number: int,
    note: Callable[[Sequence[DatasetRecord]], None] = lambda _: None,
) -> Path:
    """Make the records of one shard and write its file, unless it exists; the bytes are the same wherever it is made.

    `note` is called with the outcome of each index as soon as it is known.

    Raises:
        StoreError: the file cannot be written.
    """
    path, folder = workspace.shard(number), shared_folder(workspace)
    if folder is not None and not path.exists() and await asyncio.to_thread(fetch_shard, workspace, number):
        return path
    if not path.exists():
        await _make(generator, workspace, number, note)
    if folder is not None:
        await asyncio.to_thread(offer_shard, workspace, number)
    return path


async def _make(
    generator: Generator, workspace: Workspace, number: int, note: Callable[[Sequence[DatasetRecord]], None]
) -> None:
    told, aims = order_and_aims(generator, workspace, number)
    indices = generator.config.shard(number)
    if generator.cast is None:
        _write(workspace, number, indices, await _in_step(generator, told, aims))
    else:
        if generator.ahead is not None:
            generator.ahead.begin(number, told.indices)
            await generator.get_ready()  # while the first task is composed
        records = await _side_by_side(generator, generator.cast, told, aims, note)
        await asyncio.to_thread(_write, workspace, number, indices, records)  # other dialogues proceed meanwhile


def order_and_aims(generator: Generator, workspace: Workspace, number: int) -> tuple[ScenarioOrder, Sequence[Aim]]:
    """Return the scenario order of a shard's indices, and what they aim at."""
    aims = workspace.aims(number) if generator.config.recipes.top_up else ()
    config = generator.config
    order = sorted(config.shard(number), key=lambda index: (config.part(index), index))  # sessions proceed in parallel
    return ScenarioOrder(order, Duplicates(config.copies)), aims


def _write(workspace: Workspace, number: int, indices: range, records: list[DatasetRecord]) -> None:
    """Write a shard, without records that were withdrawn before."""
    from interplay.outputs.store.shard_file import write_shard  # noqa: PLC0415 - Arrow: a fifth of a second before the first record

    workspace.require_present()
    out = withdrawals(workspace)
    write_shard(workspace.shard(number), withhold(out, records), noted_for(out, indices))


async def _in_step(generator: Generator, told: ScenarioOrder, aims: Sequence[Aim]) -> list[DatasetRecord]:
    """Make records by rules, in groups that take each step together; see `Attempts.step`."""
    records: list[DatasetRecord] = []
    for start in range(0, len(told.indices), TOGETHER):
        block = told.indices[start : start + TOGETHER]
        for made in await asyncio.gather(*(generator.make_records(index, told, aims) for index in block)):
            records += made
    return records


async def _side_by_side(
    generator: Generator,
    cast: Cast,
    told: ScenarioOrder,
    aims: Sequence[Aim],
    note: Callable[[Sequence[DatasetRecord]], None],
) -> list[DatasetRecord]:
    """Make records concurrently, as models take their time; if one fails, those under way are finished, as they are paid for."""

    async def make(index: int) -> tuple[DatasetRecord, ...]:
        async with generator.open_dialogues, cast.dialogue():
            records = await generator.make_records(index, told, aims)
            note(records)
            return records

    made = await asyncio.gather(*(make(index) for index in told.indices), return_exceptions=True)
    records: list[DatasetRecord] = []
    for attempts in made:
        if isinstance(attempts, BaseException):
            raise attempts
        records += attempts
    return records


class _Kept(threading.local):
    """What a thread keeps from one shard to the next: connections to models belong to one event loop."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.generator: Generator | None = None
        self.made_for: tuple[Path, str] | None = None


_kept = _Kept()


def _generator_of(workspace: Workspace) -> Generator:
    """Return the generator of a workspace, reused from this thread's previous shard if that was of the same run."""
    asked = workspace.folder, workspace.existing_run().run
    if _kept.generator is None or _kept.made_for != asked:
        _kept.generator, _kept.made_for = _kept.runner.run(open_generator(workspace)), asked
    return _kept.generator


def open_here(folder: str, records: int) -> str:
    """Open a prepared workspace by its path or URL, keep its generator for its shards, and return `few_tasks`."""
    generator = _generator_of(Workspace(workspace_folder(folder)))
    return _kept.runner.run(few_tasks(generator, records))


def make_shard_here(folder: str, number: int, tell: Callable[[Cast], None]) -> str:
    """Make one shard of a prepared workspace, given by its path or URL; the generator is kept for the next shard.

    `tell` is called with the models every second, and when the shard is made.
    """
    workspace = Workspace(workspace_folder(folder))
    generator = _generator_of(workspace)

    async def make() -> Path:
        async with report_models(generator.cast, tell):
            return await make_shard(generator, workspace, number)

    return str(_kept.runner.run(make()))


@asynccontextmanager
async def report_models(cast: Cast | None, tell: Callable[[Cast], None]) -> AsyncIterator[None]:
    """Call `tell` with the models every second inside the context, and once at its end."""

    async def watch(cast: Cast) -> None:
        while True:
            tell(cast)
            await asyncio.sleep(WATCHED_EVERY)

    task = None if cast is None else asyncio.ensure_future(watch(cast))
    try:
        yield
    finally:
        if task is not None and cast is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            tell(cast)
