"""Judge a blueprint by running its ground truth once: does it do what it says, and is it worth playing?"""

from collections.abc import Iterator, Sequence

from interplay.schemas.calls.contradiction import contradicted
from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.protocols import BlueprintCheck, Policy
from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.tool import ResourceModel, Tool, Toolset
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.blueprints.format import FormatCheck
from interplay.validators.blueprints.referents import ReferentCheck
from interplay.validators.blueprints.solvable import SolvableCheck
from interplay.validators.findings.replay import (
    OpenEnvironment,
    Replay,
    Replays,
    Step,
    answers,
    broken,
    steps_by_action,
)
from interplay.validators.trajectories.safety import SafetyGate


class ReplayCheck:
    """Compares every result, the final state and the expected outputs with what the environment does."""

    name = "replay"

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = {tool.name: tool for tool in toolset.tools}

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return what the environment does otherwise than `blueprint` says."""
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
        yield _issue("unexpected_failure" if failed else "unexpected_success", text, f"{pointer}/failed")
    elif step.result.digest() != action.result:
        yield _issue("replay_differs", f"{action.tool} answers {step.result.text[:120]}", f"{pointer}/result")


def _contradictions(tool: Tool | None, step: Step, pointer: str) -> Iterator[Issue]:
    if tool is not None and step.result.error is None:
        for name in contradicted(tool, step.call.arguments, step.result.value):
            text = f"{tool.name} was given {name} {step.call.arguments[name]!r}, and answers {step.result.text[:120]}"
            yield _issue("contradicting_result", text, f"{pointer}/arguments/{name}")


def _end_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    if replay.digest != blueprint.expected.digest:
        yield _issue("wrong_digest", f"The actions lead to state {replay.digest}.", "/expected/digest")
    found = {change.path: canonical_json([change.before, change.after]) for change in replay.changes}
    wanted = {change.path: canonical_json([change.before, change.after]) for change in blueprint.expected.difference}
    if found != wanted:
        paths = sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))
        yield _issue("wrong_difference", f"The changes differ at {', '.join(paths[:6])}.", "/expected/difference")


def _output_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    steps = steps_by_action(blueprint, replay)
    for index, output in enumerate(blueprint.expected.outputs):
        if not answers(steps.get(output.action), output.pointer, output.value):
            text = f"{output.action} does not answer {canonical_json(output.value)[:80]} at {output.pointer}."
            yield _issue("wrong_output", text, f"/expected/outputs/{index}")


class NonTrivialCheck:
    """Asks whether there is something to do and something to say."""

    name = "non_trivial"

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
            return  # what matters is what is not done
        if not blueprint.actions:
            yield _issue("trivial", "There is no action.", "/actions")
        elif all(step.result.error is not None for step in replay.steps):
            yield _issue("trivial", "Every action fails.", "/actions")
        elif not blueprint.expected.outputs and not writes:
            yield _issue("nothing_to_say", "All actions read, but no output is expected.", "/expected/outputs")
        elif not blueprint.expected.outputs and not any(step.changed for step in writes):
            yield _issue("trivial", "No write changes the state, and nothing is to be said.", "/actions")
        for index, step in enumerate(replay.steps):
            if step.call.name in self._writes and step.result.error is None and not step.changed:
                text = f"{step.call.name} writes, but the state stays as it was."
                yield Issue(code="idle_write", message=text, pointer=_pointer(blueprint, index), severity="warning")
        yield from self._silent_goals(blueprint)

    def _silent_goals(self, blueprint: Blueprint) -> Iterator[Issue]:
        """Warn of goals that only read, succeed, and expect nothing to be said."""
        goal_of = {action.id: action.goal for action in blueprint.actions}
        told = {goal_of.get(output.action) for output in blueprint.expected.outputs}
        for index in range(len(blueprint.goals)):
            actions = [action for action in blueprint.actions if action.goal == index]
            loud = any(action.tool in self._writes or action.failed or action.withheld for action in actions)
            if actions and not loud and index not in told:
                text = "This goal only reads, and nothing is expected to be said of it."
                yield Issue(code="silent_goal", message=text, pointer=f"/goals/{index}", severity="warning")


def _duplicates(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    seen: set[str] = set()
    for index, (action, step) in enumerate(zip(blueprint.calls, replay.steps, strict=False)):
        key = f"{action.tool} {canonical_json(action.arguments)}"
        if key in seen:
            text = f"{action.tool} was called with these arguments in this very state."
            yield _issue("duplicate_action", text, _pointer(blueprint, index))
        seen.add(key)
        if step.changed:
            seen.clear()


class BlueprintPolicyCheck:
    """Finds actions that the policy forbids even with the user's confirmation, and withheld ones that it allows."""

    name = "policy"

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the violations in the order of the actions; issue codes are the ids of the rules."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = broken(replay)
        for index, step in enumerate(replay.steps):
            pointer = _pointer(blueprint, index)
            issues += [issue.model_copy(update={"pointer": pointer}) for issue in step.violations]
        for index, action in enumerate(blueprint.actions):
            if action.withheld is not None and action.withheld.reason == "forbidden":
                broken_rules = [issue.code for issue in replay.withheld.get(action.id, ())]
                if action.withheld.rule not in broken_rules:
                    text = f"{action.tool} is withheld by {action.withheld.rule}, which allows it."
                    issues.append(_issue("not_forbidden", text, f"/actions/{index}/withheld"))
        return Verdict(check=self.name, issues=tuple(issues))


def _pointer(blueprint: Blueprint, call: int) -> str:
    """Return the pointer to the action that is the call at a place among those that are made."""
    return f"/actions/{blueprint.actions.index(blueprint.calls[call])}"


def blueprint_checks(
    toolset: Toolset,
    open_environment: OpenEnvironment,
    policy: Policy | None = None,
    known: ResourceModel | None = None,
) -> tuple[BlueprintCheck, ...]:
    """Return all gates of a blueprint, cheapest first; those that run it share one run.

    What is `known` of its resources tells what is the same thing in two calls.
    """
    replays = Replays(open_environment, policy)
    return (
        FormatCheck(toolset),
        SafetyGate(),
        ReplayCheck(replays, toolset),
        SolvableCheck(replays, toolset),
        NonTrivialCheck(replays, toolset),
        BlueprintPolicyCheck(replays),
        ReferentCheck(replays, toolset, known or ResourceModel()),
    )


async def check_blueprint(blueprint: Blueprint, checks: Sequence[BlueprintCheck]) -> tuple[Verdict, ...]:
    """Run `checks` in order up to the first that rejects; return the verdicts made."""
    verdicts: list[Verdict] = []
    for check in checks:
        verdicts.append(await check.check(blueprint))
        if not verdicts[-1].passed:
            break
    return tuple(verdicts)


def _issue(code: str, message: str, pointer: str) -> Issue:
    return Issue(code=code, message=message, pointer=pointer)
