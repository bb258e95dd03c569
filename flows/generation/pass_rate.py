"""Attempts at a task -> the share that passes, and which are kept: those of tasks within the solve band, each dialogue once.

{"pass_rate": 0.75, "pass_low": 0.301, "pass_high": 0.954, "attempts": 4}
"""

from collections.abc import Sequence

from interplay.outputs.report.intervals import wilson
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict

Band = tuple[float, float]
"""The lowest and the highest share of attempts that may pass."""

UNDECIDED = ("model_failed", "environment_failure")
"""Terminations that say nothing about the task."""


def compare_attempts(records: Sequence[DatasetRecord], band: Band | None = None) -> tuple[DatasetRecord, ...]:
    """Return all attempts with their pass rate as a verdict.

    Attempts at a task whose pass rate lies outside `band` are rejected, and so is one that equals an earlier one turn by turn.
    Branches and attempts that a model or an environment broke off do not count towards the rate.
    """
    whole = [record for record in records if not is_branch(record) and _is_decided(record)]
    solved = solving(sum(record.status == "accepted" for record in whole), len(whole)) if len(records) > 1 else ()
    outside = _outside(solved[0], band) if solved and band is not None else None
    told: dict[str, int] = {}
    kept: list[DatasetRecord] = []
    for record in records:
        judged = record.model_copy(update={"verdicts": (*record.verdicts, *solved)})
        if record.status == "accepted" and outside is not None:
            judged = judged.rejected_by(outside)
        elif record.status == "accepted" and record.trajectory is not None:
            first = told.setdefault(_turns(record.trajectory), record.attempt)
            if first != record.attempt:
                text = f"Attempt {first} is the same turn by turn."
                judged = judged.rejected_by(
                    Verdict(check="attempts", issues=(Issue(code="same_dialogue", message=text),))
                )
        kept.append(judged)
    return tuple(kept)


def solving(passed: int, attempts: int) -> tuple[Verdict, ...]:
    """Return the pass rate of a task's attempts with its interval as a verdict; empty for fewer than two attempts."""
    if attempts < 2:
        return ()
    low, high = wilson(passed, attempts)
    rate = {"pass_rate": round(passed / attempts, 4), "pass_low": low, "pass_high": high}
    return (Verdict(check="solver", scores={**rate, "attempts": float(attempts)}),)


def _outside(solved: Verdict, band: Band) -> Verdict | None:
    """Return the verdict on a task that is too hard or too easy; None within the band."""
    low, high = band
    rate, attempts = solved.scores["pass_rate"], solved.scores["attempts"]
    if low <= rate <= high:
        return None
    code = "too_hard" if rate < low else "too_easy"
    interval = f"95 % interval {solved.scores['pass_low']:.0%} to {solved.scores['pass_high']:.0%}"
    text = f"{rate:.0%} of {attempts:.0f} attempts pass ({interval}); solve_band keeps {low:.0%} to {high:.0%}."
    return Verdict(check="solve_band", issues=(Issue(code=code, message=text),))


def is_branch(record: DatasetRecord) -> bool:
    """Tell whether an attempt continues another one."""
    if record.trajectory is None or record.blueprint is None:
        return record.stage == "branch"
    return record.trajectory.kept > record.blueprint.begins


def _is_decided(record: DatasetRecord) -> bool:
    """Tell whether an attempt was not broken off by a model or an environment."""
    return record.trajectory is not None and record.trajectory.termination not in UNDECIDED


def _turns(trajectory: Trajectory) -> str:
    """Return a digest of all messages and calls, whoever played."""
    return digest(
        [
            [message.role, message.content, [[call.name, call.arguments] for call in message.tool_calls]]
            for message in trajectory.messages
        ]
    )
