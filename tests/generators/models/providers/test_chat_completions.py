"""The bodies that OpenAI's two APIs are sent, and the answers that only they and their imitators give."""

import json
import re
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from tests.generators.models.wires import LOOKUP, MOOD, SAVE, body_of, exchange, question, result, said, user

from interplay.generators.models.providers.chat_completions import CHAT_COMPLETIONS, parse
from interplay.generators.models.providers.openai_responses import RESPONSES
from interplay.generators.models.providers.openai_responses import parse as responses_parse
from interplay.generators.models.providers.strict_schema import strict_schema
from interplay.generators.models.transport.credentials import Secrets
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.generators.models.transport.failures import status_failure
from interplay.generators.models.transport.transport_errors import RateLimited, Rejected, ServerFailed
from interplay.schemas.records.chat import ChatCall, ChatMessage, ChatReply, ChatRequest, OutputSchema, Sampling

payload = partial(body_of, CHAT_COMPLETIONS)
responses_payload = partial(body_of, RESPONSES)
LOCAL = EndpointSettings(model="m", base_url="http://localhost:1/v1")
HOME = EndpointSettings(model="m")
CALL = ChatCall(id="c1", name="lookup", arguments='{"id": "7"}')
DIALOGUE = (
    ChatMessage(role="system", content="Be brief."),
    user("Look 7 up."),
    said("", CALL).model_copy(update={"reasoning": "I should look."}),
    result("c1", "milk"),
)


def reply_to(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> ChatReply:
    return parse(LOCAL, question(), {"choices": [{"message": message, "finish_reason": finish}], **more})


def test_reasoning_may_stand_among_the_parts_of_a_content() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Yes."}]
    reply = reply_to({"content": parts})
    assert (reply.content, reply.reasoning) == ("Yes.", "Hm.")


def test_writes_a_dialogue_with_calls() -> None:
    assert payload(LOCAL, ChatRequest(messages=DIALOGUE, tools=(LOOKUP,))) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Look 7 up."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "lookup", "arguments": '{"id": "7"}'}}
                ],
            },
            {"role": "tool", "content": "milk", "tool_call_id": "c1"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "lookup",
                    "description": "Look a note up.",
                    "parameters": LOOKUP.parameters,
                },
            }
        ],
    }


def test_writes_the_same_dialogue_for_responses() -> None:
    body = responses_payload(LOCAL, ChatRequest(messages=DIALOGUE, tools=(LOOKUP,), parallel=False))
    assert body["input"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Look 7 up."},
        {"type": "function_call", "call_id": "c1", "name": "lookup", "arguments": '{"id": "7"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "milk"},
    ]
    assert body["tools"][0]["strict"] is False
    assert (body["store"], body["parallel_tool_calls"]) == (False, False)


@pytest.mark.parametrize("broken", ['{"id": "7', "[1]", '"x"', "", '{"id": NaN}'])
def test_broken_arguments_go_back_as_text_in_an_object(broken: str) -> None:
    messages = (user("Look."), said("", ChatCall(id="c1", name="lookup", arguments=broken)))
    shown = payload(LOCAL, ChatRequest(messages=messages))["messages"][1]["tool_calls"][0]
    assert json.loads(shown["function"]["arguments"]) == {"arguments": broken}
    item = responses_payload(LOCAL, ChatRequest(messages=messages))["input"][-1]
    assert item["arguments"] == shown["function"]["arguments"]


def test_a_tool_without_parameters_takes_an_empty_object() -> None:
    body = payload(LOCAL, question(tools=(SAVE,)))
    assert body["tools"][0]["function"]["parameters"] == {"type": "object", "properties": {}}


def test_earlier_reasoning_goes_back_only_where_it_is_wanted() -> None:
    request = ChatRequest(messages=DIALOGUE)
    assert "I should look." not in str(payload(LOCAL, request))
    wanted = LOCAL.model_copy(update={"send_reasoning": True})
    assert payload(wanted, request)["messages"][2]["reasoning_content"] == "I should look."


def test_the_limit_has_the_name_that_the_server_knows() -> None:
    request = question(sampling=Sampling(max_tokens=9))
    assert payload(LOCAL, request)["max_tokens"] == 9
    assert payload(HOME, request)["max_completion_tokens"] == 9
    named = LOCAL.model_copy(update={"max_tokens_field": "max_completion_tokens"})
    assert payload(named, request)["max_completion_tokens"] == 9
    assert responses_payload(HOME, request)["max_output_tokens"] == 9


def test_sampling_is_sent_only_where_it_is_set() -> None:
    assert payload(LOCAL, question()) == {"model": "m", "messages": [{"role": "user", "content": "Hello."}]}
    full = Sampling(temperature=0.0, top_p=0.9, seed=0, stop=("END",), reasoning_effort="low")
    body = payload(LOCAL, question(sampling=full))
    assert (body["temperature"], body["top_p"], body["seed"], body["stop"]) == (0.0, 0.9, 0, ["END"])
    assert body["reasoning_effort"] == "low"
    assert responses_payload(LOCAL, question(sampling=full))["reasoning"] == {"effort": "low", "summary": "auto"}


def test_an_output_schema_is_strict_only_where_that_changes_nothing() -> None:
    closed = payload(HOME, question(output=MOOD))["response_format"]["json_schema"]
    assert (closed["strict"], closed["schema"]["additionalProperties"]) == (True, False)
    optional = OutputSchema(name="mood", json_schema={**MOOD.json_schema, "required": ["mood"]})
    free = payload(HOME, question(output=optional))["response_format"]["json_schema"]
    assert (free["strict"], free["schema"]) == (False, optional.json_schema)
    form = responses_payload(HOME, question(output=MOOD))["text"]["format"]
    assert (form["type"], form["name"], form["strict"]) == ("json_schema", "mood", True)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": True},
        {"type": "object", "properties": {"a": {"oneOf": [{"type": "string"}]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "object"}}, "required": ["a"]},
        {"type": "object", "properties": {"a": True}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}, "required": ["a"]},
        {"type": "object"},
        {},
    ],
)
def test_what_cannot_be_enforced_is_not_made_strict(schema: dict[str, Any]) -> None:
    assert strict_schema(schema) is None


def test_the_order_of_properties_stays() -> None:
    schema = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "null"}}, "required": ["z", "a"]}
    strict = strict_schema(schema)
    assert strict is not None
    assert list(strict["properties"]) == ["z", "a"]


@pytest.mark.parametrize(
    ("message", "content", "reasoning"),
    [
        ({"content": "Yes.", "reasoning": "Hm."}, "Yes.", "Hm."),
        ({"content": "<think>\nHm.\n</think>\n\nYes."}, "Yes.", "Hm."),
        ({"content": "Hm.\n</think>\nYes."}, "Yes.", "Hm."),
        ({"content": "[THINK]Hm.[/THINK]Yes."}, "Yes.", "Hm."),
        ({"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Yes."}]}, "Yes.", ""),
        ({"content": "Write <think> here, then </think>."}, "Write <think> here, then </think>.", ""),
    ],
)
def test_reasoning_is_kept_apart_in_all_its_forms(message: dict[str, Any], content: str, reasoning: str) -> None:
    reply = reply_to(message)
    assert (reply.content, reply.reasoning) == (content, reasoning)


def test_reasoning_that_never_ends_is_no_answer() -> None:
    reply = reply_to({"content": "<think>Hm, hm, hm"}, "length")
    assert (reply.content, reply.reasoning, reply.stop) == ("", "Hm, hm, hm", "length")


def test_calls_of_imitators_are_read() -> None:
    calls = [{"function": {"name": "lookup", "arguments": {"id": 7}}}, {"id": "", "function": {"name": "save"}}]
    reply = reply_to({"content": None, "tool_calls": calls})
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [("lookup", '{"id": 7}'), ("save", "")]
    assert len({call.id for call in reply.tool_calls}) == 2
    assert reply.stop == "tool_calls", "some servers say stop"


def test_usage_of_imitators_is_normalised() -> None:
    on_top = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 22}
    details = {"completion_tokens_details": {"reasoning_tokens": 7}}
    for told in (on_top, on_top | details):
        usage = reply_to({"content": "x"}, usage=told).usage
        assert (usage.completion, usage.reasoning, usage.total) == (12, 7, 22)
    assert reply_to({"content": "x"}, usage=on_top | {"total_tokens": 3}).usage.completion == 5
    assert reply_to({"content": "x"}, usage={"prompt_tokens": 10, "prompt_cache_hit_tokens": 4}).usage.cached == 4
    assert reply_to({"content": "x"}, usage=None).usage.total == 0
    odd = {"prompt_tokens": None, "completion_tokens": "5", "prompt_tokens_details": None}
    assert reply_to({"content": "x"}, usage=odd).usage.total == 0


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "You exceeded your quota", "code": "insufficient_quota"}),
        (400, {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."}),
        (402, {"message": "Insufficient Balance"}),
    ],
)
def test_a_quota_that_is_used_up_is_not_asked_again(status: int, error: dict[str, str]) -> None:
    response = SimpleNamespace(status_code=status, text=json.dumps({"error": error}), headers={})
    failure = status_failure("m at h", Secrets(), SimpleNamespace(response=response))
    assert isinstance(failure, Rejected)
    assert failure.status == 402, "whatever the provider calls it"
    assert f"answered {status}" in str(failure)
    assert "balance" in str(failure)


def test_what_google_says_in_a_list_is_heard_and_when_to_come_back() -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]
    error = {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED", "details": details}
    response = SimpleNamespace(status_code=429, text=json.dumps([{"error": error}]), headers={})
    failure = status_failure("m at h", Secrets(), SimpleNamespace(response=response))
    assert isinstance(failure, RateLimited)
    assert (str(failure), failure.retry_after) == ("m at h answered 429: Quota exceeded.", 34.5)
    for odd in ([], [[]], [{"error": {"details": [{"retryDelay": "soon"}]}}]):
        response = SimpleNamespace(status_code=429, text=json.dumps(odd), headers={})
        failure = status_failure("m at h", Secrets(), SimpleNamespace(response=response))
        assert isinstance(failure, RateLimited)
        assert failure.retry_after is None


@pytest.mark.parametrize("status", [408, 424, 498, 499, 529])
def test_a_status_that_says_nothing_against_the_request_is_asked_again(status: int) -> None:
    response = SimpleNamespace(status_code=status, text="", headers={})
    assert isinstance(status_failure("m at h", Secrets(), SimpleNamespace(response=response)), ServerFailed)


def test_an_account_of_which_too_much_is_under_way_is_asked_later() -> None:
    text = json.dumps({"error": {"code": 402, "message": "The in-flight budget is exhausted."}})
    response = SimpleNamespace(status_code=402, text=text, headers={"retry-after": "3"})
    failure = status_failure("m at h", Secrets(), SimpleNamespace(response=response))
    assert isinstance(failure, RateLimited)
    assert failure.retry_after == 3
    for status in (402, 429):
        text = '{"error": {"code": "insufficient_quota"}}'
        spent = SimpleNamespace(status_code=status, text=text, headers=response.headers)
        assert isinstance(status_failure("m at h", Secrets(), SimpleNamespace(response=spent)), Rejected)


@pytest.mark.parametrize(
    "error",
    [
        {"message": 'It requires moderation. Your input was flagged for "violence".'},
        {"message": "Request blocked: prompt injection patterns detected"},
        {"message": "Declined.", "code": "content_policy_violation"},
    ],
)
def test_a_request_that_is_flagged_says_nothing_of_the_key(error: dict[str, str]) -> None:
    text = json.dumps({"error": {"code": 403, **error}})
    response = SimpleNamespace(status_code=403, text=text, headers={})
    failure = status_failure("m at h", Secrets(), SimpleNamespace(response=response))
    assert isinstance(failure, Rejected)
    assert failure.status == 400


@pytest.mark.parametrize("model", ["mistral-large-latest", "mistralai/Ministral-8B", "devstral-small", "Mixtral-8x7B"])
def test_models_of_mistral_get_ids_of_nine_letters_or_digits(model: str) -> None:
    calls = [said("", CALL.model_copy(update={"id": name})) for name in ("D681PevKs", "call_0123", "call_01234")]
    asked = ChatRequest(messages=(*calls, result("call_0123", "milk"), result("D681PevKs", "tea")), tools=(LOOKUP,))
    body = payload(LOCAL.model_copy(update={"model": model}), asked)["messages"]
    first, second, third = (message["tool_calls"][0]["id"] for message in body[:3])
    assert first == body[4]["tool_call_id"] == "D681PevKs"
    assert second == body[3]["tool_call_id"] != third
    assert re.fullmatch("[A-Za-z0-9]{9}", second)
    assert payload(LOCAL, asked)["messages"][3]["tool_call_id"] == "call_0123", "others take any"


def test_headers_reach_the_server() -> None:
    done = exchange("chat", headers={"x-team": "data"})
    assert done.server.asks[0].headers["x-team"] == "data"
    assert done.server.asks[0].headers["content-type"] == "application/json"


def test_encrypted_reasoning_goes_back_before_its_calls() -> None:
    settings = EndpointSettings(model="m", api="responses", base_url="http://localhost:1/v1")
    sealed = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "eHh4"}
    called = {"type": "function_call", "call_id": "c1", "name": "lookup", "arguments": '{"id": "7"}'}
    reply = responses_parse(settings, question(), {"output": [{**sealed, "status": "completed"}, called]})
    told = ChatMessage(role="assistant", tool_calls=reply.tool_calls, thoughts=reply.thoughts)
    asked = question("Hi.", sampling=Sampling(reasoning_effort="low"))
    asked = asked.model_copy(update={"messages": (*asked.messages, told, result("c1", "milk"))})
    body = responses_payload(settings, asked)
    assert body["include"] == ["reasoning.encrypted_content"]
    assert body["input"][1:3] == [sealed, called]
    assert sealed not in responses_payload(settings.model_copy(update={"model": "other"}), asked)["input"]
    assert "include" not in responses_payload(settings, question())
