"""Runs the checks of a trajectory, cheapest first, up to the first that rejects."""

from collections.abc import Sequence
from dataclasses import dataclass

from interplay.schemas.protocols import Policy, TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Verdict
from interplay.validators.findings.confirmation import Confirmed, confirmed_by_acts
from interplay.validators.findings.excerpt import excerpt, in_whole
from interplay.validators.findings.replay import OpenEnvironment, Replays
from interplay.validators.trajectories.agreement import AgreementCheck
from interplay.validators.trajectories.execution import ExecutionCheck
from interplay.validators.trajectories.freshness import FreshnessCheck
from interplay.validators.trajectories.groundedness import GroundingCheck
from interplay.validators.trajectories.knowledge import KnowledgeCheck
from interplay.validators.trajectories.outcome import OutcomeCheck
from interplay.validators.trajectories.policy import PolicyCheck
from interplay.validators.trajectories.recovery import RecoveryCheck
from interplay.validators.trajectories.rules.duties import DutiesCheck
from interplay.validators.trajectories.rules.evidence import EvidenceCheck
from interplay.validators.trajectories.safety import SafetyCheck
from interplay.validators.trajectories.structure import StructureCheck


@dataclass(frozen=True)
class Judgement:
    """The verdicts of the checks that ran, and the name of the check that rejected; None if none did."""

    verdicts: tuple[Verdict, ...]
    stage: str | None = None

    @property
    def passed(self) -> bool:
        """Whether no check rejected."""
        return self.stage is None


def trajectory_checks(
    toolset: Toolset,
    open_environment: OpenEnvironment,
    policy: Policy | None = None,
    confirmed: Confirmed = confirmed_by_acts,
) -> tuple[TrajectoryCheck, ...]:
    """Return all checks of a trajectory, cheapest first; those that replay share one replay.

    `confirmed` tells which calls the user agreed to; reviewers may know more about it than acts show.
    """
    replays = Replays(open_environment, policy, confirmed)
    return (
        StructureCheck(toolset),
        KnowledgeCheck(),
        SafetyCheck(),
        ExecutionCheck(replays),
        AgreementCheck(toolset),
        RecoveryCheck(toolset),
        GroundingCheck(toolset),  # before the outcome: an ungrounded value causes a wrong state
        OutcomeCheck(replays, toolset),
        PolicyCheck(replays),
        EvidenceCheck(replays, toolset, open_environment, policy),
        DutiesCheck(toolset),
        FreshnessCheck(replays, toolset),
    )


async def check_trajectory(
    trajectory: Trajectory, blueprint: Blueprint, checks: Sequence[TrajectoryCheck]
) -> Judgement:
    """Run `checks` until one rejects, and return all verdicts; messages from before the task are not judged."""
    verdicts: list[Verdict] = []
    own = excerpt(trajectory, blueprint)
    for check in checks:
        verdict = in_whole(await check.check(own, blueprint), blueprint)
        verdicts.append(verdict)
        if not verdict.passed:
            return Judgement(tuple(verdicts), check.name)
    return Judgement(tuple(verdicts))
