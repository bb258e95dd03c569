"""What checks say of blueprints and trajectories, and the record that is kept."""

from typing import Literal

from pydantic import Field

from interplay.schemas.blueprint import Blueprint
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.record import Record


class Issue(Record):
    """One thing that is wrong: a stable snake_case code, what and where (JSON pointer), and whether it rejects."""

    code: str
    message: str
    pointer: str = ""
    severity: Literal["error", "warning"] = "error"


class Verdict(Record):
    """What one check found; it passes when no issue is an error."""

    check: str
    issues: tuple[Issue, ...] = ()
    scores: dict[str, float] = Field(default_factory=dict)
    cost: float = Field(default=0.0, description="Dollars.")

    @property
    def passed(self) -> bool:
        """Tell whether nothing found rejects."""
        return not any(issue.severity == "error" for issue in self.issues)


class DatasetRecord(Record):
    """One index of a run and what became of it, accepted or rejected; rejected ones keep all that was made.

    `stage` names where it was rejected: `compose`, or the check that said so.
    """

    id: str
    run: str
    index: int
    status: Literal["accepted", "rejected"]
    stage: str | None = None
    blueprint: Blueprint | None = None
    trajectory: Trajectory | None = None
    verdicts: tuple[Verdict, ...] = ()
