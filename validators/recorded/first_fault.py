"""Issues of a recorded dialogue -> the first fault: its kind, and the position of its message in the file."""

import re
from collections.abc import Mapping, Sequence

from interplay.schemas.records.failure import NEIGHBOURS, FailureKind
from interplay.schemas.records.recorded import RecordedDialogue, RecordedIssue
from interplay.schemas.records.verdict import Issue

FAULTS: Mapping[str, FailureKind] = {
    **{kind: kind for kind in NEIGHBOURS},  # reviewers name the kind itself
    "unknown_tool": "wrong_tool",
    "malformed_arguments": "wrong_argument",
    "invalid_arguments": "wrong_argument",
    "repeated_call": "loop",
    "wrong_argument": "wrong_argument",
    "extra_write": "extra_write",
    "missed_write": "missed_goal",
    "claimed_write": "false_claim",
    "ended_early": "early_stop",
    "output_not_said": "unanswered_question",
    "ungrounded_argument": "ungrounded_argument",
    "false_statement": "false_value",
    "result_contradicts": "unclear",
}
"""Issue code -> kind of failure; all other codes are faults of the recording itself."""

_PLACE = re.compile(r"/(messages|places)/(\d+)")


def turn_of(issue: Issue, dialogue: RecordedDialogue) -> int | None:
    """Return the position in the file of the message that an issue points to; None if it points to none."""
    found = _PLACE.match(issue.pointer)
    if found is None:
        return None
    return dialogue.place(int(found[2])) if found[1] == "messages" else int(found[2])


def recorded_issue(issue: Issue, dialogue: RecordedDialogue) -> RecordedIssue:
    """Return an issue with the position of its message in the file."""
    return RecordedIssue(code=issue.code, message=issue.message, turn=turn_of(issue, dialogue))


def first_fault(issues: Sequence[Issue], dialogue: RecordedDialogue) -> tuple[FailureKind | None, int | None]:
    """Return kind and position of the first rejecting issue; of several in one message, the first listed."""
    placed = [
        (turn, FAULTS.get(issue.code))
        for issue in issues
        if issue.severity == "error" and (turn := turn_of(issue, dialogue)) is not None
    ]
    if not placed:
        return (next((FAULTS.get(issue.code) for issue in issues if issue.severity == "error"), None), None)
    turn = min(turn for turn, _ in placed)
    return next((kind for at, kind in placed if at == turn and kind is not None), None), turn
