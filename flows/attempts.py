"""The attempts at one task beside each other: which say the same, and how many pass."""

from collections.abc import Sequence

from interplay.schemas.canonical import digest
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.verdict import DatasetRecord, Issue, Verdict


def compared(records: Sequence[DatasetRecord]) -> tuple[DatasetRecord, ...]:
    """Return all attempts with the share that passes; one that is the same as an earlier one turn by turn is rejected."""
    if len(records) == 1:
        return tuple(records)
    passed = sum(record.status == "accepted" for record in records)
    scores = {"pass_rate": passed / len(records), "attempts": float(len(records))}
    solved = Verdict(check="solver", scores=scores)
    told: dict[str, int] = {}
    kept: list[DatasetRecord] = []
    for record in records:
        judged = record.model_copy(update={"verdicts": (*record.verdicts, solved)})
        if record.status == "accepted" and record.trajectory is not None:
            first = told.setdefault(_turns(record.trajectory), record.attempt)
            if first != record.attempt:
                text = f"Attempt {first} is the same turn by turn."
                judged = judged.rejected_by(
                    Verdict(check="attempts", issues=(Issue(code="same_dialogue", message=text),))
                )
        kept.append(judged)
    return tuple(kept)


def _turns(trajectory: Trajectory) -> str:
    """Return a digest of all that is said and called, whoever says it."""
    return digest(
        [
            [message.role, message.content, [[call.name, call.arguments] for call in message.tool_calls]]
            for message in trajectory.messages
        ]
    )
