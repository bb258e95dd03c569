"""Accepted recorded dialogues -> rows, in each format that is made of a dialogue alone."""

import json
from pathlib import Path

import pytest
from tests.validators.recorded.rental_desk import DESK, SOUND

from interplay.flows.judging.accepted_files import AcceptedFiles
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, named_format
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recorded import RecordedDialogue

REFUSED = {
    "preference": "is made of pairs of attempts, and recorded dialogues have none",
    "rl": "is made of tasks, and recorded dialogues have none",
    "tau2": "is made of tasks, and recorded dialogues have none",
    "bfcl": "describes one toolset beside its rows, and each recorded dialogue brings its own",
}


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in REFUSED])
def test_a_recorded_dialogue_becomes_rows(tmp_path: Path, format: FormatName) -> None:
    files = AcceptedFiles(tmp_path / "out", format)
    files.write(RecordedDialogue(id="d1", toolset=DESK, messages=tuple(SOUND)))
    files.close([])
    rows = [json.loads(line) for line in (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()]
    assert rows
    assert set(rows[0]) <= set(named_format(format).features())


@pytest.mark.parametrize("format", [name for name in FORMATS if name in REFUSED])
def test_what_a_recorded_dialogue_cannot_give_is_told(tmp_path: Path, format: FormatName) -> None:
    with pytest.raises(ConfigError, match=REFUSED[format]):
        AcceptedFiles(tmp_path / "out", format)
    assert not list(tmp_path.iterdir())
