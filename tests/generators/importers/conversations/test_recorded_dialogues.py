"""Recorded conversations of any common shape -> messages in one form."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import SHARED

from interplay.generators.importers.conversations.recorded_dialogues import Conversation, read_conversations
from interplay.schemas.errors import ImportFailure

AIRLINE = SHARED / "data" / "tau" / "airline_trajectories.json"
BFCL = SHARED / "data" / "bfcl" / "multi_turn_base.json"
real = pytest.mark.skipif(not AIRLINE.exists(), reason="real inputs are not here; set INTERPLAY_SHARED")

OPENAI = [
    {"role": "system", "content": "You know pets."},
    {"role": "user", "content": "Is pet 7 a cat?"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "get_pet", "arguments": '{"id": 7}'}}]},
    {"role": "tool", "tool_call_id": "call_1", "content": '{"tag": "cat"}'},
    {"role": "assistant", "content": "Yes, it is."},
    {"role": "user", "content": "Thanks!"},
]  # fmt: skip
ANTHROPIC = [
    {"role": "user", "content": "Is pet 7 a cat?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "get_pet", "input": {"id": 7}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": '{"tag": "cat"}'}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Yes, it is."}]},
]
SHAREGPT = [
    {"from": "human", "value": "Is pet 7 a cat?"},
    {"from": "function_call", "value": '{"name": "get_pet", "arguments": {"id": 7}}'},
    {"from": "observation", "value": '{"tag": "cat"}'},
    {"from": "gpt", "value": "Yes, it is."},
]
LEGACY = [
    {"role": "user", "content": "Is pet 7 a cat?"},
    {"role": "assistant", "content": "", "function_call": {"name": "get_pet", "arguments": '{"id": 7}'}},
    {"role": "function", "name": "get_pet", "content": '{"tag": "cat"}'},
    {"role": "assistant", "content": "Yes, it is."},
]
TURNS = [{"user": ["Is pet 7 a cat?"], "assistant": "Yes, it is.",
          "calls": [{"name": "get_pet", "arguments": {"id": 7}, "observation": {"tag": "cat"}}]}]  # fmt: skip

RESPONSES = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Is pet 7 a cat?"}]},
    {"type": "reasoning", "summary": []},
    {"type": "function_call", "call_id": "c1", "name": "get_pet", "arguments": '{"id": 7}'},
    {"type": "function_call_output", "call_id": "c1", "output": '{"tag": "cat"}'},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes, it is."}]},
]
GEMINI = [
    {"role": "user", "parts": [{"text": "Is pet 7 a cat?"}]},
    {"role": "model", "parts": [{"functionCall": {"name": "get_pet", "args": {"id": 7}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "get_pet", "response": {"tag": "cat"}}}]},
    {"role": "model", "parts": [{"text": "Hm.", "thought": True}, {"text": "Yes, it is."}]},
]
HERMES = [
    {"from": "human", "value": "Is pet 7 a cat?"},
    {"from": "gpt", "value": '<tool_call>\n{"name": "get_pet", "arguments": {"id": 7}}\n</tool_call>'},
    {"from": "tool", "value": '<tool_response>\n{"tag": "cat"}\n</tool_response>'},
    {"from": "gpt", "value": "Yes, it is."},
]


def read(folder: Path, content: Any) -> tuple[Conversation, ...]:
    (folder / "chats.json").write_text(json.dumps(content))
    return read_conversations(folder / "chats.json")


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC, SHAREGPT, LEGACY, TURNS, RESPONSES, GEMINI, HERMES])
@pytest.mark.parametrize(
    "around", [lambda it: it, lambda it: {"messages": it}, lambda it: {"data": [{"conversations": it}]}]
)
def test_shapes_of_many_kinds_say_the_same(tmp_path: Path, messages: list[Any], around: Any) -> None:
    [conversation] = read(tmp_path, around(messages))
    said = [(message.role, message.content) for message in conversation.messages]
    assert said == [
        ("user", "Is pet 7 a cat?"), ("assistant", ""), ("tool", '{"tag": "cat"}'), ("assistant", "Yes, it is."),
    ]  # fmt: skip
    [call] = conversation.messages[1].tool_calls
    assert (call.name, call.arguments, len(call.id)) == ("get_pet", {"id": 7}, 9)
    assert conversation.messages[2].tool_call_id == call.id
    assert not any(message.train for message in conversation.messages)


def test_calls_at_once_stand_in_one_message_in_every_shape(tmp_path: Path) -> None:
    names, results = ("get_pet", "get_owner"), ('{"tag": "cat"}', '{"name": "Ana"}')
    items = [
        *({"type": "function_call", "call_id": name, "name": name, "arguments": "{}"} for name in names),
        *({"type": "function_call_output", "call_id": name, "output": told} for name, told in zip(names, results, strict=True)),
    ]  # fmt: skip
    parts = [
        {"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}} for name in names]},
        {"role": "user", "parts": [{"functionResponse": {"name": name, "response": json.loads(told)}}
                                   for name, told in zip(names, results, strict=True)]},
    ]  # fmt: skip
    tags = [
        {"role": "assistant", "content": "".join(f'<tool_call>{{"name": "{name}"}}</tool_call>' for name in names)},
        {"role": "tool", "content": "".join(f"<tool_response>{told}</tool_response>" for told in results)},
    ]
    for made in (items, parts, tags):
        [conversation] = read(tmp_path, [OPENAI[1], *made, OPENAI[4]])
        _, calling, *answers, _ = conversation.messages
        assert [call.name for call in calling.tool_calls] == [*names]
        assert [(told.tool_call_id, told.content) for told in answers] == [
            (call.id, told) for call, told in zip(calling.tool_calls, results, strict=True)
        ]


def test_what_people_quote_is_no_call_and_parts_may_be_of_somebody_called_otherwise(tmp_path: Path) -> None:
    quoted = {"from": "human", "value": "What does <tool_call>{}</tool_call> mean?"}
    told = {"from": "gpt", "parts": [{"text": "It is a call."}]}
    [conversation] = read(tmp_path, [quoted, told])
    assert [(message.role, message.content) for message in conversation.messages] == [
        ("user", quoted["value"]), ("assistant", "It is a call."),
    ]  # fmt: skip


def test_reads_one_conversation_a_line(tmp_path: Path) -> None:
    (tmp_path / "chats.jsonl").write_text("".join(json.dumps({"messages": item}) + "\n" for item in (OPENAI, LEGACY)))
    first, second = read_conversations(tmp_path / "chats.jsonl")
    assert (first.name, second.name) == ("chats.jsonl#0", "chats.jsonl#1")
    assert (first.system_prompt, first.left_out) == ("You know pets.", 2)


def test_a_call_without_an_answer_ends_it(tmp_path: Path) -> None:
    [conversation] = read(tmp_path, [*LEGACY, LEGACY[0], LEGACY[1], {"role": "user", "content": "Well?"}, LEGACY[3]])
    assert len(conversation.messages) == 4


def test_arguments_that_are_no_object_are_kept_as_they_were_written(tmp_path: Path) -> None:
    broken = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "get_pet", "arguments": "{id:"}}]}
    [conversation] = read(
        tmp_path, [OPENAI[1], broken, {"role": "tool", "tool_call_id": "c", "content": "Error"}, OPENAI[4]]
    )
    assert conversation.messages[1].tool_calls[0].malformed == "{id:"
    assert conversation.messages[2].failed


@pytest.mark.parametrize("content", [{}, [], [{"role": "user", "content": "Hello?"}], {"tools": [{"name": "get_pet"}]}])
def test_what_holds_no_conversation_is_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(ImportFailure, match="no conversation"):
        read(tmp_path, content)


@real
def test_reads_recorded_dialogues_and_turns_of_benchmarks() -> None:
    dialogues = read_conversations(AIRLINE)
    assert len(dialogues) == 100
    assert all(dialogue.messages[-1].role == "assistant" for dialogue in dialogues)
    turns = read_conversations(BFCL)
    assert len(turns) == 50
    assert all(call.name for dialogue in turns for message in dialogue.messages for call in message.tool_calls)
