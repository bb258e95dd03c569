"""Records -> conversations in the Hermes format: tools in the system prompt, calls and results as JSON between tags.

    {"id": "9a31...", "conversations": [
       {"from": "system", "value": "You book hotels.\\n\\nYou are a function calling AI model. ... <tools>...</tools> ..."},
       {"from": "human", "value": "I need a hotel in Graz for 4 nights."},
       {"from": "gpt", "value": "<tool_call>\\n{\\"name\\": \\"find_hotel\\", \\"arguments\\": {...}}\\n</tool_call>"},
       {"from": "tool", "value": "<tool_response>\\n{\\"name\\": \\"find_hotel\\", \\"content\\": {...}}\\n</tool_response>"}]}

Words come before the calls of the same message, several calls one below the other, and reasoning in `<think>`.
Source: NousResearch, Hermes-Function-Calling, and hermes-function-calling-v1.
"""

import json
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, function_lines
from interplay.outputs.exporters.row_format import TEXT, Format, texts, tool_changes_lost, unlearnt_mark
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Message, ToolCall, assistant_view
from interplay.schemas.records.tool import Tool

_INSTRUCTIONS = """You are a function calling AI model. You are provided with function signatures within <tools></tools> XML \
tags. You may call one or more functions to assist with the user query. Don't make assumptions about what values to plug \
into functions. Here are the available tools:
<tools>
{tools}
</tools>
For each function call return a JSON object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-dict>}}
</tool_call>"""


def to_hermes(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    calls = {call.id: call for call in record.trajectory.calls()}
    functions = "\n".join(function_lines(tools))
    system = "\n\n".join(filter(None, (record.trajectory.system_prompt, _INSTRUCTIONS.format(tools=functions))))
    turns = [{"from": "system", "value": system}]
    for message in assistant_view(record.trajectory.messages):
        turn = _turn(message, calls)
        if turn["from"] == "tool" == turns[-1]["from"]:  # results of several calls of one message
            turns[-1] = {"from": "tool", "value": f"{turns[-1]['value']}\n{turn['value']}"}
        else:
            turns.append(turn)
    return {"id": record.id, "conversations": turns, "language": record.language}


def _turn(message: Message, calls: dict[str, ToolCall]) -> dict[str, str]:
    if message.role == "user":
        return {"from": "human", "value": message.content}
    if message.role == "tool":
        call = calls.get(message.tool_call_id or "")
        told = f'{{"name": {json_text(call.name if call else "")}, "content": {_as_json(message.content)}}}'
        return {"from": "tool", "value": f"<tool_response>\n{told}\n</tool_response>"}
    parts = [f"<think>\n{message.reasoning}\n</think>"] if message.reasoning else []
    parts += [message.content] if message.content else []
    for call in message.tool_calls:
        parts.append(f"<tool_call>\n{json_text({'name': call.name, 'arguments': call.arguments})}\n</tool_call>")
    return {"from": "gpt", "value": "\n".join(parts)}


def _as_json(text: str) -> str:
    """Return a result's text unchanged if it is JSON as `json_text` writes it, else as a JSON string."""
    try:
        written = json_text(json.loads(text)) == text
    except (ValueError, RecursionError):
        written = False
    return text if written else json_text(text)


def losses_of(record: Dialogue) -> tuple[str, ...]:
    """Name what the row of this record cannot hold."""
    return (*unlearnt_mark(record), *tool_changes_lost(record))


FORMAT = Format(
    note="Conversations of Hermes: tools in the system prompt, calls and results as JSON between tags.",
    columns={"id": TEXT, "conversations": [texts("from", "value")], "language": TEXT},
    to_row=to_hermes,
    losses_of=losses_of,
    tools_at_once=True,
)
