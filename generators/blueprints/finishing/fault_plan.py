"""A blueprint and the faults in its recipe -> the blueprint with planned faults, and what is then expected.

Passing faults (a timeout, a truncated page) leave the task as it was: the call is repeated. Lasting faults make an action
fail (see `lasting_fault`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from interplay.generators.blueprints.finishing.difficulty import measured
from interplay.generators.blueprints.finishing.lasting_fault import ExecutedCalls, LastingFaults, needing
from interplay.generators.faults.fault_effect import fault_effect
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.records.blueprint import Action, Blueprint, with_identity
from interplay.schemas.records.fault import FAULTS, Fault, FaultKind
from interplay.schemas.records.tool import PolicyRule

ROUND = 0.5
"""Chance that a lasting fault is first aimed at an action whose values can be had in another way."""


@dataclass(frozen=True)
class FaultPlanner:
    """Plans faults; the environment must be in its opening state, and is left so."""

    environment: Environment
    policy: Policy | None
    rules: Mapping[str, PolicyRule]
    rows: int

    async def plan(self, blueprint: Blueprint) -> Blueprint:
        """Return `blueprint` with a fault for each one in its recipe, of another kind where that kind does not fit."""
        if not blueprint.recipe.faults:
            return blueprint
        rng = Random(f"{blueprint.recipe.seed}/{blueprint.recipe.index}/faults")
        for kind in blueprint.recipe.faults:
            others = [other for other in FAULTS if other != kind]
            rng.shuffle(others)
            for tried in (kind, *others):
                made = await self._hit(blueprint, tried, rng)
                if made is not None:
                    blueprint = made
                    break
        if not blueprint.faults:
            return blueprint
        hard = measured(blueprint, self.rules, self.rows)
        return with_identity(blueprint.model_copy(update={"difficulty": hard}))

    async def _hit(self, blueprint: Blueprint, kind: FaultKind, rng: Random) -> Blueprint | None:
        """Return the blueprint with a fault of a kind in one action, or None if it fits none."""
        effect = fault_effect(kind)
        lasting = rng.random() < effect.lasting
        actions = [
            action
            for action in blueprint.calls
            if not action.failed and action.requestor == "assistant" and blueprint.hit(action.id) is None
        ]
        rng.shuffle(actions)
        if lasting:
            made = await self._fail_for_good(blueprint, actions, kind, rng)
            if made is not None:
                return made
        if effect.lasting == 1:
            return None
        if not effect.errors:
            ran = await LastingFaults(self.environment, self.policy).run(blueprint)
            actions = [action for action in actions if self._reads(action, kind, ran)]
        fit = next((action for action in actions if not self._overtaken(blueprint, action)), None)
        if fit is None:
            return None
        faults = (*blueprint.faults, _fault(blueprint, fit, kind, False, rng))
        return blueprint.model_copy(update={"faults": faults})

    async def _fail_for_good(
        self, blueprint: Blueprint, actions: Sequence[Action], kind: FaultKind, rng: Random
    ) -> Blueprint | None:
        """Return the blueprint with a lasting fault in the first action that can fail, or None."""
        lasting = LastingFaults(self.environment, self.policy)
        ran = await lasting.run(blueprint)
        ways = (lasting.another_way, lasting.failing)
        for fail in ways if rng.random() < ROUND else reversed(ways):
            for action in actions:
                made = await fail(blueprint, action, _fault(blueprint, action, kind, True, rng), ran)
                if made is not None:
                    return made
        return None

    def _reads(self, action: Action, kind: FaultKind, ran: ExecutedCalls) -> bool:
        reads = self.environment.toolset.tool(action.tool).effect == "read"
        return reads and fault_effect(kind).suits(ran.values[action.id])

    def _overtaken(self, blueprint: Blueprint, action: Action) -> bool:
        """Tell whether a retry could run after an independent write of the same request, which would change its result."""
        request = next(request for request in blueprint.scenario.requests if action.goal in request)
        later = blueprint.calls[blueprint.calls.index(action) + 1 :]
        free = {other.id for other in later if other.goal in request} - needing(blueprint, action)
        return any(self.environment.toolset.tool(other.tool).effect == "write" for other in later if other.id in free)


def _fault(blueprint: Blueprint, action: Action, kind: FaultKind, lasting: bool, rng: Random) -> Fault:
    effect = fault_effect(kind)
    same = [other.id for other in blueprint.calls if other.tool == action.tool]
    earlier = Counter(fault.tool for fault in blueprint.faults)[action.tool]  # each of them adds a call
    return Fault(
        kind=kind,
        action=action.id,
        tool=action.tool,
        call=same.index(action.id) + 1 + earlier,
        lasting=lasting,
        text=rng.choice(effect.errors).format(tool=action.tool) if effect.errors else "",
        recovery="report" if lasting else "other_way" if effect.restore else "retry",
    )
