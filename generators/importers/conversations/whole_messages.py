"""The messages of one recorded conversation, in any supported format -> all of them as `Message` records.

    [{"role": "user", "content": "Is pet 7 a cat?"},
     {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
      "function": {"name": "get_pet", "arguments": "{\\"id\\": 7}"}}]},
     {"role": "tool", "tool_call_id": "call_1", "content": "{\\"id\\": 7, \\"tag\\": \\"cat\\"}"},
     {"role": "assistant", "content": "Yes, it is."}]
    ->  WholeMessages(messages=(Message(role="user", ...), ...), places=(0, 1, 2, 3))

Items that are not messages, and results without a call, are skipped and reported as problems.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interplay.generators.importers.conversations.message_formats import (
    ITEMS,
    calls_in,
    read_json,
    results_in,
    with_fields,
    words_of,
)
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.words.lists import beside, words

_KINDS: tuple[Literal["user", "assistant", "tool", "system"], ...] = ("user", "assistant", "tool", "system")
ROLES = {said: kind for kind in _KINDS for said in words(beside(__file__), kind)}

_CALLS_ALONE = ("function_call", "tool_call")
"""Roles of messages that consist of a call."""


@dataclass(frozen=True)
class WholeMessages:
    """The messages of a conversation without its system prompt; `places` has each one's index, not counting system prompts.

    `problems` lists (place, reason) for what could not be read.
    """

    messages: tuple[Message, ...]
    places: tuple[int, ...]
    system_prompt: str = ""
    problems: tuple[tuple[int, str], ...] = ()


def has_role(value: Mapping[str, Any]) -> bool:
    """Tell whether a value has a known role."""
    return _role(value) in ROLES


def is_message(value: Any) -> bool:
    """Tell whether a value is a message, or an item between messages of OpenAI's Responses API."""
    return isinstance(value, dict) and (has_role(value) or value.get("type") in ITEMS)


def whole_messages(given: Sequence[Any], name: str) -> WholeMessages:
    """Read all messages of a conversation; the ids of its calls are derived from `name`."""
    prompts: list[str] = []
    made: list[tuple[int, Message]] = []
    problems: list[tuple[int, str]] = []
    open_calls: dict[str, ToolCall] = {}
    numbers = _numbers(given)
    readable = [message if is_message(message) else {} for message in given]
    for index, message in enumerate(given):
        if not is_message(message):
            problems.append((numbers[index], _unreadable(message)))
    for order, (index, message) in enumerate(with_fields(readable)):
        role, place = ROLES.get(_role(message)), numbers[index]
        if role == "system":
            prompts.append(words_of(_content(message)))
        elif role is not None:
            found, told = _read(message, role, name, order, open_calls)
            made += [(place, one) for one in found]
            problems += [(place, what) for what in told]
    return WholeMessages(
        tuple(message for _, message in made),
        tuple(place for place, _ in made),
        next((prompt for prompt in prompts if prompt), ""),
        tuple(problems),
    )


def _numbers(given: Sequence[Any]) -> list[int]:
    """Return the index of each message, not counting system prompts."""
    found, count = [], 0
    for message in given:
        found.append(count)
        count += not (isinstance(message, dict) and ROLES.get(_role(message)) == "system")
    return found


def _unreadable(message: Any) -> str:
    if not isinstance(message, dict):
        return f"a {type(message).__name__} instead of a message"
    return f"the role {_role(message)[:40]!r} is not known"


def _read(
    message: Mapping[str, Any], role: Literal["user", "assistant", "tool"], name: str, order: int,
    open_calls: dict[str, ToolCall],
) -> tuple[list[Message], list[str]]:  # fmt: skip
    """Return the messages that one raw message becomes (results, then words and calls), and the problems found."""
    made, problems = _answers(message, role, open_calls)
    calls = tuple(_calls(message, name, order)) if role == "assistant" else ()
    silent = role == "tool" or (made and role == "user") or str(message.get("from")) in _CALLS_ALONE
    text = "" if silent else words_of(_content(message)).strip()
    if role != "tool" and (text or calls or not made):
        made.append(Message(role=role, content=text, tool_calls=tuple(call for _, call in calls)))
    open_calls |= dict(calls)
    return made, problems


def _calls(message: Mapping[str, Any], name: str, order: int) -> Iterator[tuple[str, ToolCall]]:
    """Yield the calls in a message, each with its original id; the new id is derived from its position."""
    if str(message.get("from")) in _CALLS_ALONE:
        written = read_json(words_of(_content(message)))
        message = {"tool_calls": written if isinstance(written, list) else [written]}
    for number, (key, tool, given) in enumerate(calls_in(message)):
        arguments, malformed = _arguments(given)
        identifier = digest([name, order, number])[:9]
        yield str(key or f"call {number}"), ToolCall(id=identifier, name=tool, arguments=arguments, malformed=malformed)


def _answers(message: Mapping[str, Any], role: str, open_calls: dict[str, ToolCall]) -> tuple[list[Message], list[str]]:
    """Return the results in a message as tool messages, and a problem for each that answers no open call."""
    content = _content(message)
    given: list[tuple[str, Any, bool]] = []
    if role == "tool":
        key = message.get("tool_call_id")
        named = f"function {message.get('name')}"
        key = str(key) if str(key) in open_calls else named if named in open_calls else next(iter(open_calls), "")
        given.append((key, content, message.get("failed") is True or message.get("is_error") is True))
    made, problems = [], []
    for key, result, failed in (*given, *results_in({"content": content})):
        call = open_calls.pop(str(key), None)
        if call is None:
            problems.append("this result answers no call")
            continue
        text = words_of(result)
        failed = failed or _tells_of_error(text)
        made.append(Message(role="tool", content=text, tool_call_id=call.id, failed=failed))
    return made, problems


def _tells_of_error(text: str) -> bool:
    """Tell whether a result is an error: a text that starts with "error", or an object with a non-empty `error`."""
    start = text.lstrip()[:5].lower()
    if start == "error" or not start.startswith("{"):
        return start == "error"
    value = read_json(text)
    return isinstance(value, dict) and value.get("error") not in (None, False, "", [], {})


def _role(message: Mapping[str, Any]) -> str:
    return str(message.get("role", message.get("from")))


def _content(message: Mapping[str, Any]) -> Any:
    return message["content"] if "content" in message else message.get("value")


def _arguments(given: Any) -> tuple[dict[str, Any], str]:
    value = read_json(given) if isinstance(given, str) else given
    if value in (None, ""):
        return {}, ""
    return (value, "") if isinstance(value, dict) else ({}, words_of(given))
