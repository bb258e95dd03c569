"""The formats that a run can be exported to, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from interplay.outputs.exporters.openai import openai_features, to_openai
from interplay.outputs.exporters.sharegpt import left_out, sharegpt_features, to_sharegpt
from interplay.outputs.exporters.trl import to_trl, trl_features
from interplay.schemas.tools import Tool
from interplay.schemas.verdict import DatasetRecord

FormatName = Literal["openai", "trl", "sharegpt"]


@dataclass(frozen=True)
class Format:
    """How a record becomes a row, the `datasets.Features` of the rows, and what a row cannot hold.

    `struct_padding` tells that `datasets` gives messages back with a null for each key that they lack.
    """

    to_row: Callable[[DatasetRecord, tuple[Tool, ...]], dict[str, Any]]
    features: Callable[[], Any]
    left_out: Callable[[DatasetRecord], tuple[str, ...]]
    struct_padding: bool = False


def _nothing(record: DatasetRecord) -> tuple[str, ...]:  # noqa: ARG001  (the signature of `Format.left_out`)
    return ()


def _unlearnt(record: DatasetRecord) -> tuple[str, ...]:
    messages = record.trajectory.messages if record.trajectory else ()
    return () if all(message.train for message in messages) else ("unlearnt_mark",)


FORMATS: dict[FormatName, Format] = {
    "openai": Format(to_openai, openai_features, _nothing, struct_padding=True),
    "trl": Format(to_trl, trl_features, _unlearnt),
    "sharegpt": Format(to_sharegpt, sharegpt_features, left_out),
}
