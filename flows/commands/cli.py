"""The command line: the commands in the order of its help, and the handling of errors."""

import gc
import io
import json
import logging
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

import interplay
from interplay.flows.commands.composer import invent, phrases, policy, scenarios
from interplay.flows.commands.curation import benchmark_index, curate
from interplay.flows.commands.dataset import export, preview, report, schemas, show, stats
from interplay.flows.commands.deployments import deploy
from interplay.flows.commands.gym import serve
from interplay.flows.commands.judgement import judge
from interplay.flows.commands.models import (
    calibrate,
    check,
    count_answers,
    estimate,
    export_answers,
    list_answers,
    list_batches,
)
from interplay.flows.commands.runs import branch, demo, evolve, run, watch
from interplay.flows.commands.toolsets import graph, import_, init
from interplay.flows.commands.viewer import view
from interplay.flows.commands.workspaces import merge, redact, remove, verify
from interplay.flows.console.visible_text import print_aside, print_line, print_note
from interplay.flows.runs.process_life import COLLECTED_EVERY, leave
from interplay.schemas.errors import InterplayError
from interplay.schemas.plain_file import at_home

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo, "init": init, "import": import_, "graph": graph, "preview": preview,
    "phrases": phrases, "policy": policy, "scenarios": scenarios, "invent": invent,
    "run": run, "watch": watch, "evolve": evolve, "branch": branch, "judge": judge, "deploy": deploy, "serve": serve,
    "check": check, "estimate": estimate, "calibrate": calibrate,
    "stats": stats, "view": view, "report": report, "show": show, "curate": curate, "benchmark-index": benchmark_index, "export": export, "merge": merge, "verify": verify,
    "remove": remove, "redact": redact, "schemas": schemas,
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
    """Print the version and exit, if `wanted`."""
    if wanted:
        print_line(f"interplay {interplay.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Turn any API into verified multi-turn training data for tool-calling agents."""


def _at_home(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that expands `~` in paths, as shells do not in --to=~/exported."""

    def placed(given: Any) -> Any:
        if isinstance(given, list):
            return [placed(each) for each in given]
        return at_home(given) if isinstance(given, Path) else given

    @wraps(command)
    def called(**given: Any) -> None:
        command(**{name: placed(value) for name, value in given.items()})

    return called


for name, command in COMMANDS.items():
    app.command(name)(_at_home(command))
journal = typer.Typer(help="What the models of a run answered, as it was kept and paid for.", no_args_is_help=True)
for name, command in JOURNAL.items():
    journal.command(name)(_at_home(command))
app.add_typer(journal, name="journal")


def main() -> None:
    """Run the command line and end the process, without Python's slow shutdown unless Prefect needs it."""
    try:
        command_line()
    except SystemExit as ended:
        if "prefect" in sys.modules:  # its threads end as Python does
            raise
        leave(ended.code if isinstance(ended.code, int) else 0)


def command_line() -> NoReturn:
    """Run the command line; interplay's own errors and file errors are printed in one line, with exit code 1.

    With `--json`, standard output then holds {"error": {"kind": "ConfigError", "message": ...}}.

    Raises:
        SystemExit: always, with an integer code or None.
    """
    gc.set_threshold(COLLECTED_EVERY)
    for room in ("flows.runs", "flows.worlds", "flows.workspaces", "generators.importers"):
        log = logging.getLogger(f"interplay.{room}")
        log.setLevel(logging.INFO)
        log.handlers = [_Notes()]
    sys.stdout, sys.stderr = (stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = 0
    try:
        code = app(standalone_mode=False) or 0
    except _USAGE as error:
        if not str(error):  # no arguments: the help is shown
            error.show()
            sys.exit(error.exit_code)
        usage = error.ctx.get_usage() if error.ctx is not None else ""
        print_aside(usage)
        told = error.format_message().replace("Value error, ", "")
        _tell("UsageError", told + _below(told, error))
        code = error.exit_code
    except InterplayError as error:
        _tell(type(error).__name__, str(error))
        code = 1
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 1
    except OSError as error:
        _tell("OSError", f"{error.filename or 'output'}: {error.strerror or error}. Put this right and run again.")
        code = 1
    except typer.Abort:
        code = 1
    except KeyboardInterrupt:
        print_note("stopped before anything was made. Run the same command again.")
        code = 130
    sys.exit(code)


def _below(told: str, error: Any) -> str:
    """Return a hint to add to a usage error, if there is one."""
    if re.fullmatch(r"No such option: -\d+", told):
        return " Indices begin at 0."
    if told.startswith("Got unexpected extra") and any("--workspace" in each.opts for each in error.ctx.command.params):
        return ": a workspace is named with --workspace."
    return ""


class _Notes(logging.Handler):
    """Prints log messages about opening worlds and workspaces as notes."""

    def emit(self, record: logging.LogRecord) -> None:
        print_note(record.getMessage())


_USAGE: Any = typer.BadParameter.__mro__[1]
"""The base class of typer's usage errors; it has no public name."""


def _tell(kind: str, message: str) -> None:
    """Print an error for people, and with `--json` also as JSON."""
    print_note(message)
    if "--json" in sys.argv:
        with suppress(OSError):  # the error may be that standard output cannot be written
            print_line(json.dumps({"error": {"kind": kind, "message": message}}, ensure_ascii=False, indent=2))
