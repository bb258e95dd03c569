"""A model that follows a script is an endpoint like any other."""

import asyncio

import pytest
from tests.generators.models.wires import question
from tests.generators.scripted_model import ScriptedModel

from interplay.generators.models.transport.transport_errors import RateLimited
from interplay.schemas.errors import ModelError
from interplay.schemas.protocols import ChatModel, Endpoint
from interplay.schemas.records.chat import ChatReply, ChatRequest
from interplay.schemas.records.dialogue import Usage


def test_gives_its_answers_in_turn_then_says_that_none_is_left() -> None:
    async def run() -> list[str]:
        model = ScriptedModel(["one", "two"])
        return [(await model.complete(question())).content for _ in range(3)]

    with pytest.raises(ModelError, match="no answer left"):
        asyncio.run(run())


def test_a_function_sees_the_request() -> None:
    def answer(request: ChatRequest) -> str:
        return request.messages[-1].content.upper()

    model: ChatModel = ScriptedModel(answer)
    assert asyncio.run(model.complete(question("hello"))).content == "HELLO"


def test_raises_the_errors_of_the_script() -> None:
    model = ScriptedModel([RateLimited("later", 2.0), "now"])
    with pytest.raises(RateLimited):
        asyncio.run(model.complete(question()))
    assert asyncio.run(model.complete(question())).content == "now"


def test_says_who_answered_and_counts_tokens() -> None:
    reply = asyncio.run(ScriptedModel(["12345678"]).complete(question("12345678")))
    assert (reply.model, reply.endpoint) == ("scripted", "script:")
    assert reply.usage == Usage(prompt=3, completion=3)
    exact = ChatReply(content="x", model="other", usage=Usage(prompt=1))
    assert asyncio.run(ScriptedModel([exact]).complete(question())).usage == Usage(prompt=1)


def test_goes_through_bytes_like_every_endpoint() -> None:
    endpoint: Endpoint = ScriptedModel(["hello"])
    request = question(sample=3)
    body = asyncio.run(endpoint.send(endpoint.payload(request)))
    assert endpoint.parse(request, body).content == "hello"
    assert endpoint.payload(request) == endpoint.payload(question(sample=3))
