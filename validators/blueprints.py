"""Judge a blueprint by running its ground truth once: does it do what it says, and is it worth playing?"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interplay.schemas.blueprint import Action, Blueprint, Fact, Origin
from interplay.schemas.canonical import at_pointer, canonical_json, join_pointer
from interplay.schemas.protocols import BlueprintCheck, Policy
from interplay.schemas.tools import Tool, Toolset
from interplay.schemas.verdict import Issue, Verdict
from interplay.validators.blueprint_format import FormatCheck
from interplay.validators.replay import OpenEnvironment, Replay, Replays, Step, broken, result_digest
from interplay.validators.schema import prescribed, same


class ReplayCheck:
    """Compares every result, the final state and the expected outputs with what the environment does."""

    name = "replay"

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return what the environment does otherwise than `blueprint` says."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = broken(replay)
        for index, (action, step) in enumerate(zip(blueprint.actions, replay.steps, strict=False)):
            issues += _step_issues(action, step, f"/actions/{index}")
        if replay.failure is None:
            issues += _end_issues(blueprint, replay)
        issues += _output_issues(blueprint, replay)
        return Verdict(check=self.name, issues=tuple(issues))


def _step_issues(action: Action, step: Step, pointer: str) -> Iterator[Issue]:
    failed = step.result.error is not None
    if failed != action.failed:
        text = f"{action.tool} {'fails' if failed else 'succeeds'}: {step.result.text[:120]}"
        yield _issue("unexpected_failure" if failed else "unexpected_success", text, f"{pointer}/failed")
    elif result_digest(step.result) != action.result:
        yield _issue("replay_differs", f"{action.tool} answers {step.result.text[:120]}", f"{pointer}/result")


def _end_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    if replay.digest != blueprint.expected.digest:
        yield _issue("wrong_digest", f"The actions lead to state {replay.digest}.", "/expected/digest")
    found = {change.path: canonical_json([change.before, change.after]) for change in replay.changes}
    wanted = {change.path: canonical_json([change.before, change.after]) for change in blueprint.expected.difference}
    if found != wanted:
        paths = sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))
        yield _issue("wrong_difference", f"The changes differ at {', '.join(paths[:6])}.", "/expected/difference")


def _output_issues(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    steps = _by_action(blueprint, replay)
    for index, output in enumerate(blueprint.expected.outputs):
        if not _holds(steps.get(output.action), output.pointer, output.value):
            text = f"{output.action} does not answer {canonical_json(output.value)[:80]} at {output.pointer}."
            yield _issue("wrong_output", text, f"/expected/outputs/{index}")


class SolvableCheck:
    """Asks of each argument whether the one who plays can know it: from the user, a result, or the schema."""

    name = "solvable"

    def __init__(self, replays: Replays, toolset: Toolset) -> None:
        self._replays = replays
        self._tools = {tool.name: tool for tool in toolset.tools}

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the arguments that do not come from where `blueprint` says."""
        replay = await self._replays.of_blueprint(blueprint)
        steps = _by_action(blueprint, replay)
        facts = {fact.id: fact for fact in blueprint.scenario.facts}
        order = {action.id: index for index, action in enumerate(blueprint.actions)}
        issues = [*broken(replay), *_choices(blueprint, steps)]
        above: dict[str, frozenset[str]] = {}
        for index, action in enumerate(blueprint.actions):
            direct = [needed for needed in action.depends_on if needed in above]
            above[action.id] = frozenset(direct).union(*(above[needed] for needed in direct))
            for path, origin in action.origins.items():
                pointer = f"/actions/{index}/origins{join_pointer(path)}"
                try:
                    value = at_pointer(action.arguments, path)
                except LookupError:
                    issues.append(_issue("stray_origin", f"There is no argument at {path}.", pointer))
                    continue
                if origin.kind == "user":
                    issues += _told(value, facts.get(origin.fact or ""), index, order, pointer)
                elif origin.kind == "output":
                    issues += _returned(value, origin, steps, above[action.id], pointer)
                else:
                    issues += _given(value, origin, self._tools.get(action.tool), path, pointer)
        return Verdict(check=self.name, issues=tuple(issues))


def _choices(blueprint: Blueprint, steps: Mapping[str, Step]) -> Iterator[Issue]:
    for index, fact in enumerate(blueprint.scenario.facts):
        if fact.reveal == "choice" and not _exists(steps.get(fact.action or ""), fact.choice or ""):
            text = f"{fact.action} answers nothing at {fact.choice}."
            yield _issue("unknown_choice", text, f"/scenario/facts/{index}/choice")


def _told(value: Any, fact: Fact | None, index: int, order: Mapping[str, int], pointer: str) -> Iterator[Issue]:
    if fact is None or not same(value, fact.value):
        known = "nothing" if fact is None else canonical_json(fact.value)[:80]
        yield _issue("unsolvable_fact", f"The user knows {known}, not {canonical_json(value)[:80]}.", pointer)
    elif fact.reveal == "choice" and order.get(fact.action or "", index) >= index:
        yield _issue("late_choice", f"The user can choose only after {fact.action}.", pointer)


def _returned(
    value: Any, origin: Origin, steps: Mapping[str, Step], above: frozenset[str], pointer: str
) -> Iterator[Issue]:
    if not _holds(steps.get(origin.action or ""), origin.pointer or "", value):
        text = f"{origin.action} does not answer {canonical_json(value)[:80]} at {origin.pointer}."
        yield _issue("unsolvable_output", text, pointer)
    if origin.action not in above:
        yield _issue("missing_dependency", f"The action does not depend on {origin.action}.", pointer)


def _given(value: Any, origin: Origin, tool: Tool | None, path: str, pointer: str) -> Iterator[Issue]:
    if tool is None or origin.kind == "policy":
        return
    says = prescribed(tool.parameters, path)
    fixed = says.defaults if origin.kind == "default" else says.constants
    if not any(same(value, item) for item in fixed):
        yield _issue(f"wrong_{origin.kind}", f"The schema does not prescribe {canonical_json(value)[:80]}.", pointer)


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
        if not blueprint.actions:
            yield _issue("trivial", "There is no action.", "/actions")
        elif all(step.result.error is not None for step in replay.steps):
            yield _issue("trivial", "Every action fails.", "/actions")
        elif writes and not any(step.changed for step in writes) and not blueprint.expected.outputs:
            yield _issue("trivial", "No write changes the state, and nothing is to be said.", "/actions")
        for index, step in enumerate(replay.steps):
            if step in writes and step.result.error is None and not step.changed:
                text = f"{step.call.name} writes, but the state stays as it was."
                yield Issue(code="idle_write", message=text, pointer=f"/actions/{index}", severity="warning")
        yield from self._silent(blueprint)

    def _silent(self, blueprint: Blueprint) -> Iterator[Issue]:
        """Yield the goals that only read, succeed, and expect nothing to be said."""
        goal_of = {action.id: action.goal for action in blueprint.actions}
        told = {goal_of.get(output.action) for output in blueprint.expected.outputs}
        for index in range(len(blueprint.goals)):
            actions = [action for action in blueprint.actions if action.goal == index]
            loud = any(action.tool in self._writes or action.failed for action in actions)
            if actions and not loud and index not in told:
                yield _issue("nothing_to_say", "This goal reads, but no output is expected.", f"/goals/{index}")


def _duplicates(blueprint: Blueprint, replay: Replay) -> Iterator[Issue]:
    seen: set[str] = set()
    for index, (action, step) in enumerate(zip(blueprint.actions, replay.steps, strict=False)):
        key = f"{action.tool} {canonical_json(action.arguments)}"
        if key in seen:
            text = f"{action.tool} was called with these arguments in this very state."
            yield _issue("duplicate_action", text, f"/actions/{index}")
        seen.add(key)
        if step.changed:
            seen.clear()


class BlueprintPolicyCheck:
    """Finds actions that the executable policy forbids even with the user's confirmation."""

    name = "policy"

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    async def check(self, blueprint: Blueprint) -> Verdict:
        """Return the violations in the order of the actions; issue codes are the ids of the rules."""
        replay = await self._replays.of_blueprint(blueprint)
        issues = broken(replay)
        for index, step in enumerate(replay.steps):
            issues += [issue.model_copy(update={"pointer": f"/actions/{index}"}) for issue in step.violations]
        return Verdict(check=self.name, issues=tuple(issues))


def blueprint_checks(
    toolset: Toolset, open_environment: OpenEnvironment, policy: Policy | None = None
) -> tuple[BlueprintCheck, ...]:
    """Return all gates of a blueprint, cheapest first; those that run it share one run."""
    replays = Replays(open_environment, policy)
    return (
        FormatCheck(toolset),
        ReplayCheck(replays),
        SolvableCheck(replays, toolset),
        NonTrivialCheck(replays, toolset),
        BlueprintPolicyCheck(replays),
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


def _by_action(blueprint: Blueprint, replay: Replay) -> dict[str, Step]:
    return {action.id: step for action, step in zip(blueprint.actions, replay.steps, strict=False)}


def _exists(step: Step | None, pointer: str) -> bool:
    if step is None or step.result.error is not None:
        return False
    try:
        at_pointer(step.result.value, pointer)
    except LookupError:
        return False
    return True


def _holds(step: Step | None, pointer: str, value: Any) -> bool:
    return step is not None and _exists(step, pointer) and same(at_pointer(step.result.value, pointer), value)
