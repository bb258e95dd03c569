"""The planned behaviours of a user, turn by turn: when each is due, and in which words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.blueprints.behaviours.behaviour_table import BEHAVIOUR_TABLE, BY_NAME
from interplay.generators.blueprints.behaviours.user_behaviour import Turn
from interplay.generators.participants.wording.fact_phrases import say_fact
from interplay.generators.participants.wording.languages import Filling
from interplay.generators.participants.wording.value_phrases import capital
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.blueprint import Fact, Scenario
from interplay.schemas.records.dialogue import DialogueAct


@dataclass
class Conduct:
    """Tracks which planned behaviours a user has shown; `shown` and `otherwise` are those of the next message."""

    scenario: Scenario
    words: Voice
    done: set[tuple[str, int, str]] = field(default_factory=set)
    shown: list[Behaviour] = field(default_factory=list)
    otherwise: dict[str, Any] = field(default_factory=dict)
    asked: int = 0

    def draw(self, key: str, **slots: Filling) -> str:
        """Return a wording from the grammar."""
        return self.words.draw(key, **slots)

    def note_shown(self, kind: Behaviour, request: int) -> bool:
        """Record that the next message shows a behaviour, if it is planned for the request; tell whether it is."""
        if self.scenario.behaves(kind, request) is None:
            return False
        self.shown.append(kind)
        return True

    def taken(self) -> tuple[tuple[Behaviour, ...], dict[str, Any]]:
        """Return and reset the behaviours of the next message, and the temporary values told in it."""
        shown, otherwise = tuple(dict.fromkeys(self.shown)), dict(self.otherwise)
        self.shown.clear()
        self.otherwise.clear()
        return shown, otherwise

    def opening(self) -> Iterator[str]:
        """Yield what the user says with its first request."""
        for behaviour in BEHAVIOUR_TABLE:
            if behaviour.opening and self.note_shown(behaviour.name, 0):
                yield self.draw(behaviour.opening)

    def fact(self, fact: Fact, alone: bool = False, further: bool = False) -> str:
        """Say a fact, or the wrong value that the user tells at first; a `further` one in a sentence is said in brief."""
        for done in self.scenario.behaviours:
            behaviour = BY_NAME[done.kind]
            if done.fact != fact.id or behaviour.retracts is None or self._ended(done):
                continue
            first = say_fact(self.words, fact.model_copy(update={"value": done.value}), alone=alone)
            if behaviour.in_one_breath and done.when == "breath":
                self._end(done)
                right = (
                    say_fact(self.words, fact)
                    if isinstance(fact.value, bool) or fact.label in self.words.sayings
                    else self.words.value(fact.value, fact.label)
                )
                return self.draw(behaviour.in_one_breath, first=first, right=right)
            self.otherwise[fact.id] = done.value
            return first
        return say_fact(self.words, fact, alone, further)

    def contradiction(self, facts: Sequence[Fact]) -> str:
        """Repeat a fact that was just told, with another value."""
        for fact in facts:
            for done in self.scenario.behaviours:
                restates = BY_NAME[done.kind].restates
                if restates and done.fact == fact.id and not self._ended(done):
                    self._end(done)
                    return capital(self.draw(restates, said=say_fact(self.words, fact)))
        return ""

    def holds_back(self, asked: Sequence[str]) -> Turn | None:
        """Return what the user says instead of telling what it is asked for."""
        self.asked += 1
        return self._instead([done for done in self.scenario.behaviours if done.at and done.at in asked])

    def at_confirmation(self, request: int) -> Turn | None:
        """Return what the user says instead of agreeing to a confirmation request."""
        planned = self.scenario.behaviours
        return self._instead([done for done in planned if done.when == "confirmation" and done.request == request])

    def _instead(self, planned: Sequence[PlannedBehaviour]) -> Turn | None:
        for behaviour in BEHAVIOUR_TABLE:
            for done in planned:
                if done.kind != behaviour.name or behaviour.instead is None:
                    continue
                turn = behaviour.instead(self, done, self._ended(done))
                if turn is not None:
                    self._end(done)
                    return Turn(turn.act, capital(turn.content))
        return None

    def reconsiders(self, request: int, at: str = "") -> tuple[DialogueAct, str, list[str]] | None:
        """Return how the user retracts what it said before, at the confirmation or with an answer: act, words, facts."""
        for done in self.scenario.behaviours:
            here = done.when == "question" and done.at == at if at else done.when == "confirmation"
            act = BY_NAME[done.kind].retracts
            if act is not None and here and done.request == request and not self._ended(done):
                self._end(done)
                fact = self.scenario.fact(done.fact)
                text = self.draw(act, said=say_fact(self.words, fact), label=fact.label)
                return act, capital(text), [fact.id]
        return None

    def interrupts(self, request: int, asked: Sequence[str]) -> PlannedBehaviour | None:
        """Return the plan by which the user now turns to its next request."""
        for done in self.scenario.behaviours:
            here = done.kind == "comes_back" and done.request == request and done.at and done.at in asked
            if here and not self._ended(done):
                self._end(done)
                return done
        return None

    def lead(self, facts: Sequence[Fact]) -> tuple[DialogueAct, str] | None:
        """Return act and opening words of an answer that shows a behaviour."""
        for about in (*(fact.id for fact in facts), ""):
            for done in self.scenario.behaviours:
                lead = BY_NAME[done.kind].lead
                found = lead(self, done) if lead is not None and done.fact == about else None
                if found is not None:
                    return found
        return None

    def _ended(self, done: PlannedBehaviour) -> bool:
        return _key(done) in self.done

    def _end(self, done: PlannedBehaviour) -> None:
        self.done.add(_key(done))
        self.shown.append(done.kind)


def _key(done: PlannedBehaviour) -> tuple[str, int, str]:
    return done.kind, done.request, done.fact or done.at
