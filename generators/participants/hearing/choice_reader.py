"""A question of the assistant, and the open choices -> the choice that it is about."""

from collections.abc import Iterator, Sequence

from interplay.generators.participants.hearing.state_tracker import Says
from interplay.generators.participants.hearing.word_overlap import names
from interplay.generators.phrases.labels.field_labels import words_of
from interplay.schemas.json.canonical import last_name
from interplay.schemas.records.blueprint import Blueprint, Fact


def shows(says: Says, fact: Fact, content: str) -> bool:
    """Tell whether a text contains all values that describe a choice."""
    return bool(fact.value) and all(says(content, value, {}, "") for value in fact.value.values())


def speaks_of(says: Says, choices: Sequence[Fact], content: str) -> bool:
    """Tell whether a text describes or names one of the choices."""
    return any(shows(says, fact, content) or names(content, fact.label) for fact in choices)


def offers(says: Says, blueprint: Blueprint, choices: Sequence[Fact], content: str) -> bool:
    """Tell whether a text describes or names one of the choices, or names its role: the destination."""
    placed = (name for fact in choices for name in _places(blueprint, fact))
    return speaks_of(says, choices, content) or any(names(content, name) for name in placed)


def chosen(says: Says, blueprint: Blueprint, choices: Sequence[Fact], content: str) -> Fact:
    """Return the choice that a question is about: one that it names or describes, else the first.

    Among choices from the same list, the one whose argument is named is taken.
    """
    choices = [fact for fact in choices if not _awaits(blueprint, fact, choices)] or choices
    shown = [
        fact for fact in choices if not fact.value or shows(says, fact, content)
    ]  # a choice by position has no value
    named = [fact for fact in choices if names(content, fact.label)]
    both = [fact for fact in shown if fact in named]
    found = (both or shown or named or choices)[0]
    alike = [fact for fact in choices if (fact.action, _list_of(fact)) == (found.action, _list_of(found))]
    placed = [fact for fact in alike if any(names(content, name) for name in _places(blueprint, fact))]
    return (placed if len(placed) < len(alike) and placed else alike)[0]


def _list_of(fact: Fact) -> str:
    return str(fact.choice).rpartition("/")[0]


def _places(blueprint: Blueprint, fact: Fact) -> Iterator[str]:
    """Yield the names of the arguments that a choice is for."""
    for action in blueprint.actions:
        for pointer, origin in action.origins.items():
            if origin.fact == fact.id:
                yield words_of(last_name(pointer))


def _awaits(blueprint: Blueprint, fact: Fact, choices: Sequence[Fact]) -> bool:
    """Tell whether the list of a choice depends on another one that is still open."""
    others = {other.id for other in choices if other.id != fact.id}
    lists = (action for action in blueprint.actions if action.id == fact.action)
    return any(origin.fact in others for action in lists for origin in action.origins.values())
