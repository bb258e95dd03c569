"""The command line: the commands in the order of its help, and what becomes of errors."""

import gc
import sys
from collections.abc import Callable
from typing import Annotated, NoReturn

import typer

import interplay
from interplay.flows.commands.composer import invent, policy, scenarios
from interplay.flows.commands.dataset import export, preview, schemas, show, stats
from interplay.flows.commands.deployments import deploy
from interplay.flows.commands.models import (
    check,
    count_answers,
    estimate,
    export_answers,
    list_answers,
    list_batches,
)
from interplay.flows.commands.runs import branch, demo, evolve, run
from interplay.flows.commands.toolsets import graph, import_, init
from interplay.flows.commands.workspaces import merge, verify
from interplay.flows.runs.process_memory import COLLECTED_EVERY, leave
from interplay.schemas.errors import InterplayError

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo, "init": init, "import": import_, "graph": graph, "preview": preview,
    "policy": policy, "scenarios": scenarios, "invent": invent,
    "run": run, "evolve": evolve, "branch": branch, "deploy": deploy,
    "check": check, "estimate": estimate,
    "stats": stats, "show": show, "export": export, "merge": merge, "verify": verify, "schemas": schemas,
}  # fmt: skip
JOURNAL: dict[str, Callable[..., None]] = {
    "list": list_answers, "count": count_answers, "batches": list_batches, "export": export_answers,
}  # fmt: skip

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def show_version(wanted: bool) -> None:
    """Print the version and end, where it is asked for."""
    if wanted:
        typer.echo(f"interplay {interplay.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Turn any API into verified multi-turn training data for tool-calling agents."""


for name, command in COMMANDS.items():
    app.command(name)(command)
journal = typer.Typer(help="What the models of a run answered, as it was kept and paid for.", no_args_is_help=True)
for name, command in JOURNAL.items():
    journal.command(name)(command)
app.add_typer(journal, name="journal")


def main() -> None:
    """Run the command line and end the process, in short where nothing needs Python's own way to end."""
    try:
        command_line()
    except SystemExit as ended:
        if "prefect" in sys.modules:  # its threads end as Python does
            raise
        leave(ended.code if isinstance(ended.code, int) else 0)


def command_line() -> NoReturn:
    """Run the command line; what interplay raises on purpose is told in one line, with exit code 1.

    Raises:
        SystemExit: always, with an integer for a code or none.
    """
    gc.set_threshold(COLLECTED_EVERY)
    try:
        app()
    except InterplayError as error:
        sys.stderr.write(f"interplay: {' '.join(str(error).split())}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("interplay: stopped before anything was made. Run the same command again.\n")
        sys.exit(130)
    sys.exit(0)
