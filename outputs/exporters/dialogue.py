"""Turns a trajectory into what the assistant sees of it: the messages that every export format is made of."""

import json
from typing import Any

from interplay.schemas.dialogue import Message, Trajectory
from interplay.schemas.tools import Tool


def assistant_view(trajectory: Trajectory) -> tuple[Message, ...]:
    """Return the messages without the calls that the user makes on its own device, and without their results."""
    own = {call.id for message in trajectory.messages if message.role == "user" for call in message.tool_calls}
    seen = []
    for message in trajectory.messages:
        if message.role == "tool" and message.tool_call_id in own:
            continue
        if message.role == "user" and message.tool_calls:
            if not message.content:
                continue
            message = message.model_copy(update={"tool_calls": ()})
        seen.append(message)
    return tuple(seen)


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
