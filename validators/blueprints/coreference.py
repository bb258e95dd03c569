"""A task and its results -> goals about "the same" row for which a listener would take another row.

look at project P, look at project Q, "add a task, for the same project"   ->   Q is meant; if the task uses P: `wrong_same`
"""

from collections.abc import Collection, Iterator, Mapping

from interplay.schemas.calls.antecedent import AmbiguousReference, Discourse
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.verdict import Issue
from interplay.schemas.words.identifiers import name_tokens
from interplay.validators.findings.replay import Step


def coreference_issues(
    blueprint: Blueprint, steps: Mapping[str, Step], toolset: Toolset, known: ResourceModel
) -> Iterator[Issue]:
    """Yield an issue for each goal that takes over a row other than the one talked about last, or does so without saying it."""
    values = {name: step.result.value for name, step in steps.items() if step.result.error is None}
    told, resources = {fact.id: fact.goal for fact in blueprint.scenario.facts}, known.by_name
    requests = blueprint.scenario.requests
    asked = {question.action: question.pointers for goal in blueprint.goals if goal.asks for question in goal.asks_for}
    own, parts = toolset.user_resource, (blueprint.actions, values, told, asked, known.by_tool, resources)
    talk = Discourse(blueprint.goals, requests, *parts, own)
    for number, goal in enumerate(blueprint.goals):
        if any(_lost(blueprint, name, values) for name in _needed(blueprint, number)):
            continue
        pointer = f"/goals/{number}/again"
        try:
            meant = talk.antecedent(number)
        except AmbiguousReference as unclear:
            yield Issue.of("wrong_same", f"Of an earlier wish, {unclear}.", pointer)
            continue
        before = any(fact.goal == number and fact.reveal == "before" for fact in blueprint.scenario.facts)
        if meant is None and goal.again and not before:
            yield Issue.of("wrong_same", f"No earlier wish was about a {goal.again} that this one takes over.", pointer)
        if meant is not None and not _names(goal.again, meant.resource, toolset, resources):
            text = f"Nothing says that it is about the same {meant.resource} as an earlier wish."
            yield Issue.of("unsaid_same", text, pointer)


def _needed(blueprint: Blueprint, goal: int) -> Iterator[str]:
    """Yield the actions of a goal, and the actions that they take values from."""
    for action in blueprint.actions:
        if action.goal == goal:
            yield action.id
            yield from (origin.action for origin in action.origins.values() if origin.action is not None)


def _lost(blueprint: Blueprint, name: str, values: Mapping[str, object]) -> bool:
    """Tell whether an action has no result: it failed, or is withheld since another one failed."""
    withheld = blueprint.action(name).withheld
    return name not in values if withheld is None else withheld.reason == "failed"


def _names(noun: str, resource: str, toolset: Toolset, resources: Collection[str]) -> bool:
    """Tell whether a noun names a resource: the noun people use, a word of its name, or its abbreviation (`msg`, message)."""
    known, said = toolset.spoken_nouns.get(resource), set(name_tokens(noun))
    if known:
        return noun == known
    short = bool(said) and all(_shortens(resource, word) for word in said)
    return bool(said & set(name_tokens(resource))) or (short and noun not in resources)


def _shortens(name: str, word: str) -> bool:
    """Tell whether `name` is `word` with some letters left out."""
    letters = iter(word)
    return name[:1] == word[:1] and all(letter in letters for letter in name)
