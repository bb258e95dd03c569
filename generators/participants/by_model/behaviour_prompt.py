"""What a user does beside wanting something -> how a model is told to do the same."""

import json
from collections.abc import Iterator
from typing import Any

from interplay.schemas.records.behaviour import Behave, Behaviour
from interplay.schemas.records.blueprint import Scenario

_LINES: dict[Behaviour, str] = {
    "impatient": "You are in a hurry: say so, and complain when you are asked a third question.",
    "changes_mind": "First say {value} for the {label}. {when}, change your mind: it is to be {right}.",
    "changes_mind_late": "Bring up what you want as number {request} as a change of mind about what was just done.",
    "corrects_itself": "Say {value} for the {label} by mistake, and correct yourself {soon}: it is {right}.",
    "wanders_off": "Once, when you are asked something, say something that has nothing to do with it instead.",
    "contradicts": "For the {label}, say both {value} and {right} in one message; when asked, settle for {right}.",
    "asks_back": "When you are asked for the {label}, first ask back what there is to choose from or why it is needed.",
    "refuses_identity": "When you are asked for the {label}, you would rather not say. {gives_in}",
    "mistaken": "First say {value} for the {label}. If nothing is found by it, notice your mistake: it is {right}.",
    "comes_back": "In what you want as number {request}, leave a question open, bring up the next thing first, and come back.",
    "elliptical": 'In what you want as number {request}, say "it" for what you have just spoken of.',
    "long_memory": "In what you want as number {request}, do not repeat what you told long before.",
}
_WHEN = {"breath": "At once", "confirmation": "When asked whether to go ahead", "question": "With a later answer"}


def conduct_lines(scenario: Scenario) -> Iterator[str]:
    """Yield a line for each thing that the user does as well, in the order of the scenario."""
    facts = {fact.id: fact for fact in scenario.facts}
    for done in scenario.behaviours:
        fact = facts.get(done.fact)
        if done.kind in _LINES:
            yield "- " + _LINES[done.kind].format(
                request=done.request + 1,
                label=fact.label if fact else "",
                right=_text(fact.value) if fact else "",
                value=_text(done.value),
                when=_WHEN[done.when],
                soon="at once" if done.when == "breath" else "with a later answer",
                gives_in=_gives_in(done),
            )


def _gives_in(done: Behave) -> str:
    return (
        "Do not give in: accept that nothing can be done."
        if done.for_good
        else "Give in when you hear why it is needed."
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
