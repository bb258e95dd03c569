"""Faulty turns -> a dialogue in which these, and everything that builds on them, are masked: not to be learnt.

[5] assistant: Your booking is BK-9.      at fault: masked
[8] assistant: BK-9 is cancelled now.     repeats what first came up in [5]: masked
[9] user: Thanks. And the weather?
[10] assistant: It rains.                 independent of [5]: learnt
"""

import re
from collections.abc import Collection, Sequence

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.review import message_text

_WORD = re.compile(r"[^\W_](?:[\w.:/@-]*[^\W_])?")
SHORTEST = 3
"""Minimum length of a word that links a message to a faulty one, in characters."""


def masked(messages: Sequence[Message], faulty: Collection[int]) -> tuple[Message, ...]:
    """Return the messages with `train` off for faulty ones, the rest of their turn, and those that build on these.

    A message builds on a masked one if it says or passes a word that first came up there, or in a result of its calls.
    """
    known: set[str] = set()
    owed: set[str] = set()
    calls: set[str] = set()
    marked: set[int] = set()
    running = False
    for place, message in enumerate(messages):
        words = _words(message)
        if message.role == "user":
            running = False
        elif message.role == "assistant":
            running = running or place in faulty or bool(words & owed)
            if running:
                marked.add(place)
                calls |= {call.id for call in message.tool_calls}
        if place in marked or (message.role == "tool" and message.tool_call_id in calls):
            owed |= words - known
        known |= words
    return tuple(
        message.model_copy(update={"train": False}) if place in marked else message
        for place, message in enumerate(messages)
    )


def _words(message: Message) -> set[str]:
    found = (word.casefold() for word in _WORD.findall(message_text(message)))
    return {word for word in found if len(word) >= SHORTEST}
