"""A task whose assistant comes from elsewhere -> the same, with a user who leaves nothing to what that one may never ask.

What a call can do without (a width, a note) is told with the request, for nobody would ask for it. A change of mind comes in
the same breath, where no rule has the assistant ask whether to go ahead.
"""

from collections.abc import Collection, Mapping
from typing import Any

from interplay.schemas.json.canonical import split_pointer
from interplay.schemas.json.fields import object_properties
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import Blueprint, Fact
from interplay.schemas.records.tool import Toolset


def forthcoming(blueprint: Blueprint, toolset: Toolset) -> Blueprint:
    """Return a task in which each fact is told unasked, or is one that its call needs, so that it will be asked for."""
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
    """Return the facts of which only look-ups make use."""
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
    """Return the facts without which a call that a goal is for cannot be made, or what it needs cannot be found.

    Of a list in which the user singles something out, as the latest, it has to say which list it is.
    """
    found, sources = set[str](), set[str]()
    for action in reversed(blueprint.actions):
        is_meant = action.tool == blueprint.goals[action.goal].tool
        if not is_meant and action.id not in sources:
            continue  # it finds what could be left out
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
    """Tell whether the schema of the arguments asks for what stands at a pointer, and for all that it stands in."""
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
    """Return a change of mind that waits for a question which may never come as a slip that is put right at once."""
    comes = done.at in asked if done.when == "question" else _is_confirmed(done.request, blueprint, toolset)
    if done.kind != "changes_mind" or done.when == "breath" or comes:
        return done
    return done.model_copy(update={"kind": "corrects_itself", "when": "breath"})


def _is_confirmed(request: int, blueprint: Blueprint, toolset: Toolset) -> bool:
    """Tell whether a rule has the assistant ask before what is to be done, whatever its values are."""
    goals = blueprint.scenario.requests[request]
    tools = {action.tool for action in blueprint.calls if action.goal in goals}
    rules = (rule for rule in toolset.rules if rule.kind == "confirm_before" and rule.duty is None)
    return any(not tools.isdisjoint(rule.tools) for rule in rules)
