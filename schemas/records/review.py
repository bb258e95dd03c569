"""Reviews of dialogues: what reviewers are shown and asked, and their answer to each item."""

import json
from typing import Literal, get_args

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.failure import FailureKind

Measure = Literal["coherence", "naturalness", "helpfulness"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
"""The qualities that reviewers of a dialogue score from 1 to 5."""


class ReviewItem(Record):
    """One thing that holds of a sound dialogue: `yes` where it does or does not apply, `no` where it is broken.

    Where a dialogue is read in windows, `every` one must hold, or `one` is enough, as for a wish that is served once.
    """

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    kind: FailureKind
    text: str
    side: Literal["assistant", "user", "either"] = Field("assistant", description="Whose message is at fault.")
    windows: Literal["every", "one"] = "every"
    standing: bool = Field(False, description="It is asked of every dialogue, in the same words.")


class ReviewCase(Record):
    """A dialogue as reviewers see it, and the checklist; `facts` are lines that follow from execution.

    Messages before `begins` are not judged.
    """

    policy: str = ""
    tools: tuple[str, ...] = Field((), description="One line for each tool.")
    scenario: str = ""
    facts: tuple[str, ...] = ()
    messages: tuple[Message, ...]
    begins: int = 0
    items: tuple[ReviewItem, ...]

    def item(self, identifier: str) -> ReviewItem:
        """Return the item with the id `identifier`.

        Raises:
            KeyError: there is none.
        """
        return {item.id: item for item in self.items}[identifier]


class ReviewAnswer(Record):
    """What a reviewer says of one item; a `no` cites words of the message at fault."""

    item: str
    answer: Literal["yes", "no", "abstained"]
    message: int | None = None
    quote: str = ""
    reason: str = ""


def message_text(message: Message) -> str:
    """Return a message's words and calls as one text, as reviewers read and quote it."""
    called = [
        f"{call.name}({call.malformed or json.dumps(call.arguments, ensure_ascii=False)})"
        for call in message.tool_calls
    ]
    return " ".join(part for part in (message.content, *called) if part)
