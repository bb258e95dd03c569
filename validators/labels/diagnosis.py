"""A rejected dialogue -> what went wrong first in it, and whose fault that is: read from verdicts, calls and words."""

from collections.abc import Iterator, Mapping, Sequence

from interplay.schemas.protocols import TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import Failure, FailureKind
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.chain import Judgement
from interplay.validators.findings.excerpt import excerpt, failure_of_whole, in_excerpt
from interplay.validators.findings.loops import first_repeat
from interplay.validators.labels.failed_attempt import FailedAttempt, Symptom, message_of
from interplay.validators.labels.omission import LIMITS, false_claims, omissions
from interplay.validators.labels.substitution import substitutes, withheld
from interplay.validators.labels.user_faults import misleading_words, user_faults
from interplay.validators.language.gloss import Gloss
from interplay.validators.trajectories.device_steps import asked_for, known_in_all_languages

BROKEN = ("model_failed", "environment_failure", "unclear")
"""Ends that say nothing of what was done before."""

ORDER: tuple[FailureKind, ...] = (
    "user_fault", "loop", "wrong_tool", "ungrounded_argument", "wrong_argument", "extra_write", "policy_broken",
    "decided_without_evidence", "early_stop", "false_claim", "missed_goal", "unclear",
)  # fmt: skip
"""Which fault explains the others, where several begin with one message."""

CUT = ("last_not_assistant", "unanswered_call")
"""Issues that only say that a limit came in between, where one did."""

DUE = ("not_retried", "fault_ignored", "false_success")
"""Issues for what the assistant does not do after a message: it cannot where a limit comes first."""


async def diagnose(
    trajectory: Trajectory,
    blueprint: Blueprint,
    judgement: Judgement,
    checks: Sequence[TrajectoryCheck],
    toolset: Toolset,
) -> Failure | None:
    """Return the label of a dialogue that a check rejected, after the checks that it did not come to; none for others."""
    if judgement.stage is None:
        return None
    ran = {verdict.check for verdict in judgement.verdicts}
    own = excerpt(trajectory, blueprint)
    verdicts = [in_excerpt(verdict, blueprint) for verdict in judgement.verdicts]
    verdicts += [await check.check(own, blueprint) for check in checks if check.name not in ran]
    tools = known_in_all_languages(toolset)
    glossed = Gloss(toolset).glossed(own, blueprint)
    meant = {code: fault for check in checks for code, fault in check.faults.items()}
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

    `meant` are the codes of issues that mean one fault whatever else happened.

    What begins first is the fault: the rest follows from it, and it begins after what was taken over from another dialogue.
    A pure function, without models.
    """
    attempt = FailedAttempt(trajectory, blueprint, tools, verdicts)
    if trajectory.termination in BROKEN:
        lost = _not_understood(attempt) if trajectory.termination == "unclear" else None
        if lost is not None:
            return Failure(fault=lost.fault, stage=stage, message=lost.index, why=lost.why)
        end = max(len(trajectory.messages) - 1, 0)
        return Failure(fault="unclear", stage=stage, message=end, why=trajectory.reason or trajectory.termination)
    signs = [*_by_issue(attempt, meant), *_by_calls(attempt), *false_claims(attempt), *omissions(attempt)]
    signs += [*_circles(attempt), *user_faults(attempt)]
    if not signs:
        return _other(attempt, stage)
    first = min(signs, key=lambda sign: (sign.index, ORDER.index(sign.fault)))
    own = min(trajectory.kept, len(trajectory.messages) - 1)
    return Failure(fault=first.fault, stage=stage, message=max(first.index, own), why=first.why[:200])


def _not_understood(attempt: FailedAttempt) -> Symptom | None:
    """Return where the words of a user that were not understood are none of its scenario; none where they are."""
    signs = (sign for sign in user_faults(attempt) if attempt.messages[sign.index].certain_act is None)
    return min(signs, key=lambda sign: sign.index, default=None)


def _other(attempt: FailedAttempt, stage: str) -> Failure:
    issue, index = attempt.errors[0] if attempt.errors else (None, None)
    last = max(len(attempt.messages) - 1, 0)
    why = issue.message[:200] if issue is not None else ""
    return Failure(fault="unclear", stage=stage, message=last if index is None else index, why=why)


def _by_issue(attempt: FailedAttempt, meant: Mapping[str, FailureKind]) -> Iterator[Symptom]:
    rules = [
        (issue, message_of(issue.pointer))
        for verdict in attempt.verdicts
        for issue in verdict.issues
        if verdict.check == "policy" and issue.severity == "error"
    ]
    for issue, index in attempt.errors:
        fault = meant.get(issue.code)
        if _only_cut(attempt, issue, index):
            continue
        if index is not None and index < len(attempt.messages) and attempt.messages[index].role == "user":
            yield _led_astray(attempt, issue, index) or Symptom(index, "user_fault", issue.message)
        elif fault is not None and index is not None:
            yield Symptom(_left_undone(attempt, index) if issue.code in DUE else index, fault, issue.message)
        elif (issue, index) in rules and index is not None:
            yield Symptom(index, "policy_broken", issue.message)


def _left_undone(attempt: FailedAttempt, index: int) -> int:
    """Return the next message of the assistant after one: there it leaves undone what was due then."""
    later = range(index + 1, len(attempt.messages))
    return next((place for place in later if attempt.messages[place].role == "assistant"), index)


def _only_cut(attempt: FailedAttempt, issue: Issue, index: int | None) -> bool:
    """Tell whether an issue only says that a limit came in between."""
    if attempt.trajectory.termination not in LIMITS:
        return False
    later = attempt.messages[index + 1 :] if index is not None else ()
    return issue.code in CUT or (issue.code in DUE and all(message.role != "assistant" for message in later))


def _led_astray(attempt: FailedAttempt, issue: Issue, index: int) -> Symptom | None:
    """Return the message in which the assistant asked for a call that the user made, and that nobody needs; if it did."""
    asked = next((place for place in range(index - 1, -1, -1) if attempt.messages[place].role == "assistant"), None)
    names = [call.name for call in attempt.messages[index].tool_calls if call.name in attempt.tools]
    if issue.code != "extra_write" or asked is None:
        return None
    if any(asked_for(attempt.messages[asked], attempt.tools[name]) for name in names):
        return Symptom(asked, "extra_write", "The assistant asks the user for a step that nobody needs.")
    return None


def _by_calls(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield what calls were made in place of others, and which ones nobody asked for."""
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
        elif attempt.writes(made.call.name) and not made.failed:
            told = misleading_words(attempt, None, made)
            yield told or Symptom(made.index, "extra_write", f"Nobody asked for {made.call.name}.")
        elif made.index in needless:
            yield Symptom(made.index, "wrong_tool", f"{made.call.name} is called where nothing is to be called.")


def _circles(attempt: FailedAttempt) -> Iterator[Symptom]:
    """Yield where calls or words go round until a limit ends it, whoever makes them."""
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
