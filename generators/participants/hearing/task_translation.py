"""A task in English words -> the same task in another language, for recognising it in a user's or assistant's words."""

from interplay.generators.participants.wording.lexicon import Lexicon
from interplay.generators.phrases.intents import intents_of
from interplay.schemas.records.blueprint import Blueprint, Fact, Goal
from interplay.schemas.records.tool import Tool


def in_words_of(blueprint: Blueprint, lexicon: Lexicon) -> Blueprint:
    """Return a blueprint with its wishes, nouns and labels translated; everything else stays."""

    def word(label: str, kind: str = "label") -> str:
        return lexicon.term(label, kind).form("") if label else ""

    def wish(intent: str) -> str:
        return lexicon.wish(intent).form("") if intent else ""

    def goal(given: Goal) -> Goal:
        told = {"intent": wish(given.intent), "topic": word(given.topic, "noun")}
        return given.model_copy(update={**told, "question": lexicon.question(given.question)})

    def fact(given: Fact) -> Fact:
        kind = "label" if given.choice is None else "noun"
        return given.model_copy(update={"label": word(given.label, kind)})

    scenario, expected = blueprint.scenario, blueprint.expected
    told = {
        "facts": tuple(map(fact, scenario.facts)),
        "out_of_scope": wish(scenario.out_of_scope),
        "unknown": tuple(map(word, scenario.unknown)),
    }
    outputs = tuple(output.model_copy(update={"label": word(output.label)}) for output in expected.outputs)
    return blueprint.model_copy(
        update={
            "goals": tuple(map(goal, blueprint.goals)),
            "scenario": scenario.model_copy(update=told),
            "expected": expected.model_copy(update={"outputs": outputs}),
        }
    )


def tool_in_words_of(tool: Tool, lexicon: Lexicon) -> Tool:
    """Return a tool with its wishes translated."""
    wishes = tuple(lexicon.wish(intent).form("") for intent in intents_of(tool))
    return tool.model_copy(update={"phrases": tool.phrases.model_copy(update={"wishes": wishes})})
