"""What must not be served must be declined: read from acts, or from the words where acts are missing."""

from functools import lru_cache

from interplay.schemas.records.dialogue import Message
from interplay.validators.language.phrases import pattern

DECLINING_ACTS = ("refuse", "response_fail", "report_error")
_DECLINES = pattern("declines")

_FAILED = pattern("failures")


def declines(message: Message) -> bool:
    """Tell whether the assistant says in a message that something will not be done."""
    if message.role != "assistant" or not message.content:
        return False
    act = message.certain_act
    return act in DECLINING_ACTS if act is not None else declines_in_words(message.content)


@lru_cache(maxsize=4096)
def declines_in_words(text: str) -> bool:
    """Tell whether an assistant's words say that something will not be done."""
    return _DECLINES.search(text) is not None


def tells_of_failure(message: Message) -> bool:
    """Tell whether the assistant says in a message that something went wrong, be it only part of what it says."""
    if message.role != "assistant" or message.tool_calls:
        return False
    act = message.certain_act
    return act == "report_error" if act is not None else _FAILED.search(message.content) is not None
