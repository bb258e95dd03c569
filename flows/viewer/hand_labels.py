"""A workspace under view -> a random sample of its dialogues, and people's labels of them, given without seeing the outcome.

Labels are kept in `labels.jsonl` beside the store, one per line, in the order in which they are given; `calibrate` and exports
read them there. The sample is the same for everybody: ids are digests, so the first ones in order are a random sample.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import ValidationError

from interplay.flows.viewer.looked_at import LookedAt
from interplay.flows.workspaces.run_files import write_text
from interplay.outputs.viewer.index_search import first_ids
from interplay.outputs.viewer.record_index import reading
from interplay.schemas.errors import StoreError
from interplay.schemas.records.calibration import Agreement, PersonLabel
from interplay.schemas.records.review import MEASURES
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.review.reviewer_agreement import agreement

SAMPLE = 100
"""Dialogues in the sample; half of them rejected, if there are enough."""
LONGEST_NAME = 80
_WRITING = threading.Lock()


@dataclass(frozen=True)
class AgreementLine:
    """How two judges agree on which dialogues are sound."""

    one: str
    other: str
    found: Agreement


def sample(place: LookedAt, size: int = SAMPLE) -> list[str]:
    """Return the ids of the dialogues to label, accepted and rejected ones mixed."""
    drawn: list[str] = []
    with reading(place.index) as index:
        drawn += first_ids(index, "rejected", size // 2)
        drawn += first_ids(index, "accepted", size - len(drawn))
    return sorted(drawn)


def last_labels(place: LookedAt) -> dict[tuple[str, str], PersonLabel]:
    """Return the latest label of each person for each dialogue, by id and person."""
    return {(label.id, label.person): label for label in place.workspace.labels()}


def label_of(form: Mapping[str, str]) -> PersonLabel:
    """Return the label in a submitted form.

    Raises:
        StoreError: a field is missing or invalid.
    """
    person = form.get("person", "").strip()
    if not person or len(person) > LONGEST_NAME or not person.isprintable():
        raise StoreError("Say who you are: a name is enough.")
    try:
        return PersonLabel.model_validate(
            {
                "id": form.get("id", ""),
                "person": person,
                "sound": {"yes": True, "no": False}.get(form.get("sound", "")),
                "kind": form.get("kind") or None if form.get("sound") == "no" else None,
                "message": form.get("message") or None if form.get("sound") == "no" else None,
                "scores": {name: int(form[name]) for name in MEASURES if form.get(name) in tuple("12345")},
                "note": form.get("note", ""),
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise StoreError(f"{'/'.join(map(str, first['loc']))}: {first['msg']}") from error


def keep(place: LookedAt, label: PersonLabel) -> None:
    """Add a label.

    Raises:
        StoreError: the dialogue is not one of the workspace, or the file cannot be written.
    """
    place.record(label.id)
    with _WRITING:
        _write(place, (*place.workspace.labels(), label))


def undo(place: LookedAt, person: str) -> PersonLabel | None:
    """Delete the last label of a person and return it; None if there is none."""
    with _WRITING:
        held = list(place.workspace.labels())
        for number in range(len(held) - 1, -1, -1):
            if held[number].person == person:
                taken = held.pop(number)
                _write(place, held)
                return taken
    return None


def _write(place: LookedAt, labels: Sequence[PersonLabel]) -> None:
    lines = (label.model_dump_json(exclude_defaults=True) for label in labels)
    write_text(place.workspace.labels_file, "".join(f"{line}\n" for line in lines))


def agreements(place: LookedAt) -> tuple[AgreementLine, ...]:
    """Return how people agree with each other, with each reviewer, and with all checks together."""
    said: dict[str, dict[str, bool]] = {}
    people = last_labels(place)
    for (identifier, person), label in people.items():
        said.setdefault(person or "nobody named", {})[identifier] = label.sound
    named = sorted(said)
    judges: dict[str, dict[str, bool]] = {}
    for identifier in dict.fromkeys(identifier for identifier, _ in people):
        try:
            record, _ = place.record(identifier)
        except StoreError:
            continue  # the label is of a record in another workspace
        for judge, sound in _judged(record).items():
            judges.setdefault(judge, {})[identifier] = sound
    pairs = [*combinations(named, 2), *((person, judge) for person in named for judge in sorted(judges))]
    every = {**judges, **said}
    return tuple(
        AgreementLine(
            one, other, agreement((every[one][key], every[other][key]) for key in every[one] if key in every[other])
        )
        for one, other in pairs
    )


def _judged(record: DatasetRecord) -> dict[str, bool]:
    """Return which judges find a record sound: all checks together, and each reviewer of its dialogue."""
    found = {"all checks": record.status == "accepted"}
    for verdict in record.verdicts:
        for review in verdict.reviews:
            if review.answers and not review.abstained:
                found[f"reviewer {review.reviewer}"] = all(answer.answer != "no" for answer in review.answers)
    return found
