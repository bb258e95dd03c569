"""A rejected dialogue -> what went wrong first, and whose fault it was, by verdicts, calls, values and acts.

Words decide nothing here: where only they could tell, the label is `unclear`, or what reviewers say.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from interplay.schemas.protocols import TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import Failure, FailureKind
from interplay.schemas.records.tool import Tool, Toolset, is_write
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.chain import Judgement
from interplay.validators.findings.deeds import is_unread
from interplay.validators.findings.excerpt import excerpt, failure_of_whole, in_excerpt
from interplay.validators.findings.loops import first_repeat
from interplay.validators.findings.translated_values import TranslatedValues
from interplay.validators.labels.failed_attempt import FailedAttempt, Symptom, message_of
from interplay.validators.labels.omission import LIMITS, false_claims, omissions
from interplay.validators.labels.substitution import substitutes, withheld
from interplay.validators.labels.user_faults import misleading_words, user_faults

BROKEN = ("model_failed", "environment_failure", "unclear")
"""Terminations that say nothing about what was done before."""

ORDER: tuple[FailureKind, ...] = (
    "user_fault", "loop", "wrong_tool", "ungrounded_argument", "wrong_argument", "extra_write", "policy_broken",
    "missing_confirmation", "decided_without_evidence", "early_stop", "false_claim", "false_value", "invented_fact", "missed_goal",
    "unanswered_question", "incoherent", "unnatural", "unclear",
)  # fmt: skip
"""Precedence of faults that begin with the same message: the first one explains the others."""

CUT = ("last_not_assistant", "unanswered_call")
"""Issues that mean nothing if a limit cut the dialogue short."""

REVIEW = "review"
"""The check of reviewers, whose issue codes are kinds of failure."""

_KINDS: Mapping[str, FailureKind] = {kind: kind for kind in get_args(FailureKind)}

DUE = ("not_retried", "fault_ignored", "false_success")
"""Issues for what the assistant fails to do after a message; they mean nothing if a limit comes first."""


async def diagnose(
    trajectory: Trajectory,
    blueprint: Blueprint,
    judgement: Judgement,
    checks: Sequence[TrajectoryCheck],
    toolset: Toolset,
) -> Failure | None:
    """Return the failure label of a rejected dialogue, after running the remaining checks too; None if it was not rejected."""
    if judgement.stage is None:
        return None
    ran = {verdict.check for verdict in judgement.verdicts}
    own = excerpt(trajectory, blueprint)
    verdicts = [in_excerpt(verdict, blueprint) for verdict in judgement.verdicts]
    verdicts += [await check.check(own, blueprint) for check in checks if check.name not in (REVIEW, *ran)]
    tools = toolset.by_name
    glossed = TranslatedValues(toolset).glossed(own, blueprint)
    meant: dict[str, FailureKind] = {
        rule.id: "missing_confirmation" if rule.kind == "confirm_before" else "policy_broken" for rule in toolset.rules
    }
    meant |= {code: fault for check in checks for code, fault in check.faults.items()}
    return failure_of_whole(label_failure(glossed, blueprint, verdicts, judgement.stage, tools, meant), blueprint)


def label_failure(
    trajectory: Trajectory,
    blueprint: Blueprint,
    verdicts: Sequence[Verdict],
    stage: str,
    tools: Mapping[str, Tool],
    meant: Mapping[str, FailureKind],
) -> Failure:
    """Return the label of a dialogue that was rejected at `stage`; `verdicts` are those of all checks.

    `meant` maps issue codes to the fault that they always mean; reviewers' codes are faults themselves. The label is the fault
    that begins first, since the rest follows from it; messages taken over from another dialogue are never blamed. A pure
    function, without models.
    """
    attempt = FailedAttempt(trajectory, blueprint, tools, verdicts)
    if trajectory.termination in BROKEN:
        end = max(len(trajectory.messages) - 1, 0)
        return Failure(fault="unclear", stage=stage, message=end, why=trajectory.reason or trajectory.termination)
    signs = [*_by_issue(attempt, meant), *_by_calls(attempt), *false_claims(attempt), *omissions(attempt)]
    signs += [*_circles(attempt), *user_faults(attempt)]
    if not signs:
        return _other(attempt, stage)
    first = min(signs, key=lambda sign: (sign.fault == "unclear", sign.index, ORDER.index(sign.fault)))
    own = min(trajectory.kept, len(trajectory.messages) - 1)
    return Failure(fault=first.fault, stage=stage, message=max(first.index, own), why=first.why[:200])


def _other(attempt: FailedAttempt, stage: str) -> Failure:
    issue, index = attempt.errors[0] if attempt.errors else (None, None)
    last = max(len(attempt.messages) - 1, 0)
    why = issue.message[:200] if issue is not None else ""
    return Failure(fault="unclear", stage=stage, message=last if index is None else index, why=why)


def _by_issue(attempt: FailedAttempt, meant: Mapping[str, FailureKind]) -> Iterator[Symptom]:
    for verdict in attempt.verdicts:
        kinds = _KINDS if verdict.check == REVIEW else meant
        usual: FailureKind | None = "policy_broken" if verdict.check == "policy" else None
        for issue in verdict.issues:
            index, fault = message_of(issue.pointer), kinds.get(issue.code, usual)
            if issue.severity != "error" or index is None or index >= len(attempt.messages):
                continue
            if _only_cut(attempt, issue, index) or fault is None:
                continue
            of_user = attempt.messages[index].role == "user" and verdict.check != REVIEW
            place = _left_undone(attempt, index) if issue.code in DUE else index
            yield Symptom(place, _users(attempt, index) if of_user else fault, issue.message)


def _users(attempt: FailedAttempt, index: int) -> FailureKind:
    """Return `user_fault`, or `unclear` if the user calls a tool after words of a model that may have asked for it."""
    led = bool(attempt.messages[index].tool_calls) and any(map(is_unread, attempt.messages[:index]))
    return "unclear" if led else "user_fault"


def _left_undone(attempt: FailedAttempt, index: int) -> int:
    """Return the index of the next assistant message, in which what was due was left undone."""
    later = range(index + 1, len(attempt.messages))
    return next((place for place in later if attempt.messages[place].role == "assistant"), index)


def _only_cut(attempt: FailedAttempt, issue: Issue, index: int | None) -> bool:
    """Tell whether an issue only arises because a limit ended the dialogue."""
    if attempt.trajectory.termination not in LIMITS:
        return False
    later = attempt.messages[index + 1 :] if index is not None else ()
    return issue.code in CUT or (issue.code in DUE and all(message.role != "assistant" for message in later))


def _by_calls(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield symptoms for calls made in place of others, and for calls that nobody asked for."""
    looping = {name for issue, _ in attempt.found("repeated_call") for name in [issue.message.split(" ", 1)[0]]}
    left = [made for made in attempt.matching.added if made.call.name not in looping]
    for action, made in substitutes(attempt, left):
        told = misleading_words(attempt, action, made)
        if told is not None:
            yield told
        elif made.call.name == action.tool:
            yield Symptom(made.index, "wrong_argument", f"{action.tool} is called with other arguments.")
        else:
            yield Symptom(made.index, "wrong_tool", f"{made.call.name} is called in place of {action.tool}.")
        left.remove(made)
    needless = {index for _, index in attempt.found("needless_call")}
    for made in left:
        held = withheld(attempt, made)
        if held is not None and held.withheld is not None and held.withheld.reason not in ("condition", "unknown"):
            yield Symptom(made.index, "policy_broken", f"{made.call.name} is called, which was not to be done.")
        elif is_write(attempt.tools, made.call.name) and not made.failed:
            own = attempt.messages[made.index].role == "user"
            told = misleading_words(attempt, None, made)
            fault: FailureKind = _users(attempt, made.index) if own else "extra_write"
            yield told or Symptom(made.index, fault, f"Nobody asked for {made.call.name}.")
        elif made.index in needless:
            yield Symptom(made.index, "wrong_tool", f"{made.call.name} is called where nothing is to be called.")


def _circles(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield symptoms for calls or messages that repeat until a limit ends the dialogue, on either side."""
    end = attempt.trajectory.termination
    calling = [index for index, message in enumerate(attempt.messages) if message.tool_calls]
    needless = {made.index for made in attempt.matching.added}
    if calling and (end == "repeated_calls" or (end in ("call_limit", "turn_call_limit") and calling[-1] in needless)):
        last = calling[-1]
        if attempt.messages[last].role == "user":
            yield Symptom(last, "user_fault", "The user goes round in circles on its own device.")
        else:
            again = "The same call is made again and again." if end == "repeated_calls" else "Calls are made on and on."
            yield Symptom(last, "loop", again)
    elif end in LIMITS and attempt.missing:
        index = first_repeat(attempt.trajectory)
        if index is not None:
            yield Symptom(index, "loop", "The assistant says the same again and again.")
