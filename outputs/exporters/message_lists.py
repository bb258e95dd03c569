"""Rows with lists of messages -> the same with words and calls in separate messages, for readers that cannot take both."""

import json
from typing import Any

SIDES = ("chosen", "rejected", "completion")
"""The columns that continue a prompt."""

_Messages = list[dict[str, Any]]


def row_apart(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which words beside calls are a message of their own before the calls; the row itself if there are none.

    The message numbers in `tool_changes` are adjusted.
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
    """Split messages with both words and calls in two, reasoning with the words; return the list itself if there are none."""
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
