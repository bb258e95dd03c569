"""The content of a dialogue: acts, calls, results, messages, trajectories."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from interplay.schemas.json.canonical import digest, json_text
from interplay.schemas.json.json_text import read_result
from interplay.schemas.json.record import Record
from interplay.schemas.records.behaviour import Behaviour
from interplay.schemas.records.fault import FaultKind
from interplay.schemas.records.recipe import MadeWorld
from interplay.schemas.records.tool import Requestor

UserAct = Literal[
    "inform_intent_clear",
    "inform_intent_clear_add",
    "inform_intent_vague",
    "inform",
    "fail_inform",
    "affirm",
    "negate",
    "user_bye",
]
SystemAct = Literal[
    "request",
    "clarify",
    "suggest",
    "retriever_call",
    "call",
    "response",
    "response_fail",
    "system_bye",
]
"""The 16 acts of ToolDial (Shim et al. 2025, table 2)."""

OwnAct = Literal[
    "confirm_request",
    "choose",
    "refuse",
    "insist",
    "off_topic",
    "change_mind",
    "correct",
    "settle",
    "ask_back",
    "complain",
    "resume",
    "wander",
    "withhold",
    "report_error",
    "ask_again",
    "guide",
    "perform",
    "report",
]

"""Acts beyond ToolDial's. The last three: the assistant asks for a step on the user's device, the user takes it, and reports."""

DialogueAct = Literal[UserAct, SystemAct, OwnAct]

STEP = "do:"
"""Prefix that marks, among asked and told facts, an action that the user performs on its own device."""


class ToolCall(Record):
    """One call: `id` is nine alphanumeric characters, unique in its trajectory."""

    id: str
    name: str
    arguments: dict[str, Any]
    requestor: Requestor = "assistant"
    malformed: str = Field("", description="The arguments as they were written, where they are no JSON object.")


class ToolResult(Record):
    """The answer to a call: a JSON value, or an error text; `text` is what the caller sees, to the letter."""

    call_id: str
    value: Any = None
    error: str | None = None
    text: str
    fault: FaultKind | None = Field(None, description="What went wrong with the tool, where that was planned.")

    @classmethod
    def of(cls, call: ToolCall, value: Any) -> "ToolResult":
        """Make the result of a successful call from a JSON value."""
        return cls(
            call_id=call.id,
            value=value,
            text=value if isinstance(value, str) else json_text(value),
        )

    @classmethod
    def read(cls, call: ToolCall, text: str) -> "ToolResult":
        """Make a result from its text: the value is the text parsed as JSON, or the text itself."""
        return cls(call_id=call.id, value=read_result(text), text=text)

    @classmethod
    def failed(cls, call: ToolCall, error: str) -> "ToolResult":
        """Make the result of a failed call from the error text."""
        return cls(call_id=call.id, error=error, text=error)

    def digest(self) -> str:
        """Return the digest of the value, or of the error text, for comparing results."""
        return digest(self.value if self.error is None else self.error)


class DialogueState(Record):
    """What is settled after a turn, by rules: the goal under way, its tool, the slots filled, and what comes next.

    `filled`, `asked` and `told` hold fact ids of the scenario: known so far, asked for in this turn, told in it;
    `otherwise` holds the first values of facts whose final value differs.
    """

    goal: int | None = None
    tool: str | None = None
    filled: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    otherwise: dict[str, Any] = Field(default_factory=dict)
    next_act: DialogueAct | None = None
    duties: tuple[str, ...] = Field(
        (), description="Ids of the rules whose duty to say or to offer something is done in it."
    )
    confidence: float = Field(
        1.0, description="How sure act and state are: less than 1 where they were read from words."
    )


class Message(Record):
    """One message; `content` is never null. `spoken` lists the values as worded, for masking and statistics.

    `offered` stands on the messages of users and tools with which tools come or go: all that the assistant has from then on.
    """

    role: Literal["user", "assistant", "tool"]
    content: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    failed: bool = Field(False, description="On a tool message: the content is an error text.")
    fault: FaultKind | None = Field(None, description="On a tool message: what went wrong with the tool.")
    act: DialogueAct | None = None
    state: DialogueState | None = None
    spoken: tuple[str, ...] = ()
    behaviours: tuple[Behaviour, ...] = Field((), description="What the user does in it beside wanting something.")
    offered: tuple[str, ...] | None = Field(
        None,
        description="Names of the tools that are offered after this message, in order; none where nothing changes.",
    )
    about: int | None = Field(
        None,
        description="On a message of a user whom a model plays: which request it says to be at, from 1; 0 for none.",
    )
    train: bool = True
    model: str = Field("", description="Which model wrote it; empty where rules did.")
    speaker: str = Field(
        "", description="What the configuration calls that model, with its place among those of the role."
    )

    @property
    def certain_act(self) -> DialogueAct | None:
        """The act, if the rules chose it and wrote the sentence; None if a model worded it or it was read from words."""
        chosen = not self.model and (self.state is None or self.state.confidence == 1.0)
        return self.act if chosen else None


class Usage(Record):
    """Tokens by kind; `cached` and `cache_written` are part of `prompt`, `reasoning` is part of `completion`.

    `cached` was read from the provider's cache, `cache_written` was put there for later, at a price of its own.
    """

    prompt: int = 0
    cached: int = 0
    cache_written: int = 0
    completion: int = 0
    reasoning: int = 0

    def plus(self, other: "Usage") -> "Usage":
        """Return the sum of both."""
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in Usage.model_fields})

    @property
    def total(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt + self.completion


def offered_after(start: tuple[str, ...], messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the names of the tools on offer after `messages`, in a dialogue that begins with the offer `start`."""
    return next((message.offered for message in reversed(messages) if message.offered is not None), start)


class Start(Record):
    """What was said and done before a task begins; the state that it begins in is the one that these calls lead to.

    `origin`: the task before it in one session, a stored record, or an imported conversation; `source` names it. The
    messages end with words of the assistant.
    """

    origin: Literal["session", "record", "conversation"]
    source: str
    imported: int = Field(
        0,
        description="How many of its messages, from the first on, were not had here: their results may be others here.",
    )
    messages: tuple[Message, ...]
    tools: tuple[str, ...] = Field((), description="Names of the tools that were offered in it.")
    unsettled: bool = Field(False, description="The assistant waits for an answer, which the user leaves it without.")
    left: tuple[str, ...] = Field((), description="Names of the tools that were wanted in what is left so.")
    told: tuple[Any, ...] = Field((), description="Values that the user is known to have told by then, however worded.")
    user: str = Field(
        "", description="The identity of the user, be it told by then or not; empty where nobody knows it."
    )
    world: MadeWorld | None = Field(None, description="Where it took place, if that is known and made up.")

    def calls_with_results(self) -> Iterator[tuple[ToolCall, Message | None]]:
        """Yield each call with the tool message that answers it, or None."""
        answers = {message.tool_call_id: message for message in self.messages if message.role == "tool"}
        for message in self.messages:
            for call in message.tool_calls:
                yield call, answers.get(call.id)

    def history(self) -> tuple[tuple[ToolCall, ToolResult], ...]:
        """Return the answered calls with their results, in the form that policies take."""
        return tuple((call, result_in(call, answer)) for call, answer in self.calls_with_results() if answer)


def result_in(call: ToolCall, answer: Message) -> ToolResult:
    """Return the result that a tool message holds."""
    return ToolResult.failed(call, answer.content) if answer.failed else ToolResult.read(call, answer.content)


def assistant_view(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages without the calls that the user makes on its own device, and without their results.

    The offer of a removed message moves to the message before it.
    """
    own = {call.id for message in messages if message.role == "user" for call in message.tool_calls}
    seen: list[Message] = []
    for message in messages:
        hidden = message.role == "tool" and message.tool_call_id in own
        if hidden or (message.role == "user" and message.tool_calls and not message.content):
            if message.offered is not None and seen:
                seen[-1] = seen[-1].model_copy(update={"offered": message.offered})
            continue
        if message.role == "user" and message.tool_calls:
            message = message.model_copy(update={"tool_calls": ()})
        seen.append(message)
    return tuple(seen)


Termination = Literal[
    "user_ended",
    "message_limit",
    "turn_limit",
    "call_limit",
    "turn_call_limit",
    "repeated_calls",
    "length_limit",
    "token_limit",
    "time_limit",
    "environment_failure",
    "model_failed",
    "unclear",
]


class Trajectory(Record):
    """One played dialogue. `tools` names what was offered at the start, in order; messages tell where that changes.

    The toolset's digest leads to the schemas of the tools.
    """

    blueprint_id: str
    toolset: str
    tools: tuple[str, ...]
    system_prompt: str
    messages: tuple[Message, ...]
    kept: int = Field(0, description="How many messages were there before it was played; it goes on from them.")
    final_digest: str
    termination: Termination
    reason: str = Field("", description="What failed, where it did not end by itself.")
    usage: dict[str, Usage] = Field(default_factory=dict, description="By role.")
    models: dict[str, str] = Field(default_factory=dict, description="Who played each role.")
    rewriting: dict[str, dict[str, int]] = Field(
        default_factory=dict,
        description="By role, for sentences of the rules: how many a model reworded, and why the others stayed.",
    )
    seed: int = 0
    version: str = ""

    def calls_with_results(self) -> Iterator[tuple[int, ToolCall, Message | None]]:
        """Yield (index of the message, call, tool message that answers it or None) for each call."""
        answers = {message.tool_call_id: message for message in self.messages if message.role == "tool"}
        for index, message in enumerate(self.messages):
            for call in message.tool_calls:
                yield index, call, answers.get(call.id)

    def calls(self) -> tuple[ToolCall, ...]:
        """Return all calls in order."""
        return tuple(call for message in self.messages for call in message.tool_calls)

    def offered_at(self, index: int) -> tuple[str, ...]:
        """Return the names of the tools on offer when message `index` is written."""
        return offered_after(self.tools, self.messages[:index])

    def all_tools(self) -> tuple[str, ...]:
        """Return the names of all tools offered at any time, in order of appearance."""
        changes = (message.offered for message in self.messages if message.offered is not None)
        return tuple(dict.fromkeys([*self.tools, *(name for names in changes for name in names)]))
