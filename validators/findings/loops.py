"""Finds loops: the same call repeated with no change in between, and the same words repeated."""

from collections import Counter
from collections.abc import Iterator, Mapping

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import Issue

REPEATS = 3
"""How often the same call may be made while nothing else changes anything: the fourth such call is an issue.

For words of the assistant, the limit is one lower: `first_repeat` finds the third time that they are said.
"""


def loop_issues(trajectory: Trajectory, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield an issue for each call that is made once too often."""
    made: Counter[str] = Counter()
    for index, call, answer in trajectory.calls_with_results():
        key = f"{call.name} {canonical_json(call.arguments)}"
        writes = call.name in tools and tools[call.name].effect == "write"
        if writes and answer is not None and not answer.failed:
            made = Counter({key: made[key]})
        made[key] += 1
        if made[key] == REPEATS + 1:
            text = f"{call.name} is called with the same arguments again, for the {REPEATS + 1}th time in vain."
            yield Issue.of("repeated_call", text, f"/messages/{index}")


def first_repeat(trajectory: Trajectory) -> int | None:
    """Return the index of the message in which the assistant says the same for the third time; None if it does not."""
    said: Counter[str] = Counter()
    for index, message in enumerate(trajectory.messages):
        text = " ".join(message.content.lower().split())
        if message.role == "assistant" and text and not message.tool_calls:
            said[text] += 1
            if said[text] == REPEATS:
                return index
    return None
