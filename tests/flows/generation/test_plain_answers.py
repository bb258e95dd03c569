"""Dialogues over tools that say little of their results: nothing that was made up is told as what a call has done."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.results.calculation import worked_out
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.verdict import DatasetRecord

TEXT = {"type": "string"}


def definition(name: str, description: str, *needed: str, result: object = None) -> dict[str, object]:
    """Return a tool as servers list it."""
    parameters = {"type": "object", "properties": dict.fromkeys(needed, TEXT), "required": list(needed)}
    told = {} if result is None else {"outputSchema": result}
    return {"name": name, "description": description, "inputSchema": parameters, **told}


CONTENT = {"type": "object", "properties": {"content": TEXT}, "required": ["content"]}
TOOLS = (
    definition("calculate", "Work out a mathematical expression.", "expression", result=TEXT),
    definition("think", "Think about something.", "thought", result=TEXT),
    definition("create_directory", "Create a directory.", "path", result=CONTENT),
    definition("transfer_to_human_agents", "Transfer the user to a human agent.", "summary", result=TEXT),
)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[DatasetRecord]:
    """Return records of those tools alone."""
    source: Path = tmp_path_factory.mktemp("tools") / "tools.json"
    source.write_text(json.dumps({"tools": TOOLS}))
    world = open_world([f"json:{source}"])
    made = Generator(RunConfig(), world, asyncio.run(open_graph(world)), "run")
    return [asyncio.run(made.make_record(index)) for index in range(24)]


def exchanges(records: list[DatasetRecord]) -> Iterator[tuple[ToolCall, str, str]]:
    """Yield each call that went well, its result, and what the assistant says next."""
    for record in records:
        messages = record.trajectory.messages if record.trajectory else ()
        results = {message.tool_call_id: message for message in messages if message.role == "tool"}
        for index, message in enumerate(messages):
            after = (later.content for later in messages[index + 1 :] if later.role == "assistant" and later.content)
            said = next(after, "")
            for call in message.tool_calls:
                if call.name != "search_tools" and not results[call.id].failed:
                    yield call, results[call.id].content, said


def test_arithmetic_is_worked_out(records: list[DatasetRecord]) -> None:
    calls = [
        (call.arguments["expression"], result) for call, result, _ in exchanges(records) if call.name == "calculate"
    ]
    assert calls
    assert [result for _, result in calls] == [str(worked_out(expression)) for expression, _ in calls]


def test_nobody_wishes_for_a_thought(records: list[DatasetRecord]) -> None:
    assert "think" not in {call.name for call, _, _ in exchanges(records)}
    assert "think" not in {record.blueprint.recipe.target for record in records if record.blueprint}


def test_an_acknowledgement_is_not_told_as_a_value(records: list[DatasetRecord]) -> None:
    quiet = [item for item in exchanges(records) if item[0].name in ("create_directory", "transfer_to_human_agents")]
    assert quiet
    assert all("Done" in result for _, result, _ in quiet)
    assert not [said for _, _, said in quiet if "The content is" in said or "The person is" in said]
    assert {record.status for record in records} == {"accepted"}


def test_a_sentence_that_code_answers_is_told_as_what_the_system_says() -> None:
    world = open_world(["python:tests.flows.support:Support"])
    made = Generator(RunConfig(), world, asyncio.run(open_graph(world)), "run")
    answered = list(exchanges([asyncio.run(made.make_record(index)) for index in range(6)]))
    assert answered
    assert all('The system says "Roaming is off for now."' in said for _, _, said in answered)
