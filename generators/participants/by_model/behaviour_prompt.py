"""Planned behaviours of a scenario -> lines of the user's prompt that tell a model to show them."""

from collections.abc import Iterator
from typing import Any

from interplay.generators.blueprints.behaviours.behaviour_table import BY_NAME
from interplay.generators.participants.by_model.knowledge_prompt import spoken
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Scenario

_WHEN = {"breath": "At once", "confirmation": "When asked whether to go ahead", "question": "With a later answer"}


def conduct_lines(scenario: Scenario) -> Iterator[str]:
    """Yield a line for each planned behaviour, in the order of the scenario."""
    facts = {fact.id: fact for fact in scenario.facts}
    for done in scenario.behaviours:
        fact = facts.get(done.fact)
        if BY_NAME[done.kind].prompt:
            yield "- " + BY_NAME[done.kind].prompt.format(
                request=done.request + 1,
                label=fact.label if fact else "",
                right=_quoted(fact.value) if fact else "",
                value=_quoted(done.value),
                when=_WHEN[done.when],
                soon="at once" if done.when == "breath" else "with a later answer",
                gives_in=_gives_in(done),
            )


def _gives_in(done: PlannedBehaviour) -> str:
    return (
        "Do not give in: accept that nothing can be done."
        if done.for_good
        else "Give in when you hear why it is needed."
    )


def _quoted(value: Any) -> str:
    return f'"{spoken(value)}"'
