"""Tools that crash after they were tried: the run goes on without the calls that do so, and is the same whoever makes it."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOTES = """
import ctypes, os, sys


def serving():
    frame = sys._getframe()
    while frame and not frame.f_globals.get("__name__", "").startswith(SERVED):
        frame = frame.f_back
    return frame is not None

class Notes:
    def __init__(self):
        titles = ["Shopping", "Garden", "Boat", "House", "Work"]
        self.notes = {f"n{i}": {"note_id": f"n{i}", "title": t, "done": False} for i, t in enumerate(titles)}
    def list_notes(self) -> list:
        "List all notes."
        return list(self.notes.values())
    def get_note(self, note_id: str) -> dict:
        "Get a note."
        return self.notes[note_id]
    def finish_note(self, note_id: str) -> dict:
        "Mark a note as done."
        if note_id == CRASHES and serving():
            ctypes.string_at(0)
        self.notes[note_id]["done"] = True
        return self.notes[note_id]
"""
INTERPLAY = str(Path(sys.executable).with_name("interplay"))
CONFIG = "toolset: python:notes_of_others:Notes\nshard_size: 12\n"
FEW, MANY = 6, 5_000
"""Records of a run that comes to its end, and of one that is ended before."""


def asked(folder: Path, *command: str, crashes: str, within: str = "generation.") -> subprocess.Popen[str]:
    code = NOTES.replace("CRASHES", repr(crashes)).replace("SERVED", repr(f"interplay.flows.{within}"))
    (folder / "notes_of_others.py").write_text(code)
    (folder / "interplay.yaml").write_text(CONFIG)
    return subprocess.Popen(
        [INTERPLAY, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def begun(folder: Path, workers: int, crashes: str = "", records: int = FEW) -> subprocess.Popen[str]:
    options = [f"--records={records}", f"--workers={workers}", "--workspace", f"w{workers}"]
    return asked(folder, "run", *options, crashes=crashes)


here = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no copy of the process")


IN_PYTHON = f"""
import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from interplay.flows import run
asyncio.run(run("in_python", {{"toolset": "python:notes_of_others:Notes", "shard_size": 12}}, records={FEW}))

Path("in_python/shards").rename("shards")
from interplay.flows.prefect.shard_tasks import make_on_runner
from interplay.generators.environments.toolkit.call_marks import ENDING
assert ENDING
ENDING.clear()
with ThreadPoolExecutor(1) as threads:
    threads.submit(make_on_runner.fn, "in_python", 0).result()
assert ENDING
"""
"""A run with one worker, and a shard that is made again in a thread of a task runner of Prefect."""


def shards(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "shards").iterdir())]


def test_a_run_goes_on_without_the_calls_that_crash(tmp_path: Path) -> None:
    made = []
    for workers in (1, 2):
        run = begun(tmp_path, workers, "n2")
        _, told = run.communicate(timeout=600)
        assert run.returncode == 0, told
        assert 'finish_note({"note_id":"n2"}) has ended the process (SIGSEGV). The run goes on' in told
        made.append(shards(tmp_path / f"w{workers}"))
    assert made[0] == made[1]
    (tmp_path / "script.py").write_text(IN_PYTHON)
    ended = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert 'finish_note({"note_id":"n2"}) has ended the process (SIGSEGV). The run goes on' in ended.stderr
    assert shards(tmp_path) == made[0]
    assert shards(tmp_path / "in_python") == made[0][:1]


@here
def test_a_preview_shows_each_dialogue_once_though_a_call_crashes(tmp_path: Path) -> None:
    out, told = asked(tmp_path, "preview", "-n", "8", crashes="n2").communicate(timeout=600)
    assert "has ended the process (SIGSEGV)" in told
    assert re.findall(r"^index (\d)", out, re.MULTILINE) == [*map(str, range(8))]


@here
def test_a_graph_is_shown_though_a_call_crashes(tmp_path: Path) -> None:
    (tmp_path / "interplay.yaml").write_text(CONFIG)
    with asked(tmp_path, "graph", "--json", crashes="n2") as process:
        out, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    assert json.loads(out)["edges"]


@here
def test_a_server_of_tasks_is_there_again_after_a_call_crashed(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        at = f"127.0.0.1:{free.getsockname()[1]}"
    command = ("serve", "interplay.yaml", f"--port={at.split(':')[1]}", "--tasks=12")
    with asked(tmp_path, *command, crashes="n2", within="gym.session") as server, killed_at_last(server):
        assert server.stdout is not None
        assert [at in server.stdout.readline() for _ in range(2)] == [True, True]

        def finishes(note: str) -> str:
            """Return what comes of a call in a session of the first task that offers it."""
            call = {"tool": "finish_note", "arguments": {"note_id": note}}
            for task in json.loads(answer(at, "GET", "/tasks"))["tasks"]:
                session = json.loads(answer(at, "POST", "/sessions", {"task": task["id"]}))
                if '"finish_note"' in json.dumps(session["tools"]):
                    return answer(at, "POST", f"/sessions/{session['session']}/call", call)
            return "no task offers it"

        with pytest.raises(ConnectionError):
            finishes("n2")
        while at not in server.stdout.readline():
            assert server.poll() is None
        assert "ends the process" in finishes("n2")


@contextmanager
def killed_at_last(server: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
    finally:
        server.kill()


def answer(at: str, method: str, path: str, body: object = None) -> str:
    connection = http.client.HTTPConnection(at, timeout=600)
    try:
        connection.request(method, path, json.dumps(body), {"content-type": "application/json"})
        return connection.getresponse().read().decode()
    finally:
        connection.close()


@here
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
def test_a_signal_ends_the_run_and_its_copy(tmp_path: Path, number: signal.Signals, code: int) -> None:
    run = begun(tmp_path, 1, records=MANY)
    while not (tmp_path / "w1" / "run.json").exists():
        assert run.poll() is None
        time.sleep(0.05)
    [copy] = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    run.send_signal(number)
    _, told = run.communicate(timeout=600)
    assert run.returncode == code
    assert "Traceback" not in told
    ends = time.monotonic() + 10
    while Path(f"/proc/{copy}").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    assert not Path(f"/proc/{copy}").exists()
    assert os.listdir(tmp_path / "w1")
