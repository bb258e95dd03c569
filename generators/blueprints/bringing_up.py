"""A draft that was run again -> its goals and facts as its user brings them up."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from interplay.generators.blueprints.draft import Draft, Step
from interplay.generators.values.phrases import noun_of
from interplay.schemas.blueprint import Fact, Goal, Origin
from interplay.schemas.protocols import Environment


def goals_of(draft: Draft, renamed: Mapping[str, str], environment: Environment) -> tuple[Goal, ...]:
    """Return the goals, marked where they are about something that an earlier request has dealt with."""
    toolset, roles = environment.toolset, {role.tool: role for role in environment.resources.roles}
    goals = {step.id: step.goal for step in draft.steps}
    told = {fact.id: fact.goal for fact in draft.facts if fact.choice is None}
    again: dict[int, str] = {}
    for step in draft.steps:
        for pointer, origin in step.origins.items():
            resource = roles[step.tool].references.get(pointer)
            known = goals.get(str(origin.action), told.get(str(origin.fact), step.goal))
            if known == step.goal or resource in (None, toolset.user_resource):
                continue
            if _newly_chosen(origin, step.request, draft.steps):
                continue
            if roles[step.tool].operation not in ("list", "create") or step.tool == draft.goals[step.goal].tool:
                again.setdefault(step.goal, toolset.nouns.get(str(resource)) or noun_of(resource))
    return tuple(
        goal.model_copy(
            update={
                "again": again.get(index, goal.again),
                "each": renamed.get(goal.each, ""),
                "condition": goal.condition
                and goal.condition.model_copy(update={"action": renamed[goal.condition.action]}),
            }
        )
        for index, goal in enumerate(draft.goals)
    )


def _newly_chosen(origin: Origin, request: int, steps: Sequence[Step]) -> bool:
    """Tell whether something is picked for the first time out of a list that an earlier request has brought up."""
    earlier = (other for step in steps if step.request < request for other in step.origins.values())
    return origin.action is not None and origin.fact is not None and all(other.fact != origin.fact for other in earlier)


def facts_of(draft: Draft, renamed: Mapping[str, str], early: Collection[str], late: str) -> tuple[Fact, ...]:
    """Return the facts: those told `early` with their request, the `late` one with another answer."""
    facts = (_renamed(fact, renamed, fact.id in early) for fact in draft.facts)
    return tuple(fact.model_copy(update={"reveal": "late"}) if fact.id == late else fact for fact in facts)


def _renamed(fact: Fact, names: Mapping[str, str], early: bool) -> Fact:
    if fact.action is not None:
        return fact.model_copy(update={"action": names[fact.action]})
    return fact.model_copy(update={"reveal": "opening"}) if early else fact


def said_at_once(draft: Draft) -> set[str]:
    """Return the facts that must come with the request: those that could not be asked for without naming a goal."""
    early: set[str] = set()
    for indices in draft.requests:
        told = [fact for fact in draft.facts if fact.goal in indices and fact.reveal in ("opening", "asked", "late")]
        told = [fact for fact in told if not (fact.instead_of and fact.reveal == "asked")]
        labels = Counter(fact.label for fact in told)
        tools = Counter(draft.goals[index].tool for index in indices)
        early |= {fact.id for fact in told if labels[fact.label] > 1 or tools[draft.goals[fact.goal].tool] > 1}
    return early


def said_before(
    goals: Sequence[Goal], facts: Sequence[Fact], known: Mapping[str, str]
) -> tuple[tuple[Goal, ...], tuple[Fact, ...]]:
    """Return goals and facts, marked where what is `known` by fact was said before the task begins."""
    about = {fact.goal: known[fact.id] for fact in reversed(facts) if fact.id in known}
    marked = (
        goal.model_copy(update={"again": about[number]}) if not goal.again and number in about else goal
        for number, goal in enumerate(goals)
    )
    told = (fact.model_copy(update={"reveal": "before"}) if fact.id in known else fact for fact in facts)
    return tuple(marked), tuple(told)
