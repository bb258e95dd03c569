"""The stages as Prefect flows: thin and asynchronous, one task per shard; deployments refer to them by module path.

A flow takes plain names and numbers, so that it can be deployed and scheduled; the work is done in `runs` and
`workspaces`, and what Prefect shows of it is in `prefect`. Prefect builds a form for the parameters from the docstrings here.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import nullcontext, suppress
from datetime import UTC, date, datetime
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from prefect import Flow, State, flow, get_client, tags
from prefect.client.schemas.objects import FlowRun
from prefect.logging import get_run_logger
from prefect.logging.loggers import flow_run_logger
from prefect.runtime import flow_run as this_run
from prefect.states import Completed, Failed, Running

from interplay.flows.prefect import artifacts, lost_runs
from interplay.flows.prefect.choices import PartBy, RunnerName
from interplay.flows.prefect.flow_parameters import (
    Count,
    Name,
    ShardNumber,
    Workers,
    checked,
    require_fit,
    require_folder,
    zone_of,
)
from interplay.flows.prefect.scheduled_run import part_of, records_after, seed_of_part
from interplay.flows.prefect.shard_tasks import as_tasks, on_runner
from interplay.flows.runs import stages
from interplay.flows.runs.committer import OnProgress, RunSummary
from interplay.flows.runs.run import prepare_alone, run
from interplay.flows.runs.workers import WorkerPool
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces import finished_shards, run_store
from interplay.flows.workspaces.chosen_config import choose_config
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.shared_workspace import place_of, workspace_folder
from interplay.flows.workspaces.workspace import Workspace, require_settings
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.schemas.errors import InterplayError, StoreInUse
from interplay.schemas.versions import DEPLOYMENT

P = ParamSpec("P")
T = TypeVar("T")

LOOK_SECONDS = 2.0
"""Seconds between looks at whether a workspace that another run holds is free."""

TIMES_LOST = 10
"""How often a run is restarted after losing its process."""


def _stage(
    name: str, called: str, saves: bool = False
) -> Callable[[Callable[P, Coroutine[Any, Any, T]]], Flow[P, Coroutine[Any, Any, T]]]:
    """Return a decorator that makes a flow of a stage: results are persisted, parameters checked, and its end reported.

    `called` is the template of a flow run's name, with the parameters and the workspace's name; with `saves`, a run that is
    cancelled or crashes logs what it has saved.
    """

    def title() -> str:
        place = str(this_run.parameters.get("workspace") or "").rstrip("/")
        return called.format(**{**this_run.parameters, "workspace": place.rpartition("/")[2]})

    def made(function: Callable[P, Coroutine[Any, Any, T]]) -> Flow[P, Coroutine[Any, Any, T]]:
        saved, fit = [_tell_saved] if saves else [], checked(function)

        @wraps(function)
        async def living(*args: P.args, **kwargs: P.kwargs) -> Any:
            with lost_runs.signs_of_life():
                try:
                    await lost_runs.require_unfailed()
                    return await fit(*args, **kwargs)
                except InterplayError as error:  # raised, it would be logged with a traceback
                    return Failed(message=f"{type(error).__name__}: {error}", data=error)

        stage = flow(
            name=name,
            flow_run_name=title,
            persist_result=True,
            result_serializer="json",
            validate_parameters=False,
            on_completion=[lost_runs.tell_ended],
            on_failure=[lost_runs.tell_ended],
            on_cancellation=[lost_runs.tell_ended, *saved],
            on_crashed=[lost_runs.tell_crashed, *saved],
        )
        return stage(living)

    return made


def _begin(version: int) -> None:
    """Check the version of a deployment's parameters (1 if it has none), and how often this run was restarted.

    Raises:
        ConfigError: the parameters are newer than this program, for example because a worker was not upgraded.
        InterplayError: the run has lost its process too often.
    """
    DEPLOYMENT.current({DEPLOYMENT.key: version}, "the parameters of the flow")
    if (this_run.run_count or 1) > TIMES_LOST:
        raise InterplayError(
            f"This run has lost its process {TIMES_LOST} times, and is given up. Everything made is kept: run it again with "
            "fewer workers if memory is short."
        )


async def _queued(place: Workspace, work: Callable[[], Awaitable[T]]) -> T:
    """Do `work` in a workspace as soon as no other run holds it; a process that was killed holds nothing."""
    try:
        return await work()
    except StoreInUse as error:
        get_run_logger().info("Waiting: %s", error)
        await _show_state(Running(name="Waiting", message=str(error)))
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        with suppress(StoreInUse):
            await asyncio.to_thread(_look, place)
            await _show_state(Running())
            return await work()


def _look(place: Workspace) -> None:
    with hold_workspace(place):
        return


async def _show_state(state: State[Any]) -> None:
    """Show the state of this run; errors of the server are ignored, as a display must not end the run."""
    with suppress(Exception):
        async with get_client() as client:
            await client.set_flow_run_state(UUID(this_run.id), state)


async def _make(
    workspace: Workspace,
    config: RunConfig,
    tell: OnProgress,
    source: Path | None,
    records: int | None,
    runner: RunnerName | None = None,
    scheduler: str | None = None,
) -> RunSummary:
    """Make records, and show the progress, the graph and the result in Prefect."""
    own = nullcontext(as_tasks) if runner is None else on_runner(workspace, runner, config.workers, scheduler)
    with own as orchestrate:
        async with artifacts.shown_progress(workspace, tell) as show:
            summary = await run(workspace, config, show, source, records, orchestrate)
    await artifacts.show_graph(workspace)
    await artifacts.show_run(workspace, summary)
    return summary


async def generate(
    workspace: Workspace, config: RunConfig, tell: OnProgress, source: Path | None = None, records: int | None = None
) -> RunSummary:
    """Run `generate_dataset` with arguments that a flow cannot take as parameters: a progress display, a configuration."""

    @flow(name="generate_dataset", flow_run_name=f"generate {workspace.folder.name}")
    async def generate_here() -> Any:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        made = await _make(workspace, config, tell, source, records)
        return Completed(message=artifacts.sentence(made), data=made)

    with tags("interplay"):
        summary: RunSummary = await generate_here()
        return summary


def _tell_saved(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Log what a run that ended early has saved; called by the worker."""
    log = flow_run_logger(flow_run)
    try:
        place, _ = _place(
            Workspace(workspace_folder(flow_run.parameters["workspace"])),
            flow_run.parameters.get("part"),
            str(flow_run.id),
        )
        saved = finished_shards.count_accepted(place)
    except (InterplayError, KeyError) as error:
        log.warning("%s before anything was made (%s).", state.name, error)
        return
    log.warning(
        "%s: %s accepted records are saved in %s. The same run again goes on there.", state.name, saved, place.folder
    )


def _place(parent: Workspace, part: PartBy | None, firing: str, day: date | None = None) -> tuple[Workspace, str]:
    """Return the workspace of a flow run, and the name of its part, or "" if it has none."""
    if part is None:
        return parent, ""
    name = part_of(parent, firing, part, day or datetime.now(UTC).date())
    return Workspace(workspace_folder(f"{place_of(parent)}/{name}")), name


@_stage("generate_dataset", "generate {workspace}", saves=True)
async def generate_dataset(
    workspace: Name,
    config: Name | None = None,
    toolset: list[Name] | None = None,
    records: Count | None = None,
    workers: Workers | None = None,
    version: int = 1,
    add: Count | None = None,
    part: PartBy | None = None,
    export: FormatName | None = None,
    to: Name | None = None,
    runner: RunnerName | None = None,
    scheduler: Name | None = None,
    timezone: Name = "UTC",
) -> Any:
    """Make records until enough are accepted; the same settings again continue a workspace.

    Args:
        workspace: The folder that holds everything of a run.
        config: A configuration file; by default interplay.yaml in the workspace or in the folder of the worker.
        toolset: Where tools come from, such as openapi:shop.yaml; in place of those in the configuration.
        records: Accepted records that the workspace is to hold in all; by default as many as the configuration says.
        workers: Processes (or threads) that make shards side by side.
        version: The version of these parameters; leave it as it is.
        add: Accepted records to add to what was asked for so far, each time this runs; in place of records.
        part: Makes a part of its own each time, a workspace in the workspace, with a seed of its own: named by the date on which the run was due, or by number.
        export: The format in which all accepted records are exported afterwards; none if it is left out.
        to: The folder of the export; by default exported/FORMAT in the workspace.
        runner: Where shards are made: threads, processes or Dask of Prefect; by default interplay's own processes.
        scheduler: The address of a Dask scheduler, such as tcp://host:8786; by default Dask works on this machine.
        timezone: The time zone of the dates by which parts are named, such as Europe/Vienna.
    """
    _begin(version)
    require_fit(workspace=workspace, records=records, add=add, export=export, to=to, runner=runner, scheduler=scheduler)
    parent, firing = Workspace(workspace_folder(workspace)), str(this_run.id)
    due = (this_run.scheduled_start_time or datetime.now(UTC)).astimezone(zone_of(timezone))

    async def find() -> tuple[Workspace, str]:
        return await asyncio.to_thread(_place, parent, part, firing, due.date())

    async def count() -> int:
        return await asyncio.to_thread(records_after, place, firing, add or 0)

    place, name = await _queued(parent, find)
    chosen, source = choose_config(Path(config) if config else None, tuple(toolset or ()), parent, Path.cwd())
    if name:
        chosen, source = chosen.model_copy(update={"seed": seed_of_part(chosen.seed, name)}), None
    if workers is not None:
        chosen = chosen.model_copy(update={"workers": workers})
    if add is not None:
        require_settings(place, chosen)  # a firing that is refused asks for nothing
    wanted = records if add is None else await _queued(place, count)
    summary = await _queued(place, lambda: _make(place, chosen, lambda _: None, source, wanted, runner, scheduler))
    told = {**summary.model_dump(mode="json"), "part": name}
    if export is not None:
        told["export"] = await _export(place, export, Path(to) if to else place.folder / "exported" / export)
    return Completed(message=artifacts.sentence(summary), data=told)


@_stage("list_tools", "list tools")
async def import_tools(toolset: list[Name], version: int = 1) -> Any:
    """Import tools, and tell what became of each.

    Args:
        toolset: Where tools come from, such as openapi:shop.yaml.
        version: The version of these parameters; leave it as it is.
    """
    _begin(version)
    listed = await asyncio.to_thread(stages.list_tools, toolset)
    await artifacts.show_tools("tools", listed)
    return Completed(message=artifacts.imported(listed), data=listed)


@_stage("prepare_run", "prepare {workspace}")
async def prepare_run(
    workspace: Name,
    config: Name | None = None,
    toolset: list[Name] | None = None,
    records: Count | None = None,
    version: int = 1,
) -> Any:
    """Set a workspace up, its tools and graph in it, so that several machines can make its shards.

    Args:
        workspace: The folder that holds everything of a run, and that all machines share.
        config: A configuration file; by default interplay.yaml in the workspace or in the folder of the worker.
        toolset: Where tools come from, such as openapi:shop.yaml; in place of those in the configuration.
        records: Accepted records that the workspace is to hold in all; by default as many as the configuration says.
        version: The version of these parameters; leave it as it is.
    """
    _begin(version)
    place = Workspace(workspace_folder(workspace))
    chosen, source = choose_config(Path(config) if config else None, tuple(toolset or ()), place, Path.cwd())
    asked = chosen if records is None else chosen.asking(records)

    await _queued(place, lambda: prepare_alone(place, asked, source))
    await artifacts.show_graph(place)
    known = place.existing_run()
    told = {"run": known.run, "records": known.config.records, "shard_size": known.config.shard_size}
    return Completed(message=f"Prepared for {known.config.records} records.", data=told)


@_stage("make_shards", "make shards of {workspace} from {first} on", saves=True)
async def make_shards(
    workspace: Name,
    first: ShardNumber = 0,
    count: Count | None = None,
    workers: Workers = 1,
    version: int = 1,
    runner: RunnerName | None = None,
    scheduler: Name | None = None,
) -> Any:
    """Make some shards of a prepared workspace and leave the loading to others: for several machines and one folder.

    Args:
        workspace: The folder that holds everything of a run, and that all machines share.
        first: The number of the first shard, from 0.
        count: How many shards to make; by default those that the records asked for fill, from the first one on.
        workers: Processes (or threads) that make shards side by side.
        version: The version of these parameters; leave it as it is.
        runner: Where shards are made: threads, processes or Dask of Prefect; by default interplay's own processes.
        scheduler: The address of a Dask scheduler, such as tcp://host:8786; by default Dask works on this machine.
    """
    _begin(version)
    place = Workspace(workspace_folder(workspace))
    asked = place.existing_run().config
    count = count or max(1, -(-asked.records // asked.shard_size) - first)
    with WorkerPool(place, workers) as pool:
        own = nullcontext(as_tasks) if runner is None else on_runner(place, runner, workers, scheduler)
        with own as orchestrate:
            make = orchestrate(pool.make)
            made = await asyncio.gather(*(make(number) for number in range(first, first + count)))
    return Completed(message=f"{len(made)} shards are there, from {first} on.", data=[str(path) for path in made])


@_stage("loaded_store", "load {workspace}")
async def load_store(workspace: Name, version: int = 1, records: Count | None = None) -> Any:
    """Load the finished shards of a workspace; return how many records are accepted.

    Args:
        workspace: The folder that holds everything of a run.
        version: The version of these parameters; leave it as it is.
        records: Accepted records that the workspace is to hold in all, if that is more than was asked for before.
    """
    _begin(version)
    place = Workspace(workspace_folder(workspace))

    def load() -> int:
        if records is not None:
            run_store.ask_for(place, records)
        with run_store.loaded_store(place) as store:
            rows = store.query(
                "SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [place.existing_run().run]
            )
        return int(rows[0]["n"])

    accepted = await _queued(place, lambda: asyncio.to_thread(load))
    return Completed(message=f"{accepted} accepted records are loaded.", data=accepted)


@_stage("export_run", "export {workspace}")
async def export_dataset(
    workspace: Name,
    to: Name | None = None,
    format: FormatName = "openai",
    shape: Shape = "jsonl",
    reasoning: bool = True,
    version: int = 1,
) -> Any:
    """Export the accepted records of a workspace, load them again, and tell how they compare.

    Args:
        workspace: The folder that holds everything of a run.
        to: The folder of the export, where an earlier one is replaced; by default exported/FORMAT in the workspace.
        format: The format of its rows.
        shape: The kind of its files.
        reasoning: Whether what the assistant thought is part of it.
        version: The version of these parameters; leave it as it is.
    """
    _begin(version)
    require_folder(workspace, to)
    place = Workspace(workspace_folder(workspace))
    report = await _export(place, format, Path(to) if to else place.folder / "exported" / format, shape, reasoning)
    return Completed(message=f"{report['rows']} rows in {report['folder']}.", data=report)


async def _export(
    place: Workspace, format: FormatName, to: Path, shape: Shape = "jsonl", reasoning: bool = True
) -> dict[str, Any]:
    report = await _queued(place, lambda: asyncio.to_thread(run_store.export_run, place, format, to, shape, reasoning))
    await artifacts.show_export(place, report)
    return report.model_dump(mode="json")
