"""Run the calls of a blueprint or a trajectory again, once, and keep what all checks want to know of it."""

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
"""Gives an environment in the state that a blueprint begins in; it may be the same one each time, for it is restored after use."""

_KEPT = 16


@dataclass(frozen=True)
class Step:
    """One call run again: its result, the rules it broke, and whether the state is another one after it.

    `unconfirmed` are the rules that depend on a confirmation that is unknown.
    """

    call: ToolCall
    result: ToolResult
    violations: tuple[Issue, ...]
    changed: bool
    unconfirmed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Replay:
    """All calls run again; `failure` tells that the environment broke before the end.

    `withheld` maps the id of each withheld call to the rules that it would break at its place.
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
    """Run `calls` in `environment` and put its state back; before each, ask `policy` what the call would break.

    Calls whose ids are among `withheld` are not made; those of the `past` were, and the policy knows of them.
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
    """Return the rules that a call breaks, and those that it would also break if an unknown confirmation is missing."""
    if policy is None:
        return (), ()
    if event.confirmed is not None:
        return policy.violations(event), ()
    certain = policy.violations(replace(event, confirmed=True))
    known = {issue.code for issue in certain}
    strictly = policy.violations(replace(event, confirmed=False)) if policy.confirms(event.call.name) else ()
    return certain, tuple(issue.code for issue in strictly if issue.code not in known)


def steps_by_action(blueprint: Blueprint, replayed: Replay) -> dict[str, Step]:
    """Map each action that ran to its step."""
    return {action.id: step for action, step in zip(blueprint.calls, replayed.steps, strict=False)}


def action_pointer(blueprint: Blueprint, call: int) -> str:
    """Return the pointer to the action that is the call at a place among those that are made."""
    return f"/actions/{blueprint.actions.index(blueprint.calls[call])}"


def exists(step: Step, pointer: str) -> bool:
    """Tell whether the step succeeded and its result has something at `pointer`."""
    try:
        at_pointer(step.result.value, pointer)
    except LookupError:
        return False
    return step.result.error is None


def answers(step: Step | None, pointer: str, value: Any) -> bool:
    """Tell whether the step's result holds `value` at `pointer`."""
    return step is not None and exists(step, pointer) and same(at_pointer(step.result.value, pointer), value)


class Replays:
    """Replays each blueprint and each trajectory once, however many checks ask for it."""

    def __init__(
        self, open_environment: OpenEnvironment, policy: Policy | None = None, confirmed: Confirmed = confirmed_by_acts
    ) -> None:
        self._open = open_environment
        self._policy = policy
        self._confirmed = confirmed
        self._lock = asyncio.Lock()
        self._kept: OrderedDict[int, tuple[Any, Any, Replay]] = OrderedDict()

    async def of_blueprint(self, blueprint: Blueprint) -> Replay:
        """Run the ground truth; every step counts as confirmed by the user, and calls are named after their actions."""
        held = self._held(blueprint, blueprint)
        if held is not None:
            return held
        calls = [
            ToolCall(id=action.id, name=action.tool, arguments=action.arguments, requestor=action.requestor)
            for action in blueprint.actions
        ]
        withheld = frozenset(action.id for action in blueprint.actions if action.withheld is not None)
        lasting = tuple(fault for fault in blueprint.faults if fault.lasting)  # what passes leaves the task as it was
        opened = blueprint.model_copy(update={"faults": lasting}) if blueprint.faults else blueprint
        return await self._once(blueprint, blueprint, calls, [True] * len(calls), withheld, opened)

    async def of_trajectory(self, trajectory: Trajectory, blueprint: Blueprint) -> Replay:
        """Run all calls of the dialogue, each with what is known of the user's agreement."""
        held = self._held(trajectory, blueprint)
        if held is not None:
            return held
        agreed = self._confirmed(trajectory, blueprint)
        return await self._once(trajectory, blueprint, trajectory.calls(), agreed)

    async def again(self, blueprint: Blueprint, before: Sequence[ToolCall], call: ToolCall) -> Any:
        """Return what a read answers after some calls; `MISSING` where that cannot be told, since it goes wrong."""
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
