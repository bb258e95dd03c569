"""A dialogue recorded elsewhere, as it is judged: the tools, what the user wanted, and what was said and done."""

from typing import Any

from pydantic import Field

from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.tool import Toolset


class GoldCall(Record):
    """A write that a right dialogue makes."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Gold(Record):
    """What a right dialogue does and tells; the answers are sentences, the outputs values that it says."""

    writes: tuple[GoldCall, ...] = ()
    answers: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


class ReadProblem(Record):
    """What of a conversation could not be read, and its place among the messages without a system one."""

    place: int
    what: str


class RecordedDialogue(Record):
    """One recorded conversation; `messages` begin after the system prompt, and nothing is cut from them."""

    id: str
    source: str = Field("", description="The file and the place in it, for messages to people.")
    system: str = ""
    toolset: Toolset
    scenario: str = Field("", description="What the user was told to want, in words; empty where nobody says it.")
    gold: Gold | None = None
    messages: tuple[Message, ...] = ()
    places: tuple[int, ...] = Field(
        (),
        description="For each message its place among those of the file without a system one; empty where it is its index.",
    )
    problems: tuple[ReadProblem, ...] = ()

    def place(self, index: int) -> int:
        """Return the position in the file of the message at `index`."""
        return self.places[index] if index < len(self.places) else index

    def trajectory(self) -> Trajectory:
        """Return the dialogue as a trajectory, as if it had been played here and ended by the user."""
        return Trajectory(
            blueprint_id=self.id,
            toolset=self.toolset.name,
            tools=tuple(tool.name for tool in self.toolset.tools),
            system_prompt=self.system,
            messages=self.messages,
            final_digest="",
            termination="user_ended",
        )


class RecordedIssue(Record):
    """One thing that is wrong in a recorded dialogue; `turn` is the place of its message in the file, none for the whole."""

    code: str
    message: str
    turn: int | None = None


class JudgedDialogue(Record):
    """The judgement of one recorded dialogue: whether it is accepted, its issues, and the first fault with its place.

    `reviewed` tells whether reviewers were asked what was meant, or facts alone decided.
    """

    id: str
    source: str = ""
    accepted: bool
    issues: tuple[RecordedIssue, ...] = ()
    fault: FailureKind | None = None
    turn: int | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    reviewed: bool = False
