"""Checks that the results of tools agree with what they were asked to write."""

from collections.abc import Mapping

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Verdict
from interplay.validators.findings.call_agreement import contradictions


class AgreementCheck:
    """Compares writes with their results and with later reads of the same row; works for any environment."""

    name = "agreement"
    codes = ("result_contradicts",)
    faults: Mapping[str, FailureKind] = {}

    def __init__(self, toolset: Toolset) -> None:
        self._tools = toolset.by_name

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:  # noqa: ARG002
        """Return an issue for each argument of a write that a result contradicts."""
        return Verdict(check=self.name, issues=tuple(issue for issue, _ in contradictions(trajectory, self._tools)))
