"""The command that deploys runs to a Prefect server, with a schedule."""

from pathlib import Path
from typing import Annotated, Any

import typer

from interplay.flows.commands.options import WORKSPACE, ConfigArgument, JsonOption, WorkersOption, WorkspaceOption
from interplay.flows.prefect.choices import PartBy, RunnerName
from interplay.flows.settings import MOST_RECORDS
from interplay.outputs.exporters.export_formats import FormatName
from interplay.schemas.errors import ConfigError


def deploy(
    config: ConfigArgument = None,
    workspace: WorkspaceOption = WORKSPACE,
    name: Annotated[str, typer.Option(metavar="NAME", help="What the deployments are called.")] = "nightly",
    add: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_RECORDS, metavar="N", help="Accepted records that each run adds to the workspace."
        ),
    ] = None,
    records: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_RECORDS, metavar="N", help="Accepted records that the workspace is to hold in all."
        ),
    ] = None,
    part: Annotated[
        PartBy | None,
        typer.Option(metavar="BY", help="Each run makes a part of its own, with its own seed: by date or by number."),
    ] = None,
    cron: Annotated[str | None, typer.Option(metavar="TIMES", help='When it runs, as "0 2 * * *".')] = None,
    every: Annotated[int | None, typer.Option(min=1, metavar="SECONDS", help="How often it runs instead.")] = None,
    timezone: Annotated[str, typer.Option(metavar="ZONE", help="The time zone of these times.")] = "UTC",
    export: Annotated[
        FormatName | None, typer.Option(metavar="FORMAT", help="Export all accepted records after each run.")
    ] = None,
    to: Annotated[Path | None, typer.Option(metavar="DIR", help="Where exports go.")] = None,
    workers: WorkersOption = None,
    runner: Annotated[
        RunnerName | None,
        typer.Option(metavar="NAME", help="Where shards are made: threads, processes or dask of Prefect."),
    ] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="The address of a Dask scheduler.")] = None,
    pool: Annotated[str, typer.Option(metavar="NAME", help="The work pool; made if it is not there.")] = "interplay",
    json: JsonOption = False,
) -> None:
    """Set up a work pool, deployments and a schedule on the Prefect server at PREFECT_API_URL."""
    from interplay.flows.console.safe_console import print_json
    from interplay.flows.console.visible_text import print_line, print_note
    from interplay.flows.prefect.flow_parameters import require_fit
    from interplay.flows.workspaces.chosen_config import choose_config
    from interplay.flows.workspaces.shared_workspace import place_of
    from interplay.flows.workspaces.workspace import Workspace, require_settings

    where = place_of(Workspace(workspace))
    require_fit(workspace=where, records=records, add=add, export=export, to=to, runner=runner, scheduler=scheduler)
    for option, given_name in (("--name", name), ("--pool", pool)):
        if not given_name.strip() or set(given_name) & set("/%&<>"):
            raise ConfigError(
                f"{option} {given_name!r}: Prefect takes names without / % & < >, such as {option} nightly"
            )
    chosen, source = choose_config(config, (), Workspace(workspace), Path.cwd())
    if source is None:
        raise ConfigError("Name a configuration file, or make one with: interplay init")
    if part is None:
        require_settings(Workspace(workspace), chosen)
    given: dict[str, Any] = {
        "config": str(source), "add": add, "records": records, "part": part, "export": export,
        "to": None if to is None else str(to.absolute()), "workers": workers or chosen.workers,
        "runner": runner, "scheduler": scheduler, "timezone": timezone if part == "date" else None,
    }  # fmt: skip
    parameters = {key: value for key, value in given.items() if value is not None}

    from interplay.flows import deployment

    when = deployment.schedule_of(cron, every, timezone)
    told = deployment.deploy(name, workspace, parameters, pool, when, source.absolute().parent)
    if told.others:
        print_note(
            f"{where}: {', '.join(told.others)} make records there too, each what it was asked for. Delete those that are not wanted: "
            f"prefect deployment delete {told.others[0]}"
        )
    if json:
        print_json(told.model_dump(mode="json"))
        return
    for deployed in told.deployments:
        print_line(f"deployed {deployed}")
    for automation in told.automations:
        print_line(f"automation {automation}")
    print_line(f"Next, on each machine: prefect worker start --pool {pool}")
    print_line(f"Run it now: prefect deployment run {told.deployments[0]}")
