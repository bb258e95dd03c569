"""A JSON or JSON Lines document that holds recorded conversations -> their messages, in one form, whatever shape they had.

    {"messages": [{"role": "user", "content": "Is pet 7 a cat?"},
                  {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
                   "function": {"name": "get_pet", "arguments": "{\\"id\\": 7}"}}]},
                  {"role": "tool", "tool_call_id": "call_1", "content": "{\\"id\\": 7, \\"tag\\": \\"cat\\"}"},
                  {"role": "assistant", "content": "Yes, it is."}]}
    ->  Conversation(name="chats.json#0", messages=(Message(role="user", ...), ...))

Conversations stand wherever they are nested, as lists of messages of OpenAI, Anthropic, Gemini, ShareGPT, Hermes or tau-bench, or
as turns that hold what the user says with the calls that were made for it (BFCL). What comes after the last words of the assistant is
left out, and a call that was never answered ends the conversation.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from interplay.generators.importers.conversations.message_formats import (
    ITEMS,
    calls_in,
    read_json,
    results_in,
    with_fields,
)
from interplay.generators.importers.conversations.observed_calls import read_roots
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.words.lists import beside, words

LISTS = (
    "messages",
    "conversations",
    "conversation",
    "turns",
    "dialogue",
    "dialog",
    "traj",
    "trajectory",
    "history",
    "transcript",
    "chat",
)
"""Names under which the messages of a conversation stand."""

_KINDS: tuple[Literal["user", "assistant", "tool", "system"], ...] = ("user", "assistant", "tool", "system")
ROLES = {said: kind for kind in _KINDS for said in words(beside(__file__), kind)}

DONE = "Done."
"""What the assistant says where only its calls were recorded."""

MAX_CONVERSATIONS = 100_000
MAX_MESSAGES = 2_000
MAX_DEPTH = 12


@dataclass(frozen=True)
class Conversation:
    """One recorded conversation, which ends with words of the assistant; `left_out` counts the messages after them."""

    name: str
    messages: tuple[Message, ...]
    system_prompt: str = ""
    left_out: int = 0


def read_conversations(path: Path) -> tuple[Conversation, ...]:
    """Read the conversations in a file, in their order; those in which the assistant says nothing are left out.

    Raises:
        ImportFailure: the file cannot be read, or holds no conversation.
    """
    found: list[Conversation] = []
    for root in read_roots(path):
        for number, messages in enumerate(_conversations(root)):
            if number == MAX_CONVERSATIONS:
                break
            made = _conversation(f"{path.name}#{number}", messages[:MAX_MESSAGES])
            if made.messages:
                found.append(made)
    if not found:
        raise ImportFailure(
            f"{path.name}: holds no conversation. Give a file with lists of messages, each with a role and a content."
        )
    return tuple(found)


def _conversations(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists of messages below a value."""
    if depth > MAX_DEPTH or not isinstance(value, (dict, list)):
        return
    if isinstance(value, list):
        if (
            value
            and all(isinstance(item, dict) and (_has_role(item) or item.get("type") in ITEMS) for item in value)
            and any(_has_role(item) for item in value)
        ):
            yield value
        elif value and all(
            isinstance(item, dict) and "user" in item and isinstance(item.get("calls"), list) for item in value
        ):
            yield [message for turn in value for message in _messages_of_turn(turn)]
        else:
            for item in value:
                yield from _conversations(item, depth + 1)
        return
    own = [value[name] for name in LISTS if isinstance(value.get(name), list)]
    for item in own or value.values():
        yield from _conversations(item, depth + 1)


def _has_role(value: Mapping[str, Any]) -> bool:
    return str(value.get("role", value.get("from"))) in ROLES


def _messages_of_turn(turn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a turn holds as messages: the user's words, each call with its result, and the assistant's last words."""
    said = turn["user"] if isinstance(turn["user"], list) else [turn["user"]]
    yield {"role": "user", "content": "\n".join(item if isinstance(item, str) else _text(item) for item in said)}
    for number, call in enumerate(call for call in turn["calls"] if isinstance(call, dict)):
        yield {"role": "assistant", "tool_calls": [{**call, "id": str(number)}]}
        failed = call.get("error") not in (None, False, "")
        result = call.get("observation", call.get("result"))
        yield {"role": "tool", "tool_call_id": str(number), "content": result, "failed": failed}
    words = turn.get("assistant")
    yield {"role": "assistant", "content": words if isinstance(words, str) and words else DONE}


def _conversation(name: str, messages: Sequence[Any]) -> Conversation:
    prompt, made = "", list[Message]()
    open_calls: dict[str, ToolCall] = {}
    for place, message in enumerate(with_fields(messages)):
        role = ROLES[str(message.get("role", message.get("from")))]
        if role == "system":
            prompt = prompt or _text(_content(message))
            continue
        answers = list(_answers(message, role, open_calls))
        if role != "tool" and open_calls:
            break  # what was never answered cannot be gone on from
        made += answers
        calls = tuple(_calls(message, name, place)) if role == "assistant" else ()
        text = (
            ""
            if role == "tool" or (answers and role == "user")
            else ""
            if str(message.get("from")) in ("function_call", "tool_call")
            else _text(_content(message)).strip()
        )
        if role != "tool" and (text or calls):
            made.append(Message(role=role, content=text, tool_calls=tuple(call for _, call in calls), train=False))
        open_calls |= dict(calls)
    end = next(
        (n for n in range(len(made), 0, -1) if made[n - 1].role == "assistant" and not made[n - 1].tool_calls), 0
    )
    begin = next((n for n, message in enumerate(made) if message.role == "user"), end)
    return Conversation(name, tuple(made[min(begin, end) : end]), prompt, len(messages) - end)


def _calls(message: Mapping[str, Any], name: str, place: int) -> Iterator[tuple[str, ToolCall]]:
    """Yield the calls that a message makes, each with the id that it had; the new one follows from its place."""
    if str(message.get("from")) in ("function_call", "tool_call"):
        written = read_json(_text(_content(message)))
        message = {"tool_calls": written if isinstance(written, list) else [written]}
    for number, (key, tool, given) in enumerate(calls_in(message)):
        arguments, malformed = _arguments(given)
        identifier = digest([name, place, number])[:9]
        yield str(key or f"call {number}"), ToolCall(id=identifier, name=tool, arguments=arguments, malformed=malformed)


def _answers(message: Mapping[str, Any], role: str, open_calls: dict[str, ToolCall]) -> Iterator[Message]:
    """Yield the results that a message holds, in the order of the calls; those of unknown calls are left out."""
    content = _content(message)
    given: list[tuple[str, Any, bool]] = []
    if role == "tool":
        key = message.get("tool_call_id")
        named = f"function {message.get('name')}"
        key = str(key) if str(key) in open_calls else named if named in open_calls else next(iter(open_calls), "")
        given.append((key, content, message.get("failed") is True or message.get("is_error") is True))
    for key, result, failed in (*given, *results_in({"content": content})):
        call = open_calls.pop(str(key), None)
        if call is not None:
            text = _text(result)
            failed = failed or text.lstrip()[:5].lower() == "error"
            yield Message(role="tool", content=text, tool_call_id=call.id, failed=failed, train=False)


def _content(message: Mapping[str, Any]) -> Any:
    return message["content"] if "content" in message else message.get("value")


def _text(content: Any) -> str:
    """Return the words of a content: a text, blocks of text, or a value as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, list) and all(isinstance(block, dict) and "type" in block for block in content):
        return "".join(str(block["text"]) for block in content if isinstance(block.get("text"), str))
    return json.dumps(content, ensure_ascii=False)


def _arguments(given: Any) -> tuple[dict[str, Any], str]:
    value = read_json(given) if isinstance(given, str) else given
    if value in (None, ""):
        return {}, ""
    return (value, "") if isinstance(value, dict) else ({}, _text(given))
