"""Tasks composed by a process of their own: the same records as without, and no process left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.flows.brains import ReplayingBrain
from tests.flows.command_line import quiet
from tests.generators.worlds import records
from tests.model_server.misbehaviour import Settings
from tests.model_server.server import ModelServer

from interplay.flows.generation import task_process
from interplay.flows.generation.task_process import TaskProcess, can_compose_ahead
from interplay.flows.runs.run import run
from interplay.flows.runs.stages import prepare
from interplay.flows.runs.task_server import compose
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import parse_config
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import InterplayError

TALKATIVE = '''
def greet(name: str) -> str:
    """Greet a person.

    Args:
        name: Whom to greet.
    """
    print("a line that is no answer")
    return f"hello {name}"


def divide(amount: int) -> int:
    """Share an amount of money.

    Args:
        amount: How much there is.
    """
    print("another line")
    return 10 // amount
'''


def config(server: ModelServer, **settings: Any) -> RunConfig:
    model = {"model": "tiny", "base_url": server.openai_url, "concurrency": 8}
    roles = {"user": "m", "assistant": "m"}
    return parse_config({"models": {"m": model}, "roles": roles, "shard_size": 4, **settings}, "test")


def twice(folder: Path, **settings: Any) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Make records alone and with tasks composed ahead, beside a server that plays the clinic; return files by name."""

    async def play() -> None:
        async with ModelServer(Settings(), ReplayingBrain(played)) as server:
            chosen = config(server, **settings)
            await run(Workspace(folder / "alone"), chosen, quiet)
            with TaskProcess(chosen, compose) as process:
                await run(Workspace(folder / "beside"), chosen, quiet, ahead=process)

    played = records("domain:clinic", 40, seed=0)
    asyncio.run(play())
    return files(folder / "alone"), files(folder / "beside")


def files(folder: Path) -> dict[str, bytes]:
    """Return what decides the records of a workspace, and the records themselves."""
    place = Workspace(folder)
    return {path.name: path.read_bytes() for path in (place.graph_file, *place.finished_shards())}


def test_makes_the_same_records_as_one_process(tmp_path: Path) -> None:
    alone, beside = twice(tmp_path, records=12)
    assert alone == beside
    assert len(alone) == 4
    with loaded_store(Workspace(tmp_path / "beside")) as store:
        assert len(store.query("SELECT 1 FROM records WHERE status = 'accepted'", [])) == 12


def test_tools_that_print_or_crash_cost_no_more_than_their_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "talkative.py").write_text(TALKATIVE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("interplay.flows.runs.run.must_call_apart", lambda _: False)
    alone, beside = twice(tmp_path, toolset="python:talkative", indices=8, records=8)
    assert alone == beside
    assert len(alone) == 3


def test_says_what_keeps_it_from_composing(tmp_path: Path) -> None:
    async def take() -> None:
        with TaskProcess(RunConfig(), compose) as process:
            await process.open(Workspace(tmp_path / "nothing"))
            process.begin(0, [0])
            try:
                await process.take(0)
            finally:
                await process.aclose()

    with pytest.raises(InterplayError, match="nothing"):
        asyncio.run(take())


def first_record(folder: Path, spoil: Callable[[TaskProcess], None]) -> None:
    """Ask for a record whose task is composed by a process that something is done to."""

    async def ask() -> None:
        async with ModelServer(Settings()) as server:
            chosen = config(server)
            with TaskProcess(chosen, compose) as process:
                made = await prepare(Workspace(folder), chosen, None, process)
                spoil(process)
                process.begin(0, range(4))
                try:
                    await made.make_records(0)
                finally:
                    await made.aclose()

    asyncio.run(ask())


def test_a_killed_process_ends_the_run_which_can_be_continued(tmp_path: Path) -> None:
    with pytest.raises(InterplayError, match="run again"):
        first_record(tmp_path, lambda process: process._process.kill())


def test_what_is_too_long_to_read_ends_the_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(task_process, "LONGEST", 100)
    with pytest.raises(InterplayError, match="more of one than can be read"):
        first_record(tmp_path, lambda _: None)


def test_it_opens_nothing_where_nobody_names_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("not for this process")
    code = """
import socket
from interplay.flows.runs.task_server import compose
from interplay.flows.settings.config import RunConfig
compose(RunConfig(), *socket.socketpair())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=tmp_path, timeout=600, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize("threads", [0, 1])
def test_it_does_not_outlive_a_process_that_is_killed(threads: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(f"""
import threading
import time
from interplay.flows.generation.task_process import TaskProcess
from interplay.flows.runs.task_server import compose
from interplay.flows.settings.config import RunConfig

for _ in range({threads}):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
with TaskProcess(RunConfig(), compose) as process:
    print(type(process._process).__name__, process._process.pid, flush=True)
    time.sleep(60)
""")
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        kind, child = parent.stdout.readline().split()
        parent.send_signal(signal.SIGKILL)
    if sys.platform == "linux":  # a copy, unless a thread may hold what the copy would wait for
        assert kind == ("SpawnProcess" if threads else "ForkProcess")
    until = time.monotonic() + 60
    while time.monotonic() < until and _runs(int(child)):
        time.sleep(0.05)
    assert not _runs(int(child))


def _runs(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, True),
        ({"roles": {}}, False),
        ({"roles": {"user": "m", "tool": "m"}}, False),
        ({"roles": {"user": "m", "reviewer": "m"}}, False),
        ({"committee": {}}, False),
        ({"workers": 2}, False),
        ({"tasks_per_session": 2}, False),
        ({"toolset": "mcp+live:https://example.com"}, False),
    ],
)
def test_is_for_runs_whose_tasks_no_model_has_a_say_in(
    settings: dict[str, Any], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    told = {"models": {"m": {"model": "tiny", "base_url": "http://127.0.0.1:9/v1"}}, "roles": {"user": "m"}, **settings}
    assert can_compose_ahead(parse_config(told, "test")) is expected


def test_leaves_a_single_processor_to_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    told = {"models": {"m": {"model": "tiny", "base_url": "http://127.0.0.1:9/v1"}}, "roles": {"user": "m"}}
    assert not can_compose_ahead(parse_config(told, "test"))
