"""Notes taken while a tool is imported -> the reasons in its report."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from interplay.schemas.records.tool import Source, Tool, ToolReport

MAX_REASONS = 25
MAX_TEXT = 300
SHOWN_PLACES = 3


@dataclass(frozen=True)
class Note:
    """One note; a `repair` changed the meaning of the source, a remark did not.

    Notes of the same `group` are reported in one sentence: the group, then their texts as places.
    """

    text: str
    repair: bool = True
    group: str = ""


@dataclass
class Notes:
    """A bounded, ordered collection of distinct notes."""

    found: dict[Note, None] = field(default_factory=dict)
    sizes: Counter[str] = field(default_factory=Counter)
    told: int = 0

    def repair(self, text: str, group: str = "") -> None:
        """Note something that was changed or left out."""
        self.extend([Note(text[:MAX_TEXT], True, group)])

    def remark(self, text: str) -> None:
        """Note something worth knowing that changed nothing."""
        self.extend([Note(text[:MAX_TEXT], repair=False)])

    def extend(self, notes: Iterable[Note]) -> None:
        """Add notes; beyond `MAX_REASONS` of a group they are only counted."""
        for note in notes:
            self.told += 1
            if note in self.found:
                continue
            self.sizes[note.group] += 1
            if self.sizes[note.group] <= MAX_REASONS:
                self.found[note] = None

    @property
    def repaired(self) -> bool:
        """Tell whether anything was changed."""
        return any(note.repair for note in self.found)

    def reasons(self) -> tuple[str, ...]:
        """Return the texts of the notes, one per group, and how many are not shown."""
        shown = [note.text for note in self.found if not note.group]
        for group in dict.fromkeys(note.group for note in self.found if note.group):
            places = [note.text for note in self.found if note.group == group]
            more = self.sizes[group] - SHOWN_PLACES
            shown.append(f"{group}: {', '.join(places[:SHOWN_PLACES])}" + (f" and {more} more" if more > 0 else ""))
        more = self.sizes[""] - MAX_REASONS
        return (*shown, f"and {more} more") if more > 0 else tuple(shown)

    def report(self, tool: Tool | None, name: str, source: Source) -> ToolReport:
        """Return the report on a tool; `tool` is None if it was rejected, and `name` then names it."""
        outcome: Literal["imported", "repaired", "rejected"] = (
            "rejected" if tool is None else "repaired" if self.repaired else "imported"
        )
        called = name if tool is None else tool.name
        return ToolReport(name=called, outcome=outcome, reasons=self.reasons(), source=source)
