"""An action that fails for good -> the blueprint with its dependents withheld, or done in another way.

What is expected follows from running the remaining calls.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from interplay.generators.blueprints.drafting.outdated_reads import writes
from interplay.schemas.json.canonical import Change, since, value_at
from interplay.schemas.protocols import Environment, Policy, PolicyEvent
from interplay.schemas.records.blueprint import Action, Blueprint, Expected, Goal, Withheld
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.fault import Fault


@dataclass(frozen=True)
class ExecutedCalls:
    """Values and result digests of a blueprint's calls by action, the final state, and whether the policy is broken."""

    values: dict[str, Any]
    results: dict[str, str]
    digest: str
    changes: tuple[Change, ...]
    broken: bool


@dataclass(frozen=True)
class LastingFaults:
    """Makes actions fail for good; the environment must be in its opening state, and is left so."""

    environment: Environment
    policy: Policy | None

    async def another_way(
        self, blueprint: Blueprint, action: Action, fault: Fault, before: ExecutedCalls
    ) -> Blueprint | None:
        """Let a read fail for good where an earlier result shows all that is needed of it; None if none does."""
        found = self._shown_before(blueprint, action, before)
        if found is None:
            return None
        source, pointer = found
        failure = ToolResult.failed(ToolCall(id="compose01", name=action.tool, arguments={}), fault.text).digest()
        actions = tuple(
            other.model_copy(update={"failed": True, "result": failure})
            if other.id == action.id
            else _taking(other, action.id, source, pointer)
            for other in blueprint.actions
        )
        outputs = tuple(
            output.model_copy(update={"action": source, "pointer": pointer + output.pointer})
            if output.action == action.id
            else output
            for output in blueprint.expected.outputs
        )
        goals = tuple(_asking_of(goal, action.id, source, pointer) for goal in blueprint.goals)
        way = fault.model_copy(update={"recovery": "other_way", "source": source, "pointer": pointer})
        expected = blueprint.expected.model_copy(update={"outputs": outputs})
        made = blueprint.model_copy(
            update={"goals": goals, "actions": actions, "expected": expected, "faults": (*blueprint.faults, way)}
        )
        ran = await self.run(made)
        same = all(before.results[name] == result for name, result in ran.results.items())
        return made if same and not ran.broken and ran.digest == before.digest else None

    def _shown_before(self, blueprint: Blueprint, action: Action, ran: ExecutedCalls) -> tuple[str, str] | None:
        """Return the earlier action, and the pointer of an item in its result, that shows all that is needed of a read."""
        if self.environment.toolset.tool(action.tool).effect != "read":
            return None
        leant_on = {fact.action for fact in blueprint.scenario.facts} | {goal.each for goal in blueprint.goals}
        leant_on |= {goal.condition.action for goal in blueprint.goals if goal.condition}
        if action.id in leant_on or sum(other.tool == action.tool for other in blueprint.actions) > 1:
            return None
        wanted = {output.pointer for output in blueprint.expected.outputs if output.action == action.id}
        for other in blueprint.actions:
            wanted |= {str(origin.pointer) for origin in other.origins.values() if origin.action == action.id}
        spoken_of = {output.action for output in blueprint.expected.outputs}
        for origin in action.origins.values():
            pointer = str(origin.pointer).rpartition("/")[0]
            if origin.action is None or not pointer or origin.action in spoken_of or not wanted:
                continue
            if self._written_between(blueprint, origin.action, action):
                continue
            item = value_at(ran.values.get(origin.action), pointer)
            shown = [(value_at(item, place), value_at(ran.values[action.id], place)) for place in sorted(wanted)]
            if all(there is not None and there == here for there, here in shown):
                return origin.action, pointer
        return None

    def _written_between(self, blueprint: Blueprint, source: str, action: Action) -> bool:
        """Tell whether a write comes between the action `source` and a later action that uses its result."""
        first, last = (blueprint.actions.index(made) for made in (blueprint.action(source), action))
        between = blueprint.actions[first + 1 : last]
        return any(made.withheld is None and writes(made.tool, self.environment) for made in between)

    async def failing(
        self, blueprint: Blueprint, action: Action, fault: Fault, before: ExecutedCalls
    ) -> Blueprint | None:
        """Let an action fail for good, together with all actions that need it.

        None where other requests would be affected, or where an earlier result shows what is lost.
        """
        lost = needing(blueprint, action)
        if not self._fails_alone(blueprint, action, lost) or self._shown_before(blueprint, action, before) is not None:
            return None
        failure = ToolResult.failed(ToolCall(id="compose01", name=action.tool, arguments={}), fault.text).digest()
        actions = tuple(_after(other, action, lost, failure) for other in blueprint.actions)
        made = blueprint.model_copy(update={"actions": actions, "faults": (*blueprint.faults, fault)})
        ran = await self.run(made)
        if ran.broken or any(before.results[name] != result for name, result in ran.results.items()):
            return None
        outputs = tuple(output for output in blueprint.expected.outputs if output.action in ran.values)
        expected = Expected(digest=ran.digest, difference=ran.changes, outputs=outputs)
        return made.model_copy(update={"expected": expected})

    def _fails_alone(self, blueprint: Blueprint, action: Action, lost: Collection[str]) -> bool:
        """Tell whether a failure ends the goals of one request entirely, before any of them has written anything."""
        gone = {action.id, *lost}
        goals = {other.goal for other in blueprint.actions if other.id in gone}
        requests = [request for request in blueprint.scenario.requests if goals & set(request)]
        if len(requests) != 1 or sum(other.tool == action.tool for other in blueprint.actions) > 1:
            return False
        if any(blueprint.goals[goal].condition or blueprint.goals[goal].each for goal in goals):
            return False
        if any(goal.condition and goal.condition.action in gone for goal in blueprint.goals):
            return False
        if any(change.before in lost for change in blueprint.changes) or asked_again_after(blueprint.calls, gone):
            return False
        if any(fact.instead_of and fact.goal in goals for fact in blueprint.scenario.facts):
            return False
        for goal in goals:
            own = [other for other in blueprint.actions if other.goal == goal]
            if own[-1].id not in gone or any(other.withheld for other in own):
                return False
            kept = own[: next(place for place, other in enumerate(own) if other.id in gone)]
            if any(self.environment.toolset.tool(other.tool).effect == "write" for other in kept):
                return False
            if any(other.id not in gone for other in own[len(kept) :]):
                return False
        return True

    async def run(self, blueprint: Blueprint) -> ExecutedCalls:
        """Run the calls of a blueprint except failing ones; `broken` tells that the policy forbids one of them now."""
        start = self.environment.snapshot()
        values: dict[str, Any] = {}
        results: dict[str, str] = {}
        history = blueprint.start.history() if blueprint.start else ()
        base, broken = self.environment.changes(), False
        try:
            for action in blueprint.calls:
                call = ToolCall(
                    id="compose01",
                    name=action.tool,
                    arguments=dict(action.arguments),
                    requestor=action.requestor,
                )
                fault = blueprint.hit(action.id)
                if fault is not None and fault.lasting:
                    history = (*history, (call, ToolResult.failed(call, fault.text)))
                    continue
                event = PolicyEvent(call, history, self.environment.state(), confirmed=True)
                broken = broken or (self.policy is not None and bool(self.policy.violations(event)))
                result = await self.environment.call(call)
                history = (*history, (call, result))
                if result.error is None:
                    values[action.id] = result.value
                results[action.id] = result.digest()
            changed = since(base, self.environment.changes())
            return ExecutedCalls(values, results, self.environment.digest(), changed, broken)
        finally:
            self.environment.restore(start)


def asked_again_after(calls: Sequence[Action], gone: Collection[str]) -> bool:
    """Tell whether a call is repeated after one of the actions, without which it would return the same again."""
    return any(
        first.tool == again.tool
        and first.arguments == again.arguments
        and any(made.id in gone for made in calls[place + 1 : later])
        for (place, first), (later, again) in combinations(enumerate(calls), 2)
    )


def _asking_of(goal: Goal, failed: str, source: str, pointer: str) -> Goal:
    """Return a goal whose questions about a failed action are answered by an earlier result."""
    questions = tuple(
        question.model_copy(
            update={"action": source, "pointers": tuple(f"{pointer}{below}" for below in question.pointers)}
        )
        if question.action == failed
        else question
        for question in goal.asks_for
    )
    return goal.model_copy(update={"asks_for": questions})


def _taking(other: Action, failed: str, source: str, pointer: str) -> Action:
    """Return an action that takes its values from an earlier result instead of the failed action."""
    if failed not in other.depends_on:
        return other
    origins = {
        place: origin.model_copy(update={"action": source, "pointer": f"{pointer}{origin.pointer}"})
        if origin.action == failed
        else origin
        for place, origin in other.origins.items()
    }
    return other.model_copy(
        update={"origins": origins, "depends_on": tuple(dict.fromkeys([*other.depends_on, source]))}
    )


def needing(blueprint: Blueprint, action: Action) -> set[str]:
    """Return the ids of the actions that depend on an action, directly or indirectly."""
    found = {action.id}
    for other in blueprint.actions:
        if not found.isdisjoint(other.depends_on):
            found.add(other.id)
    return found - {action.id}


def _after(other: Action, failed: Action, lost: Collection[str], failure: str) -> Action:
    if other.id == failed.id:
        return other.model_copy(update={"failed": True, "result": failure})
    if other.id not in lost:
        return other
    return other.model_copy(update={"withheld": Withheld(reason="failed", action=failed.id), "result": ""})
