"""An export -> its number of rows, the result of the reload check, and what was left out and why."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:  # slow to import
    from interplay.outputs.exporters.export import ExportReport


def print_export(console: Console, report: "ExportReport", to: Path, curated_file: Path) -> None:
    """Print the number of rows of an export, the result of the reload check, and what was left out and why."""
    from interplay.outputs.exporters.export_formats import named_format  # noqa: PLC0415 - slow to import

    known, splits = named_format(report.format), ", ".join(f"{name} {rows}" for name, rows in report.splits.items())
    losses = (f"{known.describe_loss(loss)} ({count})" for loss, count in sorted(report.left_out.items()))
    curated = f"left out by curation: {report.curated}; reasons in {curated_file}"
    lines = [
        f"{report.rows} {known.rows} ({splits}) as {report.format} in {to}",
        report.summary(),
        *([f"left out, by number of dialogues: {', '.join(losses)}"] if report.left_out else []),
        *([curated] if report.curated else []),
        *([report.template.summary()] if report.template is not None else []),
    ]
    for what, counts in (
        ("dialogues left out", report.left_out_rows),
        ("dialogues with faulty turns", report.masked),
        ("overruled by people", report.overruled),
    ):
        told = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
        lines += [f"{what}: {told}"] if counts else []
    for line in lines:
        console.print(line, markup=False)
