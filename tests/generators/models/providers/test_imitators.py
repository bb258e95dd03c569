"""What servers answer that speak a provider's wire nearly as the provider does."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.generators.models.wires import MOOD, body_of, question
from tests.generators.scripted_model import ScriptedModel

from interplay.generators.models.client.structured_output import NOTHING, Structured
from interplay.generators.models.providers import anthropic_messages, chat_completions, openai_responses
from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.failures import broken_answer, retry_after
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed
from interplay.schemas.errors import ModelError
from interplay.schemas.records.chat import ChatMessage, ChatReply, ChatRequest

LOCAL = EndpointSettings(model="m", base_url="http://localhost:1/v1")


def chat(message: dict[str, Any], finish: str = "stop", request: ChatRequest | None = None) -> ChatReply:
    body = {"choices": [{"message": message, "finish_reason": finish}]}
    return chat_completions.parse(LOCAL, request or question(), body)


def test_ends_are_known_by_the_names_that_servers_have_for_them() -> None:
    names = {
        "STOP": "end",
        "eos": "end",
        "end_turn": "end",
        "MAX_TOKENS": "length",
        "safety": "filtered",
        "odd": "other",
    }
    assert {name: chat({"content": "Yes."}, name).stop for name in names} == names


def test_what_is_no_text_is_no_part_of_an_answer() -> None:
    assert chat({"content": [{"type": "text", "text": None}, {"type": "text", "text": "Yes."}]}).content == "Yes."
    assert chat({"content": {"type": "text", "text": "Yes."}}).content == "Yes."
    assert chat({"content": "Yes.", "reasoning": {"effort": None}, "refusal": []}).reasoning == ""
    blocks = [{"type": "thinking", "signature": "s"}, {"type": "text", "text": None}, {"type": "text", "text": "Yes."}]
    assert anthropic_messages.parse(LOCAL, question(), {"content": blocks, "stop_reason": "end_turn"}).content == "Yes."
    items = [
        {"type": "reasoning", "summary": None, "content": [{"text": None}]},
        {"type": "message", "content": None},
        {"type": "message", "content": [{"type": "output_text", "text": "Yes."}, {"type": "output_text"}]},
    ]
    assert openai_responses.parse(LOCAL, question(), {"status": "completed", "output": items}).content == "Yes."


def test_a_refusal_may_stand_among_the_parts_of_a_content() -> None:
    reply = chat({"content": [{"type": "refusal", "refusal": "No."}]})
    assert (reply.refusal, reply.stop) == ("No.", "refusal")


def test_calls_come_with_arguments_as_values_or_as_text_and_with_and_without_a_wrapping() -> None:
    bare = {"id": "1", "name": "lookup", "arguments": {"id": 7}}
    wrapped = {"id": "2", "type": "function", "function": {"name": "lookup", "arguments": '{"id": 7}'}}
    calls = chat({"content": None, "tool_calls": [bare, wrapped]}).tool_calls
    assert [json.loads(call.arguments) for call in calls] == [{"id": 7}, {"id": 7}]
    (old,) = chat(
        {"content": None, "function_call": {"name": "lookup", "arguments": '{"id": 7}'}}, "function_call"
    ).tool_calls
    assert (old.name, json.loads(old.arguments)) == ("lookup", {"id": 7})
    assert old.id, "it gets one"
    assert chat({"content": "Yes.", "function_call": {"name": "", "arguments": ""}}).tool_calls == ()
    uses = [{"type": "tool_use", "name": "lookup", "input": given} for given in ({"id": 7}, '{"id": 7}', None)]
    calls = anthropic_messages.parse(LOCAL, question(), {"content": uses, "stop_reason": "tool_use"}).tool_calls
    assert [json.loads(call.arguments) for call in calls] == [{"id": 7}, {"id": 7}, {}]
    assert len({call.id for call in calls}) == 3, "one without an id gets one"


def test_sealed_thoughts_go_back_with_their_calls_to_the_model_that_had_them() -> None:
    sealed = {"google": {"thought_signature": "c2ln"}}
    details = [{"type": "reasoning.encrypted", "data": "eHh4"}]
    call = {"id": "a", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}
    told = {
        "content": "",
        "tool_calls": [call, {**call, "id": "b", "extra_content": sealed}],
        "reasoning_details": details,
    }
    reply = chat(told, "tool_calls")
    message = ChatMessage(role="assistant", tool_calls=reply.tool_calls, thoughts=reply.thoughts)
    asked = ChatRequest(messages=(message,))
    assert body_of(chat_completions.CHAT_COMPLETIONS, LOCAL, asked)["messages"] == [{"role": "assistant", **told}]
    other = LOCAL.model_copy(update={"model": "another"})
    back = body_of(chat_completions.CHAT_COMPLETIONS, other, asked)["messages"][0]
    assert "reasoning_details" not in back
    assert "extra_content" not in back["tool_calls"][1]


def test_an_answer_that_was_taken_for_reasoning_is_the_answer_where_a_schema_asks_for_one() -> None:
    asked = question(output=MOOD)
    taken = chat({"content": None, "reasoning_content": '{"mood": "good"}\n'}, "stop", asked)
    assert (taken.content, taken.reasoning) == ('{"mood": "good"}', "")
    assert chat({"content": None, "reasoning_content": 'Is it {"mood": "good"}?'}, "stop", asked).content == ""


def test_silence_is_repaired_where_a_schema_asks_for_an_answer() -> None:
    silent = chat({"content": ""}, "stop", question(output=MOOD))
    model = ScriptedModel([silent, '{"mood": "good", "why": ""}'])
    reply = asyncio.run(Structured(model).complete(question(output=MOOD)))
    assert reply.value == {"mood": "good", "why": ""}
    assert [message.content for message in model.requests[1].messages][1] == NOTHING


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (502, ServerFailed),
        ("overloaded", ServerFailed),
        (429, RateLimited),
        (400, Rejected),
        (401, ServerFailed),  # the gateway's own key, at one of those that it may ask
        (404, ServerFailed),
        ("insufficient_quota", ServerFailed),
        ("429", RateLimited),
        ("rate_limit_exceeded", RateLimited),
        ("invalid_prompt", Rejected),
        (10**9, ServerFailed),
        (None, ServerFailed),
    ],
)
def test_a_choice_that_a_gateway_did_not_get_is_no_answer(code: object, kind: type[Exception]) -> None:
    error = {"code": code, "message": "the model is down"}
    for body in (
        {"choices": [{"error": error, "message": {"content": ""}}]},
        {"error": error, "user_id": "u"},
        {"choices": [], "error": error},
        {"status": "failed", "output": [{"type": "message", "content": []}], "error": error},
    ):
        failure = broken_answer("m at h", Secrets(), json.dumps(body).encode())
        assert type(failure) is kind, body
        assert "the model is down" in str(failure)
    fine = {"choices": [{"message": {"content": "Yes."}, "error": None}], "error": None}
    assert broken_answer("m at h", Secrets(), json.dumps(fine).encode()) is None


def test_half_an_answer_is_none_where_the_server_failed() -> None:
    with pytest.raises(ModelError, match="failed while it answered"):
        chat({"content": "Half an ans"}, "error")
    half = {"choices": [{"message": {"content": "Half an ans"}, "finish_reason": "error"}]}
    failure = broken_answer("m at h", Secrets(), json.dumps(half).encode())
    assert isinstance(failure, ServerFailed)
    assert "failed while it answered" in str(failure)


@pytest.mark.parametrize(
    ("date", "seconds"), [("Sun, 22 Nov 2026 21:59:30 GMT", 30.0), ("yesterday", 3600.0), ("", 3600.0)]
)
def test_a_date_to_come_back_at_is_by_the_clock_of_who_says_it(date: str, seconds: float) -> None:
    headers = {"retry-after": "Sun, 22 Nov 2026 22:00:00 GMT", "date": date}
    assert retry_after(headers, datetime(2026, 11, 22, 21, tzinfo=UTC).timestamp()) == seconds


def test_bytes_that_are_no_text_are_told_as_what_they_may_be() -> None:
    assert "unpacked" in str(broken_answer("m at h", Secrets(), b"\x28\xb5\x2f\xfd\x04\x88"))
    assert "unpacked" not in str(broken_answer("m at h", Secrets(), b"<html>"))


def test_a_stream_that_nobody_asked_for_is_told_as_one() -> None:
    for body in (b'data: {"choices": []}\n\ndata: [DONE]\n\n', b"event: message_start\ndata: {}\n\n"):
        assert "stream: false" in str(broken_answer("m at h", Secrets(), body))
