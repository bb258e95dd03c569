"""Messages in the format of an API or a data set -> messages with calls and results in OpenAI's fields.

    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}          OpenAI's responses
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}           Gemini
    {"from": "gpt", "value": "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"}   Hermes
    ->  {"role": "assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}

Messages that already have these fields are returned unchanged.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

ITEMS = ("function_call", "function_call_output", "reasoning")
"""Types of the items between messages in OpenAI's Responses API."""

ARGUMENTS = ("arguments", "kwargs", "parameters", "input")
"""Keys that hold the arguments of a call."""

_PEOPLE = ("user", "human")
"""Roles whose text is never parsed for calls."""

_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_RESULT = re.compile(r"<tool_response>(.*?)(?:</tool_response>|\Z)", re.DOTALL)


def with_fields(messages: Sequence[Mapping[str, Any]]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return each message with calls and results in fields, paired with its index in `messages`.

    Adjacent call items are merged into one message.
    """
    found: list[tuple[int, Mapping[str, Any]]] = []
    for place, message in enumerate(messages):
        for plain in _plain(message):
            if found and _is_item(message) and "tool_calls" in plain and "tool_calls" in found[-1][1]:
                first, last = found[-1]
                found[-1] = first, {**last, "tool_calls": [*last["tool_calls"], *plain["tool_calls"]]}
            else:
                found.append((place, plain))
    return found


def _is_item(message: Mapping[str, Any]) -> bool:
    return "role" not in message and message.get("type") in ITEMS


def _plain(message: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    if _is_item(message):
        return _of_item(message)
    role = str(message.get("role", message.get("from")))
    if isinstance(message.get("parts"), list):
        return _of_parts(role, [part for part in message["parts"] if isinstance(part, dict)])
    key = "content" if "content" in message else "value"
    text = message.get(key)
    if isinstance(text, str) and "<tool_call>" in text and role not in _PEOPLE:
        calls = [read_json(found) for found in _CALL.findall(text)]
        return [{**message, key: _CALL.sub("", text).strip(), "tool_calls": calls}]
    if isinstance(text, str) and "<tool_response>" in text:
        return [{"role": "tool", "content": found.strip()} for found in _RESULT.findall(text)]
    return [message]


def _of_item(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if item["type"] == "function_call":
        call = {"id": item.get("call_id"), "name": item.get("name"), "arguments": item.get("arguments")}
        yield {"role": "assistant", "tool_calls": [call]}
    elif item["type"] == "function_call_output":
        yield {"role": "tool", "tool_call_id": item.get("call_id"), "content": item.get("output")}


def _of_parts(role: str, parts: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the messages in the parts of a Gemini message: one for each result, then one for its text and calls."""
    words = "".join(
        str(part["text"]) for part in parts if isinstance(part.get("text"), str) and not part.get("thought")
    )
    calls = [call for part in parts if isinstance(call := part.get("functionCall", part.get("function_call")), dict)]
    for part in parts:
        answer = part.get("functionResponse", part.get("function_response"))
        if isinstance(answer, dict):
            yield {"role": "tool", "content": _result(answer.get("response")), "tool_call_id": answer.get("id")}
    if words or calls:
        made = [{"id": call.get("id"), "name": call.get("name"), "arguments": call.get("args") or {}} for call in calls]
        yield {"role": role, "content": words, **({"tool_calls": made} if made else {})}


def _result(response: Any) -> Any:
    """Return a function's result, unwrapped from `{"result": ...}` or `{"output": ...}`."""
    alone = isinstance(response, dict) and len(response) == 1 and next(iter(response)) in ("result", "output")
    return next(iter(response.values())) if alone else response


def read_json(text: str) -> Any:
    """Parse a text as JSON; return the stripped text if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def calls_in(message: Mapping[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield the id, name and arguments of each call in a message; the id may be missing."""
    single, calls, content = (message.get(key) for key in ("function_call", "tool_calls", "content"))
    if isinstance(single, dict):
        yield f"function {single.get('name')}", str(single.get("name")), single.get("arguments")
    for call in calls if isinstance(calls, list) else ():
        inner = call.get("function") if isinstance(call, dict) and isinstance(call.get("function"), dict) else call
        if isinstance(inner, dict) and isinstance(inner.get("name"), str):
            yield call.get("id"), inner["name"], next((inner[key] for key in ARGUMENTS if key in inner), {})
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield block.get("id"), str(block.get("name")), block.get("input")


def results_in(message: Mapping[str, Any]) -> Iterator[tuple[Any, Any, bool]]:
    """Yield the call id, content and failure flag of each `tool_result` block in a message."""
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield block.get("tool_use_id"), block.get("content"), block.get("is_error") is True


def words_of(content: Any) -> str:
    """Return the text of a message's content: a string, joined text blocks, or any other value as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, list) and all(isinstance(block, dict) and "type" in block for block in content):
        return "".join(str(block["text"]) for block in content if isinstance(block.get("text"), str))
    return json.dumps(content, ensure_ascii=False)
