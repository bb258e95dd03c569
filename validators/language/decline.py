"""What must not be served must be declined: read from acts, or from the words where acts are missing."""

import re
from functools import lru_cache

from interplay.schemas.records.dialogue import Message

DECLINING_ACTS = ("refuse", "response_fail", "report_error")
_DECLINES = re.compile(
    r"\b(?:can(?:no|['’])t|can not|could(?: not|n['’]t)|unable|not able|won['’]t|will not|(?:am|are|is)(?: not|n['’]t) (?:able|allowed"
    r"|permitted|possible)|['’]m not (?:able|allowed|permitted)|not possible|isn['’]t possible|impossible|unfortunately|sorry"
    r"|afraid|don['’]t have (?:a|any|the|access)|do not have (?:a|any|the|access)|no (?:tool|way|access|exception)|declin\w+|refus\w+"
    r"|outside (?:of )?(?:what|my|the)|beyond (?:what|my|the)|not something|against (?:our|the)|only (?:help|assist)|need the"
    r"|without (?:the|a|an|your)|must be handled|has to be handled|not permitted|prohibited"
    r"|keep to the rules|(?:kann|darf|konnte|werde) (?:ich )?(?:das |es |dabei |dir |ihnen )*"
    r"(?:hier |leider |so |gerade |noch |derzeit |zurzeit |jetzt |im moment )*nicht|nicht (?:möglich|erlaubt|gelungen)"
    r"|tut mir leid|leider|ablehnen|lehne (?:ich )?ab|kein(?:es)? (?:meiner |der )?werkzeuge?|an die regeln halten|muss (?:es|das) warten"
    r"|unmöglich|(?:mache|helfe) ich nicht|geht (?:leider )?nicht)\b",
    re.IGNORECASE,
)

_FAILED = re.compile(
    r"\b(?:fail(?:s|ed|ure|ing)|(?:an|the|this|with|following) error|went wrong|(?:was|were|is|been|access|permission|request|got) denied|no permission"
    r"|(?:did|does|has|have|was|were|is)(?:n['’]t| not) (?:been )?(?:work(?:ed)?|respond(?:ed|ing)?|done|completed?|go(?:ne)? through|succeed(?:ed)?)"
    r"|timed? ?out|outage|fehlgeschlagen|(?:ein|der|diesen|den|einen) fehler|schiefgegangen|nicht (?:geklappt|funktioniert|durchgegangen)|verweigert"
    r"|keine (?:berechtigung|erlaubnis)|zeitüberschreitung)\b",
    re.IGNORECASE,
)


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
