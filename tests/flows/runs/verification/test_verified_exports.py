"""Exports of a workspace are compared with what was written, and with what the workspace gives now."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.flows.command_line import interplay, run_clinic

from interplay.flows.runs.record_removal import remove
from interplay.flows.runs.verification.verified_run import VerifyReport, verify
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, Shape


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace, with dialogues that branch where they go wrong."""
    folder = tmp_path_factory.mktemp("made") / "w"
    run_clinic(folder, records=5, branches={"count": 1})
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Workspace:
    shutil.copytree(made, tmp_path / "w")
    return Workspace(tmp_path / "w")


def looked_at(place: Workspace, *exports: Path, repair: bool = False) -> VerifyReport:
    return asyncio.run(verify(place, repair, exports))


def told(report: VerifyReport) -> list[tuple[str, str]]:
    return [(Path(finding.file).name, finding.state) for finding in report.findings]


def _add_a_line(folder: Path) -> None:
    path = next(folder.glob("*.jsonl"))
    path.write_bytes(path.read_bytes() + path.read_bytes().splitlines(keepends=True)[-1])


@pytest.mark.parametrize("format", FORMATS)
def test_each_file_of_each_format_is_looked_at(place: Workspace, tmp_path: Path, format: FormatName) -> None:
    export_run(place, format, tmp_path / "out")
    assert looked_at(place).findings == ()
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.name != "export.json"]
    for path in files:
        path.write_bytes(path.read_bytes()[:-2] + b"#\n")
    assert sorted(told(looked_at(place))) == sorted((path.name, "wrong") for path in files)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a line more": (_add_a_line, "is not as it was written"),
    "a file less": (lambda folder: (folder / "README.md").unlink(), "is missing"),
    "a file more": (lambda folder: (folder / "train-2.jsonl").write_text("{}\n"), "is not part of the export"),
    "no note": (lambda folder: (folder / "export.json").unlink(), "Name the folder of an export."),
    "a broken note": (lambda folder: (folder / "export.json").write_text('{"interplay": 1}'), "is broken"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_damage_is_told_and_made_again(place: Workspace, tmp_path: Path, name: str) -> None:
    fault, why = FAULTS[name]
    export_run(place, "openai", tmp_path / "out")
    fault(tmp_path / "out")
    [finding] = looked_at(place).findings
    assert why in finding.why
    assert finding.state == "wrong"
    mended = name not in ("no note", "a file more")  # what may be somebody else's stays
    assert looked_at(place, repair=True).sound is mended
    assert looked_at(place).sound is mended
    assert name != "a file more" or (tmp_path / "out/train-2.jsonl").exists()


@pytest.mark.parametrize("shape", ["jsonl", "parquet", "dataset"])
def test_an_export_that_is_older_than_its_workspace_is_told(place: Workspace, tmp_path: Path, shape: Shape) -> None:
    export_run(place, "openai", tmp_path / "out", shape)
    run_clinic(place.folder, records=7, branches={"count": 1})
    report = looked_at(place)
    assert told(report) == [("out", "older")]
    assert report.sound
    assert not looked_at(place, tmp_path / "out").sound
    assert told(looked_at(place, tmp_path / "out", repair=True)) == [("out", "repaired")]
    assert looked_at(place, tmp_path / "out").findings == ()


def test_a_copy_that_holds_a_removed_record_is_found(place: Workspace, tmp_path: Path) -> None:
    export_run(place, "openai", tmp_path / "out", reasoning=False)
    shutil.copytree(tmp_path / "out", tmp_path / "copy")
    assert looked_at(place, tmp_path / "copy").findings == ()
    remove(place, "0", "a customer asked for it")
    report = looked_at(place, tmp_path / "copy")
    assert told(report) == [("copy", "wrong")]
    assert "which was taken out. Export again" in report.findings[0].why


def test_an_export_of_earlier_versions_is_compared_by_its_rows(place: Workspace, tmp_path: Path) -> None:
    export_run(place, "openai", tmp_path / "out")
    note = tmp_path / "out/export.json"
    note.write_text(note.read_text().partition('  "files"')[0] + note.read_text().partition("  },\n")[2])
    assert looked_at(place, tmp_path / "out").findings == ()
    _add_a_line(tmp_path / "out")
    assert "1 rows more" in looked_at(place, tmp_path / "out").findings[0].why
    next((tmp_path / "out").glob("*.jsonl")).write_text("{torn")
    assert "cannot be loaded" in looked_at(place, tmp_path / "out").findings[0].why


def test_the_command_takes_folders_and_tells_of_those_of_other_runs(
    place: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_clinic(tmp_path / "other", records=2, seed=5)
    export_run(Workspace(tmp_path / "other"), "openai", tmp_path / "out")
    asked = ("verify", place.folder, "--export", tmp_path / "out", "--export", tmp_path / "nothing")
    answer = interplay(monkeypatch, capsys, *asked)
    assert answer.code == 3
    assert "is an export of another run" in answer.out
    assert (
        "nothing/export.json: cannot be read (No such file or directory). Name the folder of an export." in answer.out
    )
