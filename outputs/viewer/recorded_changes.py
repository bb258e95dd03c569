"""A record -> what its calls changed, as far as the record tells: what the task says is different in the end, each difference at the
call that tells of it. For tools that cannot be called again for a look.
"""

from collections.abc import Set
from typing import Any

from interplay.schemas.json.canonical import Change, leaves
from interplay.schemas.records.dialogue import ToolResult
from interplay.schemas.records.verdict import DatasetRecord


def recorded_changes(record: DatasetRecord, writes: Set[str]) -> dict[int, tuple[Change, ...]]:
    """Return the differences by the number of the call, from 0 in the dialogue; `writes` are the names of tools that write.

    A difference stands at the last call that names most of it: the steps of its path, and its new values. Of none that names
    any of it, nothing is told.
    """
    if record.trajectory is None or record.blueprint is None:
        return {}
    calls = [
        (number, {*_texts(call.arguments), *_texts(ToolResult.read(call, answer.content).value)})
        for number, (_, call, answer) in enumerate(record.trajectory.calls_with_results())
        if call.name in writes and answer is not None and not answer.failed
    ]
    found: dict[int, list[Change]] = {}
    for change in record.blueprint.expected.difference:
        about = {*change.path.split("/"), *_texts(change.after)} - {""}
        named = [(len(about & names), number) for number, names in calls]
        if named and max(named)[0]:
            found.setdefault(max(named)[1], []).append(change)
    return {number: tuple(changes) for number, changes in found.items()}


def _texts(value: Any) -> set[str]:
    return {str(leaf) for _, leaf in leaves(value) if not isinstance(leaf, (bool, type(None)))}
