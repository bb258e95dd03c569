"""Which records of a run become rows: accepted ones, unless people disagree or the format would lose a mask.

People overrule reviewers in both directions, but checks by execution in one only: what such a check rejects stays out.
"""

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interplay.outputs.store.stored_dialogue import StoredDialogue
from interplay.schemas.records.calibration import PersonLabel

REVIEW = "review"
"""The stage of records that reviewers rejected."""


@dataclass(frozen=True)
class Opinions:
    """The majority opinion of people on records: id -> sound or not; ties are left out."""

    sound: Mapping[str, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, labels: Sequence[PersonLabel]) -> "Opinions":
        """Count the labels: a person's last label of a record counts, and a tie leaves the verdict as it is."""
        last = {(label.id, label.person): label.sound for label in labels}
        votes: Counter[str] = Counter()
        for (identifier, _), sound in last.items():
            votes[identifier] += 1 if sound else -1
        return cls({identifier: count > 0 for identifier, count in votes.items() if count})


@dataclass
class Tally:
    """Counts of what a selection left out and took in, filled during selection, and the ids of the dialogues that have rows,
    with their `tokens` if these are counted."""

    left_out: int = 0
    taken_in: int = 0
    masked: int = 0
    masked_left_out: int = 0
    held_out: int = 0
    too_long: int = 0
    curated: int = 0
    placed: dict[str, None] = field(default_factory=dict)
    tokens: "array[int]" = field(default_factory=lambda: array("q"))

    def overruled(self) -> dict[str, int]:
        """Return how many verdicts people overruled, by outcome; empty if none."""
        found = {"left_out": self.left_out, "taken_in": self.taken_in}
        return found if any(found.values()) else {}

    def left_out_rows(self) -> dict[str, int]:
        """Return how many dialogues are too long, and how many use a held-out tool; empty if none."""
        found = {"too_long": self.too_long, "held_out": self.held_out}
        return {name: count for name, count in found.items() if count}

    def marks(self) -> dict[str, int]:
        """Return how many rows hold a mask, and how many stay out since their format cannot; empty if none."""
        found = {"kept": self.masked, "left_out": self.masked_left_out}
        return found if any(found.values()) else {}


def selected(
    found: Iterable[StoredDialogue],
    continued: Container[str],
    opinions: Opinions,
    holds_mask: bool,
    tally: Tally,
    curated: Container[str] = frozenset(),
) -> Iterator[StoredDialogue]:
    """Yield the dialogues that become rows.

    Those in `continued` are skipped, since the last dialogue of their session contains them, and so are those in `curated`.
    """
    for dialogue in found:
        if dialogue.id in continued or not _is_in(dialogue, opinions, tally):
            continue
        if dialogue.id in curated:
            tally.curated += 1
            continue
        if dialogue.marked:
            tally.masked += holds_mask
            tally.masked_left_out += not holds_mask
            if not holds_mask:
                continue
        yield dialogue


def _is_in(record: StoredDialogue, opinions: Opinions, tally: Tally) -> bool:
    sound = opinions.sound.get(record.id)
    accepted = record.status == "accepted"
    if accepted and sound is False:
        tally.left_out += 1
        return False
    if not accepted and sound and record.stage == REVIEW:
        tally.taken_in += 1
        return True
    return accepted
