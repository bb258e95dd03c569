"""A dialogue that was had elsewhere, as it is judged: who could do what, what was wanted, and what was said and done."""

from typing import Any

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.tool import Toolset


class GoldCall(Record):
    """A write that a right dialogue makes."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Gold(Record):
    """What a right dialogue does and tells; the answers are sentences."""

    writes: tuple[GoldCall, ...] = ()
    answers: tuple[str, ...] = ()


class RecordedDialogue(Record):
    """One recorded conversation; `messages` begin after the system prompt, and nothing is cut from them."""

    id: str
    source: str = Field("", description="The file and the place in it, for messages to people.")
    system: str = ""
    toolset: Toolset
    scenario: str = Field("", description="What the user was told to want, in words; empty where nobody says it.")
    gold: Gold | None = None
    messages: tuple[Message, ...] = ()
