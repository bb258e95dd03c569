"""Checks what an assistant does after a tool fault: it should try once more, find another way, or report the failure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.fault import RETRIES, Fault
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.deeds import declines, is_unread

_Made = tuple[int, ToolCall, Message]


class RecoveryCheck:
    """Judges what follows each faulty call, by calls, results and acts."""

    name = "recovery"
    codes = ("blind_retry", "false_success", "fault_ignored", "not_retried")
    faults: Mapping[str, FailureKind] = {
        "not_retried": "missed_goal",
        "fault_ignored": "missed_goal",
        "false_success": "false_claim",
        "blind_retry": "loop",
    }

    def __init__(self, toolset: Toolset) -> None:
        self._reads = frozenset(tool.name for tool in toolset.tools if tool.effect == "read")

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return what the assistant did wrong after faults of its tools."""
        made = [(index, call, answer) for index, call, answer in trajectory.calls_with_results() if answer is not None]
        issues: list[Issue] = []
        for fault in blueprint.faults:
            hit = [step for step in made if step[1].name == fault.tool and step[2].fault == fault.kind]
            if not hit:
                continue
            issues += _blind(trajectory.messages, made, hit[0])
            if fault.recovery == "report":
                issues += _unreported(trajectory.messages, hit[-1])
            elif fault.recovery == "retry":
                issues += self._given_up(blueprint, made, hit[0], fault)
        return Verdict(check=self.name, issues=tuple(issues))

    def _given_up(self, blueprint: Blueprint, made: Sequence[_Made], first: _Made, fault: Fault) -> Iterator[Issue]:
        """Yield an issue if a passing failure was not retried, or a wrong result was taken for a good one."""
        planned = {action.tool for action in blueprint.calls}
        later = [call.name for index, call, answer in made if index > first[0] and not answer.failed]
        elsewhere = first[1].name in self._reads and any(name in self._reads - planned for name in later)
        if first[1].name in later or elsewhere:
            return
        if fault.text:
            text = f"{first[1].name} failed for the moment ({fault.kind}), and was not tried again."
            yield Issue.of("not_retried", text, f"/messages/{first[0]}")
        else:
            text = f"{first[1].name} answered amiss ({fault.kind}), and nobody looked again."
            yield Issue.of("fault_ignored", text, f"/messages/{first[0]}")


def _blind(messages: Sequence[Message], made: Sequence[_Made], first: _Made) -> Iterator[Issue]:
    """Yield an issue if the same call is repeated more often than is useful after a fault, before the user speaks again."""
    index, call, answer = first
    spoken = (place for place, message in enumerate(messages) if place > index and message.role == "user")
    end = next(spoken, len(messages))
    again = [other for place, other, _ in made if index <= place < end and _key(other) == _key(call)][1:]
    allowed = RETRIES[str(answer.fault)]
    if len(again) > allowed:
        text = f"{call.name} is called {len(again)} times more after {answer.fault}; {allowed} is right."
        yield Issue.of("blind_retry", text, f"/messages/{index}")


def _unreported(messages: Sequence[Message], last: _Made) -> Iterator[Issue]:
    """Yield an issue if the user is not told of a lasting failure before it moves on or leaves.

    A message worded by a model gets the benefit of the doubt.
    """
    index, call, answer = last
    for message in messages[index + 1 :]:
        if message.certain_act in ("off_topic", "user_bye"):
            break
        if declines(message) or is_unread(message):
            return
    text = f"{call.name} failed for good ({answer.fault}), and the user is not told."
    yield Issue.of("false_success", text, f"/messages/{index}")


def _key(call: ToolCall) -> tuple[str, Any]:
    return call.name, canonical_json(call.arguments)
