"""The formats that a run can be exported to, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from interplay.outputs.exporters.openai import openai_features, to_openai
from interplay.outputs.exporters.preference import Pair, preference_features, to_preference
from interplay.outputs.exporters.sharegpt import left_out, sharegpt_features, to_sharegpt
from interplay.outputs.exporters.trl import to_trl, trl_features
from interplay.schemas.tools import Tool
from interplay.schemas.verdict import DatasetRecord

FormatName = Literal["openai", "trl", "sharegpt", "preference"]


@dataclass(frozen=True)
class Format:
    """How records become rows, the `datasets.Features` of the rows, and what a row cannot hold.

    A row is made of a record that is accepted, or of a pair of attempts, where there is `of_pair`. `struct_padding` tells that `datasets` gives messages back with a null for each key that they lack.
    """

    to_row: Callable[[DatasetRecord, tuple[Tool, ...]], dict[str, Any]]
    features: Callable[[], Any]
    left_out: Callable[[DatasetRecord], tuple[str, ...]]
    struct_padding: bool = False
    of_pair: Callable[[Pair, tuple[Tool, ...]], dict[str, Any]] | None = None


def _nothing(record: DatasetRecord) -> tuple[str, ...]:  # noqa: ARG001  (the signature of `Format.left_out`)
    return ()


def _unlearnt(record: DatasetRecord) -> tuple[str, ...]:
    messages = record.trajectory.messages if record.trajectory else ()
    return () if all(message.train for message in messages) else ("unlearnt_mark",)


FORMATS: dict[FormatName, Format] = {
    "openai": Format(to_openai, openai_features, _nothing, struct_padding=True),
    "trl": Format(to_trl, trl_features, _unlearnt),
    "sharegpt": Format(to_sharegpt, sharegpt_features, left_out),
    "preference": Format(to_trl, preference_features, _nothing, of_pair=to_preference),
}
