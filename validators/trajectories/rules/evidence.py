"""Checks that decisions by a rule, or by a condition of the user, were backed by earlier results.

"You have three appointments ahead of you"   no list was called            decided_without_evidence
"You have three appointments ahead of you"   list_appointments shows them  sound
"""

from collections.abc import Callable, Iterator, Mapping

from interplay.schemas.json.canonical import last_name, leaves
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.records.blueprint import Action, Blueprint, Condition
from interplay.schemas.records.dialogue import ToolCall, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import PolicyRule, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.rule_evidence import BY_ITSELF, Evidence, History
from interplay.validators.findings.deeds import refused_at
from interplay.validators.findings.replay import OpenEnvironment, Replays, broken

_CODE: FailureKind = "decided_without_evidence"

Before = Callable[[int], History]
"""Index of a message -> (call, result) of all calls before it."""


class EvidenceCheck:
    """Requires reads: before a guarded write, of what could forbid it; before a refusal, of what does (or a refusing tool)."""

    name = "evidence"
    codes = (_CODE, "environment_failure")
    faults: Mapping[str, FailureKind] = {_CODE: _CODE}

    def __init__(
        self, replays: Replays, toolset: Toolset, open_environment: OpenEnvironment, policy: Policy | None
    ) -> None:
        self._replays = replays
        self._open = open_environment
        self._policy = policy
        self._rules = {rule.id: rule for rule in toolset.rules}
        self._writes = frozenset(tool.name for tool in toolset.tools if tool.effect == "write")
        shown = [rule for rule in toolset.rules if rule.shown_by and rule.kind not in BY_ITSELF]
        self._guarding = {tool.name: tuple(rule for rule in shown if tool.name in rule.tools) for tool in toolset.tools}

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return the decisions without evidence, in order of the messages."""
        replay = await self._replays.of_trajectory(trajectory, blueprint)
        issues = broken(replay)
        places = [index for index, _, _ in trajectory.calls_with_results()]
        made = [(index, step.call, step.result) for index, step in zip(places, replay.steps, strict=False)]
        past = blueprint.start.history() if blueprint.start else ()

        def before(message: int) -> History:
            return (*past, *((call, result) for index, call, result in made if index < message))

        if self._policy is not None:
            environment = self._open(blueprint)
            evidence = Evidence(self._policy, environment.resources)
            for index, call, result in made:
                if call.name in self._writes and result.error is None:
                    issues += self._writing(evidence, call, index, before(index))
            issues += self._refusing(evidence, trajectory, blueprint, before, environment)
        issues += _depending(blueprint, trajectory, before)
        return Verdict(check=self.name, issues=tuple(sorted(issues, key=_place)))

    def _writing(self, evidence: Evidence, call: ToolCall, index: int, history: History) -> Iterator[Issue]:
        """Yield an issue for each rule that governs a write, if none of the reads that would show its facts was made."""
        for rule in self._guarding.get(call.name, ()):
            if not evidence.was_looked_up(rule, call, history):
                shown = " or ".join(rule.shown_by)
                text = f"{call.name} is called before {shown} has shown whether {rule.id} forbids it."
                yield Issue.of(_CODE, text, f"/messages/{index}")

    def _refusing(
        self, evidence: Evidence, trajectory: Trajectory, blueprint: Blueprint, before: Before, environment: Environment
    ) -> Iterator[Issue]:
        """Yield an issue for each goal refused because of a rule, if no result shows that the rule forbids it."""
        for action in blueprint.actions:
            rule = self._rule_against(action)
            if rule is None:
                continue
            index = refused_at(trajectory, action)
            history = before(index)
            if any(call.name == action.tool and result.error is not None for call, result in history):
                continue  # the tool refused the call itself
            call = ToolCall(id="withheld1", name=action.tool, arguments=action.arguments)
            if not evidence.shows_breach(rule, call, history, environment.state()):
                text = f"{action.tool} is refused for {rule.id}, and nothing was looked up that shows it."
                yield Issue.of(_CODE, text, f"/messages/{index}")

    def _rule_against(self, action: Action) -> PolicyRule | None:
        """Return the rule because of which an action is withheld; None if there is none."""
        if action.withheld is None or action.withheld.reason != "forbidden":
            return None
        return self._rules.get(action.withheld.rule)


def _depending(blueprint: Blueprint, trajectory: Trajectory, before: Before) -> Iterator[Issue]:
    """Yield an issue for each call made before a result has shown the value that the user's condition depends on."""
    for number, goal in enumerate(blueprint.goals):
        if goal.condition is None:
            continue
        wanted = [action.arguments for action in blueprint.calls if (action.goal, action.tool) == (number, goal.tool)]
        for index, call, answer in trajectory.calls_with_results():
            served = call.name == goal.tool and call.arguments in wanted and answer is not None and not answer.failed
            if served and not _was_seen(goal.condition, before(index)):
                text = f"{call.name} is called before anything has shown the {goal.condition.label} that it depends on."
                yield Issue.of(_CODE, text, f"/messages/{index}")


def _was_seen(condition: Condition, history: History) -> bool:
    """Tell whether a result has a field with the name that a condition is about."""
    name = last_name(condition.pointer)
    return any(last_name(at) == name for _, result in history if result.error is None for at, _ in leaves(result.value))


def _place(issue: Issue) -> int:
    number = issue.pointer.rpartition("/")[2]
    return int(number) if number.isdigit() else 0
