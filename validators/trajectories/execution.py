"""Replays a trajectory's tool calls in a fresh environment, and compares results and final state exactly."""

from collections.abc import Mapping

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.replay import Replays, broken


class ExecutionCheck:
    """Finds results that the environment does not return, and a final state that it does not reach."""

    name = "execution"
    codes = ("environment_failure", "replay_differs", "wrong_final_digest")
    faults: Mapping[str, FailureKind] = {}

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return an issue for each result that differs, and one for a different final state."""
        replay = await self._replays.of_trajectory(trajectory, blueprint)
        issues = broken(replay)
        for step, (index, call, answer) in zip(replay.steps, trajectory.calls_with_results(), strict=False):
            failed = step.result.error is not None
            if answer is None:
                issues.append(_differs(f"{call.name} was not answered.", index))
            elif answer.failed != failed:
                issues.append(_differs(f"{call.name} {'fails' if failed else 'succeeds'} when run again.", index))
            elif answer.fault != step.result.fault:
                issues.append(
                    _differs(f"{call.name} goes wrong otherwise: {step.result.fault or 'not at all'}.", index)
                )
            elif answer.content != step.result.text:
                issues.append(_differs(f"{call.name} answers otherwise: {step.result.text[:120]}", index))
        if replay.failure is None and replay.digest != trajectory.final_digest:
            text = f"The calls lead to state {replay.digest}."
            issues.append(Issue.of("wrong_final_digest", text, "/final_digest"))
        return Verdict(check=self.name, issues=tuple(issues))


def _differs(message: str, index: int) -> Issue:
    return Issue.of("replay_differs", message, f"/messages/{index}")
