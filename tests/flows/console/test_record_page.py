"""A record for people: what was said of its task stands apart from what was said of its dialogue."""

from io import StringIO
from typing import Literal

import pytest
from rich.console import Console
from tests.validators.builders import TOOLSET, opens

from interplay.flows.console.record_page import JUDGES_OF_TASKS, print_verdicts
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict
from interplay.validators.blueprints.gates import blueprint_checks
from interplay.validators.chain import trajectory_checks

GATES = tuple(gate.name for gate in blueprint_checks(TOOLSET, opens()))
CHECKS = tuple(check.name for check in trajectory_checks(TOOLSET, opens()))


def printed(*names: str, issue: Issue | None = None) -> list[str]:
    verdicts = tuple(Verdict(check=name, issues=(issue,) if issue is not None else ()) for name in names)
    console = Console(file=StringIO(), width=1000)
    print_verdicts(console, DatasetRecord(id="r", run="r", index=0, status="accepted", verdicts=verdicts))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("first", ["brevity", *CHECKS])
def test_any_check_of_dialogues_may_stand_first(first: str) -> None:
    rest = [name for name in CHECKS if name != first]
    shown = printed(*GATES, first, *rest)
    assert shown == [
        "checks of the task", f"✓ {', '.join(GATES)}", "checks of the dialogue", f"✓ {', '.join((first, *rest))}",
    ]  # fmt: skip


def test_of_a_task_that_was_not_played_all_is_said_of_the_task() -> None:
    assert [line for line in printed(*GATES[:3]) if line.startswith("checks")] == ["checks of the task"]


def test_a_scenario_that_another_shard_tells_is_said_of_the_task_after_all() -> None:
    shown = printed(*(name for name in GATES if name != "duplicates"), *CHECKS, "duplicates")
    assert shown[1].endswith(", duplicates")
    assert "duplicates" not in shown[3]


@pytest.mark.parametrize(("severity", "line"), [("warning", "✓ policy  warning: a: b"), ("error", "✗ policy  a: b")])
def test_an_issue_that_rejects_nothing_is_marked(severity: Literal["warning", "error"], line: str) -> None:
    assert printed("policy", issue=Issue(code="a", message="b", severity=severity))[1:] == [line]


def test_what_judges_tasks_is_known() -> None:
    assert set(GATES) <= set(JUDGES_OF_TASKS)
