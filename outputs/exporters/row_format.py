"""What an export must know about a format: how to make a row, its features, its losses, and what the card says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from interplay.outputs.exporters.exported_dialogue import Dialogue, without_reasoning
from interplay.outputs.exporters.pairs import Pair
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import DatasetRecord

COMMON_LOSSES: Mapping[str, str] = {
    "denied_tools": "what comes after a request for tools that were not there yet: a row ends before they appear",
    "malformed": "arguments of calls as they were written, where they are no JSON object: they are empty",
    "tool_changes": "which of the tools are offered at which message, where they come and go",
    "unlearnt_mark": "the mark of messages that should not be learnt",
    "users_calls": "calls that the user makes on its own device, and their results; what it says of them is there",
}
"""Losses that several formats share: code -> words for the card."""

TEXT = "string"


class FilesBeside(Protocol):
    """Writes further files that the format's readers need, while the rows are written."""

    def write(self, split: str, row: dict[str, Any]) -> None:
        """Take one row."""
        ...

    def close(self) -> None:
        """Write what is left, and close the files."""
        ...


@dataclass(frozen=True)
class Format:
    """How records become rows, the types of their `columns`, and what a row cannot hold.

    A row is made of an accepted record (`to_row`), of a pair of attempts if there is `of_pair`, or of all attempts at one task if
    there is `of_attempts`.
    """

    note: str
    """A sentence for the card and the command line."""

    columns: Mapping[str, Any]
    """The type of each column: a name that `datasets` knows, such as "int64"; "json" for any value; a list with the type of its
    items; or an object with the types of its fields."""

    to_row: Callable[[Any, tuple[Tool, ...]], dict[str, Any]]
    """The row of a stored dialogue, which is faster to read than the record, with the tools it offers at any time."""

    of_pair: Callable[[Pair, tuple[Tool, ...]], dict[str, Any]] | None = None
    """The row of an accepted and a rejected attempt."""

    of_attempts: (
        Callable[[Sequence[DatasetRecord], tuple[Tool, ...]], Iterable[tuple[DatasetRecord, dict[str, Any]]]] | None
    ) = None
    """The rows of all attempts at one task, each with its attempt."""

    open_beside: Callable[[Path, Toolset], FilesBeside] | None = None
    """Opens a writer of further files, given a folder and a toolset."""

    one_toolset: bool = False
    """Whether these files describe that toolset, so that the format is refused for dialogues that bring their own toolsets.

    Any other `open_beside` then gets a toolset without tools.
    """

    rows: str = "dialogues"
    """What rows are called: "30 turns"."""

    losses_of: Callable[[Any], tuple[str, ...]] = lambda _: ()
    """The codes of what the row of a record cannot hold; each loss is counted while rows are written."""

    loss_words: Mapping[str, str] = field(default_factory=dict)
    """Code -> words for losses that are not in `COMMON_LOSSES`."""

    with_task: bool = False
    """Whether `to_row` needs the blueprint of the stored dialogue too."""

    struct_padding: bool = False
    """Whether `datasets` returns messages with a null for each key that they lack."""

    tools_at_once: bool = False
    """Whether trainers that read the format see all tools of a row at every message.

    Dialogues then end before a tool appears that the assistant denied having.
    """

    holds_mask: bool = False
    """Whether rows tell which turns must not be learnt; without it, dialogues with such turns stay out."""

    holds_malformed: bool = False
    """Whether rows keep arguments that are not JSON as they were written."""

    def features(self) -> Any:
        """Return the `datasets.Features` of the rows, which do not depend on the tools."""
        from datasets import Features  # noqa: PLC0415  (slow to import)

        return Features(features_of(self.columns))

    def losses(self, record: Dialogue) -> tuple[str, ...]:
        """Name everything that the row of a record cannot hold: its format's losses, calls of the user, malformed arguments."""
        calls = record.trajectory.calls() if record.trajectory else ()
        own = ["users_calls"] if any(call.requestor == "user" for call in calls) else []
        own += ["malformed"] if not self.holds_malformed and any(call.malformed for call in calls) else []
        return (*self.losses_of(record), *own)

    def describe_loss(self, name: str) -> str:
        """Return the words for a loss that `losses` names."""
        return {**COMMON_LOSSES, **self.loss_words}[name]


def texts(*names: str) -> dict[str, Any]:
    """Return text columns with these names."""
    return dict.fromkeys(names, TEXT)


def features_of(kind: Any) -> Any:
    """Return the `datasets` features of a type, or of columns by name."""
    from datasets import Json, List, Value  # noqa: PLC0415  (slow to import)

    if isinstance(kind, Mapping):
        return {name: features_of(inner) for name, inner in kind.items()}
    if isinstance(kind, list):
        return List(features_of(kind[0]))
    return Json() if kind == "json" else Value(kind)


def unlearnt_mark(record: Dialogue) -> tuple[str, ...]:
    """Name the loss of the mark for messages not to be learnt, if the record has such messages."""
    messages = record.trajectory.messages if record.trajectory else ()
    return () if all(message.train for message in messages) else ("unlearnt_mark",)


def tool_changes_lost(record: Dialogue) -> tuple[str, ...]:
    """Name the loss of tool changes, if tools come or go in the record."""
    messages = record.trajectory.messages if record.trajectory else ()
    return ("tool_changes",) if any(message.offered is not None for message in messages) else ()


def stripped(format: Format) -> Format:
    """Return a format whose rows leave out the assistant's reasoning."""

    def to_row(record: Any, tools: tuple[Tool, ...]) -> dict[str, Any]:
        return format.to_row(without_reasoning(record), tools)

    def of_pair(pair: Pair, tools: tuple[Tool, ...]) -> dict[str, Any]:
        assert format.of_pair is not None
        chosen, rejected = without_reasoning(pair.chosen), without_reasoning(pair.rejected)
        return format.of_pair(replace(pair, chosen=chosen, rejected=rejected), tools)

    def of_attempts(
        attempts: Sequence[DatasetRecord], tools: tuple[Tool, ...]
    ) -> Iterable[tuple[DatasetRecord, dict[str, Any]]]:
        assert format.of_attempts is not None
        return format.of_attempts([without_reasoning(attempt) for attempt in attempts], tools)

    return replace(
        format,
        to_row=to_row,
        of_pair=of_pair if format.of_pair is not None else None,
        of_attempts=of_attempts if format.of_attempts is not None else None,
    )
