"""The gates of a blueprint: checks that run cheapest first, up to the first that rejects."""

from collections.abc import Sequence

from interplay.schemas.protocols import BlueprintCheck, Policy
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.forbidden_actions import BlueprintPolicyCheck
from interplay.validators.blueprints.format import FormatCheck
from interplay.validators.blueprints.ground_truth import ReplayCheck
from interplay.validators.blueprints.referents import ReferentCheck
from interplay.validators.blueprints.safety_gate import SafetyGate
from interplay.validators.blueprints.solvable import SolvableCheck
from interplay.validators.blueprints.triviality import NonTrivialCheck
from interplay.validators.findings.replay import OpenEnvironment, Replays


def blueprint_checks(
    toolset: Toolset,
    open_environment: OpenEnvironment,
    policy: Policy | None = None,
    known: ResourceModel | None = None,
) -> tuple[BlueprintCheck, ...]:
    """Return all gates of a blueprint, cheapest first; those that run the blueprint share one run.

    `known` are the resources, which tell whether two calls are about the same row.
    """
    replays = Replays(open_environment, policy)
    return (
        FormatCheck(toolset),
        SafetyGate(),
        ReplayCheck(replays, toolset),
        SolvableCheck(replays, toolset),
        NonTrivialCheck(replays, toolset),
        BlueprintPolicyCheck(replays),
        ReferentCheck(replays, toolset, known or ResourceModel()),
    )


async def check_blueprint(blueprint: Blueprint, checks: Sequence[BlueprintCheck]) -> tuple[Verdict, ...]:
    """Run `checks` in order up to the first that rejects; return the verdicts of those that ran."""
    verdicts: list[Verdict] = []
    for check in checks:
        verdicts.append(await check.check(blueprint))
        if not verdicts[-1].passed:
            break
    return tuple(verdicts)
