"""A file of labelled dialogues -> recorded dialogues with their labels, which are hidden from reviewers.

{"id": "a1", "system": "...", "tools": [...], "scenario": "...", "messages": [...],
 "sound": false, "fault": {"kind": "false_claim", "message": 5, "quote": "...", "why": "..."}}
->  Labelled(dialogue=RecordedDialogue(id="a1", ...), label=Label(sound=False, kind="false_claim", message=5))
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interplay.generators.importers.conversations.whole_dialogues import read_dialogues
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.record import Record
from interplay.schemas.plain_file import plain_text
from interplay.schemas.records.calibration import PersonLabel
from interplay.schemas.records.failure import NEIGHBOURS, FailureKind
from interplay.schemas.records.recorded import RecordedDialogue

OTHER_NAMES: Mapping[str, FailureKind] = {"refusal_without_evidence": "decided_without_evidence"}
"""Names that other projects use for kinds of faults."""


class Label(Record):
    """The truth about a dialogue: whether it is sound, the kind of its fault, and the index of the faulty message in the file."""

    sound: bool
    kind: FailureKind | None = None
    message: int | None = Field(None, ge=0)


@dataclass(frozen=True)
class Labelled:
    """A dialogue and its label."""

    dialogue: RecordedDialogue
    label: Label


def read_labelled(path: Path) -> tuple[Labelled, ...]:
    """Return the labelled dialogues of a file, in order.

    Raises:
        ImportFailure: the file cannot be read, or holds none.
    """
    labels = dict(_labels(path))
    read = [item for item in read_dialogues(path) if isinstance(item, RecordedDialogue)]
    found = tuple(Labelled(item, labels[item.id]) for item in read if item.id in labels and item.messages)
    if not found:
        raise ImportFailure(f'{path}: holds no labelled dialogue. Give each row an "id", and "sound": true or false.')
    return found


def holds_labels(path: Path) -> bool:
    """Tell whether a file holds only labels of people: lines with an id and `sound`, and no messages.

    Raises:
        ImportFailure: it cannot be read.
    """
    first = next((line for line in _lines(path) if line.strip()), "")
    try:
        PersonLabel.model_validate_json(first)
    except ValidationError:
        return False
    return True


def _lines(path: Path) -> list[str]:
    try:
        return plain_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ImportFailure(f"{path}: cannot be read ({why}). Give a JSON Lines file.") from error


def _labels(path: Path) -> Iterator[tuple[str, Label]]:
    for line in _lines(path):
        try:
            row = json.loads(line)
        except ValueError:
            continue  # reported when the dialogues are read
        if isinstance(row, dict) and isinstance(row.get("sound"), bool) and isinstance(row.get("id"), str):
            yield row["id"], label_in(row, path)


def label_in(row: Mapping[str, Any], path: Path) -> Label:
    """Return the label in a row.

    Raises:
        ImportFailure: its kind is not a known fault.
    """
    given = row.get("fault")
    if row["sound"] or not isinstance(given, Mapping):
        return Label(sound=bool(row["sound"]))
    kind = OTHER_NAMES.get(str(given.get("kind")), given.get("kind"))
    if kind not in NEIGHBOURS:
        raise ImportFailure(f"{path}: {row['id']}: {kind!r} is no kind of fault. There are: {', '.join(NEIGHBOURS)}.")
    place = given.get("message")
    return Label(sound=False, kind=kind, message=place if isinstance(place, int) and place >= 0 else None)
