"""What `--help` says: something of each command, and of each of its options."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

import interplay
from interplay.flows.commands.cli import app


def silent(command: Any, path: str = "interplay") -> Iterator[str]:
    """Yield the commands and the options of which nothing is said."""
    if not command.help:
        yield path
    yield from (f"{path} {option.name}" for option in command.params if not option.help)
    for name, inner in getattr(command, "commands", {}).items():
        yield from silent(inner, f"{path} {name}")


def test_every_command_and_option_has_help() -> None:
    assert list(silent(typer.main.get_command(app))) == []


def test_the_help_of_a_command_is_shown_to_the_letter(capsys: pytest.CaptureFixture[str]) -> None:
    command: Any = typer.main.get_command(app)
    for name, inner in command.commands.items():
        with pytest.raises(SystemExit):
            app([name, "--help"])
        assert " ".join(inner.help.split()) in " ".join(capsys.readouterr().out.split()), name


def test_an_option_without_help_is_noticed() -> None:
    made = typer.Typer(help="Something.")

    @made.command(help="Go.")
    def go(fast: bool = False) -> None: ...

    assert "interplay fast" in list(silent(typer.main.get_command(made)))


def test_the_version_and_short_help_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, shown in (
        (["--version"], f"interplay {interplay.__version__}"),
        (["-h"], "Usage"),
        (["run", "-h"], "Usage"),
    ):
        with pytest.raises(SystemExit) as ended:
            app(arguments)
        assert ended.value.code == 0
        assert shown in capsys.readouterr().out


def test_a_shell_completes_commands_and_options() -> None:
    def completed(words: str, number: int) -> list[str]:
        told = {"_INTERPLAY_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(number)}
        command = [sys.executable, "-c", "from interplay.flows.commands.cli import app; app(prog_name='interplay')"]
        done = subprocess.run(
            command, env={**os.environ, **told}, capture_output=True, text=True, timeout=600, check=False
        )
        return done.stdout.split()

    assert completed("interplay ex", 1) == ["export"]
    assert completed("interplay export --form", 2) == ["--format"]
    assert completed("interplay export --format sha", 3) == ["sharegpt"]
