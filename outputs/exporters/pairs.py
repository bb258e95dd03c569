"""Attempts at one task -> pairs of a right and a wrong one with a common beginning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord


@dataclass(frozen=True)
class Pair:
    """Two dialogues that are equal up to the message at `parts`; the user's last words before it are at `asked`."""

    chosen: DatasetRecord
    rejected: DatasetRecord
    asked: int
    parts: int

    @property
    def fault(self) -> int:
        """The position of the faulty message in the rejected dialogue."""
        return _fault(self.rejected) or self.parts

    @property
    def scope(self) -> Literal["turn", "dialogue"]:
        """`turn` if the rejected dialogue goes wrong before the user speaks again, else `dialogue`."""
        assert self.rejected.trajectory is not None
        return "turn" if _next_word(self.rejected.trajectory.messages, self.parts) > self.fault else "dialogue"

    @property
    def end(self) -> int:
        """The number of messages after which the chosen side ends."""
        assert self.chosen.trajectory is not None
        messages = self.chosen.trajectory.messages
        if self.scope == "dialogue":
            return len(messages)
        return self.parts + 1 if self.parts == self.fault else _next_word(messages, self.parts)


def _next_word(messages: Sequence[Message], since: int) -> int:
    """Return the position of the next words of the user from `since` on; the length if there are none."""
    later = (n for n in range(since, len(messages)) if messages[n].role == "user" and messages[n].content)
    return next(later, len(messages))


def pairs_of(attempts: Sequence[DatasetRecord]) -> Iterator[Pair]:
    """Pair each attempt in which the assistant failed with the accepted attempt that has the longest common beginning."""
    accepted = [record for record in attempts if record.status == "accepted"]
    for record in attempts:
        if record.failure is None or record.failure.fault in ("user_fault", "unclear") or _fault(record) is None:
            continue
        pairs = [pair for other in accepted if (pair := _pair(other, record)) is not None]
        if pairs:
            yield max(pairs, key=lambda pair: pair.parts)


def _fault(record: DatasetRecord) -> int | None:
    return record.failure.message if record.failure is not None and record.trajectory is not None else None


def _pair(chosen: DatasetRecord, rejected: DatasetRecord) -> Pair | None:
    """Return two dialogues as a pair; None if they part in a message of the user, or only after the fault."""
    assert chosen.trajectory is not None
    assert rejected.trajectory is not None
    one, other = chosen.trajectory.messages, rejected.trajectory.messages
    parts = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if said(a) != said(b)), None)
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


def said(message: Message) -> tuple[Any, ...]:
    """Return what identifies a message apart from the ids of its calls."""
    calls = [(call.name, call.arguments, call.malformed) for call in message.tool_calls]
    return message.role, message.content, calls, message.failed
