"""The formats that a run can be exported to, by name."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from interplay.outputs.exporters.assistant_view import without_reasoning
from interplay.outputs.exporters.openai import openai_features, to_openai
from interplay.outputs.exporters.preference import Pair, preference_features, to_preference
from interplay.outputs.exporters.sharegpt import left_out, sharegpt_features, to_sharegpt
from interplay.outputs.exporters.trl import to_trl, trl_features
from interplay.schemas.records.tool import Tool
from interplay.schemas.records.verdict import DatasetRecord

FormatName = Literal["openai", "trl", "sharegpt", "preference"]


@dataclass(frozen=True)
class Format:
    """How records become rows, the `datasets.Features` of the rows, and what a row cannot hold.

    A row is made of a record that is accepted, or of a pair of attempts, where there is `of_pair`. `struct_padding` tells
    that `datasets` gives messages back with a null for each key that they lack. Trainers that read the format see all
    `tools_at_once`: dialogues end where that would make what was said untrue.
    """

    to_row: Callable[[DatasetRecord, tuple[Tool, ...]], dict[str, Any]]
    features: Callable[[], Any]
    left_out: Callable[[DatasetRecord], tuple[str, ...]]
    struct_padding: bool = False
    tools_at_once: bool = False
    of_pair: Callable[[Pair, tuple[Tool, ...]], dict[str, Any]] | None = None


def stripped(format: Format) -> Format:
    """Return a format whose rows leave out what the assistant thought."""

    def to_row(record: DatasetRecord, tools: tuple[Tool, ...]) -> dict[str, Any]:
        return format.to_row(without_reasoning(record), tools)

    def of_pair(pair: Pair, tools: tuple[Tool, ...]) -> dict[str, Any]:
        assert format.of_pair is not None
        chosen, rejected = without_reasoning(pair.chosen), without_reasoning(pair.rejected)
        return format.of_pair(replace(pair, chosen=chosen, rejected=rejected), tools)

    return replace(format, to_row=to_row, of_pair=of_pair if format.of_pair is not None else None)


def _users_calls(record: DatasetRecord) -> tuple[str, ...]:
    """Tell whether the user makes calls of its own, of which rows hold only what it says."""
    calls = record.trajectory.calls() if record.trajectory else ()
    return ("users_calls",) if any(call.requestor == "user" for call in calls) else ()


def _unlearnt(record: DatasetRecord) -> tuple[str, ...]:
    messages = record.trajectory.messages if record.trajectory else ()
    unlearnt = () if all(message.train for message in messages) else ("unlearnt_mark",)
    return (*unlearnt, *_users_calls(record))


FORMATS: dict[FormatName, Format] = {
    "openai": Format(to_openai, openai_features, _users_calls, struct_padding=True),
    "trl": Format(to_trl, trl_features, _unlearnt, tools_at_once=True),
    "sharegpt": Format(
        to_sharegpt,
        sharegpt_features,
        lambda record: (*left_out(record), *_users_calls(record)),
        tools_at_once=True,
    ),
    "preference": Format(to_trl, preference_features, _users_calls, of_pair=to_preference),
}
