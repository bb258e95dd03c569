"""The stories of blueprints, in the order of their indices -> which of them were told before in the run.

Two blueprints tell the same story where the same calls are made (or held back) with the same arguments, and the user knows
the same facts, tells them at the same points, and groups its requests alike. Persona, wording and the tools on offer do not
count: the same scenario told by another person is the same scenario.
"""

from interplay.schemas.records.verdict import Issue, Verdict


class Duplicates:
    """The stories that were told so far; `copies` records may tell the same one."""

    name = "duplicates"

    def __init__(self, copies: int = 1) -> None:
        """Begin with none."""
        self._copies = copies
        self._told: dict[str, list[int]] = {}

    def has(self, story: str) -> bool:
        """Tell whether a story must not be told once more."""
        return self.left(story) <= 0

    def left(self, story: str) -> int:
        """Return how many more records may tell a story."""
        return self._copies - len(self._told.get(story, ()))

    def judge(self, story: str) -> Verdict:
        """Return whether a story was told too often already."""
        if not self.has(story):
            return Verdict(check=self.name)
        text = f"The same scenario was told by index {', '.join(map(str, self._told[story][:5]))}."
        return Verdict(check=self.name, issues=(Issue.of("duplicate_scenario", text),))

    def keep(self, story: str, index: int) -> None:
        """Note that an index tells a story. A record without one, as in files of versions that did not compare stories, repeats nothing."""
        if story:
            self._told.setdefault(story, []).append(index)
