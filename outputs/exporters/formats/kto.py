"""Attempts at one task -> single turns labelled right or wrong, for trainers of unpaired preferences.

    {"id": "9a31.../3", "label": false, "fault": "wrong_argument",
     "prompt": [{"role": "system", ...}, {"role": "user", "content": "I need to see Dr. Okafor on Monday."}],
     "completion": [{"role": "assistant", "content": "", "tool_calls": [{... "arguments": {"name": "Okoro"}}]}],
     "tools": [{"type": "function", "function": {"name": "find_doctor", ...}}]}

A prompt ends with words of the user; the completion is everything the assistant does until the user speaks again. Each turn of
an accepted attempt is right. Of a failed attempt, the turn with the fault is wrong and ends with the fault; its earlier turns
are in no row, since nobody has confirmed that they are right.
Source: TRL documentation, dataset formats, "Unpaired preference" and "Tool Calling".
"""

from collections.abc import Iterator, Sequence
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Offered, function_schemas, system_message
from interplay.outputs.exporters.formats.trl import chat_message, to_trl
from interplay.outputs.exporters.row_format import TEXT, Format, tool_changes_lost
from interplay.schemas.records.dialogue import assistant_view
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import DatasetRecord


def to_kto(
    attempts: Sequence[DatasetRecord], tools: tuple[Tool, ...]
) -> Iterator[tuple[DatasetRecord, dict[str, Any]]]:
    """Yield the rows of each accepted attempt, and of each failed one whose faulty message is known."""
    for record in attempts:
        for asked, end in _turns(record):
            yield record, _row(record, asked, end, Offered.of(tools))


def _turns(record: DatasetRecord) -> Iterator[tuple[int, int]]:
    """Yield (position of the user's last words before it, end) for each labelled turn."""
    assert record.trajectory is not None
    messages = record.trajectory.messages
    spoken = [at for at, message in enumerate(messages) if message.role == "user" and message.content]
    if record.status != "accepted":
        fault = record.failure.message if record.failure else None
        asked = max((at for at in spoken if fault is not None and at < fault), default=None)
        if fault is not None and asked is not None:
            yield asked, fault + 1
        return
    for asked, end in zip(spoken, (*spoken[1:], len(messages)), strict=True):
        said = [message for message in messages[asked + 1 : end] if message.role == "assistant"]
        if said and all(message.train for message in said):
            yield asked, end


def _row(record: DatasetRecord, asked: int, end: int, tools: Offered) -> dict[str, Any]:
    assert record.trajectory is not None
    trajectory = record.trajectory
    names = {call.id: call.name for call in trajectory.calls()}
    opening = system_message(trajectory)
    prompt = assistant_view(trajectory.messages[: asked + 1])
    completion = assistant_view(trajectory.messages[:end])[len(prompt) :]
    offered = {name for at in range(asked + 1, end + 1) for name in trajectory.offered_at(at)}
    return {
        "id": f"{record.id}/{asked}",
        "label": record.status == "accepted",
        "fault": record.failure.fault if record.failure and record.status != "accepted" else "",
        "prompt": opening + [chat_message(message, names) for message in prompt],
        "completion": [chat_message(message, names) for message in completion],
        "tools": function_schemas(tools.those(offered)),
    }


FORMAT = Format(
    note="Turns of the assistant for TRL's trainers of unpaired preferences, each with whether it is right.",
    columns={"id": TEXT, "label": "bool", "fault": TEXT, "prompt": ["json"], "completion": ["json"], "tools": ["json"]},
    to_row=to_trl,
    of_attempts=to_kto,
    rows="turns",
    losses_of=tool_changes_lost,
)
