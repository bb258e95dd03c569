"""Faults planted in a workspace are found, and what can be made again is."""

import asyncio
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from tests.flows.command_line import copy_clinic, exported, interplay, run_clinic

from interplay.flows.runs.verification.verified_run import verify
from interplay.flows.workspaces.manifest import AimsFile
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_files import read_record, write_record
from interplay.flows.workspaces.run_store import export_run, exports_made
from interplay.flows.workspaces.source_notes import AccountsFile
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.generators.models.journal.journal import Journal
from interplay.generators.models.journal.journal_file import question_of
from interplay.generators.models.journal.journal_report import export_answers
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import scratch_folder
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import StoreError
from interplay.schemas.records.dialogue import Usage


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of three shards."""
    folder = tmp_path_factory.mktemp("sound") / "w"
    copy_clinic(folder, records=10)
    return folder


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(len(content) // 3, len(content) // 3 + 40):
        content[place] ^= 0xFF
    path.write_bytes(bytes(content))


def _pipe(path: Path) -> None:
    """Put something in the place of a file that nobody writes to: to read it would not end."""
    path.unlink()
    os.mkfifo(path)


def _forget(workspace: Workspace) -> None:
    with duckdb.connect(str(workspace.store_file)) as store:
        store.execute("DELETE FROM records WHERE index = 2")


def _rewrite(workspace: Workspace) -> None:
    with duckdb.connect(str(workspace.store_file)) as store:
        store.execute("UPDATE dialogues SET dialogue = replace(dialogue, 'a', 'o')")


def _damage_tools(path: Path) -> None:
    """Change a bit where the store holds the tools, which figures do not need."""
    with duckdb.connect(str(path), read_only=True) as store:
        found = store.execute("SELECT max(block_id) FROM pragma_storage_info('toolsets') WHERE persistent").fetchone()
    assert found is not None
    content = bytearray(path.read_bytes())
    content[3 * 4096 + found[0] * 262_144 + 1000] ^= 8
    path.write_bytes(bytes(content))


FAULTS: dict[str, Callable[[Workspace], object]] = {
    "a shard is torn": lambda w: w.shard(1).write_bytes(w.shard(1).read_bytes()[:-500]),
    "a shard is damaged": lambda w: _flip(w.shard(1)),
    "a shard is missing": lambda w: w.shard(0).unlink(),
    "a shard is in the place of another": lambda w: shutil.copy(w.shard(0), w.shard(1)),
    "the tools are missing": lambda w: w.toolset_file.unlink(),
    "the graph is missing": lambda w: w.graph_file.unlink(),
    "the accounts are broken": lambda w: w.accounts_file.write_bytes(b"\xff"),
    "the graph is broken": lambda w: w.graph_file.write_text("{"),
    "a writer left something": lambda w: w.shard(1).with_name("shard-000001.parquet.x.partial").write_bytes(b"x"),
    "the store is broken": lambda w: w.store_file.write_bytes(b"no database"),
    "the store lacks a record": _forget,
    "the store tells other dialogues": _rewrite,
    "a pipe is in the place of a shard": lambda w: _pipe(w.shard(1)),
    "a pipe is in the place of the graph": lambda w: _pipe(w.graph_file),
    "a pipe is in the place of the store": lambda w: _pipe(w.store_file),
    "a part of the store is damaged that is seldom read": lambda w: _damage_tools(w.store_file),
}


def test_shards_of_one_other_run_stay_where_run_json_does_not_belong_to_them(sound: Path, tmp_path: Path) -> None:
    workspace, other = Workspace(tmp_path / "w"), Workspace(tmp_path / "other")
    shutil.copytree(sound, workspace.folder)
    run_clinic(other.folder, records=3, seed=5)
    shutil.copy(other.run_file, workspace.run_file)
    before = [path.read_bytes() for path in workspace.finished_shards()]
    report = asyncio.run(verify(workspace, repair=True))
    assert not report.sound
    assert "is that of another run than its shards" in report.findings[0].why
    assert [path.read_bytes() for path in workspace.finished_shards()] == before


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_and_repaired(sound: Path, tmp_path: Path, name: str) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    FAULTS[name](workspace)
    found = asyncio.run(verify(workspace))
    assert len(found.findings) == 1
    assert not found.sound
    repaired = asyncio.run(verify(workspace, repair=True))
    assert repaired.sound, repaired.findings
    assert asyncio.run(verify(workspace)).findings == ()
    assert exported(workspace.folder, tmp_path / "a") == exported(sound, tmp_path / "b")
    for number in range(3):
        assert workspace.shard(number).read_bytes() == Workspace(sound).shard(number).read_bytes()


def test_a_sound_workspace_has_nothing_to_tell(sound: Path) -> None:
    report = asyncio.run(verify(Workspace(sound)))
    assert (report.shards, report.records, report.findings) == (3, 12, ())


def test_a_file_far_from_all_shards_is_told_and_costs_no_time(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(shutil.copytree(sound, tmp_path / "copy"))
    stray = workspace.shard(99_999_999_999_999_999_999)
    shutil.copy(workspace.shard(1), stray)
    [finding] = asyncio.run(verify(workspace)).findings
    assert finding.file == str(stray)
    assert "Move it away" in finding.why


def test_a_shard_that_may_not_be_read_is_not_made_anew(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = Workspace(shutil.copytree(sound, tmp_path / "copy"))
    barred, read_bytes = workspace.shard(1), Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == barred:
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    before = barred.stat().st_mtime_ns
    monkeypatch.setattr(Path, "read_bytes", refuse)
    [finding, *_] = asyncio.run(verify(workspace, repair=True)).findings
    assert (finding.state, barred.stat().st_mtime_ns) == ("wrong", before)
    assert "may not be read. Permit it" in finding.why


def test_a_file_in_the_place_of_the_shards_is_told(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(shutil.copytree(sound, tmp_path / "copy"))
    folder = workspace.shard(0).parent
    shutil.rmtree(folder)
    folder.write_bytes(b"")
    report = asyncio.run(verify(workspace))
    assert str(folder) in {finding.file for finding in report.findings if finding.state == "wrong"}


def test_a_damaged_journal_is_told_and_not_repaired(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    Journal(workspace.journal_file)
    assert asyncio.run(verify(workspace)).findings == ()
    workspace.journal_file.write_bytes(b"no journal" * 1000)
    for path in workspace.folder.glob(f"{workspace.journal_file.name}-*"):
        path.unlink()
    for repair in (False, True):
        [found] = asyncio.run(verify(workspace, repair=repair)).findings
        assert (found.file, found.state) == (str(workspace.journal_file), "wrong")
        assert "cannot be made again" in found.why


def test_a_pipe_in_the_place_of_the_journal_is_told(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(shutil.copytree(sound, tmp_path / "w"))
    os.mkfifo(workspace.journal_file)
    [found] = asyncio.run(verify(workspace)).findings
    assert (found.file, found.state) == (str(workspace.journal_file), "wrong")
    with pytest.raises(StoreError, match="pipe"):
        Journal(workspace.journal_file)


def test_a_damaged_answer_is_told_and_asked_again(
    sound: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    asked = [question_of("http://m", "/chat", "m", {"text": text}, "user", 1) for text in ("one", "two", "three")]
    body = b'{"said": "as it came"}'
    journal = Journal(workspace.journal_file)
    for question in asked:
        asyncio.run(journal.put(question, body, Usage(), lambda: None))
    journal.close()
    with sqlite3.connect(workspace.journal_file) as file:
        file.execute("UPDATE answers SET body = replace(body, 'came', 'cane') WHERE key = ?", [asked[0].key])
        file.execute("UPDATE answers SET prompt = prompt + 64 WHERE key = ?", [asked[1].key])
    journal = Journal(workspace.journal_file)
    assert [journal.get(question.key) for question in (asked[0], asked[2])] == [None, body]
    assert "asked again" in caplog.text
    journal.close()
    [found] = asyncio.run(verify(workspace)).findings
    assert export_answers(workspace.journal_file, tmp_path / "answers.jsonl") == 2
    told = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert [entry.get("damaged", False) for entry in told] == [True, False]
    assert (found.file, found.state) == (str(workspace.journal_file), "wrong")
    assert "damaged answers to 1 " in found.why
    assert asyncio.run(verify(workspace, repair=True)).sound
    journal = Journal(workspace.journal_file)
    assert [journal.get(question.key) for question in asked] == [None, None, body]
    journal.close()
    assert asyncio.run(verify(workspace)).findings == ()


def test_what_no_lookup_survives_is_told(sound: Path, tmp_path: Path) -> None:
    whole, path = Workspace(sound).store_file.read_bytes(), tmp_path / "dataset.duckdb"
    told = 0
    for place in range(3 * 4096 + 1000, len(whole), 262_144):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 8]) + whole[place + 1 :])
        try:
            with scratch_folder() as spill, DatasetStore(path, spill) as store:
                store.read_through()
                for row in store.query("SELECT id FROM records"):
                    store.query("SELECT * FROM records WHERE id = ?", [row["id"]])
        except StoreError:
            told += 1
            with pytest.raises(StoreError), scratch_folder() as spill, DatasetStore(path, spill) as store:
                store.read_through()
    assert told > 5


def test_lines_that_are_damaged_missing_or_out_of_place_are_told(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    workspace.exports_file.unlink(missing_ok=True)
    for name in ("a", "b", "c"):
        export_run(workspace, "openai", tmp_path / name)
    first, second, third = lines = workspace.exports_file.read_bytes().splitlines(keepends=True)
    whole = exports_made(workspace)
    faults = {
        "damaged": [first.replace(b"openai", b"sharegpt"), second, third],
        "missing at the end": [first, second],
        "missing": [first, third],
        "out of place": [second, first, third],
        "twice": [*lines, third],
    }
    for told in faults.values():
        workspace.exports_file.write_bytes(b"".join(told))
        [found] = asyncio.run(verify(workspace)).findings
        assert found.file == str(workspace.exports_file)
        assert "Delete the file" in found.why
    workspace.exports_file.write_bytes(re.sub(rb', "seal": "[0-9a-f]+"', b"", b"".join(lines)))
    assert exports_made(workspace) == whole  # by hand, or by an earlier version


def test_every_changed_bit_of_a_small_file_is_told_or_changes_nothing(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    aims = workspace.aims_file(4)
    aims.parent.mkdir()
    held = AimsFile(aims=(Aim(kind="tool", name="book"), Aim(kind="pattern", name="ask")))
    write_record(aims, held)
    content = aims.read_bytes()
    for place in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[place] ^= 1 << bit
            aims.write_bytes(bytes(changed))
            with suppress(StoreError):
                assert workspace.aims(4) == held.aims


def test_what_another_version_made_is_not_made_again(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    run = workspace.existing_run()
    workspace.run_file.write_text(run.model_copy(update={"run": "0" * 32}).model_dump_json())
    for path in workspace.finished_shards():
        write_shard(path, [record.model_copy(update={"run": "0" * 32}) for record in read_shard(path)])
    torn = workspace.shard(2).read_bytes()[:100]
    workspace.shard(2).write_bytes(torn)
    report = asyncio.run(verify(workspace, repair=True))
    assert not report.sound
    assert any("another version of interplay" in finding.why for finding in report.findings)
    assert workspace.shard(2).read_bytes() == torn


def test_the_command_ends_with_a_code_of_its_own(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "w"
    shutil.copytree(sound, folder)
    assert interplay(monkeypatch, capsys, "verify", folder).code == 0
    Workspace(folder).shard(1).write_bytes(b"torn")
    answer = interplay(monkeypatch, capsys, "verify", folder, "--export", folder / "exported")
    assert answer.code == 3
    assert f" --export {folder / 'exported'} --repair makes again" in answer.out
    answer = interplay(monkeypatch, capsys, "verify", folder, "--repair")
    assert answer.code == 0
    assert "repaired: " in answer.out


def test_tells_what_is_damaged_and_was_not_made_by_the_program_alone(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    written = (
        workspace.labels_file,
        workspace.exports_file,
        workspace.calibration_file,
        workspace.withdrawn_file,
        workspace.merged_file,
    )
    for path in written:
        path.write_bytes(b"\xff\n")
    found = asyncio.run(verify(workspace)).findings
    assert {finding.file for finding in found} == {str(path) for path in written}
    assert not any(finding.why.startswith(finding.file) for finding in found)


def test_what_sound_shards_lack_of_the_run_is_told(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "w"
    shutil.copytree(sound, folder)
    assert interplay(monkeypatch, capsys, "verify", folder).err == ""
    shutil.copy(Workspace(folder).shard(2), folder / "shards" / "shard-old.parquet")
    assert interplay(monkeypatch, capsys, "verify", folder).err == ""
    Workspace(folder).shard(2).unlink()
    Workspace(folder).store_file.unlink()
    assert "of the 10 accepted records that were asked for" in interplay(monkeypatch, capsys, "verify", folder).err


def test_a_record_that_is_in_a_missing_shard_is_told_so(sound: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(sound, workspace.folder)
    workspace.store_file.unlink()
    for gone, wanted in ((1, "5"), (1, "zz"), (0, "5"), (0, "zz")):
        workspace.shard(gone).unlink(missing_ok=True)
        with pytest.raises(StoreError) as told:
            find_record(workspace, wanted)
        assert str(told.value).startswith(f"{workspace.name}: no record has ")
        assert f"{workspace.shard(gone)} is missing" in str(told.value)
    workspace.store_file.unlink()
    with pytest.raises(StoreError, match="holds 0 of the 10 accepted records"):
        export_run(workspace, "openai", tmp_path / "to")


def test_accounts_of_another_run_are_found_and_made_again(sound: Path, tmp_path: Path) -> None:
    place = Workspace(Path(shutil.copytree(sound, tmp_path / "w")))
    held = read_record(place.accounts_file, AccountsFile, "")
    assert held is not None
    write_record(place.accounts_file, held.model_copy(update={"run": "0" * 32}))
    [finding] = asyncio.run(verify(place)).findings
    assert (finding.file, finding.state) == (str(place.accounts_file), "wrong")
    assert "is of another run" in finding.why
    assert asyncio.run(verify(place, repair=True)).sound
    assert read_record(place.accounts_file, AccountsFile, "") == held
