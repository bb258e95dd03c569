"""How long a dialogue may get, and what counts it."""

from collections.abc import Sequence
from typing import Protocol

from pydantic import Field

from interplay.schemas.json.canonical import canonical_json
from interplay.schemas.json.record import Record
from interplay.schemas.records.dialogue import Message, Termination, ToolCall, ToolResult
from interplay.schemas.records.tool import Tool


class Limits(Record):
    """How long a dialogue may get; what goes beyond ends it, with the reason."""

    turns: int = Field(40, ge=1, description="Turns of the user.")
    messages: int = Field(160, ge=2, description="Messages in all.")
    calls: int = Field(80, ge=1, description="Calls in all.")
    calls_per_turn: int = Field(30, ge=1, description="Calls between two messages of the user.")
    repeats: int = Field(
        3, ge=1, le=3, description="Times that the same call is made while nothing else changes anything."
    )
    length: int = Field(40_000, ge=1, description="Characters of one message, with the arguments of its calls.")
    tokens: int | None = Field(1_000_000, ge=1, description="Tokens of the models that play, prompts included.")
    seconds: float | None = Field(
        3600, gt=0, description="Between the first message and the last turn where models play; none in batches."
    )


class Meter(Protocol):
    """Tells what a dialogue has taken so far, where models play."""

    def tokens(self) -> int:
        """Return the tokens of all who play."""
        ...

    def seconds(self) -> float:
        """Return how long it is under way."""
        ...


class Counter:
    """Counts what a dialogue does, and tells which limit it goes beyond."""

    def __init__(self, limits: Limits, tools: Sequence[Tool], meter: Meter | None) -> None:
        self._limits = limits
        self._writes = {tool.name for tool in tools if tool.effect == "write"}
        self._meter = meter
        self._turns = self._calls = self._of_turn = 0
        self._made: dict[str, int] = {}
        self._repeated = False

    def heard(self) -> None:
        """Count a message of the user."""
        self._turns += 1
        self._of_turn = 0

    def called(self, call: ToolCall, result: ToolResult) -> None:
        """Count a call; one that writes lets the others be made again."""
        key = f"{call.name} {canonical_json(call.arguments)}"
        if call.name in self._writes and result.error is None:
            self._made = {key: self._made.get(key, 0)}
        self._made[key] = self._made.get(key, 0) + 1
        self._repeated = self._repeated or self._made[key] > self._limits.repeats
        self._calls += 1
        self._of_turn += 1

    def cut(self, message: Message) -> Message | None:
        """Return what is kept of a message that is too long, without its calls; none for any other."""
        called = sum(len(call.malformed or canonical_json(call.arguments)) for call in message.tool_calls)
        if len(message.content) + called <= self._limits.length:
            return None
        return message.model_copy(update={"content": message.content[: self._limits.length], "tool_calls": ()})

    def beyond(self, messages: int, asked: int = 0, ends: bool = False) -> Termination | None:
        """Return the limit that a dialogue with so many messages is beyond, before `asked` calls or the user's next turn."""
        limits, meter = self._limits, self._meter
        if self._repeated:
            return "repeated_calls"
        if self._of_turn + asked > limits.calls_per_turn:
            return "turn_call_limit"
        if self._calls + asked > limits.calls:
            return "call_limit"
        if ends and self._turns >= limits.turns:
            return "turn_limit"
        if messages >= limits.messages:
            return "message_limit"
        if meter is not None and limits.tokens is not None and meter.tokens() > limits.tokens:
            return "token_limit"
        if meter is not None and limits.seconds is not None and meter.seconds() > limits.seconds:
            return "time_limit"
        return None
