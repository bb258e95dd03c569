"""Turns a trajectory into what the assistant sees of it: the messages that every export format is made of."""

import json
from typing import Any

from interplay.schemas.dialogue import Message, Trajectory
from interplay.schemas.tools import Tool


def assistant_view(trajectory: Trajectory) -> tuple[Message, ...]:
    """Return the messages without the calls that the user makes on its own device, and without their results.

    What is offered after a message that is left out is offered after the one before it.
    """
    own = {call.id for message in trajectory.messages if message.role == "user" for call in message.tool_calls}
    seen: list[Message] = []
    for message in trajectory.messages:
        hidden = message.role == "tool" and message.tool_call_id in own
        if hidden or (message.role == "user" and message.tool_calls and not message.content):
            if message.offered is not None and seen:
                seen[-1] = seen[-1].model_copy(update={"offered": message.offered})
            continue
        if message.role == "user" and message.tool_calls:
            message = message.model_copy(update={"tool_calls": ()})
        seen.append(message)
    return tuple(seen)


def tool_changes(trajectory: Trajectory, tools: tuple[Tool, ...], opening: int) -> str:
    """Return, as JSON text, after which message of a row which tools are added to what is offered, and which removed.

        [{"message": 3, "added": ["find_hotel", "book_hotel"], "removed": []}]

    `tools` are the columns' own, in order of appearance: all that are ever offered. Those that no change adds before any
    removes them are there from the start. `opening` counts the messages before the first of the dialogue.
    """
    callable_ones = {tool.name for tool in tools if tool.requestor == "assistant"}
    offered = trajectory.tools
    changes = []
    for position, message in enumerate(assistant_view(trajectory)):
        if message.offered is None:
            continue
        added = [name for name in message.offered if name not in offered and name in callable_ones]
        removed = [name for name in offered if name not in message.offered and name in callable_ones]
        if added or removed:
            changes.append({"message": position + opening, "added": added, "removed": removed})
        offered = message.offered
    return json_text(changes)


def function_schemas(tools: tuple[Tool, ...]) -> list[dict[str, Any]]:
    """Return the tools that the assistant can call in the form of OpenAI's `tools` parameter.

    Source: OpenAI API reference, chat completions, `tools`.
    """
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools
        if tool.requestor == "assistant"
    ]


def json_text(value: Any) -> str:
    """Return `value` as JSON on one line, keys in their own order."""
    return json.dumps(value, ensure_ascii=False)
