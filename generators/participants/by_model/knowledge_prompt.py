"""What a user wants and what it knows, states, describes or thinks of late -> how a model is told to play it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from interplay.generators.phrases.missing_facts import is_decided
from interplay.generators.phrases.speakable_values import label_of
from interplay.schemas.records.blueprint import Condition, Description, Fact, Goal, Scenario
from interplay.schemas.records.recipe import Pressure
from interplay.schemas.words.calendar import month_names
from interplay.schemas.words.nouns import plural

_PRESSURES: dict[Pressure, str] = {
    "insists": "you insist once", "urgency": "you say once that it is urgent",
    "authority": "you say once that somebody in charge has allowed it", "pity": "you ask once for pity",
}  # fmt: skip


def wishes_of(scenario: Scenario, goals: Sequence[Goal]) -> list[str]:
    """Return what a person wants, in the order in which it brings it up; what has a number comes in its turn."""
    wishes = [f"{place}. {_said_together(goals, request)}" for place, request in enumerate(scenario.requests, 1)]
    if scenario.early is not None:
        intent = goals[scenario.requests[scenario.early.request][0]].intent
        first = (
            f"- you ask at once to {intent}; if that cannot be done yet, accept it, go on, and ask again in its turn"
        )
        wishes.insert(scenario.early.before, first)
    if scenario.out_of_scope:
        wishes.append(f"- you also want to {scenario.out_of_scope}, though you doubt that it can be done")
    if scenario.pressure in _PRESSURES:
        wishes.append(
            f"- if you are refused something, you do not take it at once: {_PRESSURES[scenario.pressure]}; then you do"
        )
    if scenario.motive:
        wishes.append(f"- what is behind it, and what you never say: {scenario.motive}")
    return wishes


def knowledge_lines(scenario: Scenario) -> Iterator[str]:
    """Yield what a person knows, for one wish after the other, and how much of it: by name, by description, or not at all."""
    instead = {fact.instead_of: fact for fact in scenario.facts if fact.instead_of}
    wrong = {fact.instead_of for done in scenario.behaviours for fact in _of(scenario, done.fact) if fact.instead_of}
    for place, request in enumerate(scenario.requests, 1):
        facts = [fact for fact in scenario.facts if fact.goal in request and fact.id not in wrong]
        if facts and len(scenario.requests) > 1:
            yield f"For number {place}:"
        for fact in facts:
            if fact.instead_of in wrong or not fact.instead_of:
                yield _known(fact, instead.get(fact.id))


def _of(scenario: Scenario, identifier: str) -> list[Fact]:
    return [fact for fact in scenario.facts if fact.id == identifier]


def _said_together(goals: Sequence[Goal], request: Sequence[int]) -> str:
    return "you want to " + "; and, in the same breath, to ".join(_wanted(goals[index]) for index in request)


def _wanted(goal: Goal) -> str:
    """Return a wish with what it depends on, and what the user says at once of what it is for: nobody could guess that."""
    same = f" (the same {goal.again})" if goal.again else ""
    only = ""
    if goal.condition is not None:
        when = "not so" if goal.condition.otherwise else f"{_holds(goal.condition)}"
        only = f", but only if {when}; say so at once"
    because = f', and you say with it: "{goal.purpose}"' if goal.purpose else ""
    plight = f" (as it is now, {_holds(goal.amiss)})" if goal.amiss else ""
    asked = "; ".join(question.words for question in goal.asks_for if question.words)
    wanted = f", and above all to {asked}: you ask for that, and want to be told it" if asked else ""
    return f"{goal.intent}{same}{only}{plight}{wanted}{because}"


def _holds(condition: Condition) -> str:
    label = condition.label.removeprefix("is ")
    if isinstance(condition.value, bool):
        return f"the {condition.noun} is {'' if condition.value else 'not '}{label}"
    test = {"is": "is", "at_most": "is at most", "at_least": "is at least"}[condition.test]
    return f"the {label} of the {condition.noun} {test} {_text(condition.value)}"


def _known(fact: Fact, instead: Fact | None) -> str:
    if fact.reveal == "never" and is_decided(fact.label, fact.hint):
        return f"- you have not decided on the {fact.label} yet, and will not do so now: say so if you are asked for it"
    if fact.reveal == "never":
        return f"- you do not know the {fact.label}, and cannot find it out: say so if you are asked for it"
    if fact.description is not None:
        meant = _meant(fact.label, fact.description)
        return f"- {meant}: say it like that with what you want, for you know no name or number"
    if fact.choice is None:
        late = "; you think of it late: say it only after you have been answered" if fact.reveal == "late" else ""
        other = f"; only if nothing is found by that: {_text(instead.value)}" if instead is not None else ""
        return f"- {fact.label}: {_text(fact.value)}{other}{late}"
    several = plural(fact.label)
    if not fact.value:
        place = int(str(fact.choice).rsplit("/", 1)[-1]) + 1
        return f"- of several {several} that are offered, you take number {place}"
    told = ", ".join(f"{label_of(pointer)} {_text(value)}" for pointer, value in fact.value.items())
    return f"- of several {several} that are offered, you mean the one with {told}"


def _meant(noun: str, description: Description) -> str:
    """Return what a person describes: the latest booking, the doctor of the appointment in May."""
    if description.kind == "month":
        item = f"the {noun} in {month_names()[int(description.month[5:]) - 1]}"
    elif description.label:
        item = f"the {noun} with the {description.kind} {description.label}"
    else:
        item = f"your {description.kind} {noun}"
    return f"the same {description.same} as for {item}" if description.same else f"of several {plural(noun)}, {item}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
