"""Several workspaces, joined."""

import asyncio
import json
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.flows.command_line import copy_clinic, exported, interplay, run_clinic

from interplay.flows.curation.curated_run import curate
from interplay.flows.runs import merged_run
from interplay.flows.runs.merged_run import MergedIndex, merge
from interplay.flows.runs.record_removal import redact, remove
from interplay.flows.runs.verification.verified_run import verify
from interplay.flows.settings.curation_settings import CurationSettings
from interplay.flows.workspaces.run_files import read_lines
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.withdrawals import withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.errors import ConfigError


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Workspace]:
    """Two workspaces of the clinic, of other seeds."""
    folder = tmp_path_factory.mktemp("two")
    for seed, name in enumerate("ab"):
        run_clinic(folder / name, records=8, seed=seed)
    return Workspace(folder / "a"), Workspace(folder / "b")


def test_a_merged_workspace_holds_all_records_and_tells_where_each_is_from(
    two: tuple[Workspace, Workspace], tmp_path: Path
) -> None:
    target = Workspace(tmp_path / "c")
    report = merge(two, target)
    assert list(report.sources.values()) == [8, 8]
    assert report.accepted + report.repeated == 16
    lineage = {line.index: line for line in read_lines(target.merged_file, MergedIndex, "")}
    with loaded_store(target) as store:
        for record in store.accepted(report.run):
            line = lineage[record.index]
            assert record.id in line.records
            with loaded_store(Workspace(Path(line.workspace))) as source:
                origin = source.record(record.id)
            assert (origin.run, origin.index) == (line.run, line.source_index)
            assert origin.trajectory == record.trajectory
    assert len(exported(target.folder, tmp_path / "out")) > 2
    assert asyncio.run(verify(target)).findings == ()


def test_a_merged_workspace_that_no_longer_tells_so_is_not_sound(
    two: tuple[Workspace, Workspace], tmp_path: Path
) -> None:
    target = Workspace(tmp_path / "c")
    merge(two, target)
    lines = target.merged_file.read_text()
    for left in (None, "", lines.partition("\n")[2]):
        target.merged_file.unlink() if left is None else target.merged_file.write_text(left)
        [finding] = asyncio.run(verify(target, repair=True)).findings
        assert (finding.file, finding.state) == (str(target.merged_file), "wrong")
    target.merged_file.write_text(lines)
    assert asyncio.run(verify(target)).sound
    target.run_file.unlink()
    with pytest.raises(ConfigError, match="holds shards, and no run"):
        asyncio.run(verify(target))
    with pytest.raises(ConfigError, match="holds shards of other records"):
        merge(two, target)


def test_a_merge_that_was_killed_is_made_again_by_the_same_command(
    two: tuple[Workspace, Workspace], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, target = Workspace(tmp_path / "whole"), Workspace(tmp_path / "c")
    merge(two, whole)
    with monkeypatch.context() as patched:
        patched.setattr(merged_run, "write_lines", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            merge(two, target)
    target.shard(1).write_bytes(b"left of a merge of more")
    with pytest.raises(ConfigError, match="Run the same interplay merge again"):
        asyncio.run(verify(target))
    with pytest.raises(ConfigError, match="shards of other records than these workspaces joined"):
        merge((two[1], two[0]), target)
    merge(two, target)
    assert exported(target.folder, tmp_path / "out") == exported(whole.folder, tmp_path / "expected")
    assert asyncio.run(verify(target)).sound
    with pytest.raises(ConfigError, match="holds these workspaces joined already"):
        merge(two, target)


def test_the_same_scenario_is_told_once(tmp_path: Path) -> None:
    for name in "ab":
        run_clinic(tmp_path / name, records=6, shard_size=3 if name == "a" else 4)
    report = merge((Workspace(tmp_path / "a"), Workspace(tmp_path / "b")), Workspace(tmp_path / "c"))
    assert report.accepted == 6
    with loaded_store(Workspace(tmp_path / "c")) as store:
        stories = [record.blueprint.story() for record in store.accepted(report.run) if record.blueprint]
    assert len(set(stories)) == 6


def test_merging_twice_gives_the_same_bytes(two: tuple[Workspace, Workspace], tmp_path: Path) -> None:
    for name in "cd":
        merge(two, Workspace(tmp_path / name))
    assert exported(tmp_path / "c", tmp_path / "x") == exported(tmp_path / "d", tmp_path / "y")


def test_what_cannot_be_joined_costs_one_line(two: tuple[Workspace, Workspace], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="each once"):
        merge((two[0], two[0]), Workspace(tmp_path / "c"))
    with pytest.raises(ConfigError, match="holds a run already"):
        merge(two, Workspace(_copy(two[0], tmp_path)))
    with pytest.raises(ConfigError, match="holds no run"):
        merge((two[0], Workspace(tmp_path / "none")), Workspace(tmp_path / "d"))


def _copy(workspace: Workspace, to: Path) -> Path:
    (to / "e").mkdir()
    (to / "e/run.json").write_bytes(workspace.run_file.read_bytes())
    return to / "e"


WHY = "a customer asked for it"


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_what_was_removed_from_one_is_in_no_merged_workspace(tmp_path: Path, order: str) -> None:
    for name in "ab":
        run_clinic(tmp_path / name, records=4, tasks_per_session=2)
    first, other = Workspace(tmp_path / "a"), Workspace(tmp_path / "b")
    with loaded_store(first) as store:
        source = list(store.accepted(first.existing_run().run))[0 if order == "ab" else -1]
    gone = {identifier for each in remove(first, source.id, WHY).withdrawn for identifier in each.records}
    merge([Workspace(tmp_path / name) for name in order], Workspace(tmp_path / "c"))
    merge((other, Workspace(tmp_path / "c")), Workspace(tmp_path / "d"))  # and it goes on to be so
    for place in (Workspace(tmp_path / "c"), Workspace(tmp_path / "d")):
        held = [record for path in place.finished_shards() for record in read_shard(path)]
        assert gone.isdisjoint(record.id for record in held)
        assert source.id not in "".join(record.model_dump_json() for record in held)
        assert {identifier for each in withdrawals(place) for identifier in each.records} == gone
        for each in withdrawals(place):
            assert {record.stage for record in held if record.index == each.index} == {"removed"}
        assert asyncio.run(verify(place)).findings == ()


def test_what_went_on_from_a_removed_dialogue_in_another_workspace_goes_with_it(tmp_path: Path) -> None:
    copy_clinic(tmp_path / "a", records=4)
    first, other = Workspace(tmp_path / "a"), Workspace(tmp_path / "b")
    run_clinic(other.folder, records=4, start={"workspace": str(first.folder)}, seed=3)
    with loaded_store(other) as store:
        heirs = [record for record in store.records(other.existing_run().run) if record.blueprint]
    began = heirs[0].blueprint.start.source if heirs[0].blueprint and heirs[0].blueprint.start else ""
    run_clinic(tmp_path / "unlike", records=2, seed=9)
    merge((Workspace(tmp_path / "unlike"), other), Workspace(tmp_path / "before"))
    remove(first, began, WHY)
    for name, source in (("c", other), ("d", Workspace(tmp_path / "before"))):
        merge((source, first), Workspace(tmp_path / name))
        held = [record for path in Workspace(tmp_path / name).finished_shards() for record in read_shard(path)]
        assert began not in "".join(record.model_dump_json() for record in held)


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_what_was_redacted_in_one_is_in_no_merged_workspace(tmp_path: Path, order: str) -> None:
    for name in "ab":
        copy_clinic(tmp_path / name, records=4)
    first = Workspace(tmp_path / "a")
    with loaded_store(first) as store:
        record = next(iter(store.accepted(first.existing_run().run)))
    assert record.trajectory is not None
    text = max(record.trajectory.messages[1].content.split(), key=len)
    redact(first, record.id, text, WHY)
    for sources, name in ((order, "c"), ("ca", "d")):
        place = Workspace(tmp_path / name)
        merge([Workspace(tmp_path / source) for source in sources], place)
        held = [each for path in place.finished_shards() for each in read_shard(path)]
        [kept] = [each for each in held if each.id == record.id]
        assert kept.status == "accepted"
        assert text not in kept.model_dump_json()
        assert {each.redacted for each in withdrawals(place)} == {True}


def test_what_people_say_goes_along_and_curation_is_told(two: tuple[Workspace, Workspace], tmp_path: Path) -> None:
    copies = [Workspace(shutil.copytree(each.folder, tmp_path / str(number))) for number, each in enumerate(two)]
    with loaded_store(copies[0]) as store:
        record = next(iter(store.accepted(copies[0].existing_run().run)))
    copies[0].labels_file.write_text(f'{{"id": "{record.id}", "person": "a", "sound": false}}\n')
    asyncio.run(curate(copies[1], CurationSettings()))
    merged = Workspace(tmp_path / "merged")
    report = merge(copies, merged)
    assert [label.id for label in merged.labels()] == [record.id]
    assert report.curated == (copies[1].name,)


def test_the_last_copy_of_what_was_merged_stays(two: tuple[Workspace, Workspace], tmp_path: Path) -> None:
    merged = Workspace(tmp_path / "merged")
    merge(two, merged)
    merged.shard(merged.last_shard()).unlink()
    for repair in (False, True):
        report = asyncio.run(verify(merged, repair=repair))
        assert not report.sound
        assert any("is missing" in finding.why for finding in report.findings)
    assert merged.store_file.exists()


def test_a_folder_of_parts_is_joined_and_named(
    two: tuple[Workspace, Workspace],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for part, source in zip(("2026-03-02", "2026-03-01"), two, strict=True):
        shutil.copytree(source.folder, tmp_path / "nightly" / part)
    monkeypatch.chdir(tmp_path)
    for command in (("stats", "--workspace", "nightly"), ("watch", "nightly"), ("show", 0, "--workspace", "nightly")):
        answer = interplay(monkeypatch, capsys, *command)
        assert answer.code == 1
        assert "2 parts, each a workspace of its own: 2026-03-01, 2026-03-02." in answer.err
        assert "such as nightly/2026-03-02, or join them: interplay merge nightly --to joined" in answer.err
    answer = interplay(monkeypatch, capsys, "merge", "nightly", "--to", "nightly/joined", "--json")
    assert list(json.loads(answer.out)["sources"]) == ["nightly/2026-03-01", "nightly/2026-03-02"]
