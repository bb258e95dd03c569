"""The share of the agent's messages that are in good form: calls that satisfy their schemas, words that are no machine's."""

import re

from interplay.schemas.records.verdict import RewardPart
from interplay.validators.rewards.case import Case

FAULTS = (
    "empty_message", "invalid_arguments", "machine_speech", "malformed_arguments", "repeated_call", "repeated_text",
    "tool_not_available", "tool_not_offered", "unknown_tool", "users_own_tool",
)  # fmt: skip
_MESSAGE = re.compile(r"/messages/(\d+)")


def format(case: Case) -> RewardPart:
    """Return the share of messages without a fault of form, and the faults."""
    found = case.errors("structure", FAULTS)
    own = sum(message.role == "assistant" for message in case.trajectory.messages)
    faulty = {place[1] for issue in found if (place := _MESSAGE.match(issue.pointer)) is not None}
    return RewardPart(score=1 - len(faulty) / own if own else 1.0, reasons=found)
