"""A task for an external assistant -> the same, with a user who does not rely on being asked.

Optional values of a call (a width, a note) are told with the request, since nobody may ask for them. A change of mind comes
in the same message, unless a rule makes the assistant ask whether to go ahead.
"""

from collections.abc import Collection, Mapping
from typing import Any

from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.tool import Toolset


def forthcoming(blueprint: Blueprint, toolset: Toolset) -> Blueprint:
    """Return a task in which each fact is either told unasked, or needed by a call, so that it will be asked for."""
    needed = _needed(blueprint, toolset)
    scenario = blueprint.scenario
    facts = tuple(_told(fact, fact.id in needed) for fact in scenario.facts)
    asked = {fact.id for fact in facts if fact.reveal == "asked"}
    behaviours = tuple(_in_time(done, asked, blueprint, toolset) for done in scenario.behaviours)
    if facts == scenario.facts and behaviours == scenario.behaviours:
        return blueprint
    told = scenario.model_copy(update={"facts": facts, "behaviours": behaviours})
    return blueprint.model_copy(update={"scenario": told})


def sought_by(blueprint: Blueprint) -> frozenset[str]:
    """Return the facts that only look-ups use."""
    sought, used = set[str](), set[str]()
    for action in blueprint.actions:
        looks_up = action.tool != blueprint.goals[action.goal].tool
        (sought if looks_up else used).update(
            origin.fact for origin in action.origins.values() if origin.fact is not None
        )
    return frozenset(sought - used)


def _told(fact: Fact, needed: bool) -> Fact:
    if (
        fact.reveal not in ("asked", "late")
        or fact.choice is not None
        or fact.instead_of
        or (needed and fact.reveal == "asked")
    ):
        return fact
    return fact.model_copy(update={"reveal": "asked" if needed else "opening"})


def _needed(blueprint: Blueprint, toolset: Toolset) -> set[str]:
    """Return the facts without which the call for a goal cannot be made, or a row that it needs cannot be found.

    Facts that select a list from which the user describes an item, such as the latest, are not included: they are told at once.
    """
    found, sources = set[str](), set[str]()
    for action in reversed(blueprint.actions):
        is_meant = action.tool == blueprint.goals[action.goal].tool
        if not is_meant and action.id not in sources:
            continue  # it only finds an optional value
        spared = set[str | None]()
        for pointer, origin in action.origins.items():
            if is_meant and not _is_required(toolset.tool(action.tool).parameters, pointer):
                spared.add(origin.action)
            elif origin.fact is not None:
                found.add(origin.fact)
        sources.update(set(action.depends_on) - spared)
    singled = {fact.action for fact in blueprint.scenario.facts if fact.description is not None}
    named = {origin.fact for action in blueprint.actions if action.id in singled for origin in action.origins.values()}
    return found - named


def _is_required(schema: Mapping[str, Any], pointer: str) -> bool:
    """Tell whether the schema of the arguments requires the value at a pointer, and all its parents."""
    for key in split_pointer(pointer):
        if schema.get("type") == "array":
            schema = schema.get("items") or {}
        elif key not in schema.get("required", ()):
            return False
        else:
            schema = object_properties(schema).get(key, {})
    return True


def _in_time(
    done: PlannedBehaviour, asked: Collection[str], blueprint: Blueprint, toolset: Toolset
) -> PlannedBehaviour:
    """Return a late change of mind as an immediate correction if its question may never be asked."""
    comes = done.at in asked if done.when == "question" else _is_confirmed(done.request, blueprint, toolset)
    if done.kind != "changes_mind" or done.when == "breath" or comes:
        return done
    return done.model_copy(update={"kind": "corrects_itself", "when": "breath"})


def _is_confirmed(request: int, blueprint: Blueprint, toolset: Toolset) -> bool:
    """Tell whether a rule makes the assistant ask for a confirmation in a request, whatever the values."""
    goals = blueprint.scenario.requests[request]
    tools = {action.tool for action in blueprint.calls if action.goal in goals}
    rules = (rule for rule in toolset.rules if rule.kind == "confirm_before" and rule.duty is None)
    return any(not tools.isdisjoint(rule.tools) for rule in rules)
