"""Answers with a schema: read, checked, repaired once, or counted as failed."""

import asyncio

import pytest
from tests.generators.models.wires import LOOKUP, MOOD, WIRES, endpoint, question
from tests.generators.scripted_model import Answer as Scripted
from tests.generators.scripted_model import ScriptedModel
from tests.model_server.answers import Answer, Ask
from tests.model_server.server import ModelServer

from interplay.generators.models.client.structured_output import OutputInvalid, Structured, read_value
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatCall, ChatReply
from interplay.schemas.records.dialogue import Usage

GOOD = '{"mood": "good", "why": "Sun."}'
VALUE = {"mood": "good", "why": "Sun."}
SCHEMA = MOOD.json_schema


def ask(*answers: Scripted) -> tuple[ChatReply, ScriptedModel]:
    model = ScriptedModel(answers)
    return asyncio.run(Structured(model).complete(question(output=MOOD, tools=(LOOKUP,)))), model


def test_a_valid_answer_becomes_the_value() -> None:
    reply, model = ask(GOOD)
    assert reply.value == VALUE
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"Sure! Here it is:\n```\n{GOOD}\n```\nAnything else?",
        f"The answer is {GOOD}, I think.",
        f'First {{"mood": "odd"}}, no: {GOOD}',
        f"{GOOD} {GOOD}",
        f"{{not json}} {GOOD}",
    ],
)
def test_fences_and_prose_around_it_are_read_past(text: str) -> None:
    assert read_value(text, SCHEMA) == (VALUE, ())


@pytest.mark.parametrize(
    "text", ["", "no idea", '{"mood": ', "[" * 100_000, "{" * 100_000, '{"mood": NaN}', "```json\n"]
)
def test_what_holds_no_value_says_so(text: str) -> None:
    value, problems = read_value(text, SCHEMA)
    assert value is None
    assert problems


def test_null_is_a_value() -> None:
    assert read_value("null", {"type": "null"}) == (None, ())


def test_one_repair_turn_shows_what_is_wrong() -> None:
    reply, model = ask('{"mood": "odd"}', GOOD)
    assert reply.value == VALUE
    shown = model.requests[1].messages
    assert [message.role for message in shown] == ["user", "assistant", "user"]
    assert shown[1].content == '{"mood": "odd"}'
    assert "/mood: 'odd' is not one of" in shown[2].content
    assert "'why' is a required property" in shown[2].content
    assert model.requests[1].output == MOOD


def test_both_turns_are_paid_for() -> None:
    first, second = (ChatReply(content=text, usage=Usage(prompt=10, cached=5, completion=3)) for text in ("no", GOOD))
    assert ask(first, second)[0].usage == Usage(prompt=20, cached=10, completion=6)


def test_the_second_bad_answer_is_a_failure_of_its_own_kind() -> None:
    model = ScriptedModel(["no", '{"mood": "odd", "why": ""}', GOOD])
    with pytest.raises(OutputInvalid, match="scripted at script: gave no valid mood, twice: /mood") as caught:
        asyncio.run(Structured(model).complete(question(output=MOOD)))
    assert len(model.requests) == 2
    assert caught.value.problems == ("/mood: 'odd' is not one of ['good', 'bad']",)


def test_a_cut_answer_is_asked_for_again_but_shorter() -> None:
    _, model = ask(ChatReply(content='{"mood": "good", "wh', stop="length"), GOOD)
    assert "answer more briefly" in model.requests[1].messages[-1].content


def test_a_refusal_is_not_repaired() -> None:
    model = ScriptedModel([ChatReply(refusal="I will not.", stop="refusal"), GOOD])
    with pytest.raises(ModelError, match="refused: I will not"):
        asyncio.run(Structured(model).complete(question(output=MOOD)))
    assert len(model.requests) == 1


def test_calls_of_offered_tools_are_passed_on_as_they_are() -> None:
    broken = ChatCall(id="c", name="lookup", arguments='{"id": ')
    reply, model = ask(ChatReply(tool_calls=(broken,), stop="tool_calls"))
    assert reply.tool_calls == (broken,)
    assert (reply.value, len(model.requests)) == (None, 1)


def test_a_request_without_a_schema_is_just_asked() -> None:
    model = ScriptedModel(["Hello."])
    assert asyncio.run(Structured(model).complete(question())).content == "Hello."


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("way", ["native", "tool", "instructed"])
def test_repairs_over_every_wire_in_every_way(wire: str, way: str) -> None:
    def script(asked: Ask) -> Answer | None:
        if "does not satisfy" in asked.text:
            return Answer(text=GOOD) if way != "tool" else None
        return Answer(text="The mood is good, since the sun shines.")

    async def run() -> ChatReply:
        async with ModelServer(script=script) as server:
            model = endpoint(wire, server, structured=way)
            try:
                return await Structured(model).complete(question(output=MOOD))
            finally:
                await model.aclose()

    assert asyncio.run(run()).value["mood"] == "good"
