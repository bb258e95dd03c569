"""Each limit ends a dialogue with its reason."""

import asyncio
from dataclasses import dataclass

import pytest
from tests.validators.builders import Notes, make_blueprint

from interplay.generators.dialogue_limits import Limits
from interplay.generators.simulation import simulate
from interplay.schemas.protocols import Assistant
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory


class Talker:
    """A user who never says goodbye."""

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        return Message(role="user", content=f"And number {len(messages)}?")


@dataclass
class Caller:
    """An assistant that makes `calls` calls after each message of the user, the same one over and over or not."""

    calls: int = 0
    same: bool = False

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        since = next(place for place, message in enumerate(reversed(messages)) if message.role == "user")
        if since >= 2 * self.calls:
            return Message(role="assistant", content=f"Here you are, {len(messages)}.")
        arguments = {} if self.same else {"done": len(messages) % 4 < 2, "page": len(messages)}
        return Message(
            role="assistant",
            tool_calls=(ToolCall(id=f"call{len(messages):05}", name="list_notes", arguments=arguments),),
        )


@dataclass
class Meter:
    """What the models of a dialogue took, as a test says."""

    spent: int = 0
    passed: float = 0.0

    def tokens(self) -> int:
        return self.spent

    def seconds(self) -> float:
        return self.passed


def play(limits: Limits, assistant: Assistant | None = None, meter: Meter | None = None) -> Trajectory:
    return asyncio.run(simulate(make_blueprint(), Talker(), assistant or Caller(), Notes(), limits, meter=meter))


def test_a_user_who_never_says_goodbye_runs_out_of_turns() -> None:
    played = play(Limits(turns=5))
    assert played.termination == "turn_limit"
    assert sum(message.role == "user" for message in played.messages) == 5
    assert played.messages[-1].role == "assistant"


@pytest.mark.parametrize(
    ("reason", "limits", "assistant"),
    [
        ("message_limit", Limits(messages=7), Caller()),
        ("call_limit", Limits(calls=4), Caller(calls=2)),
        ("turn_call_limit", Limits(calls_per_turn=3), Caller(calls=4)),
        ("repeated_calls", Limits(), Caller(calls=6, same=True)),
    ],
)
def test_ends_with_the_reason(reason: str, limits: Limits, assistant: Caller) -> None:
    assert play(limits, assistant).termination == reason


@dataclass
class Rambler:
    """An assistant that says a lot, in words or in the arguments of a call."""

    content: str = ""
    note: str = ""

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        calls = (
            (ToolCall(id=f"call{len(messages):05}", name="add_note", arguments={"text": self.note}),)
            if self.note
            else ()
        )
        return Message(role="assistant", content=self.content, tool_calls=calls)


def test_a_message_that_is_too_long_ends_the_dialogue_and_is_kept_as_far_as_it_may_go() -> None:
    limits = Limits(length=100, turns=2)
    assert play(limits, Rambler("a" * 100)).termination == "turn_limit"
    for assistant in (Rambler("a" * 101), Rambler("a" * 60, "b" * 60)):
        played = play(limits, assistant)
        assert played.termination == "length_limit"
        assert played.messages[-1].content == assistant.content[:100]
        assert not played.calls()


def test_the_same_call_may_be_made_again_until_it_is_one_too_many() -> None:
    played = play(Limits(repeats=2), Caller(calls=6, same=True))
    assert len(played.calls()) == 3


def test_tokens_and_time_end_a_dialogue_that_models_play_and_are_no_part_of_it() -> None:
    assert play(Limits(tokens=100), meter=Meter(spent=101)).termination == "token_limit"
    late, later = (play(Limits(seconds=60), meter=Meter(passed=passed)) for passed in (61.0, 62.5))
    assert late.termination == "time_limit"
    assert late == later


def test_neither_ends_a_dialogue_that_the_rules_play() -> None:
    assert play(Limits(turns=2, tokens=1, seconds=0.000001)).termination == "turn_limit"
