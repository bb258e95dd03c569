"""Turns dataset records and toolsets into the rows of the store's tables, as Arrow tables that DuckDB inserts at once."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from interplay.outputs.store.arrow import arrow_table
from interplay.outputs.store.splits import split_of
from interplay.outputs.store.stored_dialogue import dialogue_text, turns
from interplay.outputs.store.task_coverage import covered_by
from interplay.outputs.store.utterance_patterns import utterance_pattern
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import DatasetRecord, Verdict

_TYPES = {"text": pa.large_string(), "int": pa.int64(), "flag": pa.bool_(), "float": pa.float64()}


def _schema(columns: str) -> pa.Schema:
    """Read a list of columns, each a name, or a name and one of `_TYPES`, else text."""
    parts = [(*column.split(":"), "text")[:2] for column in columns.split()]
    return pa.schema([(name, _TYPES[kind]) for name, kind in parts])


SCHEMAS: dict[str, pa.Schema] = {
    "records": _schema(
        "id run index:int status stage pattern target goals:int turns:int calls:int signature split toolset "
        "termination models version shard record difficulty:float operator parent sequence safety twin pair story "
        "revisions:int attempt:int fault went_wrong:int language continues "
        "pass_rate:float pass_low:float pass_high:float filter_reason sense:float redrawn:int "
        "characters:int words_beside_calls:flag parallel_calls:flag"
    ),
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
"""The tables that are filled from records, in order, each with its columns."""

TOOLSET_SCHEMAS: dict[str, pa.Schema] = {
    "toolsets": _schema("digest name licence provenance policy record"),
    "tools": _schema("toolset position:int name description effect requestor parameters returns"),
    "edges": _schema("toolset producer output consumer input score:float verified:flag note evidence"),
}
"""The tables that are filled from a toolset and its graph."""


_sorted_json = json.JSONEncoder(sort_keys=True).encode


def arrow_tables(rows: Iterable[tuple[str, str, DatasetRecord]]) -> dict[str, pa.Table]:
    """Return one Arrow table per table of the store, for records given with the names of their shards and their JSON texts."""
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
    """Return one Arrow table for each of `toolsets`, `tools` and `edges`; `key` is the digest of the toolset."""
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
    blueprint, trajectory = record.blueprint, record.trajectory
    safety = blueprint.safety if blueprint else None
    start = blueprint.start if blueprint else None
    begins = blueprint.begins if blueprint else 0
    return (
        record.id,
        record.run,
        record.index,
        record.status,
        record.stage,
        blueprint.pattern if blueprint else None,
        blueprint.recipe.target if blueprint else None,
        len(blueprint.goals) if blueprint else None,
        turns(trajectory, begins) if trajectory else None,
        sum(len(message.tool_calls) for message in trajectory.messages[begins:]) if trajectory else None,
        blueprint.signature() if blueprint else None,
        split_of(blueprint) if blueprint else None,
        trajectory.toolset if trajectory else blueprint.toolset if blueprint else None,
        trajectory.termination if trajectory else None,
        _sorted_json(trajectory.models) if trajectory else None,
        trajectory.version if trajectory else None,
        shard,
        text,
        blueprint.difficulty.score if blueprint and blueprint.difficulty else None,
        blueprint.lineage.operator if blueprint else None,
        blueprint.lineage.parent if blueprint else None,
        " ".join(action.tool for action in blueprint.calls) if blueprint else None,
        safety.scenario if safety else None,
        safety.twin if safety else None,
        blueprint.recipe.pair if blueprint and safety else None,
        blueprint.story() if blueprint else None,
        len(record.rounds),
        record.attempt,
        record.failure.fault if record.failure else None,
        record.failure.message if record.failure else None,
        blueprint.recipe.language if blueprint else None,
        start.source if start and start.origin == "session" else None,
        *(_solving(record).get(name) for name in ("pass_rate", "pass_low", "pass_high")),
        record.filter_reason,
        blueprint.sense.score if blueprint and blueprint.sense else None,
        blueprint.sense.redrawn if blueprint and blueprint.sense else None,
        *(_sizes(trajectory.messages[begins:]) if trajectory else (None, None, None)),
    )


def _sizes(messages: Sequence[Message]) -> tuple[int, bool, bool]:
    """Return the characters that are said, called and returned; whether words stand beside a call; whether calls stand together."""
    calls = [[call for call in message.tool_calls if call.requestor == "assistant"] for message in messages]
    written = (len(call.name) + len(json_text(call.arguments)) for message in messages for call in message.tool_calls)
    return (
        sum(len(message.content) for message in messages) + sum(written),
        any(message.content and own for message, own in zip(messages, calls, strict=True)),
        any(len(own) > 1 for own in calls),
    )


def _solving(record: DatasetRecord) -> dict[str, float]:
    """Return what the attempts at a task tell of how hard it is; nothing where there was one alone."""
    return next((verdict.scores for verdict in record.verdicts if verdict.check == "solver"), {})


def _message_rows(record: DatasetRecord) -> Iterable[tuple[Any, ...]]:
    begins = record.blueprint.begins if record.blueprint else 0
    for position, message in enumerate(record.trajectory.messages if record.trajectory else ()):
        if position < begins:
            continue  # told with the record that it is from
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
    """Yield number, blueprint, verdicts and feedback of each revision; the last one needed no feedback."""
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
    """Yield the dialogue of a record that may become a row of an export."""
    if record.trajectory is not None and (record.status == "accepted" or record.stage == "review"):
        yield record.id, record.run, record.index, dialogue_text(record)
