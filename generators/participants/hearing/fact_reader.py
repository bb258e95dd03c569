"""A user's words, and the facts that it may tell -> those that it tells."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from interplay.generators.participants.hearing.state_tracker import Says, TrackedState
from interplay.generators.participants.hearing.word_overlap import names, share
from interplay.generators.participants.wording.languages import heard_as, heard_at_place, heard_in_month, ways_to_hear
from interplay.schemas.records.blueprint import Blueprint, Fact

_SMALL = 13
"""Smaller numbers may occur in a text for many reasons."""

MOSTLY = 0.5
"""Share of the content words of a wish or label from which on it counts as said."""


class FactReader:
    """Reads which facts users tell."""

    def __init__(self, says: Says) -> None:
        self._says = says

    def told(self, facts: Sequence[Fact], content: str, asked: Sequence[str]) -> tuple[str, ...]:
        """Return the facts that a text tells; among those with the same value, the ones that were asked for or are named."""
        told = [fact for fact in facts if self.tells(fact, content, asked)]
        told = [fact for fact in told if fact.id in asked or not self._only_inside(fact, told, content)]
        wanted = [fact.value for fact in told if fact.id in asked or names(content, fact.label)]
        return tuple(
            fact.id
            for fact in told
            if fact.id in asked or fact.value not in wanted or fact.choice is not None or names(content, fact.label)
        )

    def _only_inside(self, fact: Fact, others: Sequence[Fact], content: str) -> bool:
        """Tell whether a value occurs in a text only within another one: the topic in the text of a message."""
        whole = [other.value for other in others if isinstance(other.value, str) and _is_part(fact.value, other.value)]
        rest = content
        for value in whole:
            rest = rest.replace(value, " ")
        return rest != content and not self.tells(fact, rest, ())

    def tells(self, fact: Fact, content: str, asked: Sequence[str]) -> bool:
        """Tell whether a text tells a fact; `asked` are the facts that were asked for."""
        if fact.reveal == "never":
            return False
        text = content.lower()
        if fact.description is not None:
            if fact.description.kind == "month":
                return heard_in_month(text, int(fact.description.month[5:]))
            return any(word in text for word in ways_to_hear("kinds", fact.description.kind))
        if fact.choice is not None:
            return (fact.id in asked or fact.reveal == "opening") and self._picks(fact, content)
        if not self._says(content, fact.value, fact.hint, fact.label):
            return False
        slight = isinstance(fact.value, (bool, int, float)) and abs(fact.value) < _SMALL
        return not slight or fact.id in asked or _counts(fact, text)

    def _picks(self, fact: Fact, content: str) -> bool:
        if not fact.value:
            return heard_at_place(content.lower(), int(str(fact.choice).rsplit("/", 1)[-1]))
        return all(self._says(content, value, {}, pointer.rsplit("/", 1)[-1]) for pointer, value in fact.value.items())

    def tells_one(self, fact: Fact, content: str) -> bool:
        """Tell whether a text tells a fact that was asked for."""
        return self.tells(fact, content, (fact.id,))


def is_of_others(blueprint: Blueprint, at: TrackedState, name: str, for_now: Mapping[str, Any], content: str) -> bool:
    """Tell whether a fact is only heard because its value is the temporary one of another fact."""
    fact = blueprint.scenario.fact(name)
    others = [value for other, value in for_now.items() if other != name]
    return fact.value in others and name not in at.asked and not names(content, fact.label)


def _is_part(value: Any, whole: str) -> bool:
    return isinstance(value, str) and value != whole and value.lower() in whole.lower()


def _counts(fact: Fact, text: str) -> bool:
    """Tell whether a text has words for what a number counts: "for 1 day" tells the number of days."""
    label = heard_as("counting").sub(" ", fact.label.lower())
    if share(label, text) >= MOSTLY:
        return True
    beside = re.search(rf"(?<![\w.,]){fact.value:g}\s+(\w{{3,}})", text)
    stems = (word for word in re.findall(r"\w{3,}", label))
    return beside is not None and any(word.startswith(beside[1]) or beside[1].startswith(word) for word in stems)
