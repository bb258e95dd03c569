"""Rows with lists of messages -> the same with words apart from calls, for templates and trainers that take no both."""

import json
from typing import Any

SIDES = ("chosen", "rejected", "completion")
"""The columns that go on from a prompt."""

_Messages = list[dict[str, Any]]


def row_apart(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which words that stand beside calls are a message of their own, right before; the row itself without any.

    Where tools come and go is told of the places that messages have then.
    """
    changed: dict[str, Any] = {
        name: apart
        for name in ("messages", "prompt", *SIDES)
        if isinstance(row.get(name), list) and (apart := words_apart(row[name])) is not row[name]
    }
    if "messages" in changed and row.get("tool_changes", "[]") != "[]":
        after = -1
        places = [after := after + (2 if _both(message) else 1) for message in row["messages"]]
        changes = [{**change, "message": places[change["message"]]} for change in json.loads(row["tool_changes"])]
        changed["tool_changes"] = json.dumps(changes, ensure_ascii=False)
    return {**row, **changed} if changed else row


def words_apart(messages: _Messages) -> _Messages:
    """Return messages in which none has words and calls; the list itself where that is so. What was thought stays before both."""
    if not any(map(_both, messages)):
        return messages
    found: _Messages = []
    for message in messages:
        if _both(message):
            found.append({name: value for name, value in message.items() if name != "tool_calls"})
            message = {name: value for name, value in message.items() if name != "reasoning_content"} | {"content": ""}
        found.append(message)
    return found


def _both(message: dict[str, Any]) -> bool:
    return bool(message.get("tool_calls") and message["content"])
