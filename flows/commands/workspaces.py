"""Commands about whole workspaces: join several, and check what is on disk."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.flows.commands.options import JsonOption, NewWorkspace

UNSOUND = 3
"""The exit code where something is wrong that was not repaired."""


def merge(
    workspaces: Annotated[list[Path], typer.Argument(metavar="WORKSPACE...", help="The workspaces to join, in order.")],
    to: NewWorkspace,
    json: JsonOption = False,
) -> None:
    """Join workspaces into a new one: each scenario once, each record with where it is from."""
    from interplay.flows.console import terminal as shown
    from interplay.flows.runs.merged_run import merge as merged
    from interplay.flows.workspaces.workspace import Workspace

    report = merged([Workspace(folder) for folder in workspaces], Workspace(to))
    if json:
        shown.print_json(report.model_dump(mode="json"))
        return
    for folder, accepted in report.sources.items():
        typer.echo(f"{folder}: {accepted} accepted")
    typer.echo(f"{to}: {report.accepted} accepted, {report.repeated} told by an earlier one already")
    typer.echo(f"Next: interplay export --workspace {to} --to exported/openai")


def verify(
    workspace: Annotated[Path, typer.Argument(metavar="WORKSPACE", help="The folder that holds everything of a run.")],
    repair: Annotated[
        bool, typer.Option("--repair", help="Make again what can be: tools, graph, shards, the store.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check everything that a workspace holds against what was promised; exit code 3 if something is wrong."""
    import asyncio

    from interplay.flows.console import terminal as shown
    from interplay.flows.runs.verified_run import verify as verified
    from interplay.flows.workspaces.workspace import Workspace

    report = asyncio.run(verified(Workspace(workspace), repair))
    if json:
        shown.print_json({**report.model_dump(mode="json"), "sound": report.sound})
    else:
        for finding in report.findings:
            typer.echo(f"{finding.state}: {finding.file}: {finding.why}")
        told = "sound" if report.sound else "not sound; interplay verify --repair makes again what can be"
        typer.echo(f"{workspace}: {report.shards} shards, {report.records} records as they were made: {told}")
    if not report.sound:
        raise typer.Exit(UNSOUND)
