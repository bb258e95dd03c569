"""A goal and the result of its action -> what the user asks for: pointers into the result, and the question.

check what I owe           list_invoices    /0/amount, /1/amount     asked by the intent itself
check the details of ...   get_invoice      /issued_on               "know when the invoice was issued"
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from interplay.generators.blueprints.drafting.draft import Step
from interplay.generators.blueprints.drafting.reported_values import (
    SPOKEN_ITEMS,
    SPOKEN_OUTPUTS,
    ReportedValues,
    matters,
)
from interplay.generators.blueprints.drafting.result_labels import label_in_result
from interplay.generators.phrases.derived_wishes import askable, for_each, know, phrased_field
from interplay.generators.phrases.labels.field_labels import MONEY, label_of
from interplay.generators.phrases.speakable_values import is_moment, speakable_leaves
from interplay.schemas.json.canonical import at_pointer, join_pointer, leaves, value_at
from interplay.schemas.records.blueprint import Fact, Goal, Question
from interplay.schemas.records.phrases import UNPHRASED
from interplay.schemas.records.tool import Toolset
from interplay.schemas.words.lists import word_set
from interplay.schemas.words.nouns import singular

FIRST, SECOND = 0.6, 0.45
"""Chances that the most telling value is asked for, and that a second value is."""

WHOLE, MUCH, MOST_TOLD = 0.3, 3, 5
"""Chance that all of a thing is asked for, the fewest values for which it may be, and the most that are told then."""

_SUMS = MONEY | word_set("money", "sums")


@dataclass(frozen=True)
class GoalQuestions:
    """Decides what users want to know; `reports` finds what can be told of results."""

    reports: ReportedValues
    toolset: Toolset

    def of(
        self, goal: Goal, step: Step, name: str, value: Any, known: Collection[str], rng: Random
    ) -> tuple[Question, ...]:
        """Return what the user asks of the result of a step, under the action id `name`; it knows the values in `known`.

        This is what the intent asks for, by declaration or by its words. Of a list, the names of its items are asked for;
        of one thing that is read, values that the user does not know yet. Of a write, only a result that is a plain text
        is asked for, as nothing else shows its outcome.
        """
        if step.asked:
            return (Question(action=name, pointers=step.asked, words=self._besides(goal, step, value)),)
        meant = tuple(self._meant(goal, step, value))
        named = tuple(self.reports.named(step, value, _asks_when(goal.intent)))
        named += tuple(self.reports.beside(step, value, named)) if not meant else ()
        if self.toolset.tool(step.tool).effect == "write" or meant or named:
            asked = (*(named if _of_items(meant) or not meant else ()), *meant)
            if self.toolset.tool(step.tool).effect == "write" and not meant:
                asked = tuple(self.reports.telling(step, value)) if isinstance(value, str) else ()
            return (Question(action=name, pointers=tuple(dict.fromkeys(asked))),) if asked else ()
        if whole := self._whole(step, value, known, rng):
            return (Question(action=name, pointers=whole),)
        return tuple(
            Question(action=name, pointers=(pointer,), words=self._words(goal, pointer, value))
            for pointer in self._chosen(goal, step, value, known, rng)
        )

    def _whole(self, step: Step, value: Any, known: Collection[str], rng: Random) -> tuple[str, ...]:
        """Return, now and then, all that a result tells of one thing, if that is enough to view the thing as a whole.

        Values that are known already are left out.
        """
        held = ((pointer, at_pointer(value, pointer)) for pointer in self.reports.telling(step, value))
        found = [pointer for pointer, said in held if matters(pointer, said) and str(said).casefold() not in known]
        return tuple(found[:MOST_TOLD]) if len(found) >= MUCH and rng.random() < WHOLE else ()

    def _besides(self, goal: Goal, step: Step, value: Any) -> str:
        """Return the wording of the question for the one value that a step is asked for, where its goal has none."""
        if goal.asks or goal.amiss is not None or len(step.asked) > 1:
            return ""
        return self._words(goal, step.asked[0], value)

    def _words(self, goal: Goal, pointer: str, result: Any) -> str:
        label, value = label_in_result(result, pointer) if pointer else "result", at_pointer(result, pointer)
        phrases = self.toolset.tool(goal.tool).phrases if goal.tool else UNPHRASED
        if own := phrases.wonders.get(phrased_field(phrases, pointer)):
            return own
        return know(label, goal.topic, isinstance(value, bool)) if askable(pointer, label, goal.topic) else ""

    def _meant(self, goal: Goal, step: Step, value: Any) -> Iterator[str]:
        """Yield the pointers that an intent asks for: declared fields, else a field by its words, a sum, or a time."""
        declared = self._declared(goal)
        if declared is not None:
            pointer, items = self.reports.listed(step, value)
            places = [""] if items is None else [f"{pointer}/{place}" for place in range(len(items[:SPOKEN_ITEMS]))]
            found = (f"{place}{join_pointer(field)}" for place in places for field in declared)
            yield from (pointer for pointer in found if value_at(value, pointer) is not None)
            return
        if self.toolset.tool(step.tool).effect == "write" or goal.asks:
            return
        said = (
            {singular(word) for word in goal.intent.split()} - {singular(word) for word in goal.topic.split()} - _BARE
        )
        _, items = self.reports.listed(step, value)
        for pointer, found in speakable_leaves(value) if items is None else ():
            *_, head = words_said = label_of(pointer).split() or [""]
            label = set(words_said)
            if (
                head in said
                or label <= said
                or (label & MONEY and said & _SUMS)
                or (_asks_when(goal.intent) and is_moment(found))
            ):
                yield pointer
                return

    def _declared(self, goal: Goal) -> tuple[str, ...] | None:
        """Return the fields that the author of the intent's phrase declared, also where it is said of each thing of a list."""
        phrases = [goal.intent] if not goal.each else self.toolset.tool(goal.tool).phrases.wishes
        said = (phrase for phrase in phrases if goal.intent in (phrase, for_each(phrase, goal.topic)))
        return next((self.toolset.asks_for[phrase] for phrase in said if phrase in self.toolset.asks_for), None)

    def _chosen(self, goal: Goal, step: Step, value: Any, known: Collection[str], rng: Random) -> list[str]:
        """Draw one or two values to ask of one thing, preferably telling ones that are not known yet."""
        found = self.reports.telling(step, value)
        new = [pointer for pointer in found if str(at_pointer(value, pointer)).casefold() not in known]
        open_ = [pointer for pointer in new if askable(pointer, label_in_result(value, pointer), goal.topic)]
        open_ = [pointer for pointer in open_ if matters(pointer, at_pointer(value, pointer))] or open_[:1]
        choice = open_[:SPOKEN_OUTPUTS] or new[:1] or found[:1]
        if len(choice) < SPOKEN_OUTPUTS:
            return choice[:1]
        first = choice[0] if rng.random() < FIRST else rng.choice(choice)
        others = [pointer for pointer in choice if pointer != first]
        return [first, *([rng.choice(others)] if rng.random() < SECOND else [])]


def known_values(facts: Collection[Fact]) -> set[str]:
    """Return the values that a user knows from its facts, casefolded."""
    return {str(value).casefold() for fact in facts for _, value in leaves(fact.value)}


_BARE = word_set("stop_words")
"""Words that name no field: the "at" of "look at my profile" is not that of `created_at`."""


def _asks_when(intent: str) -> bool:
    return "when" in intent.split()


def _of_items(pointers: Collection[str]) -> bool:
    return any(part.isdigit() for pointer in pointers for part in pointer.split("/"))
