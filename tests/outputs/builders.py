"""Builds small records, tools and stores for the tests of outputs; every value can be read off the arguments."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import write_shard
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Action, Blueprint, Expected, Goal, Safety, with_identity
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.recipe import Pattern, Recipe, Twin
from interplay.schemas.records.tool import Source, Tool, Toolset
from interplay.schemas.records.tool_graph import Edge, Evidence
from interplay.schemas.records.verdict import DatasetRecord, Issue, Verdict

RUN = "demo"
NIGHTS = {"type": "object", "properties": {"nights": {"type": "integer"}}, "required": ["nights"]}
CITY = {"type": "object", "properties": {"city": {"type": "string"}, "nights": {"type": ["string", "null"]}}}


def make_tool(name: str, parameters: dict[str, Any], **other: Any) -> Tool:
    return Tool(
        name=name,
        original_name=name,
        description=f"Tool {name}.",
        parameters=parameters,
        source=Source(file="a.json"),
        **other,
    )


def make_toolset(**other: Any) -> Toolset:
    tools = (
        make_tool("find_hotel", CITY),
        make_tool("book_hotel", NIGHTS, effect="write"),
        make_tool("cancel", NIGHTS),
    )
    return Toolset(
        **{"name": "Hotels", "tools": tools, "licence": "Apache-2.0", "provenance": ("hotels.json",), **other}
    )


EDGE = Edge(
    producer="find_hotel",
    output="/hotels/*/id",
    consumer="book_hotel",
    input="/hotel",
    score=0.9,
    evidence=(Evidence(kind="name", score=0.9, detail="hotel id"),),
    verified=True,
)


def call(number: int, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(id=f"call{number:05d}", name=name, arguments=arguments)


def asks(text: str, *calls: ToolCall, **other: Any) -> Message:
    return Message(role="user", content=text, tool_calls=calls, **{"act": "inform_intent_clear", **other})


def says(text: str, *calls: ToolCall, **other: Any) -> Message:
    return Message(
        role="assistant", content=text, tool_calls=calls, **{"act": "call" if calls else "response", **other}
    )


def answers(to: ToolCall, text: str, failed: bool = False) -> Message:
    return Message(role="tool", content=text, tool_call_id=to.id, failed=failed)


def hotel_dialogue(city: str, nights: int) -> tuple[Message, ...]:
    """Two calls at once with different argument keys, then one more; `nights` is a string here and a number there."""
    find, check = call(1, "find_hotel", city=city, nights=None), call(2, "find_hotel", city=city, nights=str(nights))
    book = call(3, "book_hotel", nights=nights)
    return (
        asks(f"I need a hotel in {city} for {nights} nights.", spoken=(city, str(nights))),
        says("", find, check),
        answers(find, '{"hotels": [{"id": 7}]}'),
        answers(check, "nothing found", failed=True),
        says("", book),
        answers(book, '{"booking": 12.5}'),
        says("Booked: hotel 7."),
    )


def replace_first(messages: tuple[Message, ...], **changes: Any) -> tuple[Message, ...]:
    """Return a dialogue with its first message changed."""
    return (messages[0].model_copy(update=changes), *messages[1:])


def make_blueprint(index: int, arguments: dict[str, Any], pattern: Pattern = "sequential") -> Blueprint:
    return with_identity(
        Blueprint(
            id="",
            recipe=Recipe(index=index, seed=1, target="book_hotel", pattern=pattern),
            toolset=make_toolset().digest(),
            pattern=pattern,
            goals=(Goal(intent="book a hotel", tool="book_hotel"),),
            actions=(Action(id="a1", goal=0, tool="book_hotel", arguments=arguments),),
            expected=Expected(digest="0" * 32),
            tools=("find_hotel", "book_hotel"),
            scenario={},
        )
    )


def make_trajectory(messages: Iterable[Message], blueprint: Blueprint, **other: Any) -> Trajectory:
    parts = {
        "blueprint_id": blueprint.id,
        "toolset": blueprint.toolset,
        "tools": blueprint.tools,
        "system_prompt": "You book hotels.",
        "messages": tuple(messages),
        "final_digest": blueprint.expected.digest,
        "termination": "user_ended",
        "models": {"user": "rules", "assistant": "rules"},
        "version": "0.1.0",
    }
    return Trajectory(**{**parts, **other})


def make_record(
    index: int = 0,
    messages: Iterable[Message] | None = None,
    status: Literal["accepted", "rejected"] = "accepted",
    issues: tuple[str, ...] = (),
    run: str = RUN,
    task: int | None = None,
    **other: Any,
) -> DatasetRecord:
    """Make the record of one index; records with the same `task` have the same blueprint signature."""
    nights = index if task is None else task
    blueprint = make_blueprint(index, {"nights": nights})
    trajectory = make_trajectory(hotel_dialogue("Graz", nights) if messages is None else messages, blueprint, **other)
    verdicts = (
        Verdict(check="execution", issues=tuple(Issue(code=code, message=f"It is {code}.") for code in issues)),
    )
    parts = {
        "run": run,
        "index": index,
        "status": status,
        "stage": "execution" if status == "rejected" else None,
        "blueprint": blueprint,
        "trajectory": trajectory,
        "verdicts": verdicts,
    }
    return DatasetRecord(id=digest([run, index, trajectory.model_dump(mode="json")]), **parts)


def wrong_attempt() -> DatasetRecord:
    """Return an attempt that books after the same look-up, with another number of nights."""
    messages = list(hotel_dialogue("Graz", 4))[:5]
    wrong = call(3, "book_hotel", nights=5)
    record = make_record(4, [*messages[:4], says("", wrong), answers(wrong, '{"booking": 13}')], "rejected")
    failure = Failure(
        stage="execution", fault="wrong_argument", message=4, why="books 5 nights, where 4 were asked for"
    )
    return record.model_copy(update={"failure": failure, "attempt": 1})


def not_composed(index: int, run: str = RUN) -> DatasetRecord:
    """Make the record of an index for which no blueprint was found."""
    verdict = Verdict(check="compose", issues=(Issue(code="no_path", message="No path."),))
    return DatasetRecord(
        id=digest([run, index]), run=run, index=index, status="rejected", stage="compose", verdicts=(verdict,)
    )


def make_shard(folder: Path, records: Iterable[DatasetRecord], name: str = "00000.parquet") -> Path:
    path = folder / "shards" / name
    write_shard(path, records)
    return path


def load_shard(store: DatasetStore, path: Path, until: int | None = None) -> int:
    """Load one shard file, up to and with an index; return how many records were new."""
    return store.load_shards([ShardToLoad(path, until)])


def load_all(store: DatasetStore, *shards: Path, toolset: Toolset | None = None, run: str = RUN) -> None:
    key = store.load_toolset(toolset or make_toolset(), [EDGE])
    store.load_run(run, '{"target": 100}', 1, key)
    for shard in shards:
        load_shard(store, shard)


def counts(store: DatasetStore) -> dict[str, int]:
    """Return the number of rows in every table."""
    tables = (
        "runs", "toolsets", "tools", "edges", "records", "messages", "calls", "verdicts", "issues", "shards", "rounds",
        "reviews",
    )  # fmt: skip
    return {table: store.query(f"SELECT count(*) AS n FROM {table}")[0]["n"] for table in tables}


def safety_twin(index: int, twin: Twin) -> DatasetRecord:
    """Return a record that is a twin of a safety scenario; three indices make a triple."""
    record = make_record(index)
    assert record.blueprint is not None
    blueprint = record.blueprint
    safety = Safety(
        kind="chain",
        scenario="destroy_evidence",
        capabilities=("find_hotel", "book_hotel"),
        twin=twin,
        expected={"harmful": "refuse", "borderline": "partial", "benign": "help"}[twin],
    )
    recipe = blueprint.recipe.model_copy(update={"safety": twin, "pair": f"0/safety/{index // 3}"})
    return record.model_copy(update={"blueprint": blueprint.model_copy(update={"recipe": recipe, "safety": safety})})
