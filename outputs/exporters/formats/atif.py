"""Records -> documents of the agent trajectory interchange format (ATIF), one JSON text each.

    {"id": "9a31...", "trajectory": "{\\"schema_version\\": \\"ATIF-v1.5\\", \\"session_id\\": \\"9a31...\\",
       \\"agent\\": {\\"name\\": \\"interplay\\", \\"version\\": \\"0.1.0\\", \\"tool_definitions\\": [...]},
       \\"steps\\": [{\\"step_id\\": 1, \\"source\\": \\"system\\", \\"message\\": \\"You book hotels.\\"}, ...]}"}

A step of the agent holds its words, reasoning and calls, and their results as its observation. What the format has no field
for is in `extra`: that a step must not be learnt, that a result is an error, and which tools are offered after it.
Source: Harbor, docs/rfcs/0001-trajectory-format.md.
"""

from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, function_text
from interplay.outputs.exporters.row_format import Format, texts
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool

VERSION = "ATIF-v1.5"
_SOURCES = {"user": "user", "assistant": "agent"}


def to_atif(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    trajectory = record.trajectory
    agent: dict[str, Any] = {"name": "interplay", "version": trajectory.version or "unknown"}
    if model := trajectory.models.get("assistant"):
        agent["model_name"] = model
    opening = [{"source": "system", "message": trajectory.system_prompt}] if trajectory.system_prompt else []
    steps = opening + _steps(assistant_view(trajectory.messages))
    head = json_text({"schema_version": VERSION, "session_id": record.id, "agent": agent})
    rest = json_text(
        {
            "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
            "final_metrics": {"total_steps": len(steps)},
            "extra": {"termination": trajectory.termination, "tools_at_start": list(trajectory.tools)},
        }
    )
    # The JSON text of the tools is cached, so it is spliced in: `agent` is the last object of `head`, tools its last field.
    document = f'{head.removesuffix("}}")}, "tool_definitions": {function_text(tools)}}}, {rest[1:]}'
    return {"id": record.id, "trajectory": document, "language": record.language}


def _steps(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "tool" and steps:
            results = steps[-1].setdefault("observation", {"results": []})["results"]
            results.append({"source_call_id": message.tool_call_id, "content": message.content})
            if message.failed:
                steps[-1].setdefault("extra", {}).setdefault("failed_calls", []).append(message.tool_call_id)
        elif message.role != "tool":
            steps.append(_step(message))
        if message.offered is not None and steps:
            steps[-1].setdefault("extra", {})["tools_offered_after"] = list(message.offered)
    return steps


def _step(message: Message) -> dict[str, Any]:
    step: dict[str, Any] = {"source": _SOURCES[message.role], "message": message.content}
    if message.role == "assistant":
        if message.reasoning:
            step["reasoning_content"] = message.reasoning
        if message.tool_calls:
            step["tool_calls"] = [
                {"tool_call_id": call.id, "function_name": call.name, "arguments": call.arguments}
                for call in message.tool_calls
            ]
        if not message.train:
            step["extra"] = {"train": False}
    return step


FORMAT = Format(
    note="Documents of the agent trajectory interchange format as JSON text, with tools and system prompt.",
    columns=texts("id", "trajectory", "language"),
    to_row=to_atif,
    holds_mask=True,
)
