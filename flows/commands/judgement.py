"""The command that judges dialogues recorded elsewhere."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.flows.commands.options import WORKSPACE, ToolsetOption, WorkspaceOption
from interplay.outputs.exporters.export_formats import FormatName


def judge(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE... [CONFIG]",
            help="Conversations, as JSON or JSON Lines; a YAML file among them is the configuration whose reviewers judge.",
        ),
    ],
    toolset: ToolsetOption = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", metavar="FILE", help="The policy in prose, where dialogues name none.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="What right dialogues write and say, by the id of each."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="DIR", help="Where to write the accepted ones, to train on.")
    ] = None,
    format: Annotated[FormatName, typer.Option("--format", help="The shape of messages and tools there.")] = "openai",
    workspace: WorkspaceOption = WORKSPACE,
    json: Annotated[
        bool, typer.Option("--json", help="Answer with one JSON object a line, one for each dialogue.")
    ] = False,
) -> None:
    """Judge recorded dialogues by facts: calls, writes, and whether values agree with what was shown or said.

    With a configuration, its reviewers judge what facts let pass; --workspace keeps what they answered, and holds what
    interplay calibrate found of them.
    """
    import asyncio
    from contextlib import nullcontext

    from interplay.flows.console.judged_dialogues import JudgementReport
    from interplay.flows.judging.accepted_files import AcceptedFiles
    from interplay.flows.judging.recorded_judgement import judge_files
    from interplay.flows.reviewers.dialogue_reviews import judge_of
    from interplay.flows.workspaces.run_files import read_prose
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.generators.importers.conversations.whole_dialogues import Unread
    from interplay.schemas.errors import ConfigError

    configs = [file for file in files if file.suffix in (".yaml", ".yml")]
    files = [file for file in files if file not in configs]
    if not files or len(configs) > 1:
        raise ConfigError("Name files of conversations (JSON or JSON Lines), and at most one configuration (YAML).")
    prose = read_prose(policy) if policy is not None else ""
    report = JudgementReport(json)

    async def work(accepted: AcceptedFiles | None) -> None:
        async with judge_of(configs[0], Workspace(workspace)) if configs else nullcontext() as reviewers:
            async for found in judge_files(files, tuple(toolset or ()), prose, gold, reviewers):
                report.tell(found)
                if accepted is not None and not isinstance(found, Unread) and found[1].accepted:
                    accepted.write(found[0])

    with AcceptedFiles(to, format, files) if to is not None else nullcontext() as accepted:
        asyncio.run(work(accepted))
    report.end(to, accepted is not None and accepted.rows > 0)
