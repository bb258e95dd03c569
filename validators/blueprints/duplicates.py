"""The stories of blueprints by index -> those that were told before in the run.

Two blueprints tell the same story if they make (or withhold) the same calls with the same arguments, and the user knows the
same facts, tells them at the same points, and groups its requests alike. Persona, wording and offered tools do not count: the
same scenario told by another person is the same scenario.
"""

from interplay.schemas.records.verdict import Issue, Verdict


class Duplicates:
    """The stories told so far; up to `copies` records may tell the same one."""

    name = "duplicates"

    def __init__(self, copies: int = 1) -> None:
        """Start without any story."""
        self._copies = copies
        self._told: dict[str, list[int]] = {}

    def has(self, story: str) -> bool:
        """Tell whether a story must not be told again."""
        return self.left(story) <= 0

    def left(self, story: str) -> int:
        """Return how many more records may tell a story."""
        return self._copies - len(self._told.get(story, ()))

    def judge(self, story: str) -> Verdict:
        """Return a verdict that rejects a story told too often already."""
        if not self.has(story):
            return Verdict(check=self.name)
        text = f"The same scenario was told by index {', '.join(map(str, self._told[story][:5]))}."
        return Verdict(check=self.name, issues=(Issue.of("duplicate_scenario", text),))

    def keep(self, story: str, index: int) -> None:
        """Record that an index tells a story; an empty story, as in files of old versions, is ignored."""
        if story:
            self._told.setdefault(story, []).append(index)
