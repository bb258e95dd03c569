"""The attempts at one task beside each other: which say the same, and how many pass."""

from collections.abc import Sequence

from interplay.schemas.json.canonical import digest
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict


def compare_attempts(records: Sequence[DatasetRecord]) -> tuple[DatasetRecord, ...]:
    """Return all attempts with the share that passes; one that is the same as an earlier one turn by turn is rejected.

    Those that go on from another one, on purpose with mistakes, tell nothing of how hard the task is.
    """
    if len(records) == 1:
        return tuple(records)
    whole = [record for record in records if not is_branch(record)]
    passed = sum(record.status == "accepted" for record in whole)
    scores = {"pass_rate": passed / len(whole), "attempts": float(len(whole))} if len(whole) > 1 else {}
    solved = (Verdict(check="solver", scores=scores),) if scores else ()
    told: dict[str, int] = {}
    kept: list[DatasetRecord] = []
    for record in records:
        judged = record.model_copy(update={"verdicts": (*record.verdicts, *solved)})
        if record.status == "accepted" and record.trajectory is not None:
            first = told.setdefault(_turns(record.trajectory), record.attempt)
            if first != record.attempt:
                text = f"Attempt {first} is the same turn by turn."
                judged = judged.rejected_by(
                    Verdict(check="attempts", issues=(Issue(code="same_dialogue", message=text),))
                )
        kept.append(judged)
    return tuple(kept)


def is_branch(record: DatasetRecord) -> bool:
    """Tell whether an attempt goes on from another one."""
    if record.trajectory is None or record.blueprint is None:
        return record.stage == "branch"
    return record.trajectory.kept > record.blueprint.begins


def _turns(trajectory: Trajectory) -> str:
    """Return a digest of all that is said and called, whoever says it."""
    return digest(
        [
            [message.role, message.content, [[call.name, call.arguments] for call in message.tool_calls]]
            for message in trajectory.messages
        ]
    )
