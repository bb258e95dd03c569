"""Which records of a run become rows: those that are accepted, unless people say otherwise, and unless a mark would be lost.

People overrule reviewers in both directions, and checks by execution in one: what a check rejects stays out.
"""

from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interplay.outputs.store.stored_dialogue import StoredDialogue
from interplay.schemas.records.calibration import PersonLabel

REVIEW = "review"
"""The stage at which reviewers reject."""


@dataclass(frozen=True)
class Opinions:
    """What people say of records, by id: sound or not, where more of them say so than the contrary."""

    sound: Mapping[str, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, labels: Sequence[PersonLabel]) -> "Opinions":
        """Count the labels; the last one of a person about a record counts, and a tie leaves the verdict as it is."""
        last = {(label.id, label.person): label.sound for label in labels}
        votes: Counter[str] = Counter()
        for (identifier, _), sound in last.items():
            votes[identifier] += 1 if sound else -1
        return cls({identifier: count > 0 for identifier, count in votes.items() if count})


@dataclass
class Tally:
    """What a selection left out and took in, filled while records are selected: counts, and the ids of the dialogues of which
    there are rows, each with its `tokens` where they are counted."""

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
        """Return how many verdicts people overruled, by what became of the record; nothing where they did none."""
        found = {"left_out": self.left_out, "taken_in": self.taken_in}
        return found if any(found.values()) else {}

    def left_out_rows(self) -> dict[str, int]:
        """Return how many dialogues are too long, and how many use a tool that is held out; nothing where none do."""
        found = {"too_long": self.too_long, "held_out": self.held_out}
        return {name: count for name, count in found.items() if count}

    def marks(self) -> dict[str, int]:
        """Return how many rows hold a mask, and how many stay out since their format holds none."""
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
    """Yield those of the dialogues that become rows.

    Of a session only the last one does, which holds all before: those are `continued`. The ids in `curated` stay out.
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
