"""An index whose task is about a policy rule -> the rule, a tool that it governs, and the twin."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from interplay.schemas.records.recipe import Pattern, Pressure
from interplay.schemas.records.tool import PolicyRule

RULE_PATTERNS = ("refusal", "handover")
"""Patterns that need policy rules; without rules, their recipes get another pattern."""


@dataclass(frozen=True)
class RuleTarget:
    """The target of a recipe about a policy rule."""

    rule: str = ""
    target: str = ""
    twin: Literal["", "allowed", "forbidden"] = ""
    pair: str = ""
    resisting: Pressure | None = None


def rule_target(
    pattern: Pattern, share: float, rules: Sequence[PolicyRule], tools: Sequence[str], seed: int, index: int
) -> RuleTarget:
    """Return the rule, its tool and the twin for an index; an empty target if no rule governs any tool."""
    usable = rules if pattern == "refusal" else [rule for rule in rules if rule.kind == "handover_when"]
    options = [(rule, tool) for rule in usable for tool in rule.tools if tool in tools]
    if not options:
        return RuleTarget()
    pair = index // 2 if pattern == "refusal" else index
    rng = Random(f"{seed}/{pattern}/{pair}")
    names = list(dict.fromkeys(rule.id for rule, _ in options))
    number = int(pair * share)  # the approximate number of earlier ones, as patterns come evenly
    Random(f"{seed}/{pattern}/order/{number // len(names)}").shuffle(names)
    name = names[number % len(names)]
    rule, target = rng.choice([(rule, tool) for rule, tool in options if rule.id == name])
    twin: Literal["allowed", "forbidden"] = "allowed" if pattern == "refusal" and index % 2 else "forbidden"
    return RuleTarget(name, target, twin, f"{seed}/{pattern}/{pair}", _resisting(rule, twin))


def _resisting(rule: PolicyRule, twin: str) -> Pressure | None:
    """Return the pressure of a user who resists what a rule requires before a call; None if it requires nothing."""
    if rule.kind == "identify_first":
        return "no_identity"
    if twin != "forbidden":
        return None
    return "no_questions" if rule.kind == "confirm_before" else "no_steps" if rule.after else None
