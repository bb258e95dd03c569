"""Which calls the user agreed to just before: yes, no, or unknown; decided by acts and by the order of messages.

Shall I book it? [confirm_request]   Yes. [affirm]   -> book: yes
Book it. [inform_intent_clear]                       -> book: no, if the rules chose the act
Book it.                                             -> book: no, since the assistant has asked nothing yet
Ready when you are.   Go ahead then.                 -> book: unknown, if a model or a stranger speaks
"""

from collections.abc import Callable, Sequence

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory

Confirmed = Callable[[Trajectory, Blueprint], Sequence[bool | None]]
"""Returns for each call of a dialogue, in order, whether the user agreed to it just before; None if unknown."""


def confirmed_by_acts(trajectory: Trajectory, blueprint: Blueprint) -> tuple[bool | None, ...]:
    """Return what acts and the order of messages show about each call; see `Confirmed`."""
    found: list[bool | None] = []
    question = _last_words(blueprint)
    agreed: bool | None = False
    for message in trajectory.messages:
        found.extend(agreed for _ in message.tool_calls)
        if message.role == "user":
            agreed = _agreed(question, message)
        elif message.role == "assistant" and message.content.strip():
            question = message
    return tuple(found)


def _last_words(blueprint: Blueprint) -> Message | None:
    """Return the assistant's last words before the task began."""
    before = reversed(blueprint.start.messages if blueprint.start else ())
    return next((message for message in before if message.role == "assistant" and message.content.strip()), None)


def _agreed(question: Message | None, answer: Message) -> bool | None:
    """Tell whether `answer` agrees to `question`: False if either has another act, None if an act is unknown."""
    if question is None:
        return False
    asked, answered = question.certain_act, answer.certain_act
    if asked not in (None, "confirm_request") or answered not in (None, "affirm"):
        return False
    return None if asked is None or answered is None else True
