"""A configuration -> a work pool, deployments with a schedule, and automations on a Prefect server."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from httpx import HTTPError
from prefect import Flow
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.filters import FlowFilter, FlowFilterName
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import ObjectNotFound, PrefectException
from prefect.schedules import Cron, Interval, Schedule
from prefect.settings import PREFECT_API_URL
from prefect.types.entrypoint import EntrypointType
from prefect.workers.process import ProcessWorker

from interplay.flows import pipeline
from interplay.flows.orchestration import QUIET, require_answer
from interplay.flows.prefect.flow_parameters import zone_of
from interplay.flows.prefect.lost_runs import TAG, keep_automations
from interplay.flows.workspaces.shared_workspace import place_of
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.versions import DEPLOYMENT

PAGE = 100
"""Deployments that a server returns per request."""


class Deployed(Record):
    """The deployments, named as in Prefect, and automations that were set up on a server.

    `others` are deployments of other names that make records in the same workspace, by a schedule or on demand.
    """

    server: str
    pool: str
    deployments: tuple[str, ...]
    automations: tuple[str, ...]
    others: tuple[str, ...] = ()


def schedule_of(cron: str | None, every: int | None, timezone: str) -> Schedule | None:
    """Return the schedule of a deployment; None if it runs on demand only.

    Raises:
        ConfigError: the times or the time zone are not understood, or two schedules are given.
    """
    if cron is not None and every is not None:
        raise ConfigError("--cron and --every: name one of them.")
    try:
        zone_of(timezone)
        if every is not None:
            return Interval(every, timezone=timezone)
        return None if cron is None else Cron(cron, timezone=timezone)
    except ValueError as error:
        told = str(error).splitlines()[-1].strip()
        raise ConfigError(
            f'--cron {cron!r}, --timezone {timezone!r}: {told}. At two each night is "0 2 * * *"'
        ) from error


def deploy(
    name: str,
    workspace: Path,
    parameters: Mapping[str, Any],
    pool: str,
    schedule: Schedule | None,
    folder: Path | None = None,
) -> Deployed:
    """Deploy `generate_dataset` with these parameters on a schedule, and each stage of the workspace on demand.

    Deployments of the same name are replaced; runs under way continue. Flows run in `folder`, where modules of tools are
    found; without it, each runs in a new folder.

    Raises:
        ConfigError: no server is named, or it does not answer.
    """
    server = PREFECT_API_URL.value()
    if not server:
        raise ConfigError(
            "No Prefect server is named. Start one with: prefect server start; then: "
            "export PREFECT_API_URL=http://127.0.0.1:4200/api"
        )
    require_answer(server)
    place = place_of(Workspace(workspace))
    exported = {"format": parameters.get("export"), "to": parameters.get("to")}
    exported = {key: value for key, value in exported.items() if value is not None}
    once = {key: value for key, value in parameters.items() if key not in ("add", "part")}
    wanted: tuple[tuple[Flow[Any, Any], str, Mapping[str, Any], Schedule | None], ...] = (
        (pipeline.generate_dataset, name, parameters, schedule),
        (pipeline.generate_dataset, f"{name}-once", once, None),
        (pipeline.prepare_run, name, {key: value for key, value in once.items() if key in ("config", "records")}, None),
        (pipeline.make_shards, name, {"workers": parameters.get("workers", 1)}, None),
        (pipeline.load_store, name, {}, None),
        (pipeline.export_dataset, name, exported, None),
    )
    try:
        with get_client(sync_client=True) as client:
            _keep_pool(client, pool)
            told = tuple(_apply(flow, called, place, given, pool, when, folder) for flow, called, given, when in wanted)
            others = tuple(sorted(each for each in _makers(client, place) if each not in told))
            return Deployed(
                server=server, pool=pool, deployments=told, automations=keep_automations(client), others=others
            )
    except (HTTPError, PrefectException, RuntimeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise ConfigError(
            f"Prefect at {server}: {first}. Is it running? Start one with: prefect server start"
        ) from error


def _makers(client: SyncPrefectClient, place: str) -> Iterator[str]:
    """Yield the names of the deployments on a server that make records in the workspace at `place`."""
    flow = pipeline.generate_dataset.name
    wanted, page = FlowFilter(name=FlowFilterName(any_=[flow])), 0
    while found := client.read_deployments(flow_filter=wanted, limit=PAGE, offset=page * PAGE):
        yield from (f"{flow}/{each.name}" for each in found if each.parameters.get("workspace") == place)
        page += 1


def _keep_pool(client: SyncPrefectClient, pool: str) -> None:
    """Create a work pool whose workers start processes, unless a pool of that name exists."""
    try:
        client.read_work_pool(pool)
    except ObjectNotFound:
        template = ProcessWorker.get_default_base_job_template()
        client.create_work_pool(WorkPoolCreate(name=pool, type=ProcessWorker.type, base_job_template=template))


def _apply(
    flow: Flow[Any, Any],
    name: str,
    place: str,
    given: Mapping[str, Any],
    pool: str,
    schedule: Schedule | None,
    folder: Path | None,
) -> str:
    quiet = {key: value for key, value in QUIET.items() if "LOGGING" not in key}
    made = RunnerDeployment.from_flow(
        flow,
        name,
        schedule=schedule,
        parameters={"version": DEPLOYMENT.version, "workspace": place, **given},
        tags=[TAG],
        work_pool_name=pool,
        job_variables={"env": quiet, **({} if folder is None else {"working_dir": str(folder)})},
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    made.apply()
    return f"{made.flow_name}/{name}"
