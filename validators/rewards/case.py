"""What all parts of a reward are computed from: a dialogue, its task, the state reached, and the verdicts of all checks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from interplay.schemas.json.canonical import Change
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict


@dataclass(frozen=True)
class Case:
    """One dialogue to reward; `changes` are the differences of the final state from that at the task's beginning.

    `trajectory` is the task's own part of the dialogue; `verdicts` maps the names of checks to their verdicts.
    """

    trajectory: Trajectory
    blueprint: Blueprint
    toolset: Toolset
    changes: tuple[Change, ...]
    verdicts: Mapping[str, Verdict]

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Tool name -> tool."""
        return self.toolset.by_name

    def errors(self, check: str, codes: Collection[str] | None = None) -> tuple[Issue, ...]:
        """Return the rejecting issues of a check, optionally only those with some `codes`."""
        verdict = self.verdicts.get(check)
        issues = () if verdict is None else verdict.issues
        return tuple(issue for issue in issues if issue.severity == "error" and (codes is None or issue.code in codes))
