"""Records -> rows of OpenAI chat messages: arguments and tools as JSON strings, content never null.

    {"id": "9a31...",
     "messages": [
       {"role": "system", "content": "You help guests of a clinic. ..."},
       {"role": "user", "content": "I need to see Dr. Okafor on Monday."},
       {"role": "assistant", "content": "", "tool_calls": [{"id": "aB3dE6gH9", "type": "function",
         "function": {"name": "find_doctor", "arguments": "{\\"name\\": \\"Okafor\\"}"}}]},
       {"role": "tool", "content": "{\\"doctor_id\\": 7}", "tool_call_id": "aB3dE6gH9"},
       {"role": "assistant", "content": "Dr. Okafor is in on Monday. Shall I book 9:00?"}],
     "tools": "[{\\"type\\": \\"function\\", \\"function\\": {\\"name\\": \\"find_doctor\\", ...}}]",
     "tool_changes": "[]", "language": "en"}

`tools` are all tools offered at any time, in order of appearance; `tool_changes` tells after which message (counted in this
row) which of them come and go. `reasoning_content` is present only if an assistant message has a reasoning, and
`weight` (0) only if a message must not be learnt. Loaded with `datasets`, a message has all these keys, with null for those that
the row lacks.
"""

from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, function_text, system_message, tool_changes
from interplay.outputs.exporters.row_format import TEXT, Format, texts
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool


def to_openai(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    opening = system_message(record.trajectory)
    return {
        "id": record.id,
        "messages": opening + [chat_message(message) for message in assistant_view(record.trajectory.messages)],
        "tools": function_text(tools),
        "tool_changes": tool_changes(record.trajectory, tools, len(opening)),
        "language": record.language,
    }


def chat_message(message: Message) -> dict[str, Any]:
    """Return a message in the form of the chat API."""
    row: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "assistant" and message.reasoning:
        row["reasoning_content"] = message.reasoning
    if message.tool_calls:
        row["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.malformed or json_text(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if message.role == "tool":
        row["tool_call_id"] = message.tool_call_id
    if message.role == "assistant" and not message.train:
        row["weight"] = 0
    return row


_CALL = {**texts("id", "type"), "function": texts("name", "arguments")}
_MESSAGE = {
    **texts("role", "content", "reasoning_content"),
    "tool_calls": [_CALL],
    "tool_call_id": TEXT,
    "weight": "int64",
}

FORMAT = Format(
    note="Messages of OpenAI's chat API; arguments and tools are JSON strings, so `json.loads` gives the objects.",
    columns={"id": TEXT, "messages": [_MESSAGE], **texts("tools", "tool_changes", "language")},
    to_row=to_openai,
    struct_padding=True,
    holds_mask=True,
    holds_malformed=True,
)
