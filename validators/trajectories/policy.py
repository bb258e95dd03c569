"""Checks every call of a dialogue against the executable policy, with what the user had confirmed by then."""

from collections.abc import Mapping

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.replay import Replays, broken


class PolicyCheck:
    """Finds calls that a policy rule forbids when they are made; issue codes are the ids of the rules.

    If it is unknown whether the user agreed to a call that needs it, there is a warning; the score `unconfirmed` counts these.
    """

    name = "policy"
    codes = ("environment_failure", "unconfirmed")
    faults: Mapping[str, FailureKind] = {}

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return the violations in the order of the calls."""
        replay = await self._replays.of_trajectory(trajectory, blueprint)
        places = [index for index, _, _ in trajectory.calls_with_results()]
        issues = broken(replay)
        for step, index in zip(replay.steps, places, strict=False):
            issues.extend(issue.model_copy(update={"pointer": f"/messages/{index}"}) for issue in step.violations)
            if step.unconfirmed:
                text = f"Whether the user agreed to {step.call.name} cannot be told ({', '.join(step.unconfirmed)})."
                issues.append(Issue.of("unconfirmed", text, f"/messages/{index}", severity="warning"))
        unknown = sum(issue.code == "unconfirmed" for issue in issues)
        return Verdict(check=self.name, issues=tuple(issues), scores={"unconfirmed": float(unknown)} if unknown else {})
