"""Commands about models: what they can do, what a run would cost, how reviewers agree with people, and what they answered."""

from pathlib import Path
from typing import Annotated, Any

import typer

from interplay.flows.commands.options import WORKSPACE, ConfigArgument, JsonOption, WorkspaceOption
from interplay.flows.console.visible_text import print_line

RoleOption = Annotated[str | None, typer.Option("--role", help="Only answers given for this role.")]
ModelOption = Annotated[str | None, typer.Option("--model", help="Only answers of this model.")]


def check(config: ConfigArgument = None, json: JsonOption = False) -> None:
    """Ask each configured model one tiny question for each ability: text, tools, structured output, usage.

    Exit code 1 where a model lacks what its role needs.
    """
    import asyncio

    from interplay.flows.console.model_tables import print_checks
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.roles.model_check import check_models
    from interplay.flows.workspaces.chosen_config import config_here

    checks = asyncio.run(check_models(config_here(config, Path.cwd())))
    if json:
        print_json([item.model_dump(mode="json") for item in checks])
    else:
        print_checks(open_console(), checks)
    if any(item.lacking for item in checks):
        raise typer.Exit(1)


def estimate(
    config: ConfigArgument = None,
    sample: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Dialogues to count on.")] = 20,
    given: Annotated[
        float | None,
        typer.Option(
            "--yield",
            min=0.01,
            max=1.0,
            metavar="SHARE",
            help="Share of dialogues that you expect to pass; without it what was measured in the workspace, or all.",
        ),
    ] = None,
    sent_back: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Share of reviews that you expect to send a task back; without it what was measured, or none.",
        ),
    ] = None,
    workspace: WorkspaceOption = WORKSPACE,
    json: JsonOption = False,
) -> None:
    """Tell what models will be asked and cost for each accepted record, before a single call is made.

    It counts with the yield that was measured in the workspace, if it holds a run of this configuration.
    """
    import asyncio

    from interplay.flows.console.model_tables import print_estimate
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.estimates.dialogue_yield import measured_yield
    from interplay.flows.estimates.estimate import ALL
    from interplay.flows.estimates.estimate import estimate as count
    from interplay.flows.workspaces.chosen_config import config_here
    from interplay.flows.workspaces.workspace import Workspace

    chosen = config_here(config, Path.cwd())
    at = measured_yield(Workspace(workspace), chosen) or ALL
    if given is not None:
        at = ALL.model_copy(update={"share": given, "source": "given", "sent_back": at.sent_back})
    if sent_back is not None:
        at = at.model_copy(update={"sent_back": sent_back})
    found = asyncio.run(count(chosen, sample, at))
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        print_estimate(open_console(), found)


def calibrate(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="Labelled dialogues, or labels of records, one a line.")],
    config: ConfigArgument = None,
    workspace: WorkspaceOption = WORKSPACE,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Dialogues at most, spread evenly over the kinds.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Let the reviewers read labelled dialogues, and tell how they agree with the labels; the workspace keeps it.

    From then on a reviewer's vote counts as much as it agrees with the labels beyond chance.
    """
    import asyncio

    from interplay.flows.console.model_tables import print_calibration
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.reviewers.reviewer_calibration import calibrate_in
    from interplay.flows.workspaces.chosen_config import choose_config
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    chosen, _ = choose_config(config, (), place, Path.cwd())
    found = asyncio.run(calibrate_in(place, gold, chosen, limit))
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        print_calibration(open_console(), found)


def list_answers(
    workspace: WorkspaceOption = WORKSPACE,
    role: RoleOption = None,
    model: ModelOption = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Answers to list at most.")] = 100,
    json: JsonOption = False,
) -> None:
    """List answers in the order in which they came: role, sample, tokens, model, and why one could not be used.

    The sample tells dialogues apart in which the same was asked.
    """
    from itertools import islice

    from interplay.flows.console.safe_console import print_json
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.generators.models.journal.journal_report import entries

    listed = islice(entries(Workspace(workspace).journal_file, role, model), limit)
    found = [entry.model_dump() for entry in listed]
    if json:
        print_json(found)
    for entry in () if json else found:
        tokens = f"{entry['prompt']:>7} + {entry['completion']:<6}"
        asked = f"{entry['role']:<9}  {entry['sample']:>6}"
        line = f"{entry['key'][:12]}  {asked}  {tokens}  {_asked(entry)}  {entry['outcome']}"
        print_line(f"{line}  {entry['reason']}".rstrip())


def count_answers(
    workspace: WorkspaceOption = WORKSPACE, role: RoleOption = None, model: ModelOption = None, json: JsonOption = False
) -> None:
    """Count answers and their tokens by role, who was asked, model and outcome."""
    from interplay.flows.console.safe_console import print_json
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.generators.models.journal.journal_report import counts

    found = [count.model_dump() for count in counts(Workspace(workspace).journal_file, role, model)]
    if json:
        print_json(found)
    for count in () if json else found:
        tokens = f"{count['prompt']} prompt ({count['cached']} cached) + {count['completion']} completion tokens"
        print_line(f"{count['answers']:>8}  {count['role']:<9}  {_asked(count)}  {count['outcome']}: {tokens}")


def _asked(answer: dict[str, Any]) -> str:
    """Return the name of the model in the configuration, and the model itself."""
    return f"{answer['speaker']}: {answer['model']}" if answer["speaker"] else str(answer["model"])


def list_batches(workspace: WorkspaceOption = WORKSPACE, model: ModelOption = None, json: JsonOption = False) -> None:
    """List the batches in which questions were asked: how far each is, since when, and how many answers came of it."""
    from interplay.flows.console.model_tables import print_batches
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.generators.models.journal.journal_report import batches

    found = batches(Workspace(workspace).journal_file, model)
    if json:
        print_json([batch.model_dump() for batch in found])
    else:
        print_batches(open_console(), found)


def export_answers(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, one answer a line (JSON).")],
    workspace: WorkspaceOption = WORKSPACE,
    role: RoleOption = None,
    model: ModelOption = None,
) -> None:
    """Write the answers with their bodies, as they came, to a JSON Lines file."""
    from interplay.flows.workspaces.run_files import require_own
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.generators.models.journal import journal_report

    require_own(to, '{"key":')
    written = journal_report.export_answers(Workspace(workspace).journal_file, to, role, model)
    print_line(f"{written} answers in {to}")
