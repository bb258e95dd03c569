"""The bodies that Anthropic's API is sent: its turns are stricter than a dialogue is."""

import json
import re
from functools import partial
from typing import Any

import pytest
from tests.generators.models.wires import LOOKUP, MOOD, body_of, exchange, question, result, said, user
from tests.model_server.anthropic_wire import complaint

from interplay.generators.models.providers.anthropic_messages import MESSAGES, parse
from interplay.generators.models.providers.anthropic_turns import legal_id, turns_of
from interplay.generators.models.transport.endpoint_settings import EndpointSettings
from interplay.schemas.records.chat import (
    ChatCall,
    ChatMessage,
    ChatReply,
    ChatRequest,
    ChatTool,
    OutputSchema,
    Sampling,
)

payload = partial(body_of, MESSAGES)
LOCAL = EndpointSettings(model="m", provider="anthropic", base_url="http://localhost:1")
A = ChatCall(id="a", name="lookup", arguments='{"id": "1"}')
B = ChatCall(id="b", name="lookup", arguments='{"id": "2"}')


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def test_the_system_prompt_stands_apart_and_is_cached_with_the_tools() -> None:
    request = ChatRequest(messages=(ChatMessage(role="system", content="Be brief."), user("Hi.")), tools=(LOOKUP,))
    body = payload(LOCAL, request)
    assert body["system"] == [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    assert body["messages"] == [{"role": "user", "content": [text("Hi.")]}]
    assert body["tools"] == [{"name": "lookup", "description": "Look a note up.", "input_schema": LOOKUP.parameters}]
    assert body["max_tokens"] == 4096
    assert "tool_choice" not in body


def test_tools_are_cached_where_there_is_no_system_prompt_and_nothing_where_nothing_is_wanted() -> None:
    assert payload(LOCAL, question(tools=(LOOKUP,)))["tools"][0]["cache_control"] == {"type": "ephemeral"}
    uncached = LOCAL.model_copy(update={"cache": False})
    assert "cache_control" not in str(payload(uncached, question(tools=(LOOKUP,))))


def test_results_come_first_in_one_turn() -> None:
    turns = turns_of((user("Look."), said("Sure.", A, B), result("b", "two"), result("a", "none", True), user("And?")))
    assert turns == [
        {"role": "user", "content": [text("Look.")]},
        {
            "role": "assistant",
            "content": [
                text("Sure."),
                {"type": "tool_use", "id": "a", "name": "lookup", "input": {"id": "1"}},
                {"type": "tool_use", "id": "b", "name": "lookup", "input": {"id": "2"}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "none", "is_error": True},
                {"type": "tool_result", "tool_use_id": "b", "content": "two"},
                text("And?"),
            ],
        },
    ]


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (said("Hello, how can I help?"), user("Hi.")),
        (user("Hi."), said("Hello.")),
        (user(""), user("  "), user("Hi."), user("There?")),
        (user("Hi."), said(""), user("There?")),
        (user("Look."), said("", A)),
        (user("Look."), said("", A), user("Well?")),
        (user("Look."), said("", A, B), result("a", "one"), said("Done."), result("b", "late"), user("Thanks.")),
        (user("Look."), result("x", "from nowhere")),
        (user("Look."), said("", A), result("a", ""), said("", A), result("a", "again")),
        (user("Look."), said("", ChatCall(id="über id/1", name="lookup", arguments="{bro")), result("über id/1", "x")),
    ],
)
def test_dialogues_of_every_shape_become_legal_turns(messages: tuple[ChatMessage, ...]) -> None:
    body = payload(LOCAL, ChatRequest(messages=messages))
    assert complaint(body) == ""
    assert body["messages"][-1]["role"] == "user"
    assert exchange("messages", ChatRequest(messages=messages)).good.content


def test_ids_are_made_legal_without_becoming_one() -> None:
    assert legal_id("call_1-x") == "call_1-x"
    assert legal_id("a b") != legal_id("a/b")
    assert legal_id("") == legal_id("")


def test_broken_arguments_are_shown_as_they_are() -> None:
    broken = ChatCall(id="a", name="lookup", arguments='{"id": "1')
    assert turns_of((user("Look."), said("", broken)))[1]["content"][0]["input"] == {"arguments": '{"id": "1'}


def test_a_dialogue_with_calls_keeps_its_tools_when_none_are_offered() -> None:
    body = payload(LOCAL, ChatRequest(messages=(user("Look."), said("", A), result("a", "one"))))
    assert [tool["name"] for tool in body["tools"]] == ["lookup"]
    assert body["tool_choice"] == {"type": "none"}


def test_the_choice_of_tools_is_translated() -> None:
    def choice(**fields: Any) -> Any:
        return payload(LOCAL, question(tools=(LOOKUP,), **fields)).get("tool_choice")

    assert choice() is None
    assert choice(tool_choice="required") == {"type": "any"}
    assert choice(tool_choice="lookup") == {"type": "tool", "name": "lookup"}
    assert choice(parallel=False) == {"type": "auto", "disable_parallel_tool_use": True}
    assert choice(tool_choice="none", parallel=False) == {"type": "none"}


def test_an_output_is_a_forced_call_unless_the_model_thinks_or_native_is_set() -> None:
    forced = payload(LOCAL, question(output=MOOD))
    assert forced["tool_choice"] == {"type": "tool", "name": "mood", "disable_parallel_tool_use": True}
    thinking = payload(LOCAL, question(output=MOOD, sampling=Sampling(reasoning_effort="high")))
    assert thinking["thinking"] == {"type": "adaptive"}
    assert thinking["output_config"]["effort"] == "high"
    assert thinking["output_config"]["format"]["schema"]["additionalProperties"] is False
    assert "tools" not in thinking


def test_an_output_that_cannot_be_enforced_is_asked_for_otherwise() -> None:
    native = LOCAL.model_copy(update={"structured": "native"})
    bounded = OutputSchema(
        name="age", json_schema={"type": "object", "properties": {"age": {"minimum": 1}}, "required": ["age"]}
    )
    body = payload(native, question(output=bounded))
    assert "output_config" not in body
    assert body["tools"][0]["input_schema"] == bounded.json_schema


def claude(model: str) -> EndpointSettings:
    return LOCAL.model_copy(update={"model": model})


@pytest.mark.parametrize(
    ("model", "way"),
    [
        ("claude-3-7-sonnet-latest", "tool"),
        ("claude-sonnet-4-20250514", "tool"),
        ("claude-haiku-4-5-20251001", "native"),
        ("anthropic/claude-sonnet-4.6", "native"),
        ("claude-opus-5-5", "native"),
        ("claude-mythos-preview", "native"),
        ("glm-5", "tool"),
    ],
)
def test_each_model_is_asked_for_an_output_as_it_offers_it(model: str, way: str) -> None:
    body = payload(claude(model), question(output=MOOD))
    assert ("native" if "output_config" in body else "tool" if "tool_choice" in body else "instructed") == way


def test_a_model_that_thinks_by_itself_is_never_forced_to_call() -> None:
    free = OutputSchema(name="any", json_schema={"type": "object", "additionalProperties": True})
    body = payload(claude("claude-sonnet-5-5"), question(output=free))
    assert not {"tool_choice", "tools", "output_config"} & body.keys()
    assert '"additionalProperties": true' in body["system"][0]["text"]
    assert "tool_choice" in payload(claude("claude-opus-4-8"), question(output=free))


def test_recursion_and_many_kinds_of_values_are_not_enforced() -> None:
    item = {"type": "object", "properties": {"of": {"$ref": "#/$defs/item"}}, "required": ["of"]}
    tree = {"type": "object", "properties": {"a": {"$ref": "#/$defs/item"}}, "required": ["a"], "$defs": {"item": item}}
    own = {"of": {"anyOf": [{"$ref": "#/properties/of"}, {"type": "null"}]}}
    nested = {"type": "object", "properties": own, "required": ["of"]}
    names = [f"a{number}" for number in range(17)]
    kinds = {name: {"type": ["string", "null"]} for name in names}
    wide = {"type": "object", "properties": kinds, "required": names}
    for schema in (tree, nested, wide):
        body = payload(claude("claude-opus-4-5"), question(output=OutputSchema(name="odd", json_schema=schema)))
        assert body["tool_choice"]["name"] == "odd"


@pytest.mark.parametrize(
    ("model", "thinking", "effort"),
    [
        ("claude-3-7-sonnet-20250219", {"type": "enabled", "budget_tokens": 3072}, None),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", {"type": "enabled", "budget_tokens": 3072}, None),
        ("claude-opus-4-6", {"type": "adaptive"}, "high"),
        ("claude-sonnet-5", {"type": "adaptive"}, "high"),
        ("some-gateway", {"type": "adaptive"}, "high"),
    ],
)
def test_each_model_is_told_to_think_as_it_can(model: str, thinking: dict[str, Any], effort: str | None) -> None:
    body = payload(claude(model), question(sampling=Sampling(reasoning_effort="high")))
    assert body["thinking"] == thinking
    assert body.get("output_config", {}).get("effort") == effort


@pytest.mark.parametrize(
    ("model", "thinking", "effort"),
    [
        ("claude-sonnet-4-5", None, None),
        ("claude-opus-4-8", None, None),
        ("some-gateway", None, None),
        ("claude-opus-5", {"type": "disabled"}, None),
        ("anthropic/claude-sonnet-5-20260630", {"type": "disabled"}, None),
        ("claude-sonnet-5-5", {"type": "between_tools"}, None),
        ("claude-haiku-5.5", {"type": "disabled"}, None),
        ("claude-opus-5-5", None, "low"),
        ("claude-fable-5", None, "low"),
        ("claude-mythos-preview", None, "low"),
    ],
)
def test_each_model_is_kept_from_thinking_as_far_as_it_can_be(
    model: str, thinking: dict[str, Any] | None, effort: str | None
) -> None:
    for output in (None, MOOD):
        body = payload(claude(model), question(sampling=Sampling(reasoning_effort="none"), output=output))
        assert body.get("thinking") == thinking
        assert body.get("output_config", {}).get("effort") == effort


def test_parameters_with_names_that_are_refused_go_by_others_on_the_way() -> None:
    branched = ["$filter", "$search"]
    names = [*branched, "page[size]", "page(size)", "id", "x" * 80, "y" + "x" * 80]
    texts = {name: {"type": "string"} for name in names}
    schema = {
        "type": "object",
        "properties": {name: texts[name] for name in names if name not in branched},
        "anyOf": [{"properties": {name: texts[name]}} for name in branched],
        "required": ["page[size]", "id"],
    }
    tool = ChatTool(name="find", parameters=schema)
    asked = question(tools=(tool,))
    told = payload(LOCAL, asked)["tools"][0]["input_schema"]
    assert len(told["properties"]) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_.-]{1,64}", name) for name in told["properties"])
    assert set(told["required"]) <= set(told["properties"])
    used = {"type": "tool_use", "id": "a", "name": "find", "input": dict.fromkeys(told["properties"], "7")}
    (call,) = parse(LOCAL, asked, {"content": [used], "stop_reason": "tool_use"}).tool_calls
    assert json.loads(call.arguments) == dict.fromkeys(names, "7")
    later = ChatRequest(
        messages=(user("Hi."), ChatMessage(role="assistant", content="", tool_calls=(call,))), tools=(tool,)
    )
    assert payload(LOCAL, later)["messages"][1]["content"][0]["input"] == used["input"]


def reply_to(**body: Any) -> ChatReply:
    return parse(LOCAL, question(), {"stop_reason": "end_turn", **body})


def test_thinking_and_unknown_blocks_are_no_content() -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        text("Yes."),
        {"type": "something_new"},
    ]
    reply = reply_to(content=blocks)
    assert (reply.content, reply.reasoning) == ("Yes.", "Hm.")


def test_what_the_cache_holds_is_part_of_the_prompt() -> None:
    usage = {
        "input_tokens": 10,
        "cache_read_input_tokens": 100,
        "cache_creation_input_tokens": 20,
        "output_tokens": 7,
        "output_tokens_details": {"thinking_tokens": 3},
    }
    counted = reply_to(content=[text("x")], usage=usage).usage
    assert (counted.prompt, counted.cached, counted.cache_written) == (130, 100, 20)
    assert (counted.completion, counted.reasoning, counted.total) == (7, 3, 137)


def test_stop_reasons_are_ours() -> None:
    reasons = ("end_turn", "stop_sequence", "max_tokens", "model_context_window_exceeded", "pause_turn", None)
    assert [reply_to(content=[text("x")], stop_reason=reason).stop for reason in reasons] == [
        "end",
        "end",
        "length",
        "length",
        "other",
        "other",
    ]


def test_signed_thoughts_go_back_to_the_model_that_had_them_and_to_no_other() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    hidden = {"type": "redacted_thinking", "data": "eHh4"}
    unsigned = {"type": "thinking", "thinking": "Loose."}
    used = {"type": "tool_use", "id": "a", "name": "lookup", "input": {"id": "1"}}
    reply = parse(LOCAL, question(), {"content": [thought, hidden, unsigned, used], "stop_reason": "tool_use"})
    called = ChatMessage(role="assistant", tool_calls=reply.tool_calls, thoughts=reply.thoughts)
    asked = ChatRequest(messages=(user("Hi."), called, result("a", "1")), tools=(LOOKUP,))
    assert payload(LOCAL, asked)["messages"][1]["content"] == [thought, hidden, used]
    other = LOCAL.model_copy(update={"model": "another"})
    assert payload(other, asked)["messages"][1]["content"] == [used]
