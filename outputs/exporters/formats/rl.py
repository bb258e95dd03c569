"""Records -> tasks for reinforcement learning: the prompt, the tools, and how the outcome is verified.

    {"id": "9a31...", "task_id": "4f0c...", "prompt": "[{\\"role\\": \\"system\\", ...}, {\\"role\\": \\"user\\", ...}]",
     "tools": "[{\\"type\\": \\"function\\", ...}]",
     "ground_truth": "{\\"calls\\": [{\\"name\\": \\"find_doctor\\", \\"arguments\\": {...}}], \\"values\\": [...], \\"state\\": [...]}",
     "verifier": "{\\"kind\\": \\"interplay\\", \\"open\\": {\\"task\\": \\"4f0c...\\", \\"seed\\": 0}}"}

`interplay serve WORKSPACE` opens the task by its id, with the same first words of the user, and computes the reward.
"""

from typing import Any

from interplay.outputs.exporters.exported_dialogue import Dialogue, Offered, function_text, system_message
from interplay.outputs.exporters.formats.openai import chat_message
from interplay.outputs.exporters.row_format import Format, texts
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import assistant_view
from interplay.schemas.records.tool import Tool


def to_rl(record: Dialogue, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time, in order. The record must have a trajectory."""
    assert record.trajectory is not None, record.id
    trajectory, made = record.trajectory, record.blueprint
    first = next((at for at, message in enumerate(trajectory.messages) if at >= _begins(made) and message.content), 0)
    opening = system_message(trajectory)
    prompt = [*opening, *(chat_message(message) for message in assistant_view(trajectory.messages[: first + 1]))]
    offered = Offered.of(tools).those(trajectory.offered_at(first + 1))
    task = made.id if made else ""
    return {
        "id": record.id,
        "task_id": task,
        "prompt": json_text(prompt),
        "tools": function_text(offered),
        "ground_truth": json_text(_truth(made)),
        "verifier": json_text({"kind": "interplay", "open": {"task": task, "seed": 0}}),
        "language": record.language,
    }


def _begins(made: Blueprint | None) -> int:
    return made.begins if made else 0


def _truth(made: Blueprint | None) -> dict[str, Any]:
    """Return the calls needed, the values to tell, and the expected difference of the state."""
    if made is None:
        return {}
    calls = [{"name": call.tool, "arguments": call.arguments} for call in made.calls if call.requestor == "assistant"]
    values = [{"label": output.label, "value": output.value} for output in made.expected.outputs]
    return {
        "calls": calls,
        "values": values,
        "state": [each.model_dump(mode="json") for each in made.expected.difference],
    }


def losses_of(_: Dialogue) -> tuple[str, ...]:
    """Name what the rows cannot hold."""
    return ("dialogue",)


FORMAT = Format(
    note="Tasks for reinforcement learning as JSON text: the prompt, the tools, the ground truth, and how they are verified.",
    columns=texts("id", "task_id", "prompt", "tools", "ground_truth", "verifier", "language"),
    to_row=to_rl,
    with_task=True,
    rows="tasks",
    losses_of=losses_of,
    loss_words={"dialogue": "the dialogue itself: an agent in training has its own"},
    holds_mask=True,
)
