"""The messages of a dialogue -> the turns of Anthropic's API.

    user "Hi." | user "Are you there?"             ->  one user turn of two text blocks
    assistant calls a, b | tool a | tool b | user  ->  an assistant turn of two tool_use blocks, a user turn of two
                                                       tool_result blocks and a text

The API demands: turns alternate, and begin and end with the user's; no text is empty; each call is answered in the next turn;
ids consist of letters, digits, `_` and `-`, argument names also of `.`.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from interplay.generators.models.providers.wire import shown_arguments
from interplay.schemas.records.chat import ChatMessage

BEGIN = "(The conversation begins.)"
CONTINUE = "(Please go on.)"
NO_RESULT = "(There was no result.)"
LONGEST_NAME = 64
_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]")
_ILLEGAL_IN_NAMES = re.compile(r"[^A-Za-z0-9_.-]")

Block = dict[str, Any]


def turns_of(
    messages: Iterable[ChatMessage], thoughts: Callable[[ChatMessage], Iterable[Block]] = lambda _: ()
) -> list[dict[str, Any]]:
    """Return the turns, without system messages; `thoughts` returns the thinking blocks that a message begins with."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        blocks = [*thoughts(message), *_blocks(message)]
        role = "assistant" if message.role == "assistant" else "user"
        if blocks and turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    if not turns or turns[0]["role"] == "assistant":
        turns.insert(0, {"role": "user", "content": [_text(BEGIN)]})
    if turns[-1]["role"] == "assistant":
        turns.append({"role": "user", "content": []})
    _answer_calls(turns)
    return turns


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _blocks(message: ChatMessage) -> Iterator[Block]:
    if message.role == "tool":
        yield _result(legal_id(message.tool_call_id or ""), message.content, message.failed)
    elif message.role != "system":
        if message.content.strip():
            yield _text(message.content)
        for call in message.tool_calls:
            yield {
                "type": "tool_use",
                "id": legal_id(call.id),
                "name": call.name,
                "input": {legal_name(name): value for name, value in shown_arguments(call.arguments).items()},
            }


def _result(call_id: str, content: str, failed: bool) -> Block:
    block: Block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, "is_error": True} if failed else block


def legal_id(name: str) -> str:
    """Return the id if it is legal, else a legal id made from it that is unique."""
    if name and not _ILLEGAL.search(name):
        return name
    return f"{_ILLEGAL.sub('_', name)}_{_mark(name)}"


@lru_cache(maxsize=4096)
def legal_name(name: str) -> str:
    """Return the parameter name if it is legal, else a legal name made from it that is unique."""
    if name and len(name) <= LONGEST_NAME and not _ILLEGAL_IN_NAMES.search(name):
        return name
    mark = _mark(name)
    return f"{_ILLEGAL_IN_NAMES.sub('_', name)[: LONGEST_NAME - len(mark) - 1]}_{mark}"


def _mark(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=4).hexdigest()


def _answer_calls(turns: list[dict[str, Any]]) -> None:
    """Move the results of each turn's calls to the start of the next turn: exactly one per call, and none without a call."""
    called: list[str] = []
    for turn in turns:
        blocks: list[Block] = turn["content"]
        if turn["role"] == "user":
            given = {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}
            results = [given.pop(name) if name in given else _result(name, NO_RESULT, True) for name in called]
            others = [_orphan(block, given) for block in blocks if block.get("tool_use_id") not in called]
            turn["content"] = results + others or [_text(CONTINUE)]
        called = list(dict.fromkeys(block["id"] for block in blocks if block["type"] == "tool_use"))


def _orphan(block: Block, orphans: dict[str, Block]) -> Block:
    """Return the block as text if it is the result of a missing call, else unchanged."""
    return _text(block["content"] or NO_RESULT) if block.get("tool_use_id") in orphans else block
