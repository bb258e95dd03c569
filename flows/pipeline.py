"""The stages as Prefect flows: thin, asynchronous, one task per shard; deployments name them by module path.

A flow takes names and numbers, so that it can be deployed and scheduled; all that it does is in `runs` and `workspaces`.
"""

import asyncio
import signal
from pathlib import Path
from typing import Any

from prefect import flow, get_run_logger, task
from prefect.cache_policies import NO_CACHE

from interplay.flows.runs import stages
from interplay.flows.runs.committer import OnProgress, RunProgress, RunSummary
from interplay.flows.runs.run import MakeShard, run
from interplay.flows.runs.workers import WorkerPool
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces import run_store
from interplay.flows.workspaces.chosen_config import choose_config
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.schemas.versions import DEPLOYMENT


def _as_task(make: MakeShard) -> MakeShard:
    """Return the making of a shard as a task; the shard files are the cache."""

    @task(name="make_shard", task_run_name="shard {number}", cache_policy=NO_CACHE)
    async def make_one(number: int) -> Path:
        return await make(number)

    return make_one


def _require_known(version: int) -> None:
    """Check the version of a deployment's parameters; a deployment without one is of version 1."""
    DEPLOYMENT.current({DEPLOYMENT.key: version}, "the parameters of the flow")


def _log(progress: RunProgress) -> None:
    get_run_logger().info("%s of %s accepted", progress.accepted, progress.target)


async def generate(
    workspace: Workspace, config: RunConfig, tell: OnProgress, source: Path | None = None, records: int | None = None
) -> RunSummary:
    """Run `generate_dataset` with parts that are no parameters of a flow: a progress display, a configuration."""

    @flow(name="generate_dataset", flow_run_name=f"generate {workspace.folder.name}")
    async def generate_here() -> RunSummary:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return await run(workspace, config, tell, source, records, _as_task)

    return await generate_here()


@flow(name="generate_dataset")
async def generate_dataset(
    workspace: str,
    config: str | None = None,
    toolset: list[str] | None = None,
    records: int | None = None,
    workers: int | None = None,
    version: int = 1,
) -> dict[str, Any]:
    """Make records until enough are accepted; the same settings again continue a workspace."""
    _require_known(version)
    place = Workspace(Path(workspace))
    chosen, source = choose_config(Path(config) if config else None, tuple(toolset or ()), place, Path.cwd())
    if workers is not None:
        chosen = chosen.model_copy(update={"workers": workers})
    summary = await run(place, chosen, _log, source, records, _as_task)
    return summary.model_dump(mode="json")


@flow(name="list_tools")
async def import_tools(toolset: list[str], version: int = 1) -> dict[str, list[dict[str, Any]]]:
    """Import tools, and tell what became of each."""
    _require_known(version)
    return await asyncio.to_thread(stages.list_tools, toolset)


@flow(name="make_shards")
async def make_shards(workspace: str, first: int, count: int, workers: int = 1, version: int = 1) -> list[str]:
    """Make some shards of a prepared workspace and leave the loading to others: for several machines and one folder."""
    _require_known(version)
    with WorkerPool(Workspace(Path(workspace)), workers) as pool:
        make = _as_task(pool.make)
        return [str(path) for path in await asyncio.gather(*(make(number) for number in range(first, first + count)))]


@flow(name="loaded_store")
async def load_store(workspace: str, version: int = 1) -> int:
    """Load the finished shards of a workspace; return how many records are accepted."""
    _require_known(version)
    place = Workspace(Path(workspace))

    def load() -> int:
        with run_store.loaded_store(place) as store:
            rows = store.query(
                "SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [place.existing_run().run]
            )
        return int(rows[0]["n"])

    return await asyncio.to_thread(load)


@flow(name="export_run")
async def export_dataset(
    workspace: str,
    to: str,
    format: FormatName = "openai",
    shape: Shape = "jsonl",
    reasoning: bool = True,
    version: int = 1,
) -> dict[str, Any]:
    """Export the accepted records of a workspace, load them again, and tell how they compare."""
    _require_known(version)
    place = Workspace(Path(workspace))
    report = await asyncio.to_thread(run_store.export_run, place, format, Path(to), shape, reasoning)
    return report.model_dump(mode="json")
