"""Checks that the assistant said or offered what rules of its policy ask to be put in words.

confirm_sharing_outside   "Keanu is of Delta Freight"   told before share_file is called: kept
large_invoices_to_reception   refused, nothing offered  duty_not_kept
"""

from collections.abc import Iterator, Mapping

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Action, Blueprint, DueDuty
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.dates import first_day
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised
from interplay.validators.findings.deeds import refused_at


class DutiesCheck:
    """Checks duties: a rule-based assistant notes on its messages which it did; of a model's words, only values are compared."""

    name = "duties"
    codes = ("duty_not_kept",)
    faults: Mapping[str, FailureKind] = {"duty_not_kept": "policy_broken"}

    def __init__(self, toolset: Toolset) -> None:
        self._offers = {rule.id: rule.duty.tool for rule in toolset.rules if rule.duty is not None}

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return the duties that were not done when they were due."""
        due = [(action, duty) for action in blueprint.actions for duty in action.duties]
        found = (
            self._offering(trajectory, action, duty) if action.withheld else _saying(trajectory, action, duty)
            for action, duty in due
        )
        return Verdict(check=self.name, issues=tuple(issue for issues in found for issue in issues))

    def _offering(self, trajectory: Trajectory, action: Action, duty: DueDuty) -> Iterator[Issue]:
        """Yield an issue if a rule-based assistant refuses something, and neither offers nor does the alternative."""
        index = refused_at(trajectory, action)
        tool = self._offers.get(duty.rule)
        handed = any(place > index and call.name == tool for place, call, _ in trajectory.calls_with_results())
        if not handed and _by_rules(trajectory) and not _noted(trajectory, duty, index, len(trajectory.messages)):
            text = f"{action.tool} is refused, and what {duty.rule} asks for in its place is not offered."
            yield Issue.of("duty_not_kept", text, f"/messages/{index}")


def _saying(trajectory: Trajectory, action: Action, duty: DueDuty) -> Iterator[Issue]:
    """Yield an issue if a call is made before everything was said that a rule asks to be said first."""
    made = [
        index
        for index, call, _ in trajectory.calls_with_results()
        if (call.name, call.arguments) == (action.tool, action.arguments)
    ]
    if not made:
        return
    before = trajectory.messages[: made[0] + 1]
    today = first_day(trajectory.system_prompt)
    texts = [normalised(told.content, today) for told in before if told.role == "assistant" and told.content]
    untold = [path for path, value in duty.values.items() if not said(texts, value)]
    if untold:
        text = f"{action.tool} is called before {', '.join(untold)} was told: {canonical_json(duty.values)[:80]}"
        yield Issue.of("duty_not_kept", text, f"/messages/{made[0]}")
    elif _by_rules(trajectory) and not _noted(trajectory, duty, 0, made[0] + 1):
        text = f"{action.tool} is called before what {duty.rule} asks for was said."
        yield Issue.of("duty_not_kept", text, f"/messages/{made[0]}")


def _by_rules(trajectory: Trajectory) -> bool:
    """Tell whether rules chose all acts of the assistant."""
    return all(message.certain_act is not None for message in trajectory.messages if message.role == "assistant")


def _noted(trajectory: Trajectory, duty: DueDuty, begin: int, end: int) -> bool:
    """Tell whether one of these messages of the assistant notes that it does the duty."""
    states = (message.state for message in trajectory.messages[begin:end] if message.role == "assistant")
    return any(state is not None and duty.rule in state.duties for state in states)
