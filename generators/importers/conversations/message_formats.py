"""Messages as an interface or a data set writes them -> the same with roles, calls and results in fields of their own.

    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}          OpenAI's responses
    {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}           Gemini
    {"from": "gpt", "value": "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"}   Hermes
    ->  {"role": "assistant", "tool_calls": [{"id": "c1", "name": "f", "arguments": "{}"}]}

What has these fields already is left as it is.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

ITEMS = ("function_call", "function_call_output", "reasoning")
"""Types of items that stand between messages in OpenAI's responses."""

ARGUMENTS = ("arguments", "kwargs", "parameters", "input")
"""Names under which a call holds its arguments."""

_PEOPLE = ("user", "human")
"""Roles whose words make no calls, whatever they quote."""

_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_RESULT = re.compile(r"<tool_response>(.*?)(?:</tool_response>|\Z)", re.DOTALL)


def with_fields(messages: Sequence[Mapping[str, Any]]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return messages with their calls and results in fields, each with the place that it had.

    Calls that are made at once stand in one message.
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
    """Yield the messages in the parts of a Gemini message: one for each result, and one for words and calls."""
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
    """Return what a function gave; what is no object was put into one to be sent."""
    alone = isinstance(response, dict) and len(response) == 1 and next(iter(response)) in ("result", "output")
    return next(iter(response.values())) if alone else response


def read_json(text: str) -> Any:
    """Return the JSON value that a text holds; the text itself where it holds none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()


def calls_in(message: Mapping[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield id, name and arguments of each call that a message makes; calls of old formats may have no id."""
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
    """Yield id and content of each block that holds the result of a call, and whether it says that the call failed."""
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield block.get("tool_use_id"), block.get("content"), block.get("is_error") is True


def words_of(content: Any) -> str:
    """Return the words of a content: a text, blocks of text, or a value as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, list) and all(isinstance(block, dict) and "type" in block for block in content):
        return "".join(str(block["text"]) for block in content if isinstance(block.get("text"), str))
    return json.dumps(content, ensure_ascii=False)
