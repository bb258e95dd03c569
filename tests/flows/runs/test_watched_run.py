"""A run that goes on elsewhere is looked at by its files alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.flows.command_line import INTERPLAY, copy_clinic, interplay, run_clinic

from interplay.flows.runs.watched_run import RunWatch
from interplay.flows.workspaces.finished_shards import count_accepted
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace


def test_a_finished_run_is_told_as_its_summary_tells_it(tmp_path: Path) -> None:
    summary = run_clinic(tmp_path / "w", records=12, shard_size=5)
    sight = RunWatch(Workspace(tmp_path / "w")).look()
    assert (sight.state, sight.target, sight.accepted) == ("finished", 12, summary.accepted)
    assert sum(sight.rejected_by_issue.values()) == summary.rejected
    assert sight.process is None or sight.process == os.getpid()


def test_each_look_counts_what_is_new(tmp_path: Path) -> None:
    place = Workspace(tmp_path / "w")
    watch = RunWatch(place)
    assert watch.look().state == "not begun"
    copy_clinic(tmp_path / "w")
    later = {number: place.shard(number).read_bytes() for number in range(1, 3)}
    for number in later:
        place.shard(number).unlink()
    first = watch.look()
    assert (first.shards, first.tried) == (1, 4)
    for number, content in later.items():
        place.shard(number).write_bytes(content)
    assert watch.look().accepted == RunWatch(place).look().accepted == 12


def test_who_works_in_it_is_told_and_not_kept_waiting(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "w", records=4)
    place = Workspace(tmp_path / "w")
    place.shard(0).unlink()
    code = (
        "import sys; from pathlib import Path\n"
        "from interplay.flows.workspaces.lock import hold_workspace\n"
        "from interplay.flows.workspaces.workspace import Workspace\n"
        "with hold_workspace(Workspace(Path(sys.argv[1]))):\n    print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(place.folder)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": ".typing"}
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        sight = RunWatch(place).look()
        assert (sight.state, sight.process) == ("running", other.pid)
        other.communicate("")
    assert RunWatch(place).look().state == "stopped"
    with hold_workspace(place):
        pass


def test_the_command_ends_with_the_run(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text("toolset: domain:clinic\nrecords: 12\nshard_size: 6\n")
    running = subprocess.Popen(
        [INTERPLAY, "run", str(tmp_path / "small.yaml"), "--workspace", str(tmp_path / "w")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    watched = subprocess.run(
        [INTERPLAY, "watch", str(tmp_path / "w"), "--every", "0.1"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert running.wait(60) == 0
    last = watched.stdout.splitlines()[-1]
    assert last.startswith(("finished: 12 of 12 accepted", "stopped"))


def test_one_look_as_json_and_as_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    told = interplay(monkeypatch, capsys, "watch", tmp_path / "w", "--once")
    assert told.out.startswith("finished: 4 of 4 accepted after")
    assert '"accepted": 4' in interplay(monkeypatch, capsys, "watch", tmp_path / "w", "--json").out


@pytest.mark.parametrize("options", [("--wait", "0.2"), ("--once",)])
def test_where_no_run_begins_it_is_said_what_to_do(tmp_path: Path, options: tuple[str, ...]) -> None:
    command = [INTERPLAY, "watch", str(tmp_path / "nowhere"), "--every", "0.1", *options]
    watched = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    *waited, last = watched.stderr.splitlines()
    assert watched.returncode > 0
    assert "holds no run. Make one with: interplay run --workspace" in last
    assert len(waited) == (options[0] == "--wait")
    assert all("waiting 0.2 s" in line for line in waited)


def test_what_is_saved_is_what_watch_and_the_store_count(tmp_path: Path) -> None:
    place = Workspace(tmp_path)
    assert count_accepted(place) == 0
    run_clinic(tmp_path, records=3, shard_size=8)
    with loaded_store(place) as store:
        counted = store.count_accepted(place.existing_run().run)
    assert counted == RunWatch(place).look().accepted == count_accepted(place) == 3
