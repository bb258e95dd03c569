"""A user's words, and what its scenario has it do beside wanting something -> whether it does so now."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from interplay.generators.participants.hearing.state_tracker import Ear, Reading, Standing, waiting
from interplay.generators.participants.hearing.wish_reader import says_wish
from interplay.generators.participants.hearing.word_overlap import names, sentences, share
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.records.behaviour import Behave, Behaviour
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import DialogueAct

_FOR_NOW = ("corrects_itself", "changes_mind", "contradicts")
"""What makes a user say a value that does not hold in the end, of the very fact that it is about."""

_BY_ACT: Mapping[str, tuple[Behaviour, ...]] = {
    "withhold": ("refuses_identity",), "ask_back": ("asks_back",), "wander": ("wanders_off",), "resume": ("comes_back",),
    "change_mind": ("changes_mind",), "correct": ("corrects_itself", "mistaken"), "off_topic": ("asks_impossible",),
}  # fmt: skip
"""What a user shows with an act, where its scenario has it do so."""

_ORDINAL = re.compile(r"(?<=\b\d)\.(?= )|(?<=\b\d\d)\.(?= )")
"""The dot of a day in German, which ends no sentence: 4. Mai."""

Tells = Callable[[Fact, str], bool]


def planned(blueprint: Blueprint, at: Standing, *kinds: Behaviour) -> Iterator[Behave]:
    """Yield what the user does in the request under way, of some kinds."""
    for done in blueprint.scenario.behaviours:
        if done.kind in kinds and done.request == at.request:
            yield done


def at_question(blueprint: Blueprint, at: Standing, text: str, answers: bool, ignorant: bool) -> Reading | None:
    """Read what a user does instead of answering a question."""
    following = at.latest + 1
    for done in planned(blueprint, at, "comes_back"):
        if done.at in at.asked and not at.paused and following < len(blueprint.scenario.requests):
            goal = blueprint.scenario.requests[following][0]
            wished = share(blueprint.goals[goal].intent, text)
            if wished >= 0.6 or (says_wish(blueprint, goal, text, ()) and heard_as("leaving_off").search(text)):
                return Reading("inform_intent_clear", 0.8, goal=goal, behaviours=("comes_back",))
    if answers or ignorant:
        return None
    for done in planned(blueprint, at, "refuses_identity"):
        if done.at in at.asked and heard_as("withholding").search(text):
            return Reading("withhold", 0.8)
        if done.at in at.asked and "?" not in text and not _gives(blueprint, at, done, text):
            return Reading("withhold", 0.6)
    wanders = any(done.at in at.asked for done in planned(blueprint, at, "wanders_off"))
    for done in planned(blueprint, at, "asks_back"):
        if done.at in at.asked and "?" in text and ("ask_back" not in at.done or not wanders):
            return Reading("ask_back", 0.8)
    return Reading("wander", 0.6) if wanders else None


def _gives(blueprint: Blueprint, at: Standing, done: Behave, text: str) -> bool:
    """Tell whether a user says something for what it would rather not tell: in so many words, or having refused before."""
    refused = "withhold" in at.done and not done.for_good
    return refused or any(names(text, blueprint.scenario.fact(name).label) for name in at.asked)


def at_confirmation(blueprint: Blueprint, at: Standing, answered: bool) -> Reading | None:
    """Read what a user does instead of agreeing."""
    wanders = any(done.when == "confirmation" for done in planned(blueprint, at, "wanders_off"))
    return Reading("wander", 0.6) if wanders and not answered and "wander" not in at.done else None


def taken_back(blueprint: Blueprint, at: Standing, content: str, tells: Tells) -> Reading | None:
    """Read how a user takes back what it has said otherwise before."""
    for name in at.otherwise:
        fact = blueprint.scenario.fact(name)
        done = next((done for done in blueprint.scenario.behaviours if done.fact == name), None)
        if done is not None and tells(fact, content):
            act: DialogueAct = "change_mind" if done.kind == "changes_mind" else "correct"
            return Reading("settle" if done.kind == "contradicts" else act, 0.8, told=(name,))
    return None


def told_otherwise(blueprint: Blueprint, at: Standing, ear: Ear, content: str, request: int) -> dict[str, Any]:
    """Return the facts of a request that are told with another value than the one that holds, with that value."""
    found: dict[str, Any] = {}
    for done in blueprint.scenario.behaviours:
        if done.request != request or done.kind not in _FOR_NOW or done.value is None:
            continue
        if not done.fact or done.fact in at.known or done.fact in at.otherwise:
            continue
        fact = blueprint.scenario.fact(done.fact)
        right = ear.says(content, fact.value, fact.hint, fact.label)
        both = right and done.kind == "contradicts" and names(content, fact.label)
        if done.fact not in at.asked and not both and _is_of_another(blueprint, at, fact, done.value, content):
            continue
        wrong = ear.says(content, done.value, fact.hint, fact.label)
        if wrong and (not right or done.kind == "contradicts"):
            found[done.fact] = done.value
    return found


def _is_of_another(blueprint: Blueprint, at: Standing, fact: Fact, value: Any, content: str) -> bool:
    """Tell whether a text says a value of another fact, which has it: by its label, or without the label of this one."""
    facts = (other for other in blueprint.scenario.facts if other.id != fact.id and other.id not in at.known)
    others = [other for other in facts if other.value == value]
    named = any(names(content, other.label) for other in others)
    return named or (bool(others) and not names(content, fact.label))


def resumed(blueprint: Blueprint, at: Standing, text: str, tells: Tells, content: str) -> Reading | None:
    """Read whether a user comes back to the request that it left for another one."""
    if not at.paused:
        return None
    goal = blueprint.scenario.requests[at.paused[-1]][0]
    told = tuple(fact.id for fact in waiting(blueprint, at, at.paused[-1]) if tells(fact, content))
    if not told and not heard_as("returning").search(text) and share(blueprint.goals[goal].intent, text) < 0.5:
        return None
    back = next((done.at for done in blueprint.scenario.behaviours if done.kind == "comes_back"), "")
    return Reading("resume", 0.8, goal=goal, told=told or ((back,) if back else ()))


def mistaken(blueprint: Blueprint, at: Standing, facts: Iterable[str]) -> list[str]:
    """Return which facts the user was wrong about: the value that it took for them is known, and finds nothing."""
    wrong = {
        done.fact for done in blueprint.scenario.behaviours if done.kind == "mistaken" and done.request == at.request
    }
    return [name for name in facts if name in wrong and blueprint.scenario.fact(name).instead_of in at.known]


def weighed(text: str) -> str:
    """Return the sentences that say that the other side gave two values, where a text asks which of them holds; else none."""
    told = sentences(_ORDINAL.sub("", text))
    if not any(part.endswith("?") and heard_as("offering").search(part) for part in told):
        return ""
    return " ".join(part for part in told if heard_as("weighing").search(part))


def complains(blueprint: Blueprint, text: str) -> bool:
    """Tell whether a user without patience says so."""
    return blueprint.scenario.behaves("impatient") is not None and heard_as("complaining").search(text) is not None


def shown(blueprint: Blueprint, ear: Ear, read: Reading, content: str, text: str) -> tuple[Behaviour, ...]:
    """Return what of that which its scenario has a user do as well is heard in a message."""
    found = list(read.behaviours)
    for done in blueprint.scenario.behaviours:
        about = not done.fact or done.fact in read.told or done.kind in ("asks_back", "refuses_identity")
        if done.kind in _BY_ACT.get(str(read.act), ()) and about:
            found.append(done.kind)
        elif done.kind in ("changes_mind", "corrects_itself") and done.fact in read.told and done.value is not None:
            fact = blueprint.scenario.fact(done.fact)
            if all(ear.says(content, value, fact.hint, fact.label) for value in (done.value, fact.value)):
                found.append(done.kind)
    hurries = heard_as("hurrying").search(text) is not None and blueprint.scenario.behaves("impatient") is not None
    if hurries or complains(blueprint, text):
        found.append("impatient")
    return tuple(dict.fromkeys(found))
