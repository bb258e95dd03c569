"""The user answers a question by asking what the options are, or why it is needed."""

from typing import Any

from interplay.generators.blueprints.behaviours.user_behaviour import Performance, Turn, UserBehaviour, Utterance
from interplay.generators.blueprints.growth.dialogue_moments import (
    first_use,
    free_facts,
    is_needed,
    is_told_at_once,
    users,
)
from interplay.generators.blueprints.growth.growth import Growth
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Fact

OPTIONS = 8
"""The most options that an assistant names when asked for them."""


def asks_back(growth: Growth) -> bool:
    """Plan that the user answers a question by asking what the options are, or why it is needed."""
    draft = growth.draft
    facts = [
        fact
        for fact in free_facts(draft, "opening", "asked")
        if not isinstance(fact.value, bool) and not is_told_at_once(draft, fact)
    ]
    facts.sort(key=lambda fact: not _options(growth, fact))
    for fact in facts:
        used, options = first_use(draft, fact.id), _options(growth, fact)
        if used is None or (fact.reveal != "asked" and not (options and is_needed(growth, fact))):
            continue
        draft.revise_fact(fact.id, reveal="asked")
        done = PlannedBehaviour(
            kind="asks_back", request=used[0], fact=fact.id, when="question", at=fact.id, options=options
        )
        draft.behaviours.append(done)
        return True
    return False


def _options(growth: Growth, fact: Fact) -> tuple[Any, ...]:
    step = users(growth.draft, fact.id)[0]
    pointer = next(pointer for pointer, origin in step.origins.items() if origin.fact == fact.id)
    # values that were found by trying are no options
    declared = growth.world.environment.toolset.tool(step.tool).parameters
    options = tuple(schema_at(declared, pointer).get("enum", ()))
    return options if 1 < len(options) <= OPTIONS and fact.value in options else ()


def _ask(performance: Performance, done: PlannedBehaviour, again: bool) -> Turn | None:
    label = performance.scenario.fact(done.fact).label
    return (
        None if again else Turn("ask_back", performance.draw("ask_options" if done.options else "ask_why", label=label))
    )


def _recognise(said: Utterance, done: PlannedBehaviour) -> float:  # noqa: ARG001
    first = "ask_back" not in said.acts or "wanders_off" not in said.planned
    return 0.8 if first and "?" in said.text else 0.0


COUNTER_QUESTION = UserBehaviour(
    name="asks_back",
    plan=asks_back,
    prompt="When you are asked for the {label}, first ask back what there is to choose from or why it is needed.",
    act="ask_back",
    instead=_ask,
    recognise=_recognise,
)
