"""A rerun draft -> its goals and facts as the user brings them up."""

from collections.abc import Collection, Mapping, Sequence

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.finishing.rerun import Rerun
from interplay.generators.phrases.topic_nouns import noun_of
from interplay.schemas.calls.antecedent import AmbiguousReference, Discourse
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import Fact, Goal
from interplay.schemas.records.tool import ToolRole


def goals_of(draft: Draft, made: Rerun, environment: Environment) -> tuple[Goal, ...]:
    """Return the goals, marked with a noun where they are about "the same" row as an earlier one.

    Raises:
        DeadEnd: "the same" would be ambiguous.
    """
    toolset, known = environment.toolset, environment.resources
    told = {fact.id: fact.goal for fact in draft.facts}
    renamed = [_renamed_goal(goal, made.renamed) for goal in draft.goals]
    asked = {made.renamed[step.id]: step.asked for step in draft.steps if step.asked}
    own, parts = toolset.user_resource, (made.actions, made.values, told, asked, known.by_tool, known.by_name)
    talk = Discourse(renamed, draft.requests, *parts, own)
    try:
        meant = [talk.antecedent(number) for number in range(len(renamed))]
    except AmbiguousReference as unclear:
        raise DeadEnd(str(unclear)) from unclear
    again = [noun_of(one.resource, toolset.spoken_nouns) if one else "" for one in meant]
    return tuple(goal.model_copy(update={"again": noun}) for goal, noun in zip(renamed, again, strict=True))


def _renamed_goal(goal: Goal, names: Mapping[str, str]) -> Goal:
    if not goal.each and goal.condition is None:
        return goal
    condition = goal.condition and goal.condition.model_copy(update={"action": names[goal.condition.action]})
    return goal.model_copy(update={"each": names.get(goal.each, ""), "condition": condition})


def facts_of(
    draft: Draft, renamed: Mapping[str, str], early: Collection[str], late: str, roles: Mapping[str, ToolRole]
) -> tuple[Fact, ...]:
    """Return the facts, the `early` ones revealed in the opening, the `late` one late, and marked where they set a field."""
    setting = {
        origin.fact
        for step in draft.steps
        if step.tool == draft.goals[step.goal].tool
        for pointer, origin in step.origins.items()
        if origin.kind == "user" and pointer not in roles[step.tool].references
    }
    facts = (_renamed(fact, renamed, fact.id in early) for fact in draft.facts)
    facts = (fact.model_copy(update={"sets": True}) if fact.id in setting else fact for fact in facts)
    return tuple(fact.model_copy(update={"reveal": "late"}) if fact.id == late else fact for fact in facts)


def _renamed(fact: Fact, names: Mapping[str, str], early: bool) -> Fact:
    if fact.action is not None:
        name = names[fact.action]
        return fact if name == fact.action else fact.model_copy(update={"action": name})
    return fact.model_copy(update={"reveal": "opening"}) if early else fact


def said_before(
    goals: Sequence[Goal], facts: Sequence[Fact], known: Mapping[str, str]
) -> tuple[tuple[Goal, ...], tuple[Fact, ...]]:
    """Return goals and facts, marked where a fact was told before the task; `known` maps such facts to nouns."""
    about = {fact.goal: known[fact.id] for fact in reversed(facts) if fact.id in known}
    marked = (
        goal.model_copy(update={"again": about[number]}) if not goal.again and number in about else goal
        for number, goal in enumerate(goals)
    )
    told = (fact.model_copy(update={"reveal": "before"}) if fact.id in known else fact for fact in facts)
    return tuple(marked), tuple(told)
