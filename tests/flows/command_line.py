"""Runs the command line in this process, or in one of its own, and small runs to compare."""

import asyncio
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from interplay.flows.commands.cli import command_line
from interplay.flows.runs.committer import RunProgress, RunSummary
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace

INTERPLAY = str(Path(sys.executable).with_name("interplay"))


@dataclass(frozen=True)
class Answer:
    """What a command wrote, and its exit code."""

    code: int
    out: str
    err: str


def interplay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> Answer:
    monkeypatch.setattr(sys, "argv", ["interplay", *(str(argument) for argument in arguments)])
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    capsys.readouterr()
    try:
        command_line()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(bool(left.code))
    return Answer(code, *capsys.readouterr())


def interplay_process(*arguments: object, **options: Any) -> Answer:
    done = subprocess.run([INTERPLAY, *map(str, arguments)], capture_output=True, text=True, timeout=600, **options)
    return Answer(done.returncode, done.stdout, done.stderr)


def quiet(progress: RunProgress) -> None:
    pass


def run_clinic(folder: Path, records: int = 12, shard_size: int = 4, **settings: Any) -> RunSummary:
    config = RunConfig(shard_size=shard_size, **settings)
    return asyncio.run(run(Workspace(folder), config, quiet, records=records))


def copy_clinic(folder: Path, records: int = 12, shard_size: int = 4) -> None:
    """Fill a folder with a run of the clinic that is made once in a process, for tests of what comes after."""
    shutil.copytree(_clinic(records, shard_size).name, folder, dirs_exist_ok=True)


@cache
def _clinic(records: int, shard_size: int) -> "TemporaryDirectory[str]":
    made = TemporaryDirectory()
    run_clinic(Path(made.name), records, shard_size)
    return made


def exported(folder: Path, to: Path) -> dict[str, bytes]:
    """Export a workspace; return the bytes of each file."""
    report = export_run(Workspace(folder), "openai", to)
    assert report.identical == report.rows, report.first_difference
    return {str(path.relative_to(to)): path.read_bytes() for path in sorted(to.rglob("*")) if path.is_file()}
