"""Real processes, ended in the middle."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.flows.command_line import INTERPLAY, exported, interplay_process

from interplay.flows.workspaces.finished_shards import count_accepted
from interplay.flows.workspaces.workspace import Workspace

CONFIG = "toolset: domain:clinic\nrecords: 20\nshard_size: 2\n"


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """Let processes hear Ctrl-C though the tests run in a shell's background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def start(folder: Path, workers: int) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    (folder / "interplay.yaml").write_text(CONFIG)
    command = [INTERPLAY, "run", "--workspace", str(folder), "--workers", str(workers)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=folder
    )


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not condition() and process.poll() is None:
        assert time.monotonic() < deadline, "nothing happened for a minute"
        time.sleep(0.005)


def shards(folder: Path) -> int:
    return len(list(folder.glob("shards/*.parquet")))


def members(group: int) -> list[int]:
    """Return the living processes of a process group."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, member = entry.read_text().rsplit(")", 1)[1].split()[:3]
        except OSError:
            continue
        if int(member) == group and state != "Z":
            found.append(int(entry.parent.name))
    return found


def all_end(group: int) -> bool:
    """Wait until a process group is empty; the interpreter's own resource tracker leaves last."""
    deadline = time.monotonic() + 20
    while members(group) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not members(group)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The export of a run that nobody interrupted."""
    folder = tmp_path_factory.mktemp("whole")
    process = start(folder, workers=1)
    _, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    return exported(folder, folder / "exported")


@pytest.mark.parametrize(("workers", "moments"), [(1, (5,)), (2, (0, 4))])
def test_a_killed_run_gives_the_same_bytes_when_it_is_run_again(
    whole: dict[str, bytes], tmp_path: Path, workers: int, moments: tuple[int, ...]
) -> None:
    for moment in moments:
        process = start(tmp_path, workers)
        wait_for(lambda moment=moment: shards(tmp_path) >= moment and (tmp_path / "run.json").exists(), process)  # type: ignore[misc]
        process.kill()
        process.communicate(timeout=600)
    process = start(tmp_path, workers)
    _, told = process.communicate(timeout=600)
    assert process.returncode == 0, told
    assert exported(tmp_path, tmp_path / "exported") == whole


def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path, workers=2)
    wait_for(lambda: shards(tmp_path) >= 1, process)
    process.kill()
    process.communicate(timeout=600)
    assert all_end(process.pid)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_tells_what_is_saved_and_how_to_continue(tmp_path: Path, workers: int) -> None:
    process = start(tmp_path, workers)
    wait_for(lambda: shards(tmp_path) >= 3 and count_accepted(Workspace(tmp_path)) > 0, process)
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate(timeout=600)
    assert process.returncode == 130
    saved = count_accepted(Workspace(tmp_path))
    assert saved > 0
    assert told.strip().endswith(f"{saved} accepted and saved. Continue with: interplay run --workspace {tmp_path}")
    assert "Traceback" not in told
    assert out == ""
    assert all_end(process.pid)


def test_a_full_disk_costs_one_line_and_nothing_that_was_made(tmp_path: Path, whole: dict[str, bytes]) -> None:
    (tmp_path / "interplay.yaml").write_text(CONFIG)

    def fill_the_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    stopped = interplay_process("run", "--workspace", tmp_path, cwd=tmp_path, preexec_fn=fill_the_disk)
    assert stopped.code == 1
    assert len(stopped.err.strip().splitlines()) == 1
    assert stopped.err.startswith("interplay: ")
    assert interplay_process("run", "--workspace", tmp_path, cwd=tmp_path).code == 0
    assert exported(tmp_path, tmp_path / "exported") == whole


def test_while_a_run_goes_on_others_read_and_another_run_is_refused_in_one_line(tmp_path: Path) -> None:
    process = start(tmp_path, workers=1)
    wait_for(lambda: shards(tmp_path) >= 1, process)
    os.kill(process.pid, signal.SIGSTOP)
    reader = interplay_process("stats", "--workspace", tmp_path)
    second = interplay_process("run", "--workspace", tmp_path, cwd=tmp_path)
    process.kill()
    process.communicate(timeout=600)
    assert reader.code == 0, reader.err
    assert second.code == 1
    assert f"is in use by process {process.pid}" in second.err
    assert len(second.err.strip().splitlines()) == 1
