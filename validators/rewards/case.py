"""What all parts of a reward look at: a dialogue, its task, the state that was reached, and what each check says."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from interplay.schemas.json.canonical import Change
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict


@dataclass(frozen=True)
class Case:
    """One dialogue to be rewarded; `changes` are how the state differs at its end from where the task began.

    `trajectory` is the part of the dialogue that is about the task; `verdicts` are those of the checks, by their names.
    """

    trajectory: Trajectory
    blueprint: Blueprint
    toolset: Toolset
    changes: tuple[Change, ...]
    verdicts: Mapping[str, Verdict]

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        return self.toolset.by_name

    def errors(self, check: str, codes: Collection[str] | None = None) -> tuple[Issue, ...]:
        """Return what a check rejects for, of some codes if these are given."""
        verdict = self.verdicts.get(check)
        issues = () if verdict is None else verdict.issues
        return tuple(issue for issue in issues if issue.severity == "error" and (codes is None or issue.code in codes))
