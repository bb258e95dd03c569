"""An environment and planned faults -> an environment in which the planned calls go wrong, the same way each time.

A failing call is not executed: a timeout leaves the state as it was, so that a retry does not act twice. Where the fault only
distorts the form of an answer, the result keeps the true value, and its text shows the distorted one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from interplay.generators.environments.wrappers.wrapped_environment import WrappedEnvironment
from interplay.generators.faults.fault_effect import fault_effect
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.fault import Fault


class Faulty(WrappedEnvironment):
    """Makes planned calls go wrong, by counting the calls of each tool; the state is that of the inner environment."""

    def __init__(self, environment: Environment, faults: Sequence[Fault]) -> None:
        super().__init__(environment)
        self._faults = tuple(faults)
        self._called: Counter[str] = Counter()
        self._opening = environment.snapshot() if any(fault_effect(fault.kind).outdated for fault in faults) else None

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute a call, or apply the fault planned for it; see `Environment.call`."""
        self._called[call.name] += 1
        number = self._called[call.name]
        due = (fault for fault in self._faults if fault.tool == call.name and fault.call <= number)
        fault = next((fault for fault in due if fault.lasting or fault.call == number), None)
        if fault is None:
            return await self._inner.call(call)
        effect = fault_effect(fault.kind)
        if effect.errors:
            return ToolResult.failed(call, fault.text).model_copy(update={"fault": fault.kind})
        result = await (self._older(call) if effect.outdated else self._inner.call(call))
        if result.error is not None:
            return result
        shown = ToolResult.of(call, effect.distort(result.value)).model_copy(update={"fault": fault.kind})
        return shown.model_copy(update={"value": result.value}) if effect.keeps_value else shown

    async def _older(self, call: ToolCall) -> ToolResult:
        """Answer as in the opening state, or as in the present one if the call failed in the opening state."""
        now = self._inner.snapshot()
        self._inner.restore(self._opening)
        try:
            result = await self._inner.call(call)
        finally:
            self._inner.restore(now)
        return result if result.error is None else await self._inner.call(call)

    def snapshot(self) -> Any:
        """Return a token for the state and the counts of calls."""
        return self._inner.snapshot(), Counter(self._called)

    def restore(self, snapshot: Any) -> None:
        """Restore a state and its counts of calls."""
        held, called = snapshot
        self._inner.restore(held)
        self._called = Counter(called)


def with_faults(environment: Environment, faults: Sequence[Fault]) -> Environment:
    """Return the environment with `faults`, or unchanged if there are none; it must be in its opening state."""
    return Faulty(environment, faults) if faults else environment
