"""Kinds of failure in a dialogue: one list of names for labels, reviewers, planted faults, gold and exports."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from interplay.schemas.json.record import Record

FailureKind = Literal[
    "wrong_tool",
    "wrong_argument",
    "ungrounded_argument",
    "extra_write",
    "loop",
    "missing_confirmation",
    "policy_broken",
    "decided_without_evidence",
    "false_claim",
    "false_value",
    "invented_fact",
    "missed_goal",
    "unanswered_question",
    "early_stop",
    "incoherent",
    "unnatural",
    "user_fault",
    "unclear",
]
"""All but `user_fault` and `unclear` are faults of the assistant; `unclear` means that the cause cannot be told."""

_CALLS: tuple[FailureKind, ...] = ("wrong_tool", "wrong_argument", "ungrounded_argument", "extra_write", "loop")
_RULES: tuple[FailureKind, ...] = ("missing_confirmation", "policy_broken", "decided_without_evidence")
_SAID: tuple[FailureKind, ...] = ("false_claim", "false_value", "invented_fact")
_LEFT: tuple[FailureKind, ...] = ("missed_goal", "unanswered_question", "early_stop")
_SPEECH: tuple[FailureKind, ...] = ("incoherent", "unnatural")

NEIGHBOURS: Mapping[FailureKind, frozenset[FailureKind]] = {
    **{kind: frozenset(group) for group in (_CALLS, _RULES, _LEFT, _SPEECH) for kind in group},
    **{kind: frozenset((*_SAID, "incoherent")) for kind in _SAID},
    "user_fault": frozenset(("user_fault", "early_stop")),
    "unclear": frozenset(("unclear",)),
}
"""Kind -> the kinds that careful readers mix up with it, itself included."""


class Failure(Record):
    """Why a played attempt failed: the fault, the check that rejects, and where in the dialogue it first went wrong."""

    fault: FailureKind
    stage: str
    message: int | None = Field(None, description="Index of the message; none in older records without a dialogue.")
    why: str = ""
