"""A blueprint -> what it covers, by kind and name: edges of the tool graph, policy rules, behaviours, faults."""

from collections.abc import Iterator
from typing import get_args

from interplay.schemas.records.behaviour import BEHAVIOURS
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.recipe import Pressure

WAYS = (
    "vague", "tool_search", "registry", "tool_changes", "early_request", "asks_unknown", "out_of_scope", "described",
    "late", "never_known", "conditional", "alternative", "evolved", "retold", "lookalikes", *get_args(Pressure), *BEHAVIOURS,
)  # fmt: skip
"""The ways to make tasks hard that a data set should cover: how users behave, and how tools are offered."""


def covered_by(blueprint: Blueprint, trajectory: Trajectory | None = None) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) of what a task covers, possibly with duplicates.

    With a `trajectory`, planned behaviours count only if some user message shows them. A `rule` governs a call; a `temptation`
    is a rule that the user wants broken, and a `branch` the way to break it. An `edge` is written `from > to`.
    """
    tools = {action.id: action.tool for action in blueprint.actions}
    for action in blueprint.actions:
        for origin in action.origins.values():
            if origin.action in tools:
                yield "edge", f"{tools[origin.action]} > {action.tool}"
        if action.withheld is not None and action.withheld.rule:
            yield "temptation", action.withheld.rule
            if action.withheld.branch:
                yield "branch", f"{action.withheld.rule}: {action.withheld.branch}"
    if blueprint.world is not None:
        yield "world", blueprint.world.name
        yield "locale", blueprint.world.locale
    yield from (("rule", rule) for rule in blueprint.rules)
    yield from (("fault", fault.kind) for fault in blueprint.faults)
    left = _left_out(blueprint, trajectory) if trajectory is not None else frozenset()
    yield from (("behaviour", name) for name, shown in _behaviours(blueprint).items() if shown and name not in left)


def _left_out(blueprint: Blueprint, trajectory: Trajectory) -> frozenset[str]:
    """Return the behaviours that no user message is labelled with."""
    said = [message for message in trajectory.messages[blueprint.begins :] if message.role == "user"]
    return frozenset(BEHAVIOURS) - {name for message in said for name in message.behaviours}


def _behaviours(blueprint: Blueprint) -> dict[str, bool]:
    recipe, scenario = blueprint.recipe, blueprint.scenario
    return {
        "vague": recipe.vague,
        "tool_search": recipe.tool_search,
        "registry": recipe.registry,
        "tool_changes": any(not change.query for change in blueprint.changes),
        "early_request": scenario.early is not None,
        "asks_unknown": recipe.asks_unknown,
        "out_of_scope": bool(scenario.out_of_scope),
        "described": any(fact.description is not None for fact in scenario.facts),
        "late": any(fact.reveal == "late" for fact in scenario.facts),
        "never_known": any(fact.reveal == "never" for fact in scenario.facts),
        "conditional": any(goal.condition is not None for goal in blueprint.goals),
        "alternative": any(fact.instead_of for fact in scenario.facts),
        "evolved": blueprint.lineage.revision > 0 and recipe.retells is None,
        "retold": blueprint.lineage.operator == "retell",
        "lookalikes": bool(blueprint.lookalikes),
        **({scenario.pressure: True} if scenario.pressure else {}),
        **dict.fromkeys((done.kind for done in scenario.behaviours), True),
    }
