"""What an assistant says to users who do not simply answer: who ask back, hold back, contradict themselves, wander off."""

import re
from collections.abc import Sequence

from interplay.generators.participants.wording.languages import heard_as
from interplay.generators.participants.wording.value_phrases import sentence
from interplay.generators.participants.wording.voice import Voice
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.dialogue import Message


def explained(words: Voice, blueprint: Blueprint, asked: Sequence[str]) -> str:
    """Say what there is to choose from, or what something is needed for."""
    done = next(done for done in blueprint.scenario.behaviours if done.kind == "asks_back" and done.at in asked)
    fact = blueprint.scenario.fact(done.fact)
    if done.options:
        speech = words.language.speech
        options = words.enumerate([words.value(option, fact.label) for option in done.options])
        return words.draw("options_are", label=fact.label, options=speech["or"].join(options.rsplit(speech["and"], 1)))
    return words.draw("why", label=fact.label, intent=words.turned(blueprint.goals[fact.goal].intent))


def steered(words: Voice, blueprint: Blueprint, before: Message, heard: Message) -> str:
    """Come back to the question that was asked before the user spoke of something else, or asked about it."""
    asked = [blueprint.scenario.fact(name) for name in (before.state.asked if before.state else ())]
    again = words.draw("shall")
    if asked:
        chosen = asked[0].choice is not None
        again = (
            words.draw("which_again", noun=asked[0].label) if chosen else words.draw("back", labels=words.labels(asked))
        )
    frame = "steer"
    if re.search(r"\?\W*$", heard.content):
        frame = "steer_machine" if heard_as("machine").search(heard.content.lower()) else "steer_question"
    return sentence(words.draw(frame), again)


def which_holds(words: Voice, fact: Fact, other: Fact) -> str:
    """Ask which of two values that were said holds."""
    first, second = (words.value(said.value, said.label) for said in (other, fact))
    return words.draw("which_holds", label=fact.label, first=first, second=second)
