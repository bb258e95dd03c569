"""The replayed actions of a blueprint -> where results, final state or expected outputs differ from what it says."""

from collections.abc import Iterator

from interplay.schemas.calls.call_contradiction import contradicted
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.findings.replay import Replay, Replays, Step, answers, broken, steps_by_action


class ReplayCheck:
    """Compares every result, the final state and the expected outputs with what the environment returns."""

    name = "replay"
    codes = (
        "contradicting_result", "environment_failure", "replay_differs", "unexpected_failure", "unexpected_success",
        "wrong_difference", "wrong_digest", "wrong_output",
    )  # fmt: skip

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = toolset.by_name

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return where the environment behaves differently from what `blueprint` says."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = broken(replay)
        steps = steps_by_action(blueprint, replay)
        for index, action in enumerate(blueprint.actions):
            if action.id in steps:
                issues += _step_issues(action, steps[action.id], f"/actions/{index}")
                issues += _contradictions(self._tools.get(action.tool), steps[action.id], f"/actions/{index}")
        if replay.failure is None:
            issues += _end_issues(blueprint, replay)
        issues += _output_issues(blueprint, replay)
        return Verdict(check=self.name, issues=tuple(issues))


def _step_issues(action: Action, step: Step, pointer: str) -> Iterator[Issue]:
    failed = step.result.error is not None
    if failed != action.failed:
        text = f"{action.tool} {'fails' if failed else 'succeeds'}: {step.result.text[:120]}"
        yield Issue.of("unexpected_failure" if failed else "unexpected_success", text, f"{pointer}/failed")
    elif step.result.digest() != action.result:
        yield Issue.of("replay_differs", f"{action.tool} answers {step.result.text[:120]}", f"{pointer}/result")


def _contradictions(tool: Tool | None, step: Step, pointer: str) -> Iterator[Issue]:
    if tool is not None and step.result.error is None:
        for name in contradicted(tool, step.call.arguments, step.result.value):
            text = f"{tool.name} was given {name} {step.call.arguments[name]!r}, and answers {step.result.text[:120]}"
            yield Issue.of("contradicting_result", text, f"{pointer}/arguments/{name}")


def _end_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    if replay.digest != blueprint.expected.digest:
        yield Issue.of("wrong_digest", f"The actions lead to state {replay.digest}.", "/expected/digest")
    found = {change.path: canonical_json([change.before, change.after]) for change in replay.changes}
    wanted = {change.path: canonical_json([change.before, change.after]) for change in blueprint.expected.difference}
    if found != wanted:
        paths = sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))
        yield Issue.of("wrong_difference", f"The changes differ at {', '.join(paths[:6])}.", "/expected/difference")


def _output_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    steps = steps_by_action(blueprint, replay)
    for index, output in enumerate(blueprint.expected.outputs):
        if not answers(steps.get(output.action), output.pointer, output.value):
            text = f"{output.action} does not answer {canonical_json(output.value)[:80]} at {output.pointer}."
            yield Issue.of("wrong_output", text, f"/expected/outputs/{index}")
