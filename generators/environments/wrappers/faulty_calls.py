"""An environment and planned faults -> an environment in which the calls that these name go wrong, each time alike.

A call that fails was not executed: a timeout leaves the state as it was, so that making the call again does nothing twice.
Where an answer only has another form, or is an older one, its value is that of the answer; its text is what is seen.
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
    """An environment that counts the calls of each tool; the state is that of the one around which it stands."""

    def __init__(self, environment: Environment, faults: Sequence[Fault]) -> None:
        super().__init__(environment)
        self._faults = tuple(faults)
        self._called: Counter[str] = Counter()
        self._opening = environment.snapshot() if any(fault_effect(fault.kind).outdated for fault in faults) else None

    async def call(self, call: ToolCall) -> ToolResult:
        """Execute one call, or let it go wrong; see `Environment.call`."""
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
        """Answer as in the opening state, or as now where that had no answer yet."""
        now = self._inner.snapshot()
        self._inner.restore(self._opening)
        try:
            result = await self._inner.call(call)
        finally:
            self._inner.restore(now)
        return result if result.error is None else await self._inner.call(call)

    def snapshot(self) -> Any:
        """Return a token for the state and for the calls counted."""
        return self._inner.snapshot(), Counter(self._called)

    def restore(self, snapshot: Any) -> None:
        """Bring back a state, and the count of calls that it had."""
        held, called = snapshot
        self._inner.restore(held)
        self._called = Counter(called)


def with_faults(environment: Environment, faults: Sequence[Fault]) -> Environment:
    """Return an environment in its opening state with `faults`, or itself where there are none."""
    return Faulty(environment, faults) if faults else environment
