"""Turns at fault -> a dialogue in which these, and what builds on them, are marked as not to be learnt.

[5] assistant: Your booking is BK-9.      at fault: marked
[8] assistant: BK-9 is cancelled now.     says again what the dialogue owes to [5]: marked
[9] user: Thanks. And the weather?
[10] assistant: It rains.                 right, whatever was said before: learnt
"""

import re
from collections.abc import Collection, Sequence

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.review import message_text

_WORD = re.compile(r"[^\W_](?:[\w.:/@-]*[^\W_])?")
SHORTEST = 3
"""Characters of a word that may be owed to a message."""


def masked(messages: Sequence[Message], faulty: Collection[int]) -> tuple[Message, ...]:
    """Return the messages with `train` off for those at fault, the rest of their turn, and what builds on these.

    A message builds on a marked one when it says or calls a word or a value that came up there, or in a result of its
    calls, for the first time.
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
