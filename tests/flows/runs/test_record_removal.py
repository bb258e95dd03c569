"""What is taken out of a workspace is nowhere any more: not in shards, store, journal or exports, and not when made again."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.flows.command_line import copy_clinic, interplay, quiet, run_clinic

from interplay.flows import export
from interplay.flows.generation.attempts import OTHER_INDEX
from interplay.flows.roles.cast import CANDIDATE, SEATS
from interplay.flows.runs import record_removal
from interplay.flows.runs.derived_run import begin_branches
from interplay.flows.runs.record_removal import redact, remove
from interplay.flows.runs.run import run
from interplay.flows.runs.verification.verified_run import verify
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.workspaces.run_files import write_lines
from interplay.flows.workspaces.run_report import write_report
from interplay.flows.workspaces.run_store import export_run, exports_made, loaded_store, unmatched
from interplay.flows.workspaces.withdrawals import withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_file import SCHEMA
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import ConfigError, StoreError
from interplay.schemas.records.verdict import DatasetRecord

WHY = "a customer asked for it"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "w"
    copy_clinic(folder, records=10)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "w")
    shutil.copytree(made, workspace.folder)
    return workspace


def longest_words(record: DatasetRecord) -> str:
    assert record.trajectory is not None
    return max((message.content for message in record.trajectory.messages), key=len)


def accepted(workspace: Workspace) -> list[DatasetRecord]:
    with loaded_store(workspace) as store:
        return list(store.accepted(workspace.existing_run().run))


def holds(folder: Path, text: str) -> list[str]:
    """Return the files below a folder in which a text can be read, shards and the store read as they are."""
    plain = [path.name for path in folder.rglob("*.json*") if path.is_file() and text in path.read_text()]
    packed = [
        path.name
        for path in folder.rglob("shard-*.parquet")
        if any(text in record.model_dump_json() for record in read_shard(path))
    ]
    return sorted(plain + packed)


def own_words(place: Workspace) -> list[tuple[DatasetRecord, str]]:
    """Return the accepted records that say something which no other record of the shards says, with those words."""
    told: dict[str, set[int]] = {}
    for path in place.folder.rglob("shard-*.parquet"):
        for record in read_shard(path):
            for message in record.trajectory.messages if record.trajectory else ():
                told.setdefault(message.content, set()).add(record.index)
    return [
        (record, max(own, key=len))
        for record in accepted(place)
        if record.trajectory and (own := [m.content for m in record.trajectory.messages if len(told[m.content]) == 1])
    ]


def test_a_removed_record_is_nowhere(place: Workspace, tmp_path: Path) -> None:
    before = accepted(place)
    gone, said = own_words(place)[0]
    words = json.dumps(said, ensure_ascii=False)[1:-1]
    export(place.folder, tmp_path / "w" / "exported")
    write_report(place, place.report_file)
    assert holds(place.folder, words)
    report = remove(place, gone.id, WHY)
    assert report.exports == (str(tmp_path / "w" / "exported"),)
    assert holds(place.folder, words) == []
    assert not place.report_file.exists()
    left = accepted(place)
    assert gone.id not in {record.id for record in left}
    assert {record.id for record in before} - {record.id for record in left} == {gone.id}
    rows = [json.loads(line) for line in (tmp_path / "w" / "exported" / "train.jsonl").open()]
    assert gone.id not in {row.get("id") for row in rows}
    [stone] = [record for record in read_shard(place.shard(gone.index // 4)) if record.index == gone.index]
    assert (stone.stage, stone.blueprint, stone.trajectory) == ("removed", None, None)
    assert WHY in stone.verdicts[0].issues[0].message


def test_what_is_made_again_does_not_bring_it_back(place: Workspace) -> None:
    gone = accepted(place)[1]
    remove(place, str(gone.index), WHY)
    shard = place.shard(gone.index // place.existing_run().config.shard_size)
    before = shard.read_bytes()
    shard.unlink()
    assert asyncio.run(verify(place, repair=True)).sound
    assert shard.read_bytes() == before


def test_a_text_is_redacted_everywhere(place: Workspace) -> None:
    record = accepted(place)[0]
    words = longest_words(record)
    text = max(words.split(), key=len).strip('",')
    report = redact(place, record.id, text, WHY)
    assert [each.index for each in report.withdrawn] == [record.index]
    with loaded_store(place) as store:
        held = store.record(record.id)
    assert text not in held.model_dump_json()
    assert "[redacted]" in longest_words(held)
    assert held.status == "accepted"
    assert text not in place.withdrawn_file.read_text()


def test_says_what_is_wrong(place: Workspace) -> None:
    with pytest.raises(ConfigError, match="Say why"):
        remove(place, "0", " ")
    with pytest.raises(StoreError, match="no record has the index 99"):
        remove(place, "99", WHY)
    with pytest.raises(ConfigError, match="holds no such text"):
        redact(place, str(accepted(place)[0].index), "Zanzibar", WHY)
    with pytest.raises(ConfigError, match="The reason is kept"):
        redact(place, str(accepted(place)[0].index), "Zanzibar", "they live in Zanzibar")
    assert withdrawals(place) == ()


def test_names_that_hold_records_together_are_not_redacted(place: Workspace) -> None:
    record = accepted(place)[0]
    assert record.trajectory is not None
    for name in (record.trajectory.tools[0][1:-1], "_id", record.id[4:12]):
        with pytest.raises(ConfigError, match="by which records hang together"):
            redact(place, record.id, name, WHY)
    assert withdrawals(place) == ()
    assert accepted(place)[0] == record


def test_what_was_removed_is_not_removed_again(place: Workspace) -> None:
    index = str(accepted(place)[0].index)
    remove(place, index, WHY)
    shards = {path: path.read_bytes() for path in place.finished_shards()}
    assert remove(place, index, "another reason").withdrawn == ()
    assert {path: path.read_bytes() for path in place.finished_shards()} == shards
    assert [each.why for each in withdrawals(place)] == [WHY]


def test_the_command_says_what_it_did(
    place: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = str(accepted(place)[0].index)
    told = interplay(monkeypatch, capsys, "remove", index, "--why", WHY, "--workspace", place.folder)
    assert told.code == 0
    assert f"index {index}: removed" in told.out


SAID = "Please book me a table for Ada Zeller on Friday."
ANSWERS: dict[str, tuple[str, int, str]] = {
    "said": ("user", 3, SAID),
    "short": ("user", 3, "Yes."),
    "called": ("assistant", 3, json.dumps({"tool_calls": [{"arguments": '{"name": "Z\\u00e9"}'}]})),
    "again": ("user", 3 + 2 * OTHER_INDEX, "Zé wants it, as I said."),
    "not chosen": ("user", 3 + CANDIDATE, "It's for Zé."),
    "reviewed": ("reviewer", 3 * SEATS + 2, json.dumps({"no": [{"quote": "Zé"}]})),
    "another": ("user", 4, SAID),
    "another short": ("user", 4, "Yes."),
    "another called": ("assistant", 4, json.dumps({"tool_calls": [{"arguments": '{"name": "Z\\u00e9"}'}]})),
    "another reviewed": ("reviewer", 4 * SEATS, json.dumps({"no": [{"quote": "Zé"}]})),
    "of all": ("composer", 0, "table for Ada Zeller on Friday"),
    "of all, short": ("composer", 0, "Friday"),
}
"""Answers by a name: role, sample and what they say. Those of index 3 are to go."""


@pytest.fixture
def journal(place: Workspace) -> Workspace:
    _answered(place, list(ANSWERS.values()))
    return place


def _answered(place: Workspace, answers: Sequence[tuple[str, int, str]]) -> None:
    with sqlite3.connect(place.journal_file) as journal:
        journal.executescript(SCHEMA)
        for number, (role, sample, said) in enumerate(answers):
            journal.execute(
                "INSERT INTO answers VALUES (?, ?, ?, 'm', 'e', ?, 0, 'answered', '', 1, 0, 1, 0, 0, ?, '', 0, X'')",
                [number, bytes([number]), role, sample, json.dumps({"content": said}).encode()],
            )


def left(place: Workspace) -> list[str]:
    with sqlite3.connect(place.journal_file) as journal:
        return [[*ANSWERS][row[0]] for row in journal.execute("SELECT id FROM answers ORDER BY id")]


def _spoken(place: Workspace, words: str) -> None:
    """Let a record of index 3 say something."""
    path = place.shard(0)
    records = [
        _saying(record, words) if record.index == 3 and record.trajectory else record for record in read_shard(path)
    ]
    write_shard(path, records)
    place.store_file.unlink()


def _saying(record: DatasetRecord, words: str) -> DatasetRecord:
    assert record.trajectory is not None
    first, *rest = record.trajectory.messages
    said = (first.model_copy(update={"content": words}), *rest)
    return record.model_copy(update={"trajectory": record.trajectory.model_copy(update={"messages": said})})


def test_all_answers_that_were_given_for_a_removed_record_are_deleted_and_no_others(journal: Workspace) -> None:
    _spoken(journal, SAID)
    assert remove(journal, "3", WHY).answers == 7
    assert left(journal) == [name for name in ANSWERS if name.startswith("another")] + ["of all, short"]
    assert "not chosen" not in left(journal)


def test_answers_that_hold_a_short_redacted_text_are_deleted_with_calls_and_none_of_other_records(
    journal: Workspace,
) -> None:
    _spoken(journal, "I am Zé, hello.")
    assert redact(journal, "3", "Zé", WHY).answers == 4
    gone = {"called", "again", "not chosen", "reviewed"}
    assert left(journal) == [name for name in ANSWERS if name not in gone]
    assert b"It's for Z" not in journal.journal_file.read_bytes()


def test_answers_that_were_given_for_branches_go_by_the_index_of_their_task(place: Workspace, tmp_path: Path) -> None:
    branched = Workspace(tmp_path / "branched")
    last = accepted(place)[-1]
    config = begin_branches(place, branched, BranchSettings(count=1, turn=1), [last.id])
    asyncio.run(run(branched, config, quiet))
    assert last.index > 0
    samples = (last.index, last.index + OTHER_INDEX, 0, OTHER_INDEX)  # the branches have index 0 here
    _answered(branched, [("user", sample, SAID) for sample in samples])
    assert remove(branched, "0", WHY).answers == 2
    with sqlite3.connect(branched.journal_file) as journal:
        assert [row[0] for row in journal.execute("SELECT sample FROM answers ORDER BY id")] == [0, OTHER_INDEX]


def test_all_attempts_at_a_task_go_with_one_of_them(tmp_path: Path) -> None:
    place = Workspace(tmp_path / "w")
    run_clinic(place.folder, records=4, shard_size=2, attempts=2)
    both = [record.id for record in read_shard(place.shard(0)) if record.index == 1]
    assert len(both) == 2
    [told] = remove(place, both[1], WHY).withdrawn
    assert (told.index, told.records) == (1, tuple(both))
    assert [record.stage for record in read_shard(place.shard(0)) if record.index == 1] == ["removed", "removed"]


def test_what_went_on_from_a_removed_dialogue_goes_with_it(tmp_path: Path) -> None:
    place = Workspace(tmp_path / "w")
    run_clinic(place.folder, records=6, shard_size=6, tasks_per_session=3)
    with loaded_store(place) as store:
        held = list(store.records(place.existing_run().run))
    first = next(record for record in held if record.blueprint and record.blueprint.start)
    assert first.blueprint is not None
    assert first.blueprint.start is not None
    source = first.blueprint.start.source
    report = remove(place, source, WHY)
    gone = {identifier for each in report.withdrawn for identifier in each.records}
    assert {source, first.id} <= gone
    with loaded_store(place) as store:
        left = [record for record in store.records(place.existing_run().run) if record.blueprint]
    assert all(
        record.blueprint.start is None or record.blueprint.start.source not in gone
        for record in left
        if record.blueprint
    )
    assert source not in "".join(record.model_dump_json() for record in left)


def test_a_removal_that_breaks_off_is_noted_and_is_completed_once(
    place: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = accepted(place)[0]

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(record_removal, "write_shard", full)
        with pytest.raises(StoreError, match="disk is full"):
            remove(place, gone.id, WHY)
    [noted] = withdrawals(place)
    assert (noted.index, noted.records) == (gone.index, (gone.id,))
    remove(place, gone.id, WHY)
    assert withdrawals(place) == (noted,)
    assert gone.id not in {record.id for record in accepted(place)}
    assert asyncio.run(verify(place)).sound


def test_files_that_a_killed_process_left_beside_the_store_go_with_it(place: Workspace) -> None:
    left = [
        place.folder / name
        for name in (f"{place.store_file.name}.new", place.viewer_file.name, f"{place.viewer_file.name}-wal")
    ]
    for path in left:
        path.write_text(SAID)
    remove(place, "0", WHY)
    assert [path.name for path in left if path.exists()] == []


def test_what_was_taken_out_and_what_shards_hold_agree(place: Workspace) -> None:
    gone, other = accepted(place)[:2]
    remove(place, str(gone.index), WHY)
    assert asyncio.run(verify(place)).sound
    file = place.withdrawn_file
    write_lines(file, [each.model_copy(update={"index": other.index}) for each in withdrawals(place)])
    told = " ".join(finding.why for finding in asyncio.run(verify(place)).findings)
    assert f"holds what was withdrawn at index {other.index}. Take it out with --repair" in told
    assert f"does not say that index {gone.index} was taken out" in told
    place.graph_file.unlink()
    mended = asyncio.run(verify(place, repair=True))
    assert mended.sound
    assert str(place.graph_file) in {finding.file for finding in mended.findings}
    assert {each.index for each in withdrawals(place)} == {gone.index, other.index}
    assert {gone.id, other.id}.isdisjoint(record.id for record in accepted(place))


@pytest.mark.parametrize("redacted", [False, True])
def test_an_older_copy_of_a_shard_does_not_bring_back_what_was_withdrawn(
    place: Workspace, tmp_path: Path, redacted: bool
) -> None:
    gone = accepted(place)[0]
    text, number = longest_words(gone), gone.index // place.existing_run().config.shard_size
    shutil.copy(place.shard(number), tmp_path / "older")
    if redacted:
        redact(place, gone.id, text, WHY)
    else:
        remove(place, str(gone.index), WHY)
    shutil.copy(tmp_path / "older", place.shard(number))
    for read in (lambda: export(place.folder, to=tmp_path / "out"), lambda: run_clinic(place.folder, records=12)):
        with pytest.raises(StoreError, match=r"is an older copy.*Take it out with: interplay verify .* --repair"):
            read()
    assert not asyncio.run(verify(place)).sound
    assert asyncio.run(verify(place, repair=True)).sound
    assert holds(place.folder, text) == []
    assert gone.id not in {record.id for record in accepted(place)}


def test_the_notation_of_a_result_is_not_redacted(place: Workspace) -> None:
    with pytest.raises(ConfigError, match="part of the notation of a result"):
        redact(place, accepted(place)[0].id, '"', WHY)
    assert not place.withdrawn_file.exists()


def test_what_was_taken_out_is_told_in_shards_too(place: Workspace) -> None:
    gone, changed = accepted(place)[:2]
    remove(place, str(gone.index), WHY)
    redact(place, changed.id, longest_words(changed), WHY)
    told = withdrawals(place)
    place.withdrawn_file.unlink()
    [finding] = asyncio.run(verify(place)).findings
    assert "Write it again with --repair" in finding.why
    assert asyncio.run(verify(place, repair=True)).sound
    assert sorted(withdrawals(place), key=str) == sorted(told, key=str)
    number = changed.index // place.existing_run().config.shard_size
    place.shard(number).unlink()  # what was redacted is not kept, so that its record is taken out when it is made again
    run_clinic(place.folder, records=10)
    assert holds(place.folder, longest_words(changed)) == []
    assert asyncio.run(verify(place)).sound


def test_a_store_from_before_a_removal_is_not_read(place: Workspace, tmp_path: Path) -> None:
    gone = accepted(place)[0]
    shutil.copy(place.store_file, tmp_path / "old")
    remove(place, str(gone.index), WHY)
    shutil.copy(tmp_path / "old", place.store_file)
    assert gone.id not in {record.id for record in accepted(place)}


def test_an_export_that_another_workspace_took_the_place_of_stays(place: Workspace, tmp_path: Path) -> None:
    export_run(place, "openai", tmp_path / "out")
    run_clinic(tmp_path / "other", records=3, seed=5)
    export_run(Workspace(tmp_path / "other"), "openai", tmp_path / "out")
    before = (tmp_path / "out/train.jsonl").read_bytes()
    report = remove(place, "0", WHY)
    assert (report.exports, report.elsewhere, report.gone) == ((), (), ())
    assert asyncio.run(verify(place, repair=True)).sound
    assert (tmp_path / "out/train.jsonl").read_bytes() == before


def test_exports_inside_a_workspace_move_with_it(place: Workspace, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(place.folder)
    inside = Workspace(tmp_path / "link")
    export_run(inside, "openai", inside.folder / "exports/a")
    gone = accepted(place)[0]
    report = remove(place, str(gone.index), WHY)
    assert (report.exports, report.elsewhere) == ((str(place.folder / "exports/a"),), ())
    moved = Workspace(tmp_path / "moved")
    place.folder.rename(moved.folder)
    other = accepted(moved)[0]
    assert remove(moved, str(other.index), WHY).exports == (str(moved.folder / "exports/a"),)
    assert other.id not in (moved.folder / "exports/a/train.jsonl").read_text()


def test_the_exports_of_the_workspace_that_this_one_is_a_copy_of_stay_as_they_are(
    place: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "exported"
    export_run(place, "openai", folder)
    copy = Workspace(tmp_path / "copy")
    shutil.copytree(place.folder, copy.folder)
    before = (folder / "train.jsonl").read_bytes()
    report = remove(copy, "0", WHY)
    assert (report.exports, report.elsewhere) == ((), (str(folder),))
    assert (folder / "train.jsonl").read_bytes() == before
    assert asyncio.run(verify(copy)).sound
    shutil.rmtree(place.folder)  # the workspace was moved
    report = remove(copy, "1", WHY)
    assert (report.exports, report.elsewhere) == ((str(folder),), ())
    assert (folder / "train.jsonl").read_bytes() != before


def test_labels_are_about_records_by_the_beginning_of_their_ids(place: Workspace, tmp_path: Path) -> None:
    first, second = accepted(place)[:2]
    labels = tmp_path / "labels.jsonl"
    said = [{"id": first.id[:8], "person": "a", "sound": False}, {"id": "deadbeef", "person": "a", "sound": False}]
    labels.write_text("".join(f"{json.dumps(each)}\n" for each in said))
    report = export_run(place, "openai", tmp_path / "labelled", labels=labels)
    rows = [json.loads(line) for line in (tmp_path / "labelled" / "train.jsonl").open()]
    assert report.strange_labels == ("deadbeef",)
    assert (report.overruled, len(rows)) == ({"left_out": 1, "taken_in": 0}, len(accepted(place)) - 1)
    assert second.id in {row.get("id") for row in rows}
    assert "deadbeef" in unmatched(report.strange_labels)


def test_an_export_that_cannot_be_made_again_keeps_no_other_from_it(place: Workspace, tmp_path: Path) -> None:
    first, second = accepted(place)[:2]
    labels = tmp_path / "labels.jsonl"
    labels.write_text(json.dumps({"id": second.id, "person": "a", "sound": False}) + "\n")
    export_run(place, "openai", tmp_path / "lost", labels=labels)
    export_run(place, "openai", tmp_path / "kept")
    export_run(place, "openai", tmp_path / "gone")
    labels.unlink()
    shutil.rmtree(tmp_path / "gone")
    report = remove(place, str(first.index), WHY)
    assert report.exports == (str(tmp_path / "kept"),)
    assert {*report.failed} == {str(tmp_path / "lost")}
    assert report.gone == (str(tmp_path / "gone"),)
    assert first.id not in (tmp_path / "kept" / "train.jsonl").read_text()
    [found] = [each for each in asyncio.run(verify(place)).findings if each.state == "wrong"]
    assert (found.file, first.id in found.why) == (str(tmp_path / "lost"), True)


def test_exports_at_the_same_time_are_all_noted(place: Workspace, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("a", "b", "c", "d")]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda folder: export_run(place, "openai", folder), folders))
    assert {made.folder for made in exports_made(place)} >= {str(folder) for folder in folders}


def test_nothing_is_taken_out_where_the_exports_are_not_known(place: Workspace, tmp_path: Path) -> None:
    export_run(place, "openai", tmp_path / "out")
    place.exports_file.write_text("{}\n")
    before = [record.id for record in accepted(place)]
    with pytest.raises(ConfigError, match="have to be made again"):
        remove(place, "0", WHY)
    assert [record.id for record in accepted(place)] == before


def _own_words(record: DatasetRecord) -> list[str]:
    """Return the longer words of a dialogue's longest message that are in no name of a tool it calls."""
    assert record.trajectory is not None
    used = " ".join(call.name for message in record.trajectory.messages for call in message.tool_calls)
    words = [word for word in longest_words(record).split() if len(word) > 5 and word.isalpha()]
    return [word for word in words if word not in used]


def test_a_short_text_that_the_run_began_with_is_told(place: Workspace) -> None:
    record, word = next((record, word) for record in accepted(place) for word in _own_words(record))
    place.parents_file.write_text(json.dumps({"said": word}) + "\n")
    assert redact(place, record.id, word, WHY).left == (str(place.parents_file),)
