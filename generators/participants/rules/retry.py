"""A faulty tool result -> retry the call, restore the right answer, or give up."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from interplay.generators.faults.fault_effect import fault_effect
from interplay.schemas.json.canonical import at_pointer
from interplay.schemas.json.json_text import read_result
from interplay.schemas.records.blueprint import Action, Blueprint, ExpectedOutput
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.fault import RETRIES, Fault, FaultKind


class Retry:
    """Decides what follows a failed call: `again` holds the actions to retry, `given_up` those that failed for good.

    `found` is set if a call failed for good but an earlier result holds the wanted value.
    """

    def __init__(self, blueprint: Blueprint) -> None:
        self._ways: dict[str, Fault] = {fault.action: fault for fault in blueprint.faults if fault.source}
        self._outputs = blueprint.expected.outputs
        self.found: FaultKind | None = None
        self.again: dict[str, FaultKind] = {}
        self.given_up: dict[str, FaultKind] = {}
        self._tried: Counter[str] = Counter()

    def result_of(self, action: str, message: Message, results: Mapping[str, Any]) -> dict[str, Any]:
        """Return an action's usable result by its id; empty if the call has to be retried."""
        if message.fault is None:
            return {action: read_result(message.content)}
        restore = fault_effect(message.fault).restore
        if restore is not None:
            return {action: restore(read_result(message.content))}
        self._tried[action] += 1
        if self._tried[action] <= RETRIES[message.fault]:
            self.again[action] = message.fault
            return {}
        way = self._ways.get(action)
        if way is not None and results.get(way.source) is not None:
            self.found = message.fault
            return {action: at_pointer(results[way.source], way.pointer)}
        self.given_up[action] = message.fault
        return {action: None}

    def outputs(self, action: str) -> list[ExpectedOutput]:
        """Return the expected outputs of an action, as values in its own result."""
        way = self._ways.get(action)
        if way is None:
            return [output for output in self._outputs if output.action == action]
        return [
            output.model_copy(update={"action": action, "pointer": output.pointer.removeprefix(way.pointer)})
            for output in self._outputs
            if output.action == way.source
        ]

    def went_round(self, action: str) -> bool:
        """Tell whether a failing action has its result in an earlier one."""
        return action in self._ways

    def take_found(self) -> FaultKind | None:
        """Return `found` and reset it."""
        found, self.found = self.found, None
        return found

    def take_again(self) -> dict[str, FaultKind]:
        """Return `again` and reset it."""
        again, self.again = self.again, {}
        return again

    def why(self, action: Action) -> FaultKind | None:
        """Return the fault that made an action impossible, if any."""
        needed = action.withheld.action if action.withheld and action.withheld.reason == "failed" else action.id
        return self.given_up.get(needed)
