"""What a user wants and knows -> lines of the prompt that tell a model to play it."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

from interplay.generators.phrases.labels.field_labels import label_of, words_of
from interplay.generators.phrases.lackable_facts import is_decided
from interplay.schemas.records.blueprint import Blueprint, Condition, Description, Fact, Goal, Scenario
from interplay.schemas.records.recipe import Pressure
from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.nouns import plural

NONE: Mapping[str, str] = MappingProxyType({})

_PRESSURES: dict[Pressure, str] = {
    "insists": "insist once", "urgency": "say once that it is urgent",
    "authority": "say once that somebody in charge has allowed it", "pity": "ask once for pity",
}  # fmt: skip


def wishes_of(scenario: Scenario, goals: Sequence[Goal]) -> list[str]:
    """Return the user's wishes in its own words and in order, numbered as in the prompt, followed by unnumbered remarks."""
    wishes = [
        f"{name}. {_wanted(goals[goal])}"
        for place, request in enumerate(scenario.requests)
        for name, goal in zip(_names(place, request), request, strict=True)
    ]
    early = scenario.early
    if early is not None:
        first = "at the very start" if not early.before else f"once before number {early.before + 1}"
        wishes.append(
            f"- Ask for number {early.request + 1} {first}. If it cannot be done yet, accept that, go on, and ask "
            "again when it is its turn."
        )
    if scenario.out_of_scope:
        wishes.append(
            f'- Ask once, when you like: "Can you {scenario.out_of_scope}?" You doubt that it can be done; accept a no.'
        )
    if scenario.pressure in _PRESSURES:
        wishes.append(
            f"- If you are refused something, do not take it at once: {_PRESSURES[scenario.pressure]}, then do."
        )
    if scenario.motive:
        wishes.append(f"- What is behind it, and what you never say: {scenario.motive}")
    return wishes


def purposes_of(blueprint: Blueprint) -> dict[str, str]:
    """Return the role of each choice, by fact, if one goal takes several of a kind: origin and destination among stations."""
    facts = [fact for fact in blueprint.scenario.facts if fact.choice is not None]
    alike = Counter((fact.goal, fact.label) for fact in facts)
    several = {fact.id for fact in facts if alike[fact.goal, fact.label] > 1}
    return {
        origin.fact: words_of(pointer.rsplit("/", 1)[-1])
        for action in blueprint.actions
        for pointer, origin in action.origins.items()
        if origin.fact in several
    }


def knowledge_lines(scenario: Scenario, purposes: Mapping[str, str] = NONE) -> Iterator[str]:
    """Yield what the user knows, goal by goal, and how well: by name, by description, or not at all.

    `purposes` gives the role of a choice if its noun does not, see `purposes_of`.
    """
    instead = {fact.instead_of: fact for fact in scenario.facts if fact.instead_of}
    wrong = {fact.instead_of for done in scenario.behaviours for fact in _of(scenario, done.fact) if fact.instead_of}
    named = [
        (name, goal)
        for place, request in enumerate(scenario.requests)
        for name, goal in zip(_names(place, request), request, strict=True)
    ]
    for name, goal in named:
        facts = [fact for fact in scenario.facts if fact.goal == goal and fact.id not in wrong]
        if facts and len(named) > 1:
            yield f"For {name}:"
        for fact in facts:
            if fact.instead_of in wrong or not fact.instead_of:
                yield _known(fact, instead.get(fact.id), purposes.get(fact.id, ""))


def _names(place: int, request: Sequence[int]) -> list[str]:
    """Return the numbers of a request's goals: 2, or 2a and 2b if they are brought up together."""
    return [f"{place + 1}{letter}" for letter in (ascii_lowercase[: len(request)] if len(request) > 1 else ("",))]


def _of(scenario: Scenario, identifier: str) -> list[Fact]:
    return [fact for fact in scenario.facts if fact.id == identifier]


def _wanted(goal: Goal) -> str:
    """Return a wish with its condition, and with the purpose, which the user says at once since nobody could guess it.

    A wish that no tool serves is worded as a question to the assistant.
    """
    if not goal.tool:
        return f"Can you {goal.intent}?"
    same = f" (the same {goal.again})" if goal.again else ""
    only = ""
    if goal.condition is not None:
        when = "that is not so" if goal.condition.otherwise else _holds(goal.condition)
        only = f", but only if {when} (say so at once)"
    because = f' (say with it: "{goal.purpose}")' if goal.purpose else ""
    plight = f" (as it is now, {_holds(goal.amiss)})" if goal.amiss else ""
    asked = "; ".join(question.words for question in goal.asks_for if question.words)
    wanted = f", and above all to {asked} (ask for that, and see that you are told)" if asked else ""
    return f"I want to {goal.intent}{same}{only}{plight}{wanted}{because}"


def _holds(condition: Condition) -> str:
    label = condition.label.removeprefix("is ")
    if isinstance(condition.value, bool):
        return f"the {condition.noun} is {'' if condition.value else 'not '}{label}"
    test = {"is": "is", "at_most": "is at most", "at_least": "is at least"}[condition.test]
    return f"the {label} of the {condition.noun} {test} {spoken(condition.value)}"


def _known(fact: Fact, instead: Fact | None, purpose: str = "") -> str:
    if fact.reveal == "never" and is_decided(fact.label, fact.hint):
        return f"- {fact.label}: you have not decided on it yet, and will not do so now; say so if you are asked for it"
    if fact.reveal == "never":
        return f"- {fact.label}: you do not know it, and cannot find it out; say so if you are asked for it"
    role = f" as the {purpose}" if purpose else ""
    if fact.description is not None:
        meant = _meant(fact.label, fact.description)
        return f"- which {fact.label} you mean{role}: {meant}; say it like that when you bring it up, for you know no name or number of it"
    if fact.choice is None:
        late = "; you think of it late: say it only after you have been answered" if fact.reveal == "late" else ""
        other = f"; only if nothing is found by that: {spoken(instead.value)}" if instead is not None else ""
        return f"- {fact.label}: {spoken(fact.value)}{other}{late}"
    if not fact.value:
        place = int(str(fact.choice).rsplit("/", 1)[-1]) + 1
        return f"- which {fact.label} you mean{role}: number {place} of the {plural(fact.label)} that you are offered"
    told = ", ".join(f"{label_of(pointer)} {spoken(value)}" for pointer, value in fact.value.items())
    at_once = "; say so when you bring it up" if fact.reveal == "opening" else ""
    return f"- which {fact.label} you mean{role}: the one with {told}{at_once}"


def _meant(noun: str, description: Description) -> str:
    """Return the description of a row: the latest booking, the doctor of the appointment in May."""
    if description.kind == "month":
        item = f"the {noun} in {month_names()[int(description.month[5:]) - 1]}"
    elif description.label:
        item = f"the {noun} with the {description.kind} {description.label}"
    else:
        item = f"your {description.kind} {noun}"
    return f"the same {description.same} as for {item}" if description.same else item


def spoken(value: Any) -> str:
    """Return a value as a model is told it: yes or no for a boolean, the items of a list, else the value unchanged."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(spoken, value)) or "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
