"""What people call tools -> text in the terminal; tools that no task is about come last."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from interplay.flows.drafted_files.tool_phrases import PhrasedTool


def print_phrases(console: Console, tools: Sequence[PhrasedTool], rows: Mapping[str, Sequence[Any]]) -> None:
    """Print wishes, noun and questions of each tool, the resources with example rows, and how many tools no task is about."""
    unasked = [item for item in tools if item.unasked]
    for item in (item for item in tools if not item.unasked):
        _print_tool(console, item)
    for item in unasked:
        _print_tool(console, item)
    by = {name: sum(item.by == name for item in tools) for name in ("author", "model", "rules")}
    told = ", ".join(
        f"{count} by {'their author' if name == 'author' else f'the {name}'}" for name, count in by.items() if count
    )
    console.print(Text(f"\n{len(tools)} tools: {told}.", style="bold"))
    if rows:
        told = ", ".join(f"{len(known)} of {name}" for name, known in rows.items())
        console.print(Text(f"Rows as they might be: {told}."), soft_wrap=True)
    if unasked:
        console.print(Text(f"No task is about {len(unasked)} of them. {REMEDY}", style="yellow"), soft_wrap=True)


REMEDY = (
    "What helps: a model (roles: composer), phrases in a file of overrides (--save FILE), or `recipes: {unphrased: true}`, "
    "which takes them as they are."
)


def _print_tool(console: Console, item: PhrasedTool) -> None:
    said = item.phrases
    console.print(Text.assemble((f"{item.tool}", "bold"), f"  {'; '.join(said.wishes)}"), soft_wrap=True)
    parts = [f"{said.noun}, {said.plural}" if said.noun else "", *said.questions]
    console.print(Text("    " + "  ".join(part for part in parts if part), style="dim"), soft_wrap=True)
    for name, own in said.arguments.items():
        console.print(
            Text(f"    {name}: {own.label}. {' '.join((*own.asked, *own.said))}", style="dim"), soft_wrap=True
        )
    for name, sentence in said.answers.items():
        console.print(Text(f"    {name}: {sentence}", style="dim"), soft_wrap=True)
    if item.left_out:
        console.print(Text(f"    the model's are left out: {item.left_out}", style="yellow"), soft_wrap=True)
    if item.unasked:
        console.print(Text(f"    no task is about it: {item.unasked}", style="yellow"), soft_wrap=True)
