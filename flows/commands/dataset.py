"""Commands that show and export records: a preview, figures, single records, training files, schemas."""

from pathlib import Path
from typing import Annotated

import typer

from interplay.flows.commands.export_options import (
    ColumnsOption,
    FileSizeOption,
    FormatOption,
    HoldOutOption,
    LabelsOption,
    MaxTokensOption,
    PrivateOption,
    PushOption,
    ReasoningOption,
    RevisionOption,
    ShapeOption,
    SplitOption,
    TemplateOption,
    TokenizerOption,
    ToOption,
    WordsApartOption,
)
from interplay.flows.commands.options import (
    WORKSPACE,
    ConfigArgument,
    JsonOption,
    ToolsetOption,
    WorkspaceArgument,
    WorkspaceOption,
)
from interplay.schemas.errors import ConfigError


def preview(
    config: ConfigArgument = None,
    toolset: ToolsetOption = None,
    count: Annotated[int, typer.Option("-n", "--count", min=1, max=100, metavar="N", help="How many dialogues.")] = 3,
    start: Annotated[int, typer.Option("--from", min=0, metavar="INDEX", help="The first index to play.")] = 0,
    json: JsonOption = False,
) -> None:
    """Play a few dialogues in the terminal, turn by turn, with what each check says; nothing is kept."""
    import asyncio
    import mmap

    from interplay.flows.console.dialogue_lines import print_message
    from interplay.flows.console.record_page import print_verdicts
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.runs.foreign_crashes import outlive_crashes
    from interplay.flows.runs.preview import preview as played
    from interplay.flows.workspaces.chosen_config import choose_config
    from interplay.flows.workspaces.workspace import Workspace

    chosen, _ = choose_config(config, tuple(toolset or ()), Workspace(Path("no-workspace")), Path.cwd())
    console = open_console()
    shown = mmap.mmap(-1, 1)  # shared memory: a copy of this process that takes over continues after it
    outlive_crashes(chosen.toolset)

    async def show() -> None:
        tell = (lambda _: None) if json else lambda message: print_message(console, message)
        async for record in played(chosen, range(start + shown[0], start + count), tell):
            shown[0] += 1
            if json:
                print_json(record.model_dump(mode="json"))
                continue
            told = "no task" if record.blueprint is None else record.blueprint.pattern
            place = "" if record.stage is None else f" at {record.stage}"
            console.print(f"\nindex {record.index}, {told}: {record.status}{place}\n", markup=False, style="bold")
            print_verdicts(console, record)
            console.print()

    asyncio.run(show())


def stats(
    workspace: WorkspaceOption = WORKSPACE,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Show what the tasks cover and leave out by name, and how hard they are."),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show the figures of a run: what was accepted, what was rejected and why, turns, calls, acts, coverage."""
    from interplay.flows.console import figures_page as page
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.workspaces.run_store import loaded_store, shortfall
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.outputs.report.coverage import coverage as measure
    from interplay.outputs.report.statistics import statistics

    place = Workspace(workspace)
    with loaded_store(place) as store:
        held = place.existing_run().run
        figures = measure(store, held) if coverage else statistics(store, held)
        lacking = shortfall(place, store.count_accepted(held))
    if json:
        print_json(figures)
    else:
        print_page = page.print_coverage if coverage else page.print_figures
        print_page(open_console(), figures)
    print_note(lacking)


def report(
    workspace: WorkspaceArgument = WORKSPACE,
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The HTML file to write.")] = Path("report.html"),
    count: Annotated[
        int, typer.Option("-n", "--count", min=0, max=1000, metavar="N", help="How many dialogues to show.")
    ] = 30,
) -> None:
    """Write the figures and some dialogues of a run as one HTML file that can be mailed."""
    from interplay.flows.console.visible_text import print_line
    from interplay.flows.workspaces.run_files import require_own
    from interplay.flows.workspaces.run_report import write_report
    from interplay.flows.workspaces.workspace import Workspace

    require_own(to, "<!doctype html>")
    shown = write_report(Workspace(workspace), to, count)
    print_line(f"{to}: the figures and {shown} dialogues")


def show(
    record: Annotated[str, typer.Argument(metavar="ID", help="A record's id, the beginning of it, or an index.")],
    workspace: WorkspaceOption = WORKSPACE,
    json: JsonOption = False,
) -> None:
    """Show one record: its dialogue, what went wrong in it if something did, and what each check said."""
    from interplay.flows.console.record_page import print_record
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.workspaces.record_lookup import attempts_at, find_record
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    found = find_record(place, record)
    if json:
        print_json(found.model_dump(mode="json"))
    else:
        print_record(open_console(), found, attempts_at(place, found))


def export(
    to: ToOption,
    workspace: WorkspaceOption = WORKSPACE,
    format: FormatOption = "openai",
    shape: ShapeOption = "jsonl",
    reasoning: ReasoningOption = True,
    labels: LabelsOption = None,
    columns: ColumnsOption = True,
    split: SplitOption = "0.9,0.05,0.05",
    hold_out: HoldOutOption = None,
    max_tokens: MaxTokensOption = None,
    tokenizer: TokenizerOption = "",
    file_megabytes: FileSizeOption = 512,
    template: TemplateOption = None,
    words_apart: WordsApartOption = False,
    push: PushOption = "",
    private: PrivateOption = False,
    revision: RevisionOption = None,
    json: JsonOption = False,
) -> None:
    """Export the accepted records with a dataset card, load them again, and compare each one."""
    from interplay.flows.console.export_summary import print_export
    from interplay.flows.console.safe_console import open_console, print_json
    from interplay.flows.console.visible_text import print_note
    from interplay.flows.workspaces.run_store import export_run, shortfall, uncurated, unmatched
    from interplay.flows.workspaces.workspace import Workspace
    from interplay.outputs.exporters.export_settings import ExportSettings
    from interplay.outputs.store.splits import read_shares

    place = Workspace(workspace)
    settings = ExportSettings(
        columns=columns,
        shares=read_shares(split),
        hold_out=tuple(hold_out or ()),
        words_apart=words_apart,
        max_tokens=max_tokens,
        tokenizer=tokenizer,
        file_bytes=file_megabytes * 1024 * 1024,
    )
    if not push and (private or revision):
        raise ConfigError("--private and --revision are about the Hub: name the dataset there with --push OWNER/NAME.")
    report = export_run(
        place, format, to, shape=shape, reasoning=reasoning, labels=labels, settings=settings, template=template
    )
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        print_export(open_console(), report, to, place.curated_file)
    print_note(shortfall(place, report.accepted))
    if not report.noted:
        print_note(
            f"{place.name}: cannot be written, and does not know of this export: what is removed later stays in it."
        )
    print_note(uncurated(place))
    print_note(unmatched(report.strange_labels))
    if report.identical + report.rounded != report.rows or report.first_difference:
        raise typer.Exit(1)
    if push:
        from interplay.outputs.exporters.hub_upload import push_export

        print_note(f"pushed: {push_export(to, format, push, private, revision)}")


def schemas(
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="The folder to write the schemas to.")],
) -> None:
    """Write the JSON Schema of every record, one file each."""
    from interplay.flows.console.visible_text import print_line
    from interplay.schemas.publish import write_schemas

    written = write_schemas(to)
    print_line(f"{len(written)} schemas in {to}")
