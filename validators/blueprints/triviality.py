"""The replayed actions of a blueprint -> whether there is something to do and something to say."""

from collections.abc import Iterator

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.replay import Replay, Replays, action_pointer, broken


class NonTrivialCheck:
    """Rejects tasks in which there is nothing to do or nothing to say."""

    name = "non_trivial"
    codes = ("duplicate_action", "environment_failure", "idle_write", "nothing_to_say", "silent_goal", "trivial")

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._writes = frozenset(tool.name for tool in toolset.tools if tool.effect == "write")

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return why `blueprint` is not worth playing."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = [*broken(replay), *self._trivial(blueprint, replay), *_duplicates(blueprint, replay)]
        return Verdict(check=self.name, issues=tuple(issues))

    def _trivial(self, blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
        writes = [step for step in replay.steps if step.call.name in self._writes]
        idle = not any(goal.tool for goal in blueprint.goals)
        if idle or any(action.withheld or (blueprint.hit(action.id) and action.failed) for action in blueprint.actions):
            return  # here, it matters what is not done
        if not blueprint.actions:
            yield Issue.of("trivial", "There is no action.", "/actions")
        elif all(step.result.error is not None for step in replay.steps):
            yield Issue.of("trivial", "Every action fails.", "/actions")
        elif not blueprint.expected.outputs and not writes:
            yield Issue.of("nothing_to_say", "All actions read, but no output is expected.", "/expected/outputs")
        elif not blueprint.expected.outputs and not any(step.changed for step in writes):
            yield Issue.of("trivial", "No write changes the state, and nothing is to be said.", "/actions")
        for index, step in enumerate(replay.steps):
            if step.call.name in self._writes and step.result.error is None and not step.changed:
                text = f"{step.call.name} writes, but the state stays as it was."
                yield Issue.of("idle_write", text, action_pointer(blueprint, index), severity="warning")
        yield from self._silent_goals(blueprint)

    def _silent_goals(self, blueprint: Blueprint) -> Iterator[Issue]:
        """Yield a warning for each goal that only reads, succeeds, and has no expected output."""
        goal_of = {action.id: action.goal for action in blueprint.actions}
        told = {goal_of.get(output.action) for output in blueprint.expected.outputs}
        for index in range(len(blueprint.goals)):
            actions = [action for action in blueprint.actions if action.goal == index]
            loud = any(action.tool in self._writes or action.failed or action.withheld for action in actions)
            if actions and not loud and index not in told:
                text = "This goal only reads, and nothing is expected to be said of it."
                yield Issue.of("silent_goal", text, f"/goals/{index}", severity="warning")


def _duplicates(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    seen: set[str] = set()
    for index, (action, step) in enumerate(zip(blueprint.calls, replay.steps, strict=False)):
        key = f"{action.tool} {canonical_json(action.arguments)}"
        if key in seen:
            text = f"{action.tool} was called with these arguments in this very state."
            yield Issue.of("duplicate_action", text, action_pointer(blueprint, index))
        seen.add(key)
        if step.changed:
            seen.clear()
