"""What people say of the records of a workspace -> labelled dialogues, on which reviewers are calibrated.

{"id": "9a31...", "person": "ada", "sound": false, "kind": "false_claim", "message": 5, "note": "never paid"}
"""

from collections.abc import Sequence

from interplay.flows.reviewers.gold_file import Label
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.selection import Opinions
from interplay.schemas.errors import ImportFailure, StoreError
from interplay.schemas.records.calibration import PersonLabel
from interplay.schemas.records.verdict import DatasetRecord


def labelled_records(workspace: Workspace, labels: Sequence[PersonLabel]) -> tuple[tuple[DatasetRecord, Label], ...]:
    """Return the records that people agree on, in the order of the labels, each with what they say.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        ImportFailure: none of the labels is about a dialogue of the workspace.
    """
    sound = Opinions.of(labels).sound
    found: list[tuple[DatasetRecord, Label]] = []
    with loaded_store(workspace) as store:
        for identifier in dict.fromkeys(label.id for label in labels if label.id in sound):
            try:
                record = store.record(identifier)
            except StoreError:
                continue
            if record.trajectory is not None and record.blueprint is not None:
                found.append((record, _label(identifier, sound[identifier], labels)))
    if not found:
        raise ImportFailure(
            f"None of the labels is about a dialogue of {workspace.name}: give ids as interplay show does."
        )
    return tuple(found)


def _label(identifier: str, sound: bool, labels: Sequence[PersonLabel]) -> Label:
    """Return the verdict of people's labels; the first label with a message gives the place of the fault."""
    against = [label for label in labels if label.id == identifier and not label.sound]
    first = next((label for label in against if label.message is not None), next(iter(against), None))
    if sound or first is None:
        return Label(sound=sound)
    return Label(sound=False, kind=first.kind, message=first.message)
