"""Commands that curate: which accepted records are left out of exports, and an index of benchmark tasks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from interplay.flows.commands.options import WORKSPACE, JsonOption, WorkspaceOption

if TYPE_CHECKING:
    from interplay.schemas.records.verdict import Curation


def curate(
    config: Annotated[
        Path | None,
        typer.Argument(metavar="CONFIG", help="A configuration with a `curate` section; else that of the run."),
    ] = None,
    workspace: WorkspaceOption = WORKSPACE,
    near: Annotated[
        float | None,
        typer.Option("--near", min=0.1, max=1, help="Leave out dialogues that are as like an earlier one as this."),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="FILE", help="Tasks of a benchmark, or an index of them, to keep clear of."),
    ] = None,
    select: Annotated[
        int | None, typer.Option("--select", min=1, metavar="N", help="Keep the N records that together show most.")
    ] = None,
    off: Annotated[
        bool, typer.Option("--off", help="Forget what was said; exports hold all accepted records.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Leave out of exports what repeats, gives a benchmark away, or holds secrets and data of people."""
    import asyncio

    from interplay.flows.console.safe_console import print_json
    from interplay.flows.console.visible_text import print_line, print_note
    from interplay.flows.curation.curated_run import curate as curated
    from interplay.flows.curation.curated_run import forget
    from interplay.flows.settings.config_file import load_config
    from interplay.flows.settings.curation_settings import SelectSettings
    from interplay.flows.workspaces.run_store import lacking
    from interplay.flows.workspaces.workspace import Workspace

    place = Workspace(workspace)
    if off and (config, near, against, select) != (None, None, None, None):
        raise typer.BadParameter("forgets what was curated; leave out what is to be curated", param_hint="--off")
    if off:
        forget(place)
        print_line(f"{workspace}: nothing is left out of exports")
        return
    settings = (load_config(config) if config else place.existing_run().config).curate
    rows = select and (settings.select or SelectSettings(rows=select)).model_copy(update={"rows": select})
    asked = {"near_duplicates": near, "contamination": tuple(against or ()), "select": rows}
    report = asyncio.run(
        curated(place, settings.model_copy(update={name: value for name, value in asked.items() if value}))
    )
    if json:
        print_json(report.model_dump(mode="json"))
    else:
        _tell(report)
        print_line(f"reasons: {place.curated_file}")
    print_note(lacking(place))


def _tell(report: "Curation") -> None:
    """Print how many records stay in exports, and how many are left out for which reason."""
    from interplay.flows.console.visible_text import print_line

    print_line(f"{report.kept} of {report.looked_at} accepted records stay in exports")
    for step, count in report.left_out.items():
        print_line(f"  {step.replace('_', ' ')}: {count} left out")
    if report.failed_left_out:
        print_line(f"  of attempts that failed, which become sides of pairs: {report.failed_left_out} left out")
    if report.covered:
        told = ", ".join(f"{share:.1%} of {trait}" for trait, share in report.covered.items())
        print_line(f"  the rows selected show {told}")
    if report.rows_needed:
        print_line(
            f"  less than 99 % of tools or edges: {report.rows_needed} rows would show that much; ask for --select {report.rows_needed}"
        )


def benchmark_index(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Tasks as tau-bench, tau2-bench or BFCL write them, as JSON or JSON Lines."
        ),
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The index to write; it holds digests alone.")],
) -> None:
    """Make an index of the tasks of benchmarks, by which `curate` finds records that give them away."""
    from interplay.flows.console.visible_text import print_line
    from interplay.flows.curation.benchmark_files import read_benchmark, write_index
    from interplay.flows.workspaces.run_files import require_own

    require_own(to, '{"benchmark":')
    tasks = [task for file in files for task in read_benchmark(file)]
    write_index(tasks, to)
    print_line(f"{len(tasks)} tasks in {to}")
