"""Dataset records and toolsets -> the rows of the store's tables, as Arrow tables that DuckDB inserts at once."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from interplay.outputs.store.arrow import arrow_table
from interplay.outputs.store.splits import split_of
from interplay.outputs.store.stored_dialogue import dialogue_text, turns
from interplay.outputs.store.task_coverage import covered_by
from interplay.outputs.store.utterance_patterns import utterance_pattern
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import DatasetRecord, Verdict

_sorted_json = json.JSONEncoder(sort_keys=True).encode

_TYPES = {"text": pa.large_string(), "int": pa.int64(), "flag": pa.bool_(), "float": pa.float64()}


def _schema(columns: str) -> pa.Schema:
    """Parse a list of columns, each a name (text) or `NAME:TYPE` with one of `_TYPES`."""
    parts = [(*column.split(":"), "text")[:2] for column in columns.split()]
    return pa.schema([(name, _TYPES[kind]) for name, kind in parts])


class _Row(NamedTuple):
    """A record on its way into the store, with its shard's name, its JSON text, and values that several columns share."""

    shard: str
    text: str
    record: DatasetRecord
    blueprint: Blueprint | None
    trajectory: Trajectory | None
    sizes: tuple[int | None, bool | None, bool | None]
    solving: Mapping[str, float]
    """Scores of the solver check over the attempts at a task; empty if there was one attempt."""


_Read = Callable[[_Row], Any]


def _task(read: Callable[[Blueprint], Any]) -> _Read:
    """Return a column reader for a value of the blueprint; None for records without one."""
    return lambda row: None if row.blueprint is None else read(row.blueprint)


def _talk(read: Callable[[Trajectory], Any]) -> _Read:
    """Return a column reader for a value of the dialogue; None for records without one."""
    return lambda row: None if row.trajectory is None else read(row.trajectory)


_RECORDS: Mapping[str, tuple[str, _Read]] = {
    "id": ("text", lambda row: row.record.id),
    "run": ("text", lambda row: row.record.run),
    "index": ("int", lambda row: row.record.index),
    "status": ("text", lambda row: row.record.status),
    "stage": ("text", lambda row: row.record.stage),
    "pattern": ("text", _task(lambda task: task.pattern)),
    "target": ("text", _task(lambda task: task.recipe.target)),
    "goals": ("int", _task(lambda task: len(task.goals))),
    "turns": ("int", lambda row: turns(row.trajectory, _begins(row)) if row.trajectory else None),
    "calls": ("int", lambda row: sum(len(m.tool_calls) for m in _own(row)) if row.trajectory else None),
    "signature": ("text", _task(lambda task: task.signature())),
    "split": ("text", _task(split_of)),
    "toolset": ("text", lambda row: next((held.toolset for held in (row.trajectory, row.blueprint) if held), None)),
    "termination": ("text", _talk(lambda talk: talk.termination)),
    "models": ("text", _talk(lambda talk: _sorted_json(talk.models))),
    "version": ("text", _talk(lambda talk: talk.version)),
    "shard": ("text", lambda row: row.shard),
    "record": ("text", lambda row: row.text),
    "difficulty": ("float", _task(lambda task: task.difficulty.score if task.difficulty else None)),
    "operator": ("text", _task(lambda task: task.lineage.operator)),
    "parent": ("text", _task(lambda task: task.lineage.parent)),
    "sequence": ("text", _task(lambda task: " ".join(action.tool for action in task.calls))),
    "safety": ("text", _task(lambda task: task.safety.scenario if task.safety else None)),
    "twin": ("text", _task(lambda task: task.safety.twin if task.safety else None)),
    "pair": ("text", _task(lambda task: task.recipe.pair if task.safety else None)),
    "story": ("text", _task(lambda task: task.story())),
    "revisions": ("int", lambda row: len(row.record.rounds)),
    "attempt": ("int", lambda row: row.record.attempt),
    "fault": ("text", lambda row: row.record.failure.fault if row.record.failure else None),
    "went_wrong": ("int", lambda row: row.record.failure.message if row.record.failure else None),
    "language": ("text", _task(lambda task: task.recipe.language)),
    "continues": (
        "text",
        _task(lambda task: task.start.source if task.start and task.start.origin == "session" else None),
    ),
    "pass_rate": ("float", lambda row: row.solving.get("pass_rate")),
    "pass_low": ("float", lambda row: row.solving.get("pass_low")),
    "pass_high": ("float", lambda row: row.solving.get("pass_high")),
    "filter_reason": ("text", lambda row: row.record.filter_reason),
    "sense": ("float", _task(lambda task: task.sense.score if task.sense else None)),
    "redrawn": ("int", _task(lambda task: task.sense.redrawn if task.sense else None)),
    "characters": ("int", lambda row: row.sizes[0]),
    "words_beside_calls": ("flag", lambda row: row.sizes[1]),
    "parallel_calls": ("flag", lambda row: row.sizes[2]),
}
"""Columns of `records` -> (type, reader)."""


SCHEMAS: dict[str, pa.Schema] = {
    "records": _schema(" ".join(f"{name}:{kind}" for name, (kind, _) in _RECORDS.items())),
    "messages": _schema(
        "record_id position:int role act content tool_call_id failed:flag masked offered model speaker characters:int"
    ),
    "calls": _schema("record_id position:int call_id tool requestor arguments result failed:flag"),
    "verdicts": _schema("record_id position:int check_name passed:flag scores cost:float"),
    "issues": _schema("record_id check_name code message pointer severity"),
    "covered": _schema("record_id kind name"),
    "rounds": _schema("record_id round:int position:int blueprint operator check_name passed:flag codes feedback"),
    "reviews": _schema("record_id round:int reviewer metric score:int reason"),
    "dialogues": _schema("record_id run index:int dialogue"),
}
"""Tables filled from records, in order -> their columns."""

TOOLSET_SCHEMAS: dict[str, pa.Schema] = {
    "toolsets": _schema("digest name licence provenance policy record"),
    "tools": _schema("toolset position:int name description effect requestor parameters returns"),
    "edges": _schema("toolset producer output consumer input score:float verified:flag note evidence"),
}
"""Tables filled from a toolset and its graph -> their columns."""


def arrow_tables(rows: Iterable[tuple[str, str, DatasetRecord]]) -> dict[str, pa.Table]:
    """Return table name -> Arrow table, for rows of (shard name, JSON text, record)."""
    filled: dict[str, list[tuple[Any, ...]]] = {name: [] for name in SCHEMAS}
    for shard, text, record in rows:
        filled["records"].append(_record_row(shard, text, record))
        filled["messages"] += _message_rows(record)
        filled["calls"] += _call_rows(record)
        filled["verdicts"] += _verdict_rows(record)
        filled["issues"] += _issue_rows(record)
        filled["covered"] += _covered_rows(record)
        filled["rounds"] += _round_rows(record)
        filled["reviews"] += _review_rows(record)
        filled["dialogues"] += _dialogue_rows(record)
    return {name: arrow_table(SCHEMAS[name], rows) for name, rows in filled.items()}


def toolset_tables(key: str, toolset: Toolset, edges: Iterable[Edge]) -> dict[str, pa.Table]:
    """Return the Arrow tables for `toolsets`, `tools` and `edges`; `key` is the digest of the toolset."""
    tools = [
        (
            key,
            position,
            tool.name,
            tool.description,
            tool.effect,
            tool.requestor,
            json_text(tool.parameters),
            None if tool.returns is None else json_text(tool.returns),
        )
        for position, tool in enumerate(toolset.tools)
    ]
    links = [
        (
            key,
            edge.producer,
            edge.output,
            edge.consumer,
            edge.input,
            edge.score,
            edge.verified,
            edge.note,
            json_text([reason.model_dump() for reason in edge.evidence]),
        )
        for edge in edges
    ]
    sources = json_text(toolset.provenance)
    whole = (key, toolset.name, toolset.licence, sources, toolset.policy, toolset.model_dump_json())
    filled: dict[str, list[tuple[Any, ...]]] = {"toolsets": [whole], "tools": tools, "edges": links}
    return {name: arrow_table(TOOLSET_SCHEMAS[name], rows) for name, rows in filled.items()}


def _record_row(shard: str, text: str, record: DatasetRecord) -> tuple[Any, ...]:
    solving = next((verdict.scores for verdict in record.verdicts if verdict.check == "solver"), {})
    row = _Row(shard, text, record, record.blueprint, record.trajectory, (None, None, None), solving)
    row = row._replace(sizes=_sizes(_own(row))) if record.trajectory else row
    return tuple(read(row) for _, read in _RECORDS.values())


def _begins(row: _Row) -> int:
    """Return the position of the record's first own message; earlier ones are stored with the record they come from."""
    return row.blueprint.begins if row.blueprint else 0


def _own(row: _Row) -> Sequence[Message]:
    return row.trajectory.messages[_begins(row) :] if row.trajectory else ()


def _sizes(messages: Sequence[Message]) -> tuple[int, bool, bool]:
    """Return the number of characters, whether a message has words beside calls, and whether one has several calls."""
    calls = [[call for call in message.tool_calls if call.requestor == "assistant"] for message in messages]
    written = (len(call.name) + len(json_text(call.arguments)) for message in messages for call in message.tool_calls)
    return (
        sum(len(message.content) for message in messages) + sum(written),
        any(message.content and own for message, own in zip(messages, calls, strict=True)),
        any(len(own) > 1 for own in calls),
    )


def _message_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    begins = record.blueprint.begins if record.blueprint else 0
    for position, message in enumerate(record.trajectory.messages if record.trajectory else ()):
        if position < begins:
            continue  # stored with the record it comes from
        talk = message.role in ("user", "assistant") and message.content
        pattern = utterance_pattern(message.content, message.spoken) if talk else None
        yield (
            record.id,
            position,
            message.role,
            message.act,
            message.content,
            message.tool_call_id,
            message.failed,
            pattern,
            None if message.offered is None else json_text(message.offered),
            message.model or None,
            message.speaker or None,
            len(message.content),
        )


def _call_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    begins = record.blueprint.begins if record.blueprint else 0
    for position, call, answer in record.trajectory.calls_with_results() if record.trajectory else ():
        if position < begins:
            continue
        yield (
            record.id,
            position,
            call.id,
            call.name,
            call.requestor,
            json_text(call.arguments),
            answer.content if answer else None,
            answer.failed if answer else None,
        )


def _verdict_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    for position, verdict in enumerate(record.verdicts):
        scores = _sorted_json(verdict.scores) if verdict.scores else "{}"
        yield record.id, position, verdict.check, verdict.passed, scores, verdict.cost


def _issue_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    for verdict in record.verdicts:
        for issue in verdict.issues:
            yield record.id, verdict.check, issue.code, issue.message, issue.pointer, issue.severity


def _covered_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    if record.blueprint is not None:
        yield from (
            (record.id, kind, name) for kind, name in sorted(set(covered_by(record.blueprint, record.trajectory)))
        )


def _rounds(record: DatasetRecord) -> Iterable[tuple[int, Blueprint | None, tuple[Verdict, ...], str | None]]:
    """Yield (number, blueprint, verdicts, feedback) of each revision; the last one needed no feedback."""
    for number, drafted in enumerate(record.rounds):
        yield number, drafted.blueprint, drafted.verdicts, drafted.feedback.model_dump_json()
    yield len(record.rounds), record.blueprint, record.verdicts, None


def _round_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    for number, blueprint, verdicts, feedback in _rounds(record):
        for position, verdict in enumerate(verdicts):
            yield (
                record.id,
                number,
                position,
                blueprint.id if blueprint else None,
                blueprint.lineage.operator if blueprint else None,
                verdict.check,
                verdict.passed,
                json_text([issue.code for issue in verdict.issues if issue.severity == "error"])
                if verdict.issues
                else "[]",
                feedback,
            )


def _review_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    for number, _, verdicts, _ in _rounds(record):
        for review in (review for verdict in verdicts for review in verdict.reviews):
            if review.abstained:
                yield record.id, number, review.reviewer, None, None, review.abstained
            for metric, given in review.scores.items():
                yield record.id, number, review.reviewer, metric, given.score, given.reason


def _dialogue_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    """Yield the dialogue row of a record that may be exported."""
    if record.trajectory is not None and (record.status == "accepted" or record.stage == "review"):
        yield record.id, record.run, record.index, dialogue_text(record)
