"""Turns the attempts at one task into pairs for preference training: what was right, and what went wrong at the same point.

    {"id": "9a31...", "chosen_id": "5d41...", "fault": "wrong_argument", "scope": "turn",
     "prompt": [{"role": "system", ...}, {"role": "user", "content": "I need to see Dr. Okafor on Monday."}],
     "chosen": [{"role": "assistant", "content": "", "tool_calls": [{... "arguments": {"name": "Okafor"}}]}],
     "rejected": [{"role": "assistant", "content": "", "tool_calls": [{... "arguments": {"name": "Okoro"}}]}],
     "tools": [{"type": "function", "function": {"name": "find_doctor", ...}}]}

A prompt ends with words of the user, since trainers refuse one that ends with a result: what both sides do after these,
before they part, stands in both. `scope` is `turn` where the fault falls into the turn in which they part: the wrong side
ends with it, the right one where they part or, where the fault comes later, with that turn. It is `dialogue` where the user
speaks in between, and the right side goes on to its end.
Source: TRL documentation, dataset formats, "Preference" and "Tool Calling".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interplay.outputs.exporters.assistant_view import function_schemas
from interplay.outputs.exporters.trl import chat_message
from interplay.schemas.records.dialogue import Message, assistant_view
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import DatasetRecord


@dataclass(frozen=True)
class Pair:
    """Two dialogues that are the same up to the message at `parts`; before, the user spoke last at `asked`."""

    chosen: DatasetRecord
    rejected: DatasetRecord
    asked: int
    parts: int

    @property
    def fault(self) -> int:
        """The message with which the rejected one went wrong."""
        return _fault(self.rejected) or self.parts

    @property
    def scope(self) -> Literal["turn", "dialogue"]:
        """Whether one goes wrong before the user speaks again."""
        assert self.rejected.trajectory is not None
        return "turn" if _next_word(self.rejected.trajectory.messages, self.parts) > self.fault else "dialogue"

    @property
    def end(self) -> int:
        """The number of messages after which the right side ends."""
        assert self.chosen.trajectory is not None
        messages = self.chosen.trajectory.messages
        if self.scope == "dialogue":
            return len(messages)
        return self.parts + 1 if self.parts == self.fault else _next_word(messages, self.parts)


def _next_word(messages: Sequence[Message], since: int) -> int:
    """Return the first message from one on in which the user says something."""
    later = (n for n in range(since, len(messages)) if messages[n].role == "user" and messages[n].content)
    return next(later, len(messages))


def pairs_of(attempts: Sequence[DatasetRecord]) -> Iterator[Pair]:
    """Yield for each attempt that the assistant failed the accepted one that has most in common with it before the fault."""
    accepted = [record for record in attempts if record.status == "accepted"]
    for record in attempts:
        if record.failure is None or record.failure.fault in ("users_fault", "other") or _fault(record) is None:
            continue
        pairs = [pair for other in accepted if (pair := _pair(other, record)) is not None]
        if pairs:
            yield max(pairs, key=lambda pair: pair.parts)


def _fault(record: DatasetRecord) -> int | None:
    return record.failure.message if record.failure is not None and record.trajectory is not None else None


def _pair(chosen: DatasetRecord, rejected: DatasetRecord) -> Pair | None:
    """Return two dialogues as a pair; none where the user says something else, or the fault lies before they part."""
    assert chosen.trajectory is not None
    assert rejected.trajectory is not None
    one, other = chosen.trajectory.messages, rejected.trajectory.messages
    parts = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if _said(a) != _said(b)), None)
    fault = _fault(rejected)
    if (
        parts is None
        or fault is None
        or fault < parts
        or one[parts].role != "assistant"
        or other[parts].role != "assistant"
    ):
        return None
    asked = max((n for n in range(parts) if one[n].role == "user" and one[n].content), default=None)
    return None if asked is None else Pair(chosen, rejected, asked, parts)


def _said(message: Message) -> tuple[Any, ...]:
    calls = [(call.name, call.arguments, call.malformed) for call in message.tool_calls]
    return message.role, message.content, calls, message.failed


def to_preference(pair: Pair, tools: tuple[Tool, ...]) -> dict[str, Any]:
    """Return one row; `tools` are all that are ever offered in either dialogue, in order."""
    chosen, rejected = pair.chosen.trajectory, pair.rejected.trajectory
    assert chosen is not None
    assert rejected is not None
    assert pair.rejected.failure is not None
    names = {call.id: call.name for trajectory in (chosen, rejected) for call in trajectory.calls()}
    opening = [{"role": "system", "content": chosen.system_prompt}] if chosen.system_prompt else []
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


def preference_features() -> Any:
    """Return the `datasets.Features` of the rows, the same whatever the tools."""
    from datasets import Features, Json, List, Value  # noqa: PLC0415  (slow to import)

    text, messages = Value("string"), List(Json())
    return Features(
        {
            "id": text, "chosen_id": text, "fault": text, "why": text, "scope": text,
            "prompt": messages, "chosen": messages, "rejected": messages, "tools": List(Json()),
        }
    )  # fmt: skip
