"""A finished task -> its difficulty: measured parts, and one score from 0 to 1."""

from collections.abc import Mapping
from typing import Any

from interplay.schemas.records.blueprint import Blueprint, Difficulty
from interplay.schemas.records.tool import PolicyRule

WEIGHTS: Mapping[str, tuple[float, float]] = {
    "calls": (0.22, 4),
    "hops": (0.16, 2),
    "hidden": (0.18, 4),
    "distractors": (0.06, 24),
    "traps": (0.12, 3),
    "faults": (0.08, 1),
    "turns": (0.14, 6),
    "rows": (0.04, 1000),
}
"""For each part its weight, and the size at which it adds half of that weight; the weights sum to 1.

A part of size n adds weight * n / (n + half): a larger part never makes a task easier, the tenth call adds less than the
second, and no part alone makes a task hard. What the solver must do (calls, chains of them, what it must find out) weighs
most; what merely surrounds the task (offered tools, rows) weighs least.
"""


def measured(blueprint: Blueprint, rules: Mapping[str, PolicyRule], rows: int) -> Difficulty:
    """Return the difficulty of a blueprint whose state has so many rows."""
    offered = {*blueprint.tools, *(name for change in blueprint.changes for name in change.added)}
    governing = [rules[name] for name in blueprint.rules if name in rules]
    parts = {
        "calls": len(blueprint.calls),
        "hops": _hops(blueprint),
        "hidden": _hidden(blueprint),
        "distractors": len(offered - {action.tool for action in blueprint.actions}),
        "traps": len(governing) + sum(action.withheld is not None for action in blueprint.actions),
        "faults": len(blueprint.faults)
        + sum(action.failed for action in blueprint.actions if blueprint.hit(action.id) is None),
        "turns": _turns(blueprint, governing),
        "rows": rows,
    }
    return Difficulty(score=score(parts), **parts)


def score_of(blueprint: Blueprint, rules: Mapping[str, PolicyRule], rows: int) -> float:
    """Return the difficulty score of a blueprint, measured now if it has none."""
    return (blueprint.difficulty or measured(blueprint, rules, rows)).score


def score(parts: Mapping[str, int]) -> float:
    """Return the score of measured parts; see `WEIGHTS`."""
    added = (weight * parts[name] / (parts[name] + half) for name, (weight, half) in WEIGHTS.items())
    return round(sum(added), 4)


def count_rows(state: Mapping[str, Mapping[str, Any]]) -> int:
    """Return the number of rows in the tables of a state."""
    return sum(len(table) for table in state.values())


def _hops(blueprint: Blueprint) -> int:
    """Return the length of the longest chain of dependent calls."""
    longest: dict[str, int] = {}
    for action in blueprint.calls:
        longest[action.id] = 1 + max((longest.get(needed, 0) for needed in action.depends_on), default=0)
    return max(longest.values(), default=0)


def _hidden(blueprint: Blueprint) -> int:
    """Return the number of conditions and of facts not told in the opening; each described row counts 2 more."""
    conditions = sum(goal.condition is not None for goal in blueprint.goals)
    return conditions + sum(
        (fact.reveal != "opening") + 2 * (fact.description is not None) for fact in blueprint.scenario.facts
    )


def _turns(blueprint: Blueprint, governing: list[PolicyRule]) -> int:
    """Return the least number of turns that the user takes: requests, answers, confirmations and the farewell."""
    scenario = blueprint.scenario
    confirmed = {name for rule in governing if rule.kind == "confirm_before" for name in rule.tools}
    turns = 1 + blueprint.recipe.vague + bool(scenario.out_of_scope) + (scenario.early is not None)
    turns += scenario.pressure is not None
    for goals in scenario.requests:
        facts = [fact for fact in scenario.facts if fact.goal in goals]
        turns += 1 + any(fact.reveal in ("asked", "late", "never") for fact in facts)
        turns += len({fact.action for fact in facts if fact.reveal == "choice"})
        made = [action for action in blueprint.calls if action.goal in goals]
        turns += sum((action.tool in confirmed) + (action.requestor == "user") for action in made)
    return turns
