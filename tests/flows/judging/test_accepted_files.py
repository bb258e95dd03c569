"""Accepted recorded dialogues -> rows, in each format that is made of a dialogue alone."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.validators.recorded.rental_desk import DESK, SOUND

from interplay.flows.judging import accepted_files
from interplay.flows.judging.accepted_files import AcceptedFiles
from interplay.outputs.exporters.export_formats import FORMATS, FormatName, named_format
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.recorded import RecordedDialogue
from interplay.schemas.records.tool import Toolset

REFUSED = {
    "preference": "is made of pairs of attempts, and recorded dialogues have none",
    "rl": "is made of tasks, and recorded dialogues have none",
    "tau2": "is made of tasks, and recorded dialogues have none",
    "bfcl": "describes one toolset beside its rows, and each recorded dialogue brings its own",
}


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in REFUSED])
def test_a_recorded_dialogue_becomes_rows(tmp_path: Path, format: FormatName) -> None:
    with AcceptedFiles(tmp_path / "out", format, []) as files:
        files.write(RecordedDialogue(id="d1", toolset=DESK, messages=tuple(SOUND)))
    rows = [json.loads(line) for line in (tmp_path / "out" / "train.jsonl").read_text("utf-8").splitlines()]
    assert rows
    assert set(rows[0]) <= set(named_format(format).features())


def test_files_beside_the_rows_that_describe_no_toolset_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ids:
        def __init__(self, folder: Path, toolset: Toolset) -> None:
            self._file = (folder / "ids.txt").open("w", encoding="utf-8")
            assert toolset.tools == ()

        def write(self, split: str, row: dict[str, Any]) -> None:
            self._file.write(f"{split} {row['id']}")

        def close(self) -> None:
            self._file.close()

    known = replace(named_format("openai"), open_beside=Ids)
    monkeypatch.setattr(accepted_files, "named_format", lambda _: known)
    with AcceptedFiles(tmp_path / "out", "openai", []) as files:
        files.write(RecordedDialogue(id="d1", toolset=DESK, messages=tuple(SOUND)))
    assert (tmp_path / "out" / "ids.txt").read_text("utf-8") == "train d1"


@pytest.mark.parametrize("format", [name for name in FORMATS if name in REFUSED])
def test_what_a_recorded_dialogue_cannot_give_is_told(tmp_path: Path, format: FormatName) -> None:
    with pytest.raises(ConfigError, match=REFUSED[format]):
        AcceptedFiles(tmp_path / "out", format, [])
    assert not list(tmp_path.iterdir())
