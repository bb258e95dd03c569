"""The goals of a request -> names for them: the order, the second order, the orders."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interplay.generators.participants.wording.fact_phrases import name_nth
from interplay.generators.participants.wording.named_wishes import Named, apposition, called
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.records.blueprint import Goal
from interplay.schemas.records.tool import ToolRole
from interplay.schemas.words.nouns import singular


@dataclass(frozen=True)
class Topics:
    """Names the goals of one dialogue by their nouns."""

    goals: Sequence[Goal]
    roles: Mapping[str, ToolRole]
    words: Voice

    def alike(self, goal: int, goals: Sequence[int]) -> list[int]:
        """Return the `goals` with the same topic as one of them; a list of rows counts as another topic."""
        return [other for other in goals if self._about(other) == self._about(goal)]

    def _about(self, goal: int) -> tuple[str, bool]:
        wanted = self.goals[goal]
        return wanted.topic, self.roles[wanted.tool].operation == "list" if wanted.tool in self.roles else False

    def name(self, goal: int, goals: Sequence[int]) -> str:
        """Name one of several goals by its noun, and by its position among those of the same topic."""
        alike, noun = self.alike(goal, goals), self.goals[goal].topic
        role = self.roles[self.goals[goal].tool]
        if role.operation == "list" and len(alike) == 1:
            return self.words.fixed("topic_many", nouns=self.words.many(singular(noun)))
        if len(alike) == 1:
            return self.words.fixed("topic", noun=noun)
        if not all(self._says(other, singular(noun.rpartition(" ")[2])) for other in alike):
            alike, noun = (
                list(goals),
                "request",
            )  # wishes that do not mention the noun: "call the reception" for a patient file
        else:
            noun = "list" if role.operation == "list" else singular(noun)
        return self.words.fixed("topic_nth", nth=name_nth(self.words, alike.index(goal), noun), noun=noun)

    def called(self, noun: str, thing: Named) -> str:
        """Name a row by its noun and its name: "the Cork fax"."""
        if self.words.lexicon is None:
            return called(self.words, singular(noun), thing)
        name = apposition(self.words, thing) if thing.own else f"({thing.said})"
        return f"{self.words.fixed('topic', noun=singular(noun))} {name}"

    def kind(self, goal: int) -> str:
        """Name the topic of a goal: one row, or several for a list."""
        noun, role = singular(self.goals[goal].topic), self.roles[self.goals[goal].tool]
        if role.operation == "list":
            return self.words.fixed("topic_many", nouns=self.words.many(noun))
        return self.words.fixed("topic", noun=noun)

    def _says(self, goal: int, noun: str) -> bool:
        """Tell whether a wish contains its noun."""
        return noun in map(singular, re.findall(r"[\w'’-]+", self.goals[goal].intent))
