"""What an assistant says to be done: read from acts, or from the words where acts are missing; and where it is not."""

import re

from interplay.schemas.records.dialogue import Message
from interplay.validators.language.decline import declines, tells_of_failure
from interplay.validators.language.phrases import pattern

_CLAIMS = pattern("claims")
_QUESTIONS = re.compile(r"(?<![^.!?\n])[^.!?\n]*\?")
_CONDITIONS = pattern("conditions")


def claims(message: Message) -> bool:
    """Tell whether the assistant says in a message that something was done, and nothing of what was not."""
    if message.role != "assistant" or not message.content or message.tool_calls:
        return False
    if message.certain_act is not None:
        return message.certain_act == "response"
    return says_done(message.content) and not declines(message) and not tells_of_failure(message)


def says_done(text: str) -> bool:
    """Tell whether words say that something was done, rather than ask for it or make it depend on something."""
    return _CLAIMS.search(_CONDITIONS.sub(" ", _QUESTIONS.sub(" ", text))) is not None
