"""Accepted recorded dialogues -> rows, in each format that is made of a dialogue alone."""

import json
from pathlib import Path

import pytest
from tests.validators.recorded.rental_desk import DESK, SOUND

from interplay.flows.judging.accepted_files import AcceptedFiles
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, named_format
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recorded import RecordedDialogue

OF_TASKS = ("preference", "rl", "tau2", "bfcl")


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in OF_TASKS])
def test_a_recorded_dialogue_becomes_rows(tmp_path: Path, format: FormatName) -> None:
    files = AcceptedFiles(tmp_path / "out", format)
    files.write(RecordedDialogue(id="d1", toolset=DESK, messages=tuple(SOUND)))
    files.close([])
    rows = [json.loads(line) for line in (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()]
    assert rows
    assert set(rows[0]) <= set(named_format(format).features())


@pytest.mark.parametrize("format", OF_TASKS)
def test_a_recorded_dialogue_is_no_task(tmp_path: Path, format: FormatName) -> None:
    with pytest.raises(ConfigError, match="recorded dialogues have none"):
        AcceptedFiles(tmp_path / "out", format)
    assert not list(tmp_path.iterdir())
