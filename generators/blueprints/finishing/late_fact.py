"""A draft -> the fact that the user adds late, with the answer to a question about something else."""

from collections.abc import Collection, Iterator

from interplay.generators.blueprints.drafting.draft import Draft, Step
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.tool import Toolset

LEAVING: tuple[Behaviour, ...] = ("comes_back", "contradicts")
"""Behaviours after which questions of the same request are not answered in order."""


def late_fact(draft: Draft, early: Collection[str], toolset: Toolset) -> str:
    """Return the id of a fact that the user may add late, preferably one that nobody would ask for; empty if there is none.

    `early` are ids of facts that must come with their request.
    """
    without_confirmation: list[str] = []
    for step, pointer, fact in _told(draft):
        if fact.id in early or not _calm(draft, step, fact):
            continue
        needed = pointer.split("/")[1] in toolset.tool(step.tool).required
        if fact.reveal == "opening" and not needed and _waited_for(draft, step.request, before=step.level + 1):
            return fact.id
        if fact.reveal == "asked" and _waited_for(draft, step.request, before=step.level):
            without_confirmation.append(fact.id)
    return next(iter(without_confirmation), "")


def _told(draft: Draft) -> Iterator[tuple[Step, str, Fact]]:
    """Yield each plain fact that a call takes, with the first such call and the pointer of its argument."""
    facts, seen = {fact.id: fact for fact in draft.facts}, set[str]()
    replaced = {fact.instead_of for fact in draft.facts}
    for step in draft.steps:
        for pointer, origin in step.origins.items():
            fact = facts.get(str(origin.fact))
            if fact is None or fact.id in seen or fact.choice is not None:
                continue
            seen.add(fact.id)
            if step.withheld is None and not fact.instead_of and fact.id not in replaced:
                yield step, pointer, fact


def _calm(draft: Draft, step: Step, fact: Fact) -> bool:
    """Tell whether no behaviour is about a fact, or could come in between in its request."""
    return not any(
        fact.id in (done.fact, done.at) or (done.request == step.request and (done.kind in LEAVING or done.for_good))
        for done in draft.behaviours
    )


def _waited_for(draft: Draft, request: int, before: int) -> bool:
    """Tell whether the user is asked something in a request for steps below a level."""
    asked = {fact.id for fact in draft.facts if fact.reveal in ("asked", "choice")}
    return any(
        origin.fact in asked
        for step in draft.steps
        if step.request == request and step.level < before
        for origin in step.origins.values()
    )
