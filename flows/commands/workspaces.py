"""Commands about whole workspaces: join several, check what is on disk, take records out."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from interplay.flows.commands.options import WORKSPACE, JsonOption, NewWorkspace, WorkspaceOption, workspace_folder

if TYPE_CHECKING:
    from interplay.flows.runs.record_removal import WithdrawalReport

RecordArgument = Annotated[str, typer.Argument(metavar="ID", help="A record's id, the beginning of it, or an index.")]
WhyOption = Annotated[str, typer.Option("--why", metavar="TEXT", help="Why; this is kept.")]

UNSOUND = 3
"""The exit code if something is wrong and was not repaired."""


def merge(
    workspaces: Annotated[
        list[Path],
        typer.Argument(
            metavar="WORKSPACE...",
            parser=workspace_folder,
            help="The workspaces to join, in order; a folder of parts stands for all of them.",
        ),
    ],
    to: NewWorkspace,
    json: JsonOption = False,
) -> None:
    """Join workspaces into a new one: each scenario once, each record with where it is from."""
    from interplay.flows.console.safe_console import print_json
    from interplay.flows.console.visible_text import print_line, print_note
    from interplay.flows.runs.merged_run import merge as merged
    from interplay.flows.workspaces.run_store import lacking
    from interplay.flows.workspaces.workspace import Workspace

    target = Workspace(to)
    named = [Workspace(folder) for folder in workspaces]
    sources = [each for place in named for each in place.parts() or [place] if each.folder.resolve() != to.resolve()]
    report = merged(sources, target)
    for source in sources:
        print_note(lacking(source))
    if json:
        print_json(report.model_dump(mode="json"))
        return
    for folder, accepted in report.sources.items():
        print_line(f"{folder}: {accepted} accepted")
    print_line(f"{target.name}: {report.accepted} accepted, {report.repeated} told by an earlier one already")
    for folder in report.curated:
        print_line(
            f"{folder}: was curated, and that is not carried over. Run: interplay curate --workspace {target.argument}"
        )
    print_line(f"Next: interplay export --workspace {target.argument} --to exported/openai")


def verify(
    workspace: Annotated[
        Path,
        typer.Argument(metavar="WORKSPACE", parser=workspace_folder, help="The folder that holds everything of a run."),
    ],
    repair: Annotated[
        bool, typer.Option("--repair", help="Make again what can be: tools, graph, shards, the store, exports.")
    ] = False,
    export: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="An export that is to hold what the workspace holds now; repeatable."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check everything that a workspace holds, and its exports, against what was promised; exit code 3 if something is wrong."""
    import asyncio

    from interplay.flows.console.safe_console import print_json
    from interplay.flows.console.visible_text import print_line, print_note
    from interplay.flows.runs.verification.verified_run import verify as verified
    from interplay.flows.workspaces.workspace import Workspace

    report = asyncio.run(verified(Workspace(workspace), repair, export or ()))
    if json:
        print_json({**report.model_dump(mode="json"), "sound": report.sound})
    else:
        for finding in report.findings:
            print_line(f"{finding.state}: {finding.file}: {finding.why}")
        named = "".join(f" --export {quote(str(folder))}" for folder in export or ())
        remedy = f"; interplay verify {quote(report.workspace)}{named} --repair makes again what can be"
        told = "sound" if report.sound else "not all is sound" + ("" if repair else remedy)
        print_line(f"{report.workspace}: {report.shards} shards, {report.records} records as they were made: {told}")
    print_note(report.lacking)
    if not report.sound:
        raise typer.Exit(UNSOUND)


def remove(
    record: RecordArgument, why: WhyOption, workspace: WorkspaceOption = WORKSPACE, json: JsonOption = False
) -> None:
    """Take a record out of shards, store, journal and exports, with all attempts at its task and what went on from it."""
    from interplay.flows.runs.record_removal import remove as taken_out
    from interplay.flows.workspaces.workspace import Workspace

    _tell(taken_out(Workspace(workspace), record, why), json)


def redact(
    record: RecordArgument,
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="What to take out, as the record spells it.")],
    why: WhyOption,
    workspace: WorkspaceOption = WORKSPACE,
    json: JsonOption = False,
) -> None:
    """Blot out a text in a record, in shards and store; exports are made again without it."""
    from interplay.flows.runs.record_removal import redact as taken_out
    from interplay.flows.workspaces.workspace import Workspace

    _tell(taken_out(Workspace(workspace), record, text, why), json)


def _tell(report: "WithdrawalReport", json: bool) -> None:
    from interplay.flows.console.safe_console import print_json

    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _tell_of_each(report)
    if report.failed:
        raise typer.Exit(UNSOUND)


def _tell_of_each(report: "WithdrawalReport") -> None:
    from interplay.flows.console.visible_text import print_line

    for each in report.withdrawn:
        done = "redacted" if each.redacted else "removed"
        print_line(f"index {each.index}: {done} ({', '.join(each.records)})")
    if not report.withdrawn:
        print_line("It was removed before.")
    print_line(f"{report.answers} answers of models deleted, {len(report.exports)} exports made again")
    for folder in report.exports:
        print_line(f"  {folder}")
    for folder in report.gone:
        print_line(f"{folder}: is not there any more. If it was moved, it holds what was taken out: delete it.")
    for folder, why in report.failed.items():
        print_line(f"{folder}: still holds what was taken out, and cannot be made again: {why}")
    for folder in report.elsewhere:
        print_line(
            f"{folder}: is as it was, an export of the workspace that this one is a copy of. Take it out there too."
        )
    for path in report.left:
        print_line(f"{path}: still holds the text, since the run began from it. Delete the workspace to be rid of it.")
