"""The summary of a run -> a few sentences, and commands to go on with."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from interplay.flows.console.imported_tools import print_warnings
from interplay.flows.console.progress_display import examples_line, reasons_line, spent_line

if TYPE_CHECKING:  # slow to import
    from interplay.flows.runs.committer import RunSummary

UNREVIEWED = (
    "Models spoke, and no model reviews: checks by execution and comparison of values alone decided, and records say "
    "reviewed: false. Name one: roles: {reviewer: NAME}."
)
LEFT_OUT_SHOWN = 4
"""How many of the tools that tasks avoid are named."""
UNASKED_SHOWN = 3
"""How many of the tools without good phrases are named."""


def print_summary(console: Console, summary: "RunSummary", next_steps: Iterable[tuple[str, str]]) -> None:
    """Print the results of a run, warnings, and commands to go on with."""
    console.print(f"{summary.accepted} accepted, {summary.rejected} rejected{reasons_line(summary.rejected_by_issue)}.")
    if told := examples_line(summary.rejected_examples, summary.rejected_by_issue, summary.workspace):
        console.print(Text(f"    {told}", style="dim"), soft_wrap=True)
    if summary.made:
        made = f"{summary.made} indices made in {summary.seconds:.1f} s ({summary.records_per_second:.1f} a second)."
    else:
        made = "Nothing had to be made."
    if summary.ended:
        made += f" These are all that there are: fewer than the {summary.target} records that were asked for."
    kept = f" {summary.kept} more than needed are kept." if summary.kept else ""
    console.print(f"{made}{kept} Workspace: {summary.workspace}", markup=False)
    if summary.spent is not None:
        console.print(f"Models: {summary.spent.calls:,} calls, {spent_line(summary.spent)}.", markup=False)
    print_warnings(console, summary.fitness)
    if summary.uncalled:
        console.print(Text("No accepted dialogue calls a tool of the toolset.", style="yellow"), soft_wrap=True)
    if summary.senseless > summary.accepted or (summary.senseless and summary.uncalled):
        told = f"For {summary.senseless:,} indices no task was found that makes enough sense; `interplay show` tells what speaks against them."
        console.print(Text(told, style="yellow"), soft_wrap=True)
        console.print("    To take such tasks too: recipes: {sense: 0}", markup=False)
    if summary.left_out:
        named = "; ".join(f"{name} ({why})" for name, why in list(summary.left_out.items())[:LEFT_OUT_SHOWN])
        more = "; …" if len(summary.left_out) > LEFT_OUT_SHOWN else ""
        told = f"Less or no use is made of {len(summary.left_out)} tools for lack of sense: {named}{more}."
        console.print(Text(told, style="yellow"), soft_wrap=True)
        console.print("    To use them all: recipes: {sense: 0, doubtful_links: true}", markup=False)
    if summary.unasked:
        console.print(Text(unasked_line(summary.unasked), style="yellow"), soft_wrap=True)
    if summary.unreviewed:
        console.print(Text(UNREVIEWED, style="yellow"), soft_wrap=True)
    for command, purpose in next_steps:
        console.print(Text.assemble(("  " + command, "bold"), (f"  # {purpose}", "dim")), soft_wrap=True)


def unasked_line(names: Sequence[str]) -> str:
    """Return the line about tools for which no good phrases are known."""
    shown = ", ".join(names[:UNASKED_SHOWN]) + (
        f" and {len(names) - UNASKED_SHOWN} more" if len(names) > UNASKED_SHOWN else ""
    )
    return f"No task is about {len(names)} tools that nobody would ask for in the words known for them: {shown}. See: interplay phrases"
