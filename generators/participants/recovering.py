"""What a tool answered when something went wrong -> whether to ask again, to read it otherwise, or to give up."""

import json
from collections import Counter
from typing import Any

from interplay.generators.values.distorted import straightened
from interplay.schemas.blueprint import Action
from interplay.schemas.dialogue import Message
from interplay.schemas.fault import RETRIES, FaultKind


class Recovery:
    """Follows what went wrong: `again` holds the actions to be tried once more, `lost` those that failed for good."""

    def __init__(self) -> None:
        self.again: dict[str, FaultKind] = {}
        self.lost: dict[str, FaultKind] = {}
        self._tried: Counter[str] = Counter()

    def settle(self, action: str, message: Message) -> dict[str, Any]:
        """Return the result of an action as it is to be used, by its name; nothing where it has to be tried again."""
        if message.fault is None:
            return {action: _read(message.content)}
        if message.fault == "schema_drift":
            return {action: straightened(_read(message.content))}
        self._tried[action] += 1
        if self._tried[action] <= RETRIES[message.fault]:
            self.again[action] = message.fault
            return {}
        self.lost[action] = message.fault
        return {action: None}

    def take_again(self) -> dict[str, FaultKind]:
        """Return what is to be tried again, once."""
        again, self.again = self.again, {}
        return again

    def why(self, action: Action) -> FaultKind | None:
        """Return what made it impossible to do something, if anything did."""
        needed = action.withheld.action if action.withheld and action.withheld.reason == "failed" else action.id
        return self.lost.get(needed)


def _read(content: str) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return content
