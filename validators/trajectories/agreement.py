"""Decide whether what the tools answer agrees with what they were asked to write."""

from collections.abc import Mapping

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Verdict
from interplay.validators.findings.call_agreement import contradictions


class AgreementCheck:
    """Looks at writes, their results, and later readings of the same row; in whichever environment."""

    name = "agreement"
    codes = ("result_contradicts",)
    faults: Mapping[str, FailureKind] = {}

    def __init__(self, toolset: Toolset) -> None:
        self._tools = toolset.by_name

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:  # noqa: ARG002
        """Return an issue for each argument of a write that is shown otherwise."""
        return Verdict(check=self.name, issues=tuple(issue for issue, _ in contradictions(trajectory, self._tools)))
