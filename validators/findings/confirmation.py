"""Which calls of a dialogue the user agreed to just before, read from acts, or from the words where acts are missing."""

from collections.abc import Sequence

from interplay.schemas.records.dialogue import Message
from interplay.validators.language.assent import affirms
from interplay.validators.language.phrases import pattern

_TOLD_TO_AGREE = pattern("told_to_agree")
"""Words that ask for a yes without a question mark."""


def asks(text: str) -> bool:
    """Tell whether an assistant's words end with a question."""
    return text.rstrip(" \n\t\"'”’)*_").endswith(("?", "？"))


def confirmations(messages: Sequence[Message]) -> tuple[bool, ...]:
    """Return for each call, in order, whether the user's last words before it agreed to what was asked; those of the user need no
    agreement."""
    found: list[bool] = []
    question: Message | None = None
    agreed = False
    for message in messages:
        if message.role == "user":
            found.extend(False for _ in message.tool_calls)
            agreed = question is not None and _asked(question) and _agreed(message)
        elif message.role == "assistant":
            found.extend(agreed for _ in message.tool_calls)
            if message.content.strip():
                question = message
    return tuple(found)


def _asked(message: Message) -> bool:
    return message.certain_act == "confirm_request" if message.certain_act is not None else _wants_yes(message.content)


def _agreed(message: Message) -> bool:
    return message.certain_act == "affirm" if message.certain_act is not None else affirms(message.content)


def _wants_yes(text: str) -> bool:
    return asks(text) or _TOLD_TO_AGREE.search(text) is not None
