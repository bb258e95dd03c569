"""Compare what a dialogue achieved with what its blueprint expects: final state, writes made, outputs said."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from interplay.schemas.json.canonical import Change, canonical_json
from interplay.schemas.records.blueprint import Action, Blueprint, ExpectedOutput
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import SEARCH_TOOL, Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.schemas.words.mentions import said
from interplay.schemas.words.text import normalised
from interplay.validators.findings.alignment import call_key
from interplay.validators.findings.deeds import claims, declines, is_unread
from interplay.validators.findings.gloss import Gloss
from interplay.validators.findings.replay import Replay, Replays, broken
from interplay.validators.trajectories.retraction import retraction_issues
from interplay.validators.trajectories.wrong_rows import wrong_row_issues

_PATHS_SHOWN = 6
_SURE = 0.9
"""The confidence from which on a message is taken to be about a wish."""


class OutcomeCheck:
    """Another order of calls is welcome; another state, a missing or additional write, a missing answer is not."""

    name = "outcome"
    codes = (
        "dropped_value", "environment_failure", "extra_write", "false_claim", "missed_write", "needless_call",
        "not_declined", "other_row", "output_not_said", "wrong_final_state",
    )  # fmt: skip
    faults: Mapping[str, FailureKind] = {
        "dropped_value": "wrong_argument",
        "other_row": "wrong_argument",
        "false_claim": "false_claim",
    }

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = {tool.name: tool for tool in toolset.tools}
        self._glossary = Gloss(toolset)

    async def check(self, trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
        """Return what the dialogue did not achieve, or achieved beyond what was wanted."""
        replay = await self._replays.of_trajectory(trajectory, blueprint)
        trajectory = self._glossary.glossed(trajectory, blueprint)
        issues = broken(replay)
        if replay.failure is None:
            issues += _state(replay, blueprint)
        issues += self._writes(trajectory, blueprint)
        issues += _needless(trajectory, blueprint)
        issues += retraction_issues(trajectory, blueprint)
        issues += missing_refusal_issues(trajectory, blueprint)
        issues += false_claim_issues(trajectory, self._tools)
        issues += wrong_row_issues(trajectory, blueprint, self._tools)
        issues += self._outputs(trajectory, blueprint)
        return Verdict(check=self.name, issues=tuple(issues))

    def _writes(self, trajectory: Trajectory, blueprint: Blueprint) -> list[Issue]:
        needed = Counter(
            self._key(action.tool, action.arguments) for action in blueprint.calls if self._writes_state(action.tool)
        )
        made: Counter[str] = Counter()
        succeeded: dict[str, list[int]] = {}
        for index, call, answer in trajectory.calls_with_results():
            if self._writes_state(call.name):
                key = self._key(call.name, call.arguments)
                made[key] += 1
                if answer is None or not answer.failed:
                    succeeded.setdefault(key, []).append(index)
        issues = [Issue.of("missed_write", f"Never called: {key[:200]}") for key in (needed - made).elements()]
        for key, places in succeeded.items():
            for index in places[needed[key] :]:
                text = f"Not asked for: {key[:200]}"
                issues.append(Issue.of("extra_write", text, f"/messages/{index}"))
        return issues

    def _writes_state(self, name: str) -> bool:
        return name in self._tools and self._tools[name].effect == "write"

    def _key(self, name: str, arguments: Mapping[str, Any]) -> str:
        return call_key(name, arguments, self._tools)

    def _outputs(self, trajectory: Trajectory, blueprint: Blueprint) -> list[Issue]:
        if not blueprint.expected.outputs:
            return []
        places = self._answer_places(trajectory, blueprint)
        texts = [
            (index, normalised(message.content))
            for index, message in enumerate(trajectory.messages)
            if message.role == "assistant" and message.content
        ]
        issues = []
        for number, output in enumerate(blueprint.expected.outputs):
            place = places.get(output.action)
            if place is None:
                place = _first_holding(trajectory, output, blueprint)
            later = [text for index, text in texts if place is not None and index > place]
            name = output.pointer.rsplit("/", 1)[-1]
            if not later or not said(later, output.value, output.hint, f"{output.label} {name}"):
                text = f"The assistant never said {output.label}: {canonical_json(output.value)[:80]}"
                issues.append(Issue.of("output_not_said", text, f"/expected/outputs/{number}"))
        return issues

    def _answer_places(self, trajectory: Trajectory, blueprint: Blueprint) -> dict[str, int]:
        """Map each action to the message that answers its call; equal actions are matched in order."""
        waiting: dict[str, list[str]] = {}
        for action in blueprint.calls:
            waiting.setdefault(self._key(action.tool, action.arguments), []).append(action.id)
        answered = {
            message.tool_call_id: index for index, message in enumerate(trajectory.messages) if message.role == "tool"
        }
        places: dict[str, int] = {}
        for call in trajectory.calls():
            actions = waiting.get(self._key(call.name, call.arguments))
            if actions and call.id in answered:
                places[actions.pop(0) if len(actions) > 1 else actions[0]] = answered[call.id]
        return places


def _needless(trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue for each call in a dialogue in which the right thing is to call nothing, and for harmful ones."""
    idle = not any(goal.tool for goal in blueprint.goals)
    harmful = any(action.withheld and action.withheld.reason == "harmful" for action in blueprint.actions)
    if not idle and not (harmful and not blueprint.calls):
        return
    for index, message in enumerate(trajectory.messages):
        for call in message.tool_calls:
            if call.name != SEARCH_TOOL:
                text = f"{call.name} is called where nothing is to be called."
                yield Issue.of("needless_call", text, f"/messages/{index}")


def _first_holding(trajectory: Trajectory, output: ExpectedOutput, blueprint: Blueprint) -> int | None:
    """Find the first result that says the value, for dialogues that came to it in another way; or where the user came to
    want it, if that was later: what was said before answers nothing."""
    for index, message in enumerate(trajectory.messages):
        if message.role == "tool" and said([normalised(message.content)], output.value, output.hint, output.label):
            return max(index, _wanted_from(trajectory, blueprint, blueprint.action(output.action).goal))
    return None


def _wanted_from(trajectory: Trajectory, blueprint: Blueprint, goal: int) -> int:
    """Return the first message with which the user surely speaks of a wish; the first of all where none does."""
    request = next((group for group in blueprint.scenario.requests if goal in group), (goal,))
    for index, message in enumerate(trajectory.messages):
        state = message.state if message.role == "user" else None
        if state is not None and state.goal in request and state.confidence >= _SURE:
            return index
    return 0


def _state(replay: Replay, blueprint: Blueprint) -> list[Issue]:
    if replay.digest == blueprint.expected.digest:
        return []
    reached, wanted = _by_path(replay.changes), _by_path(blueprint.expected.difference)
    paths = sorted(path for path in reached.keys() | wanted.keys() if reached.get(path) != wanted.get(path))
    text = ", ".join(paths[:_PATHS_SHOWN]) + (
        f" and {len(paths) - _PATHS_SHOWN} more" if len(paths) > _PATHS_SHOWN else ""
    )
    return [
        Issue.of(
            "wrong_final_state",
            f"The state differs at {text or 'no named field'}.",
            "/final_digest",
        )
    ]


def _by_path(changes: tuple[Change, ...]) -> dict[str, str]:
    return {change.path: canonical_json([change.before, change.after]) for change in changes}


def false_claim_issues(trajectory: Trajectory, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each claim right after the failure of a write, with nothing that succeeded in between."""
    calls = {call.id: call.name for call in trajectory.calls()}
    failed = ""
    for index, message in enumerate(trajectory.messages):
        if message.role == "tool":
            name = calls.get(message.tool_call_id or "", "")
            if not message.failed:
                failed = ""
            elif name in tools and tools[name].effect == "write":
                failed = name
        elif message.role == "user" or (message.content and not message.tool_calls):
            if failed and claims(message):
                text = f"The assistant says that something was done, but {failed} failed."
                yield Issue.of("false_claim", text, f"/messages/{index}")
            failed = ""


def missing_refusal_issues(trajectory: Trajectory, blueprint: Blueprint) -> Iterator[Issue]:
    """Yield an issue if something must not be served, and the assistant, whose words the rules wrote, never says so."""
    if any(declines(message) or is_unread(message) for message in trajectory.messages):
        return
    for index, goal in enumerate(blueprint.goals):
        if not goal.tool or any(_left(action) for action in blueprint.actions if action.goal == index):
            text = f"The assistant never says that it does not {goal.intent[:80]}."
            yield Issue.of("not_declined", text, f"/goals/{index}")
            return


def _left(action: Action) -> bool:
    return action.withheld is not None and action.withheld.reason != "condition"
