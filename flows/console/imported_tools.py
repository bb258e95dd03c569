"""The outcome of an import -> a list of tools in the terminal, and warnings where their answers are made up."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:  # slow to import; only print_imports needs it
    from interplay.generators.environments.accounts.fitness import Fitness


def print_imports(console: Console, listed: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Print each tool as imported, repaired or rejected, with the reasons and the place in its source."""
    styles = {"imported": "green", "repaired": "yellow", "rejected": "red"}
    for outcome in styles:
        for entry in listed[outcome]:
            effect = entry["effect"] or ""
            console.print(Text.assemble((f"{outcome:<9}", styles[outcome]), f" {effect:<5} {entry['name']}"))
            if entry["reasons"]:
                place = f"{entry['file']}#{entry['pointer']}" if entry["pointer"] else entry["file"]
                console.print(Text(f"{'':16}{place}", style="dim"))
            for reason in entry["reasons"]:
                console.print(Text(f"{'':16}{reason}", style="dim"))
    console.print(", ".join(f"{len(listed[outcome])} {outcome}" for outcome in styles))
    for source in listed["sources"]:
        if source["overrides"]:
            console.print(f"overrides: {source['overrides']}", markup=False)
        if source["left_out"]:
            console.print(f"left out on purpose: {source['left_out']} of {source['toolset']}", markup=False)
    from interplay.generators.environments.accounts.fitness import Fitness  # noqa: PLC0415 - see above

    print_warnings(console, [Fitness.model_validate(item) for item in listed["fitness"]])


def print_warnings(console: Console, found: Sequence["Fitness"]) -> None:
    """Print which answers of tools are made up, and what to do about it."""
    from interplay.flows.worlds.fitness_warnings import warnings_of  # noqa: PLC0415

    for line in warnings_of(found):
        console.print(Text(line, style="dim" if line.startswith(" ") else "yellow"), soft_wrap=True)
