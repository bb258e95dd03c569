"""A user's words, and its planned behaviours -> those that the words show."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from interplay.generators.blueprints.behaviours.behaviour_table import BEHAVIOUR_TABLE, BY_NAME
from interplay.generators.blueprints.behaviours.user_behaviour import Utterance
from interplay.generators.participants.hearing.state_tracker import Reading, Says, TrackedState, waiting
from interplay.generators.participants.hearing.wish_reader import says_wish
from interplay.generators.participants.hearing.word_overlap import names, sentences, share
from interplay.generators.participants.wording.languages import heard_as
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.blueprint import Blueprint, Fact

_ORDINAL = re.compile(r"(?<=\b\d)\.(?= )|(?<=\b\d\d)\.(?= )")
"""The full stop after a day in German, which ends no sentence: 4. Mai."""

Tells = Callable[[Fact, str], bool]


def planned(blueprint: Blueprint, at: TrackedState, *kinds: Behaviour) -> Iterator[PlannedBehaviour]:
    """Yield the behaviours of some kinds that are planned for the current request."""
    for done in blueprint.scenario.behaviours:
        if done.kind in kinds and done.request == at.request:
            yield done


def at_question(blueprint: Blueprint, at: TrackedState, text: str, answers: bool, ignorant: bool) -> Reading | None:
    """Read what a user does instead of answering a question; None if it shows no planned behaviour."""
    following = at.latest + 1
    for done in planned(blueprint, at, "comes_back"):
        if done.at in at.asked and not at.paused and following < len(blueprint.scenario.requests):
            goal = blueprint.scenario.requests[following][0]
            wished = share(blueprint.goals[goal].intent, text)
            if wished >= 0.6 or (says_wish(blueprint, goal, text, ()) and heard_as("leaving_off").search(text)):
                return Reading("inform_intent_clear", 0.8, goal=goal, behaviours=("comes_back",))
    if answers or ignorant:
        return None
    here = [done for done in blueprint.scenario.behaviours if done.at in at.asked and done.request == at.request]
    return _instead(blueprint, at, here, text)


def _instead(blueprint: Blueprint, at: TrackedState, here: Sequence[PlannedBehaviour], text: str) -> Reading | None:
    """Read which of the behaviours planned `here` a user shows instead of an answer."""
    said = utterance(text, [fact.label for fact in blueprint.scenario.facts if fact.id in at.asked], at.done, here)
    for behaviour in BEHAVIOUR_TABLE:
        for done in here:
            if done.kind == behaviour.name and behaviour.recognise is not None and behaviour.act is not None:
                confidence = behaviour.recognise(said, done)
                if confidence:
                    return Reading(behaviour.act, confidence)
    return None


def utterance(
    text: str, asked: Sequence[str] = (), acts: Iterable[str] = (), here: Iterable[PlannedBehaviour] = ()
) -> Utterance:
    """Return a message in the form that behaviours read."""

    def sounds(key: str) -> bool:
        return heard_as(key).search(text) is not None

    return Utterance(text, sounds, partial(names, text), asked, acts, [done.kind for done in here])


def at_confirmation(blueprint: Blueprint, at: TrackedState, text: str, answered: bool) -> Reading | None:
    """Read what a user does instead of agreeing; None if it shows no planned behaviour."""
    if answered:
        return None
    planned_here = blueprint.scenario.behaviours
    here = [done for done in planned_here if done.when == "confirmation" and done.request == at.request]
    return _instead(blueprint, at, here, text)


def taken_back(blueprint: Blueprint, at: TrackedState, content: str, tells: Tells) -> Reading | None:
    """Read the retraction of a value that a user told before; None if there is none."""
    for name in at.otherwise:
        fact = blueprint.scenario.fact(name)
        done = next((done for done in blueprint.scenario.behaviours if done.fact == name), None)
        if done is not None and tells(fact, content):
            return Reading(BY_NAME[done.kind].retracts or "correct", 0.8, told=(name,))
    return None


def told_otherwise(blueprint: Blueprint, at: TrackedState, says: Says, content: str, request: int) -> dict[str, Any]:
    """Return the facts of a request that are told with a value other than the right one, with that value."""
    found: dict[str, Any] = {}
    for done in blueprint.scenario.behaviours:
        if done.request != request or BY_NAME[done.kind].retracts is None or done.value is None:
            continue
        if not done.fact or done.fact in at.known or done.fact in at.otherwise:
            continue
        fact = blueprint.scenario.fact(done.fact)
        restates = bool(BY_NAME[done.kind].restates)
        right = says(content, fact.value, fact.hint, fact.label)
        both = right and restates and names(content, fact.label)
        if done.fact not in at.asked and not both and _is_of_another(blueprint, at, fact, done.value, content):
            continue
        wrong = says(content, done.value, fact.hint, fact.label)
        if wrong and (not right or restates):
            found[done.fact] = done.value
    return found


def _is_of_another(blueprint: Blueprint, at: TrackedState, fact: Fact, value: Any, content: str) -> bool:
    """Tell whether a text tells a value of another fact, which has the same: it names that fact, or does not name this one."""
    facts = (other for other in blueprint.scenario.facts if other.id != fact.id and other.id not in at.known)
    others = [other for other in facts if other.value == value]
    named = any(names(content, other.label) for other in others)
    return named or (bool(others) and not names(content, fact.label))


def resumed(blueprint: Blueprint, at: TrackedState, text: str, tells: Tells, content: str) -> Reading | None:
    """Read the return to a request that was left for another one; None if there is none."""
    if not at.paused:
        return None
    goal = blueprint.scenario.requests[at.paused[-1]][0]
    beside = heard_as("returning").sub(" ", content)  # "the other thing" does not mention a topic named "other"
    told = tuple(fact.id for fact in waiting(blueprint, at, at.paused[-1]) if tells(fact, beside))
    if not told and not heard_as("returning").search(text) and share(blueprint.goals[goal].intent, text) < 0.5:
        return None
    back = next((done.at for done in blueprint.scenario.behaviours if done.kind == "comes_back"), "")
    return Reading("resume", 0.8, goal=goal, told=told or ((back,) if back else ()))


def mistaken(blueprint: Blueprint, at: TrackedState, facts: Iterable[str]) -> list[str]:
    """Return those of some facts that the user was wrong about, and whose wrong value was already told."""
    wrong = {
        done.fact for done in blueprint.scenario.behaviours if done.kind == "mistaken" and done.request == at.request
    }
    return [name for name in facts if name in wrong and blueprint.scenario.fact(name).instead_of in at.known]


def weighed(text: str) -> str:
    """Return the sentences that mention two values told before, if a text asks which of them is right; else empty."""
    told = sentences(_ORDINAL.sub("", text))
    if not any(part.endswith("?") and heard_as("offering").search(part) for part in told):
        return ""
    return " ".join(part for part in told if heard_as("weighing").search(part))


def complains(blueprint: Blueprint, text: str) -> bool:
    """Tell whether an impatient user complains."""
    return blueprint.scenario.behaves("impatient") is not None and heard_as("complaining").search(text) is not None


def shown(blueprint: Blueprint, says: Says, read: Reading, content: str, text: str) -> tuple[Behaviour, ...]:
    """Return the planned behaviours that a user's message shows."""
    found, said = list(read.behaviours), utterance(text)
    for done in blueprint.scenario.behaviours:
        behaviour = BY_NAME[done.kind]
        about = not done.fact or done.fact in read.told or behaviour.instead is not None
        if behaviour.act == read.act and about:
            found.append(done.kind)
        elif behaviour.retracts and behaviour.act and done.fact in read.told and done.value is not None:
            fact = blueprint.scenario.fact(done.fact)
            if all(says(content, value, fact.hint, fact.label) for value in (done.value, fact.value)):
                found.append(done.kind)
    for done in blueprint.scenario.behaviours:
        shows = BY_NAME[done.kind].shows
        if shows is not None and shows(said):
            found.append(done.kind)
    return tuple(dict.fromkeys(found))
