"""A JSON value with recorded conversations nested anywhere in it -> each conversation with its sibling keys.

    {"id": "a1", "system": "You know pets.", "tools": [{"name": "get_pet"}], "scenario": "You want to know of pet 7.",
     "gold": {"writes": []}, "messages": [{"role": "user", "content": "Is pet 7 a cat?"}]}
    ->  DialogueRow(messages=[{"role": "user", ...}], beside={"id": "a1", "system": "You know pets.", "tools": [...]})

A conversation is a list of messages in the format of OpenAI, Anthropic, Gemini, ShareGPT, Hermes or tau-bench, or a list of
turns, each with the user's words and the calls made for them (BFCL). Keys beside a list of conversations (tools, a system
prompt) apply to each of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from interplay.generators.importers.conversations.message_formats import words_of
from interplay.generators.importers.conversations.whole_messages import has_role, is_message

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
"""Keys that hold the messages of a conversation."""

SHARED = ("tools", "functions", "system", "policy")
"""Keys of an outer object that apply to all conversations inside it."""

DONE = "Done."
"""The assistant's words after recorded calls without any, for a dialogue that continues from there."""

MAX_DEPTH = 12


@dataclass(frozen=True)
class DialogueRow:
    """The raw messages of one conversation; `beside` holds its sibling and inherited keys."""

    messages: list[Any]
    beside: Mapping[str, Any] = field(default_factory=dict)


def dialogue_rows(value: Any, said: str = "") -> Iterator[DialogueRow]:
    """Yield the conversations nested in `value`; `said` is the assistant's reply in turns that record only its calls."""
    yield from _rows(value, {}, said, 0)


def _rows(value: Any, beside: Mapping[str, Any], said: str, depth: int) -> Iterator[DialogueRow]:
    if depth > MAX_DEPTH or not isinstance(value, (dict, list)):
        return
    if isinstance(value, list):
        if value and all(is_message(item) for item in value) and any(has_role(item) for item in value):
            yield DialogueRow(value, beside)
        elif value and all(_is_turn(item) for item in value):
            yield DialogueRow([message for turn in value for message in _messages_of_turn(turn, said)], beside)
        else:
            for item in value:
                yield from _rows(item, beside, said, depth + 1)
        return
    own = [value[name] for name in LISTS if isinstance(value.get(name), list)]
    near = {**beside, **{key: item for key, item in value.items() if key not in LISTS and (own or key in SHARED)}}
    for item in own or value.values():
        mixed = bool(own) and not _is_nested(item)
        if mixed and any(is_message(one) for one in item) and not all(is_message(one) for one in item):
            yield DialogueRow(item, near)  # the invalid items are reported one by one later
        else:
            yield from _rows(item, near, said, depth + 1)


def _is_nested(value: list[Any]) -> bool:
    """Tell whether a list holds conversations rather than messages."""
    return any(
        isinstance(item, list) or (isinstance(item, dict) and any(name in item for name in LISTS)) for item in value
    )


def _is_turn(value: Any) -> bool:
    return isinstance(value, dict) and "user" in value and isinstance(value.get("calls"), list)


def _messages_of_turn(turn: Mapping[str, Any], said: str) -> Iterator[dict[str, Any]]:
    """Yield the messages of a turn: the user's words, each call and its result, and the assistant's last words."""
    asked = turn["user"] if isinstance(turn["user"], list) else [turn["user"]]
    yield {"role": "user", "content": "\n".join(item if isinstance(item, str) else words_of(item) for item in asked)}
    for number, call in enumerate(call for call in turn["calls"] if isinstance(call, dict)):
        yield {"role": "assistant", "tool_calls": [{**call, "id": str(number)}]}
        failed = call.get("error") not in (None, False, "")
        result = call.get("observation", call.get("result"))
        yield {"role": "tool", "tool_call_id": str(number), "content": result, "failed": failed}
    words = turn.get("assistant")
    if said or (isinstance(words, str) and words):
        yield {"role": "assistant", "content": words if isinstance(words, str) and words else said}
