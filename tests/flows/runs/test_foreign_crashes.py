"""Tools that crash after they were tried: the run goes on without the calls that do so, and is the same whoever makes it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

NOTES = """
import ctypes, os, sys

def composing():
    frame = sys._getframe()
    while frame and not frame.f_globals.get("__name__", "").startswith("interplay.flows.generation."):
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
        if note_id == CRASHES and composing():
            ctypes.string_at(0)
        self.notes[note_id]["done"] = True
        return self.notes[note_id]
"""
INTERPLAY = str(Path(sys.executable).with_name("interplay"))
CONFIG = "toolset: python:notes_of_others:Notes\nshard_size: 12\n"
FEW, MANY = 10, 5_000
"""Records of a run that comes to its end, and of one that is ended before."""


def begun(folder: Path, workers: int, crashes: str = "", records: int = FEW) -> subprocess.Popen[str]:
    (folder / "notes_of_others.py").write_text(NOTES.replace("CRASHES", repr(crashes)))
    (folder / "interplay.yaml").write_text(CONFIG)
    asked = [INTERPLAY, "run", f"--records={records}", f"--workers={workers}", "--workspace", f"w{workers}"]
    return subprocess.Popen(asked, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_run_goes_on_without_the_calls_that_crash(tmp_path: Path) -> None:
    made = []
    for workers in (1, 2):
        run = begun(tmp_path, workers, "n2")
        _, told = run.communicate(timeout=120)
        assert run.returncode == 0, told
        assert 'finish_note({"note_id":"n2"}) has ended the process (SIGSEGV). The run goes on' in told
        made.append([path.read_bytes() for path in sorted((tmp_path / f"w{workers}" / "shards").iterdir())])
    assert made[0] == made[1]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no copy of the process")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGKILL, -9)])
def test_a_signal_ends_the_run_and_its_copy(tmp_path: Path, number: signal.Signals, code: int) -> None:
    run = begun(tmp_path, 1, records=MANY)
    while not (tmp_path / "w1" / "run.json").exists():
        assert run.poll() is None
        time.sleep(0.05)
    [copy] = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    run.send_signal(number)
    _, told = run.communicate(timeout=60)
    assert run.returncode == code
    assert "Traceback" not in told
    ends = time.monotonic() + 10
    while Path(f"/proc/{copy}").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    assert not Path(f"/proc/{copy}").exists()
    assert os.listdir(tmp_path / "w1")
