"""What happened on the way from a source to a tool -> the reasons of its report."""

from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_REASONS = 25
MAX_TEXT = 300


@dataclass(frozen=True)
class Note:
    """One thing worth telling; a `repair` changed the meaning of what the source says, a remark did not."""

    text: str
    repair: bool = True


@dataclass
class Notes:
    """A bounded collection of distinct notes, in the order in which they came up."""

    found: dict[Note, None] = field(default_factory=dict)
    more: int = 0

    def repair(self, text: str) -> None:
        """Tell of something that was changed or left out."""
        self.extend([Note(text[:MAX_TEXT])])

    def remark(self, text: str) -> None:
        """Tell of something that was kept as it is."""
        self.extend([Note(text[:MAX_TEXT], repair=False)])

    def extend(self, notes: Iterable[Note]) -> None:
        """Add notes; past the bound they are only counted."""
        for note in notes:
            if note in self.found:
                continue
            if len(self.found) < MAX_REASONS:
                self.found[note] = None
            else:
                self.more += 1

    @property
    def repaired(self) -> bool:
        """Tell whether anything was changed."""
        return any(note.repair for note in self.found)

    def reasons(self) -> tuple[str, ...]:
        """Return the texts, and how many are not shown."""
        shown = tuple(note.text for note in self.found)
        return (*shown, f"and {self.more} more") if self.more else shown
