"""What `--help` says: something of each command, and of each of its options."""

from collections.abc import Iterator
from typing import Any

import typer

from interplay.flows.cli import app


def silent(command: Any, path: str = "interplay") -> Iterator[str]:
    """Yield the commands and the options of which nothing is said."""
    if not command.help:
        yield path
    yield from (f"{path} {option.name}" for option in command.params if not option.help)
    for name, inner in getattr(command, "commands", {}).items():
        yield from silent(inner, f"{path} {name}")


def test_every_command_and_option_has_help() -> None:
    assert list(silent(typer.main.get_command(app))) == []


def test_an_option_without_help_is_noticed() -> None:
    made = typer.Typer(help="Something.")

    @made.command(help="Go.")
    def go(fast: bool = False) -> None: ...

    assert "interplay fast" in list(silent(typer.main.get_command(made)))
