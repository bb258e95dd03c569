"""Attempts at one task -> single steps of the assistant, for reinforcement learning on one step at a time.

    {"id": "9a31.../3", "step": 2, "prompt": "[{\\"role\\": \\"system\\", ...}, {\\"role\\": \\"user\\", ...}]",
     "action": "{\\"content\\": \\"\\", \\"tool_calls\\": [{\\"name\\": \\"find_doctor\\", \\"arguments\\": {\\"name\\": \\"Okafor\\"}}]}",
     "alternatives": "[{\\"content\\": \\"Which doctor?\\", \\"tool_calls\\": []}]", "kind": "call",
     "pass_rate": 0.75, "tools": "[{\\"type\\": \\"function\\", ...}]"}

A step is one message of the assistant in an accepted attempt. `prompt` is everything before it as OpenAI chat messages, `tools`
the offer at that moment, `action` what was done, and `alternatives` what other accepted attempts did after exactly the same
messages; all four are JSON text. `pass_rate` is the share accepted among the attempts that reached these messages and did the
same. Wording may vary: compare calls literally, and words by their meaning.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from interplay.outputs.exporters.exported_dialogue import Offered, function_text, system_message
from interplay.outputs.exporters.formats.openai import chat_message, to_openai
from interplay.outputs.exporters.pairs import said
from interplay.outputs.exporters.row_format import TEXT, Format, texts
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import DatasetRecord


def to_steps(
    attempts: Sequence[DatasetRecord], tools: tuple[Tool, ...]
) -> Iterator[tuple[DatasetRecord, dict[str, Any]]]:
    """Yield the rows of each accepted attempt; steps that must not be learnt appear in the prompts only."""
    offered = Offered.of(tools)
    played = [(record, record.trajectory.messages) for record in attempts if record.trajectory]
    others = [(record, messages, tuple(map(said, messages))) for record, messages in played]
    for record, messages, spoken in others:
        if record.status != "accepted":
            continue
        assert record.trajectory is not None
        for step, at in enumerate(n for n, message in enumerate(messages) if message.role == "assistant"):
            if not messages[at].train:
                continue
            action = _action(messages[at])
            here = [(other.status == "accepted", there[at], words[at]) for other, there, words in others
                    if len(words) > at and words[:at] == spoken[:at]]  # fmt: skip
            found = {json_text(_action(each)) for passes, each, _ in here if passes and each.role == "assistant"}
            same = [passes for passes, _, words in here if words == spoken[at]]
            yield (
                record,
                {
                    "id": f"{record.id}/{at}",
                    "step": step,
                    "kind": "call" if messages[at].tool_calls else "words",
                    "prompt": json_text(_prompt(record, at)),
                    "action": json_text(action),
                    "alternatives": f"[{', '.join(sorted(found - {json_text(action)}))}]",
                    "pass_rate": round(sum(same) / len(same), 4),
                    "tools": function_text(offered.those(record.trajectory.offered_at(at))),
                },
            )


def _prompt(record: DatasetRecord, at: int) -> list[dict[str, Any]]:
    assert record.trajectory is not None
    opening = system_message(record.trajectory)
    return opening + [chat_message(message) for message in assistant_view(record.trajectory.messages[:at])]


def _action(message: Message) -> dict[str, Any]:
    calls = [{"name": call.name, "arguments": call.arguments} for call in message.tool_calls]
    return {"content": message.content, "tool_calls": calls}


def losses_of(record: DatasetRecord) -> tuple[str, ...]:
    """Name what the rows of this record cannot hold."""
    messages = record.trajectory.messages if record.trajectory else ()
    return ("reasoning",) if any(message.reasoning for message in messages) else ()


FORMAT = Format(
    note="Single steps of the assistant as JSON text: what comes before each, what was done, what else passed there, and the share of attempts that passed from there.",
    columns={
        "id": TEXT,
        "step": "int64",
        **texts("kind", "prompt", "action", "alternatives"),
        "pass_rate": "float64",
        "tools": TEXT,
    },
    to_row=to_openai,
    of_attempts=to_steps,
    rows="steps",
    losses_of=losses_of,
    loss_words={
        "reasoning": "what the assistant thought before a step (prompts hold what it thought before earlier ones)"
    },
    holds_mask=True,
)
