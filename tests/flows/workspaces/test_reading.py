"""Reading a workspace: while a run goes on, beside other readers, read-only, and where something is missing or damaged."""

import asyncio
import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic, exported, interplay, interplay_process, run_clinic

from interplay.flows.runs.run import prepare_alone
from interplay.flows.runs.verification.verified_run import verify
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces import run_store
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_files import write_text
from interplay.flows.workspaces.run_store import export_run, loaded_store, shortfall
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import PREFIX, scratch_folder
from interplay.schemas.errors import ConfigError, NoSuchRecord, StoreError

HOLDER = """
import sys
from pathlib import Path
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.dataset_store import DatasetStore
place = Workspace(Path(sys.argv[1]))
with hold_workspace(place):
    store = DatasetStore(place.store_file) if sys.argv[2] == "loads" else None
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of twelve records in three shards."""
    folder = tmp_path_factory.mktemp("made")
    copy_clinic(folder)
    return folder


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Workspace:
    return Workspace(Path(shutil.copytree(made, tmp_path / "w")))


@contextmanager
def held(workspace: Workspace, doing: str) -> Iterator[int]:
    """Let another process hold a workspace as a run does, while it makes records or while it loads them."""
    command = [sys.executable, "-c", HOLDER, str(workspace.folder), doing]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": ".typing"}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process.pid
        process.communicate("")


def indices(workspace: Workspace) -> list[int]:
    with loaded_store(workspace) as store:
        return [record.index for record in store.accepted(workspace.existing_run().run)]


@pytest.mark.parametrize("doing", ["makes", "loads"])
def test_readers_read_while_a_run_goes_on(copied: Workspace, doing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_store, "READING_WAITS", 0.1)
    before = indices(copied)
    with held(copied, doing):
        assert indices(copied) == before
        assert find_record(copied, "3").index == 3
    assert len(before) == 12


def test_a_run_that_has_loaded_nothing_yet_is_read_from_its_shards(copied: Workspace) -> None:
    copied.store_file.unlink()
    with held(copied, "makes"):
        assert len(indices(copied)) == 12
    assert not copied.store_file.exists()


@pytest.mark.parametrize("doing", ["makes", "loads"])
def test_who_reads_from_shards_alone_is_told_what_takes_so_long(
    copied: Workspace, doing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_store, "READING_WAITS", 0.1)
    if doing == "makes":
        copied.store_file.unlink()
    with held(copied, doing):
        answer = interplay(monkeypatch, capsys, "stats", "--workspace", copied.folder, "--json")
    assert json.loads(answer.out)["accepted"] == 12
    assert answer.err.startswith(f"interplay: {copied.name}: its store ")
    assert "its 3 shards" in answer.err


def test_two_read_at_once(copied: Workspace) -> None:
    with loaded_store(copied) as one, loaded_store(copied) as other:
        assert one.query("SELECT count(*) AS n FROM records") == other.query("SELECT count(*) AS n FROM records")
        assert interplay_process("stats", "--workspace", copied.folder).code == 0


def test_readers_change_nothing(copied: Workspace) -> None:
    with loaded_store(copied) as store, pytest.raises(StoreError, match="read-only"):
        store.query("DELETE FROM records")


@pytest.mark.parametrize("store_is_there", [True, False])
def test_a_folder_that_cannot_be_written_is_read(
    copied: Workspace, store_is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not store_is_there:
        copied.store_file.unlink()
    files = {path: path.stat().st_mtime_ns for path in copied.folder.rglob("*")}
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write into any folder that is not mounted so
    assert len(indices(copied)) == 12
    assert asyncio.run(verify(copied)).findings == ()
    assert {path: path.stat().st_mtime_ns for path in copied.folder.rglob("*")} == files


def test_on_a_read_only_disk_not_even_what_is_missing_is_deleted(
    copied: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, deleted = Path.open, Path.unlink

    def refused(path: Path) -> Path:
        if path.name.endswith((".json.partial", ".jsonl.partial")):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return path

    monkeypatch.setattr(Path, "open", lambda path, *given, **named: opened(refused(path), *given, **named))
    monkeypatch.setattr(Path, "unlink", lambda path, **named: deleted(refused(path), **named))
    with pytest.raises(StoreError, match=r"run\.json: cannot be written \(Read-only file system\)"):
        write_text(copied.run_file, "")
    assert export_run(copied, "openai", tmp_path / "to").rows == 12


def test_the_temporary_store_is_gone_afterwards(
    copied: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    copied.store_file.unlink()
    with hold_workspace(copied):
        assert len(indices(copied)) == 12
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_deleted_and_what_lives_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    killed = (
        "from interplay.outputs.store.scratch import scratch_folder\nimport os\n"
        "with scratch_folder() as folder:\n    (folder / 'much').write_text('x')\n    os._exit(9)"
    )
    environment = os.environ | {"PYTHONPATH": ".typing", "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", killed], env=environment, check=False)
    foreign = tmp_path / f"{PREFIX}of-somebody-else"
    foreign.mkdir()
    assert len(list(tmp_path.iterdir())) == 2
    with scratch_folder() as living, scratch_folder() as other:
        assert set(tmp_path.iterdir()) == {foreign, living, other}
    assert set(tmp_path.iterdir()) == {foreign}


def test_a_missing_shard_is_told(copied: Workspace) -> None:
    copied.shard(1).unlink()
    copied.store_file.unlink()
    assert indices(copied) == [0, 1, 2, 3]
    told = shortfall(copied, 4)
    assert "holds 4 of the 12 accepted records" in told
    assert "shard-000001.parquet is missing, though later shards are there" in told
    exported = interplay_process("export", "--workspace", copied.folder, "--to", copied.folder / "out")
    assert exported.code == 0
    assert exported.err.strip() == f"interplay: {told}"
    assert f"interplay run --workspace {copied.folder}" in told


def test_a_missing_shard_at_the_end_is_told(copied: Workspace) -> None:
    copied.shard(2).unlink()
    copied.store_file.unlink()
    stats = interplay_process("stats", "--workspace", copied.folder, "--json")
    assert "holds 8 of the 12 accepted records" in stats.err


def test_what_is_complete_is_told_nothing_of(copied: Workspace) -> None:
    assert shortfall(copied, 12) == ""


def test_a_shard_of_another_run_is_not_loaded(copied: Workspace, tmp_path: Path) -> None:
    run_clinic(tmp_path / "other", records=12, shard_size=4, seed=5)
    shutil.copy(Workspace(tmp_path / "other").shard(1), copied.shard(1))
    copied.store_file.unlink()
    with pytest.raises(
        StoreError, match=r"shard-000001\.parquet: holds records of another run, or run.json .* interplay verify"
    ):
        indices(copied)


def test_a_damaged_store_can_be_deleted_and_the_message_says_so(copied: Workspace) -> None:
    content = bytearray(copied.store_file.read_bytes())
    content[100:2000] = bytes(1900)
    copied.store_file.write_bytes(content)
    told = interplay_process("stats", "--workspace", copied.folder)
    assert told.code == 1
    assert "dataset.duckdb" in told.err
    assert "Delete the file: the store is built anew from the shard files." in told.err
    assert len(told.err.strip().splitlines()) == 1
    copied.store_file.unlink()
    assert len(indices(copied)) == 12


def test_a_store_of_an_older_version_is_brought_up_to_date_by_a_reader(copied: Workspace) -> None:
    with DatasetStore(copied.store_file) as store:
        store.query("ALTER TABLE records DROP COLUMN continues")
        store.query("UPDATE migrations SET version = 18")
    assert len(indices(copied)) == 12


@pytest.mark.parametrize(
    ("name", "was", "now", "remedy"),
    [
        ("run.json", '"seed": 0', '"seed": 1', "Delete it and run again"),
        ("graph.json", '"score": 0.95', '"score": 0.97', "interplay verify .* --repair"),
        ("toolset.json", '"description": "', '"description": "x', "interplay verify .* --repair"),
    ],
)
def test_a_small_file_that_was_changed_is_told_and_not_read(
    tmp_path: Path, name: str, was: str, now: str, remedy: str
) -> None:
    copy_clinic(tmp_path / "w", records=4)
    place = Workspace(tmp_path / "w")
    place.store_file.unlink()  # it is built anew, and reads them
    text = (place.folder / name).read_text()
    assert was in text
    (place.folder / name).write_text(text.replace(was, now, 1))
    with pytest.raises(StoreError, match=rf"{name}: .*({remedy})"), loaded_store(place):
        pass


def test_exports_noted_with_an_unknown_setting_are_told_before_anything_is_made(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "w", records=4)
    exported(tmp_path / "w", tmp_path / "first")
    noted = Workspace(tmp_path / "w").exports_file
    noted.write_text(noted.read_text().replace('"columns"', '"colours"'))
    with pytest.raises(ConfigError, match=r"exports.jsonl: .*Delete the file"):
        exported(tmp_path / "w", tmp_path / "second")
    assert not (tmp_path / "second").exists()


def test_a_record_of_a_run_that_has_loaded_nothing_yet_is_told_as_that(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    asyncio.run(prepare_alone(workspace, RunConfig(records=2)))
    with pytest.raises(NoSuchRecord, match="has the index 0: none is loaded yet"):
        find_record(workspace, "0")
