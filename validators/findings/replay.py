"""Runs the calls of a blueprint or a trajectory again, once for all checks."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import MISSING, Change, at_pointer, since
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import ToolCall, ToolResult, Trajectory
from interplay.schemas.records.verdict import Issue
from interplay.validators.findings.confirmation import Confirmed, confirmed_by_acts
from interplay.validators.findings.conformance import same

OpenEnvironment = Callable[[Blueprint], Environment]
"""Opens an environment in the state in which a blueprint begins; it may be the same object each time, since it is restored."""

_KEPT = 16


@dataclass(frozen=True)
class Step:
    """A replayed call: its result, the rules that it breaks, and whether it changed the state.

    `unconfirmed` are the rules that it would break if the user did not agree, which is unknown.
    """

    call: ToolCall
    result: ToolResult
    violations: tuple[Issue, ...]
    changed: bool
    unconfirmed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replay:
    """All calls run again; `failure` is set if the environment broke before the end.

    `withheld` maps the id of each withheld call to the violations it would cause at its place.
    """

    steps: tuple[Step, ...]
    digest: str
    changes: tuple[Change, ...]
    failure: str | None = None
    withheld: Mapping[str, tuple[Issue, ...]] = field(default_factory=dict)


def broken(replay: Replay) -> list[Issue]:
    """Return an issue if the environment itself broke."""
    return [] if replay.failure is None else [Issue.of("environment_failure", replay.failure)]


async def replay(
    calls: Sequence[ToolCall],
    confirmed: Sequence[bool | None],
    environment: Environment,
    policy: Policy | None = None,
    withheld: Collection[str] = (),
    past: tuple[tuple[ToolCall, ToolResult], ...] = (),
) -> Replay:
    """Run `calls` in `environment` and restore its state; before each call, ask `policy` which rules it would break.

    Calls with an id in `withheld` are not made. The calls of `past` were made before, and only the policy sees them.
    """
    snapshot, base = environment.snapshot(), environment.changes()
    steps: list[Step] = []
    failure: str | None = None
    history = past
    held: dict[str, tuple[Issue, ...]] = {}
    try:
        before = environment.digest()
        for call, agreed in zip(calls, confirmed, strict=True):
            broken_rules, unconfirmed = _violations(policy, PolicyEvent(call, history, environment.state(), agreed))
            if call.id in withheld:
                held[call.id] = broken_rules
                continue
            try:
                result = await environment.call(call)
            except EnvironmentFailure as broke:
                failure = f"{call.name}: {broke}"[:300]
                break
            after = environment.digest()
            steps.append(Step(call, result, broken_rules, after != before, unconfirmed))
            history = (*history, (call, result))
            before = after
        return Replay(tuple(steps), before, since(base, environment.changes()), failure, held)
    finally:
        environment.restore(snapshot)


def _violations(policy: Policy | None, event: PolicyEvent) -> tuple[tuple[Issue, ...], tuple[str, ...]]:
    """Return (violations of a call, ids of rules that it breaks too if the user did not agree, which is unknown)."""
    if policy is None:
        return (), ()
    if event.confirmed is not None:
        return policy.violations(event), ()
    certain = policy.violations(replace(event, confirmed=True))
    known = {issue.code for issue in certain}
    strictly = policy.violations(replace(event, confirmed=False)) if policy.confirms(event.call.name) else ()
    return certain, tuple(issue.code for issue in strictly if issue.code not in known)


def steps_by_action(blueprint: Blueprint, replayed: Replay) -> dict[str, Step]:
    """Return id of the action -> step, for each action that ran."""
    return {action.id: step for action, step in zip(blueprint.calls, replayed.steps, strict=False)}


def action_pointer(blueprint: Blueprint, call: int) -> str:
    """Return the pointer to the action that is the `call`-th of those made."""
    return f"/actions/{blueprint.actions.index(blueprint.calls[call])}"


def exists(step: Step, pointer: str) -> bool:
    """Tell whether a step succeeded and its result has a value at `pointer`."""
    try:
        at_pointer(step.result.value, pointer)
    except LookupError:
        return False
    return step.result.error is None


def answers(step: Step | None, pointer: str, value: Any) -> bool:
    """Tell whether a step's result holds `value` at `pointer`."""
    return step is not None and exists(step, pointer) and same(at_pointer(step.result.value, pointer), value)


class Replays:
    """Replays each blueprint and trajectory once, however many checks ask for it; recent replays are cached."""

    def __init__(
        self, open_environment: OpenEnvironment, policy: Policy | None = None, confirmed: Confirmed = confirmed_by_acts
    ) -> None:
        self._open = open_environment
        self._policy = policy
        self._confirmed = confirmed
        self._lock = asyncio.Lock()
        self._kept: OrderedDict[int, tuple[Any, Any, Replay]] = OrderedDict()

    async def of_blueprint(self, blueprint: Blueprint) -> Replay:
        """Run the ground truth; every call counts as confirmed, and calls have the ids of their actions."""
        held = self._held(blueprint, blueprint)
        if held is not None:
            return held
        calls = [
            ToolCall(id=action.id, name=action.tool, arguments=action.arguments, requestor=action.requestor)
            for action in blueprint.actions
        ]
        withheld = frozenset(action.id for action in blueprint.actions if action.withheld is not None)
        lasting = tuple(
            fault for fault in blueprint.faults if fault.lasting
        )  # a passing fault does not change the task
        opened = blueprint.model_copy(update={"faults": lasting}) if blueprint.faults else blueprint
        return await self._once(blueprint, blueprint, calls, [True] * len(calls), withheld, opened)

    async def of_trajectory(self, trajectory: Trajectory, blueprint: Blueprint) -> Replay:
        """Run all calls of a dialogue, each with what is known about the user's agreement."""
        held = self._held(trajectory, blueprint)
        if held is not None:
            return held
        agreed = self._confirmed(trajectory, blueprint)
        return await self._once(trajectory, blueprint, trajectory.calls(), agreed)

    async def again(self, blueprint: Blueprint, before: Sequence[ToolCall], call: ToolCall) -> Any:
        """Return the result of `call` after the calls `before`; `MISSING` if it fails."""
        async with self._lock:
            environment = self._open(blueprint)
            snapshot = environment.snapshot()
            try:
                for earlier in before:
                    await environment.call(earlier)
                result = await environment.call(call)
            except EnvironmentFailure:
                return MISSING
            finally:
                environment.restore(snapshot)
        return MISSING if result.error is not None or result.fault is not None else result.value

    def _held(self, subject: Any, blueprint: Blueprint) -> Replay | None:
        held = self._kept.get(id(subject))
        return held[2] if held is not None and held[0] is subject and held[1] is blueprint else None

    async def _once(
        self,
        subject: Any,
        blueprint: Blueprint,
        calls: Sequence[ToolCall],
        confirmed: Sequence[bool | None],
        withheld: Collection[str] = (),
        opened: Blueprint | None = None,
    ) -> Replay:
        async with self._lock:
            held = self._held(subject, blueprint)
            if held is not None:
                return held
            past = blueprint.start.history() if blueprint.start else ()
            made = await replay(calls, confirmed, self._open(opened or blueprint), self._policy, withheld, past)
            self._kept[id(subject)] = (subject, blueprint, made)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return made
