"""Commands that make records, each in a workspace: a first look, a run, and runs derived from another one's records."""

import os
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interplay.flows.commands.options import (
    WORKSPACE,
    ConfigArgument,
    JsonOption,
    NewWorkspace,
    ToolsetOption,
    WorkersOption,
    WorkspaceArgument,
    WorkspaceOption,
)
from interplay.flows.settings import MOST_RECORDS

if TYPE_CHECKING:
    from interplay.flows.runs.committer import RunSummary
    from interplay.flows.settings.config import RunConfig
    from interplay.flows.workspaces.workspace import Workspace

INTERRUPTED = 130


class DirectionOption(StrEnum):
    """Directions of evolution."""

    easier = "easier"
    harder = "harder"
    sideways = "sideways"


def demo(workspace: WorkspaceOption = Path("workspace-demo")) -> None:
    """Make 20 dialogues of a bundled clinic and show one; no key and no configuration needed."""
    from interplay.flows.console.record_page import print_record
    from interplay.flows.console.run_summary import print_summary
    from interplay.flows.console.safe_console import open_console
    from interplay.flows.settings.config import RunConfig
    from interplay.flows.workspaces.record_lookup import example_record
    from interplay.flows.workspaces.run_report import write_report
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    summary = _run(place, RunConfig(records=20, shard_size=10))
    write_report(place, place.report_file)
    console = open_console()
    print_record(console, example_record(place))
    console.print()
    print_summary(
        console,
        summary,
        [
            (f"interplay show 7 --workspace {place.argument}", "read another dialogue"),
            (str(place.report_file), "all of them and their figures, in a browser"),
            (f"interplay stats --workspace {place.argument}", "figures of all of them"),
            (f"interplay export --workspace {place.argument} --to exported/openai", "files to train on"),
            ("interplay init --toolset openapi:YOUR_API.yaml", "begin with your own API"),
        ],
    )


def run(
    config: ConfigArgument = None,
    toolset: ToolsetOption = None,
    records: Annotated[
        int | None, typer.Option(min=1, max=MOST_RECORDS, metavar="N", help="Accepted records to make.")
    ] = None,
    workspace: WorkspaceOption = WORKSPACE,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, max=2**63 - 1, metavar="S", help="Another seed gives other records, the same one the same."
        ),
    ] = None,
    workers: WorkersOption = None,
    prefect: Annotated[
        bool, typer.Option("--prefect", help="Run as a Prefect flow (always so when PREFECT_API_URL is set).")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Make records until N are accepted; the same command again continues where it stopped."""
    from interplay.flows.workspaces.chosen_config import choose_config
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    chosen, source = choose_config(config, tuple(toolset or ()), place, Path.cwd())
    chosen = _with(chosen, seed=seed, workers=workers)
    summary = _run(place, chosen, source, records, prefect or bool(os.environ.get("PREFECT_API_URL")))
    steps = [
        (f"interplay stats --workspace {place.argument}", "figures of what was made"),
        (f"interplay show {summary.example or 0} --workspace {place.argument}", "read a dialogue, by index or id"),
        (f"interplay export --workspace {place.argument} --to exported/openai", "files to train on"),
    ]
    _tell(summary, steps, json)


def evolve(
    to: NewWorkspace,
    workspace: WorkspaceOption = WORKSPACE,
    direction: Annotated[
        DirectionOption, typer.Option("--direction", help="Where the tasks go from what they are.")
    ] = DirectionOption.harder,
    records: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_RECORDS, metavar="N", help="Accepted records to make; by default as many as there are."
        ),
    ] = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Make the accepted tasks of a workspace easier, harder or otherwise, run, check and play them; lineage is kept."""
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.runs.derived_run import begin_evolution
    from interplay.flows.workspaces.run_store import lacking
    from interplay.flows.workspaces.workspace import Workspace

    target = Workspace(to)
    print_note(lacking(Workspace(workspace)))
    chosen = begin_evolution(Workspace(workspace), target, direction.value, records)
    summary = _run(target, _with(chosen, workers=workers), records=records)
    steps = [
        (f"interplay stats --coverage --workspace {target.argument}", "what they cover, and how hard they are"),
        (f"interplay show {summary.example or 0} --workspace {target.argument}", "read a dialogue"),
    ]
    _tell(summary, steps, json)


def branch(
    to: NewWorkspace,
    config: Annotated[
        Path | None,
        typer.Argument(metavar="[CONFIG]", help="Says who plays on: models and roles; by default who played before."),
    ] = None,
    workspace: WorkspaceOption = WORKSPACE,
    record: Annotated[
        list[str] | None,
        typer.Option("--record", metavar="ID", help="A dialogue, by index or id; all accepted ones if none is named."),
    ] = None,
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, metavar="N", help="Which message of the user is answered in several ways."),
    ] = None,
    count: Annotated[int, typer.Option("-k", "--count", min=1, max=64, metavar="K", help="Continuations of each.")] = 2,
    mistakes: Annotated[
        int | None,
        typer.Option(min=0, metavar="M", help="How many of them have a mistake; by default half where rules play."),
    ] = None,
    failed: Annotated[
        bool, typer.Option("--failed", help="Also branch dialogues that the assistant failed, right before its fault.")
    ] = False,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Let dialogues branch: several continuations of one beginning, checked and labelled, to prefer and to reject."""
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.runs.derived_run import begin_branches
    from interplay.flows.settings.dialogue_settings import BranchSettings
    from interplay.flows.workspaces.run_store import lacking
    from interplay.flows.workspaces.workspace import Workspace

    settings = BranchSettings(count=count, mistakes=mistakes, turn=turn)
    target = Workspace(to)
    print_note(lacking(Workspace(workspace)))
    chosen = begin_branches(Workspace(workspace), target, settings, tuple(record or ()), failed, config)
    summary = _run(target, _with(chosen, workers=workers))
    steps = [
        (f"interplay show 0.1 --workspace {target.argument}", "read a branch"),
        (
            f"interplay export --format preference --workspace {target.argument} --to exported/pairs",
            "pairs to train on",
        ),
    ]
    _tell(summary, steps, json)


def watch(
    workspace: WorkspaceArgument = WORKSPACE,
    once: Annotated[bool, typer.Option("--once", help="Look once, and end.")] = False,
    every: Annotated[float, typer.Option(min=0.1, max=3600, metavar="SECONDS", help="How often to look.")] = 2.0,
    wait: Annotated[
        float, typer.Option(min=0, max=86_400, metavar="SECONDS", help="How long to wait for a run that has not begun.")
    ] = 30.0,
    json: JsonOption = False,
) -> None:
    """Watch a run that goes on elsewhere: accepted, rejected and why, tokens; ends with it."""
    import time
    from contextlib import suppress

    from interplay.flows.console.progress_display import sight_line, watch_display
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.runs.watched_run import RunWatch
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    if place.parts():
        place.existing_run()  # raises: a folder of parts is no run; one part must be named
    watched = RunWatch(place)
    sight = watched.look()
    if json:
        print_json(sight.model_dump(mode="json"))
        return
    if sight.state == "not begun" and wait and not once:
        print_note(f"{place.name}: holds no run yet; waiting {wait:g} s for one to begin")
    ends = time.monotonic() + (0 if once else wait)
    while sight.state == "not begun" and time.monotonic() < ends:
        time.sleep(min(every, wait))
        sight = watched.look()
    place.existing_run()
    before, since = sight.accepted, time.monotonic()
    with suppress(KeyboardInterrupt), watch_display() as tell:
        while not once and sight.state == "running":
            tell(sight_line(sight, (sight.accepted - before) / max(time.monotonic() - since, 0.1)))
            time.sleep(every)
            sight = watched.look()
    open_console().print(sight_line(sight), markup=False, highlight=False, soft_wrap=True)


def _with(config: "RunConfig", **given: int | None) -> "RunConfig":
    """Return the configuration with the values given on the command line; None is left out."""
    return config.model_copy(update={name: value for name, value in given.items() if value is not None})


def _run(
    workspace: "Workspace",
    config: "RunConfig",
    source: Path | None = None,
    records: int | None = None,
    prefect: bool = False,
) -> "RunSummary":
    """Run with progress on standard error; after Ctrl+C, print how to continue and exit."""
    import asyncio
    from contextlib import nullcontext

    from interplay.flows.console.progress_display import run_display
    from interplay.flows.generation.task_process import TaskProcess, can_compose_ahead
    from interplay.flows.runs.foreign_crashes import outlive_crashes
    from interplay.flows.runs.run import run as run_plainly
    from interplay.flows.runs.task_server import compose

    if not prefect:
        outlive_crashes(config.toolset)
    try:
        with run_display() as show:
            if prefect:
                from interplay.flows.orchestration import run_flow

                return run_flow(workspace, config, show, source, records)
            with TaskProcess(config, compose) if can_compose_ahead(config) else nullcontext() as ahead:
                return asyncio.run(run_plainly(workspace, config, show, source, records, ahead=ahead))
    except KeyboardInterrupt:
        from interplay.flows.console.visible_text import print_aside
        from interplay.flows.workspaces.finished_shards import count_accepted

        saved = count_accepted(workspace)
        print_aside(f"{saved} accepted and saved. Continue with: interplay run --workspace {workspace.argument}")
        raise typer.Exit(INTERRUPTED) from None


def _tell(summary: "RunSummary", steps: Iterable[tuple[str, str]], json: bool) -> None:
    """Print the results of a run, as JSON or for people, with commands to go on with."""
    from interplay.flows.console.run_summary import print_summary
    from interplay.flows.console.safe_console import open_console, print_json

    if json:
        print_json(summary.model_dump(mode="json"))
    else:
        print_summary(open_console(), summary, steps)
