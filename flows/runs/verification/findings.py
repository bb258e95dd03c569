"""What a look at a workspace found wrong, file by file."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from interplay.schemas.errors import InterplayError
from interplay.schemas.json.record import Record

State = Literal["wrong", "repaired", "older"]


class Finding(Record):
    """Something that is not as promised."""

    file: str
    why: str
    state: State = "wrong"


def finding_of(path: Path, error: InterplayError) -> Finding:
    """Return an error about a file as a finding."""
    return Finding(file=str(path), why=str(error).removeprefix(f"{path}: "))


def made_again(findings: Sequence[Finding], files: Collection[str]) -> list[Finding]:
    """Return findings, those of the `files` that were made again as repaired."""
    return [
        finding.model_copy(update={"state": "repaired"}) if finding.file in files else finding for finding in findings
    ]
