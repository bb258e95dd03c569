"""Records -> rows for TRL and for chat templates: arguments and tools as objects.

    {"id": "9a31...",
     "messages": [
       {"role": "system", "content": "You help guests of a clinic. ..."},
       {"role": "user", "content": "I need to see Dr. Okafor on Monday."},
       {"role": "assistant", "content": "", "tool_calls": [{"id": "aB3dE6gH9", "type": "function",
         "function": {"name": "find_doctor", "arguments": {"name": "Okafor"}}}]},
       {"role": "tool", "name": "find_doctor", "content": "{\\"doctor_id\\": 7}", "tool_call_id": "aB3dE6gH9"},
       {"role": "assistant", "content": "Dr. Okafor is in on Monday. Shall I book 9:00?"}],
     "tools": [{"type": "function", "function": {"name": "find_doctor", "description": "...", "parameters": {...}}}],
     "tool_changes": "[]", "language": "en"}

`tools` are all tools offered at any time, in order of appearance, as chat templates need them; `tool_changes` is a JSON text
that tells after which message (counted in this row) which of them come and go. Each message and each tool is one value of the
`Json()` feature, which keeps objects as they are; as structs, `datasets` would give every call the arguments of all tools, padded
with null. It needs datasets 4.7 or newer, and its reader may change the last digit of a float (the reload check reports it);
format `openai` has neither limit.
Source: TRL documentation, dataset formats, "Tool Calling".
"""

from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, function_schemas, system_message, tool_changes
from interplay.outputs.exporters.row_format import TEXT, Format, texts, unlearnt_mark
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool


def to_trl(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    names = {call.id: call.name for call in record.trajectory.calls()}
    opening = system_message(record.trajectory)
    return {
        "id": record.id,
        "messages": opening + [chat_message(message, names) for message in assistant_view(record.trajectory.messages)],
        "tools": function_schemas(tools),
        "tool_changes": tool_changes(record.trajectory, tools, len(opening)),
        "language": record.language,
    }


def chat_message(message: Message, names: dict[str, str]) -> dict[str, Any]:
    """Return a message in the form of chat templates; `names` maps call ids to tool names."""
    row: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "assistant" and message.reasoning:
        row["reasoning_content"] = message.reasoning
    if message.tool_calls:
        row["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        row["name"] = names.get(message.tool_call_id or "", "")
        row["tool_call_id"] = message.tool_call_id
    return row


FORMAT = Format(
    note="Messages and tools as objects for TRL and chat templates; loading them needs `datasets` 4.7 or newer.",
    columns={"id": TEXT, "messages": ["json"], "tools": ["json"], **texts("tool_changes", "language")},
    to_row=to_trl,
    losses_of=unlearnt_mark,
    tools_at_once=True,
)
