"""Attempts at one task -> pairs for preference training: what was right, and what went wrong at the same point.

    {"id": "9a31...", "chosen_id": "5d41...", "fault": "wrong_argument", "scope": "turn",
     "prompt": [{"role": "system", ...}, {"role": "user", "content": "I need to see Dr. Okafor on Monday."}],
     "chosen": [{"role": "assistant", "content": "", "tool_calls": [{... "arguments": {"name": "Okafor"}}]}],
     "rejected": [{"role": "assistant", "content": "", "tool_calls": [{... "arguments": {"name": "Okoro"}}]}],
     "tools": [{"type": "function", "function": {"name": "find_doctor", ...}}]}

A prompt ends with words of the user, since trainers refuse one that ends with a result: what both sides do between these words
and the point where they part is in both. `scope` is `turn` if the fault is in the turn in which they part: then the wrong side
ends with the fault, and the right one where they part or, if the fault comes later, with that turn. It is `dialogue` if the user
speaks in between, and then the right side goes on to its end.
Source: TRL documentation, dataset formats, "Preference" and "Tool Calling".
"""

from typing import Any

from interplay.outputs.exporters.exported_dialogue import function_schemas, system_message
from interplay.outputs.exporters.formats.trl import chat_message, to_trl
from interplay.outputs.exporters.pairs import Pair
from interplay.outputs.exporters.row_format import Format, texts, tool_changes_lost
from interplay.schemas.records.dialogue import assistant_view
from interplay.schemas.records.tool import Tool


def to_preference(pair: Pair, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all tools offered at any time in either dialogue, in order."""
    chosen, rejected = pair.chosen.trajectory, pair.rejected.trajectory
    assert chosen is not None
    assert rejected is not None
    assert pair.rejected.failure is not None
    names = {call.id: call.name for trajectory in (chosen, rejected) for call in trajectory.calls()}
    opening = system_message(chosen)
    prompt = assistant_view(chosen.messages[: pair.asked + 1])
    return {
        "id": pair.rejected.id,
        "chosen_id": pair.chosen.id,
        "fault": pair.rejected.failure.fault,
        "why": pair.rejected.failure.why,
        "scope": pair.scope,
        "prompt": opening + [chat_message(message, names) for message in prompt],
        "chosen": [
            chat_message(message, names) for message in assistant_view(chosen.messages[: pair.end])[len(prompt) :]
        ],
        "rejected": [
            chat_message(message, names)
            for message in assistant_view(rejected.messages[: pair.fault + 1])[len(prompt) :]
        ],
        "tools": function_schemas(tools),
    }


FORMAT = Format(
    note="Pairs for TRL's preference trainers: what was right, and what went wrong, after the same prompt.",
    columns={
        **texts("id", "chosen_id", "fault", "why", "scope"),
        **{name: ["json"] for name in ("prompt", "chosen", "rejected", "tools")},
    },
    to_row=to_trl,
    of_pair=to_preference,
    rows="pairs",
    losses_of=tool_changes_lost,
)
