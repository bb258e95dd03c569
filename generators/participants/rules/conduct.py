"""What a user of a scenario does beside wanting something, turn by turn: when it is due, and in which words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.value_phrases import capital
from interplay.generators.participants.wording.voice import Words
from interplay.schemas.records.behaviour import Behave, Behaviour
from interplay.schemas.records.blueprint import Fact, Scenario
from interplay.schemas.records.dialogue import DialogueAct

PATIENCE = 3
"""The question at which somebody without patience complains."""


@dataclass(frozen=True)
class Turn:
    """What the user says instead of an answer."""

    act: DialogueAct
    content: str


@dataclass
class Conduct:
    """Keeps what a user has done of what its scenario has it do; `shown` and `otherwise` are those of the next message."""

    scenario: Scenario
    words: Words
    done: set[tuple[str, int, str]] = field(default_factory=set)
    shown: list[Behaviour] = field(default_factory=list)
    otherwise: dict[str, Any] = field(default_factory=dict)
    asked: int = 0

    def show(self, kind: Behaviour, request: int) -> bool:
        """Take note that the next message shows what the user does in a request, if it does."""
        if self.scenario.behaves(kind, request) is None:
            return False
        self.shown.append(kind)
        return True

    def taken(self) -> tuple[tuple[Behaviour, ...], dict[str, Any]]:
        """Return, once, what the next message shows, and the values that are told in it for now."""
        shown, otherwise = tuple(dict.fromkeys(self.shown)), dict(self.otherwise)
        self.shown.clear()
        self.otherwise.clear()
        return shown, otherwise

    def fact(self, fact: Fact, alone: bool = False) -> str:
        """Say a fact, or what the user takes it to be at first."""
        for done in self._about(fact.id, "corrects_itself", "changes_mind", "contradicts"):
            first = say_fact(self.words, fact.model_copy(update={"value": done.value}), alone=alone)
            if done.kind == "corrects_itself" and done.when == "breath":
                self._end(done)
                right = (
                    say_fact(self.words, fact)
                    if isinstance(fact.value, bool) or fact.label in self.words.sayings
                    else self.words.value(fact.value, fact.label)
                )
                return self.words.draw("slip", first=first, right=right)
            self.otherwise[fact.id] = done.value
            return first
        return say_fact(self.words, fact, alone=alone)

    def contradiction(self, facts: Sequence[Fact]) -> str:
        """Say once more, and otherwise, what was just said."""
        for fact in facts:
            for done in self._about(fact.id, "contradicts"):
                self.shown.append("contradicts")
                self.done.add(_key(done))
                return capital(self.words.draw("contradiction", said=say_fact(self.words, fact)))
        return ""

    def holds_back(self, asked: Sequence[str]) -> Turn | None:
        """Return what the user says instead of telling what it is asked for."""
        self.asked += 1
        for done in self._at(asked, "refuses_identity"):
            first = not self._ended(done)
            if first or done.for_good:
                self._end(done)
                return Turn("withhold", capital(self.words.draw("withhold" if first else "withhold_again")))
        for done in self._at(asked, "asks_back"):
            if not self._ended(done):
                self._end(done)
                label = self.scenario.fact(done.fact).label
                frame = "ask_options" if done.options else "ask_why"
                return Turn("ask_back", capital(self.words.draw(frame, label=label)))
        return self.wanders(self._at(asked, "wanders_off"))

    def wanders(self, planned: Sequence[Behave]) -> Turn | None:
        """Return what the user says that has nothing to do with it."""
        for done in planned:
            if not self._ended(done):
                self._end(done)
                return Turn("wander", capital(self.words.draw("wander")))
        return None

    def at_confirmation(self, request: int) -> Turn | None:
        """Return what the user says off the point when asked whether to go ahead."""
        planned = [
            done
            for done in self.scenario.behaviours
            if done.kind == "wanders_off" and done.when == "confirmation" and done.request == request
        ]
        return self.wanders(planned)

    def reconsiders(self, request: int, at: str = "") -> tuple[DialogueAct, str, list[str]] | None:
        """Return how the user takes back what it said before: at the confirmation, or with an answer."""
        for done in self.scenario.behaviours:
            here = done.when == "question" and done.at == at if at else done.when == "confirmation"
            if done.kind in ("changes_mind", "corrects_itself") and here and done.request == request:
                if self._ended(done):
                    continue
                self._end(done)
                fact = self.scenario.fact(done.fact)
                changes = done.kind == "changes_mind"
                said = say_fact(self.words, fact)
                text = self.words.draw("change_mind" if changes else "correct", said=said, label=fact.label)
                return ("change_mind" if changes else "correct", capital(text), [fact.id])
        return None

    def interrupts(self, request: int, asked: Sequence[str]) -> Behave | None:
        """Return the plan by which the user now turns to its next request."""
        for done in self._at(asked, "comes_back"):
            if done.request == request and not self._ended(done):
                self._end(done)
                return done
        return None

    def lead(self, facts: Sequence[Fact]) -> tuple[DialogueAct, str] | None:
        """Return act and opening words of an answer that is more than an answer."""
        for fact in facts:
            if any(done.kind == "contradicts" and done.fact == fact.id for done in self.scenario.behaviours):
                return "settle", self.words.draw("settle")
            if any(done.kind == "mistaken" and done.fact == fact.id for done in self.scenario.behaviours):
                self.shown.append("mistaken")
                return "correct", self.words.draw("mistaken")
            if any(done.kind == "refuses_identity" and done.at == fact.id for done in self.scenario.behaviours):
                return "inform", self.words.draw("give_in")
        if self.asked == PATIENCE and self.scenario.behaves("impatient") is not None:
            self.shown.append("impatient")
            return "complain", self.words.draw("complaint")
        return None

    def _about(self, fact: str, *kinds: Behaviour) -> list[Behave]:
        return [
            done
            for done in self.scenario.behaviours
            if done.fact == fact and done.kind in kinds and not self._ended(done)
        ]

    def _at(self, asked: Sequence[str], kind: Behaviour) -> list[Behave]:
        return [done for done in self.scenario.behaviours if done.kind == kind and done.at and done.at in asked]

    def _ended(self, done: Behave) -> bool:
        return _key(done) in self.done

    def _end(self, done: Behave) -> None:
        self.done.add(_key(done))
        self.shown.append(done.kind)


def _key(done: Behave) -> tuple[str, int, str]:
    return done.kind, done.request, done.fact or done.at
