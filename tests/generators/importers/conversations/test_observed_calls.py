"""Recorded calls: where they are found, what is learned of results from them, and which values went on."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from interplay.generators.importers.conversations.observed_calls import (
    Observations,
    read_observations,
    with_observations,
)
from interplay.generators.importers.conversations.observed_flows import value_flows
from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.generators.importers.normalisation.observed_schemas import schema_of_values
from interplay.schemas.errors import ImportFailure
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.tool import Source, Tool, Toolset
from interplay.schemas.records.tool_graph import ValueFlow

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[5] / "shared")) / "data"
PET = {"id": 7, "tag": "cat"}


def read(tmp_path: Path, *values: Any) -> Observations:
    path = tmp_path / "recorded.json"
    path.write_text("\n".join(json.dumps(value) for value in values))
    return read_observations(path)


def tool(name: str, returns: dict[str, Any] | None = None) -> Tool:
    return Tool(
        name=name, original_name=name, parameters={"type": "object"}, returns=returns, source=Source(file="made")
    )


def seen(observations: Observations) -> list[tuple[str, Any, Any, bool]]:
    return [(call.name, call.arguments, call.value, call.failed) for call in observations.calls()]


@pytest.mark.parametrize(
    "value",
    [
        {"name": "get_pet", "arguments": {"id": 7}, "result": PET},
        {"tool": "get_pet", "kwargs": {"id": 7}, "observation": json.dumps(PET), "error": False},
        {"function": {"name": "get_pet", "arguments": '{"id": 7}'}, "response": PET},
        {"name": "get_pet", "arguments": {"id": 7}, "result": {"isError": False, "structuredContent": PET, "content": []}},
        {"name": "get_pet", "parameters": {"id": 7}, "output": {"isError": False, "content": [{"type": "text", "text": json.dumps(PET)}]}},
    ],
)  # fmt: skip
def test_a_record_is_read_under_the_usual_names_however_deep(tmp_path: Path, value: Any) -> None:
    assert seen(read(tmp_path, {"tasks": [{"id": 1, "log": {"actions": [value]}}]})) == [
        ("get_pet", {"id": 7}, PET, False)
    ]


@pytest.mark.parametrize(
    "messages",
    [
        [
            {
                "role": "assistant",
                "tool_calls": [{"id": "a", "function": {"name": "get_pet", "arguments": '{"id": 7}'}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": json.dumps(PET)},
        ],
        [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "get_pet", "input": {"id": 7}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": json.dumps(PET)}]},
        ],
        [
            {"role": "assistant", "function_call": {"name": "get_pet", "arguments": '{"id": 7}'}},
            {"role": "function", "name": "get_pet", "content": json.dumps(PET)},
        ],
    ],
)
def test_dialogues_of_each_provider_are_read(tmp_path: Path, messages: list[Any]) -> None:
    spoken = [{"role": "user", "content": "Which pet is 7?"}, *messages]
    assert seen(read(tmp_path, [{"messages": spoken}])) == [("get_pet", {"id": 7}, PET, False)]


def test_each_entry_of_a_list_and_each_line_is_a_recording(tmp_path: Path) -> None:
    call = {"name": "get_pet", "arguments": {"id": 7}, "result": PET}
    entry = {"turns": [{"calls": [call]}, {"calls": [call]}]}
    assert [len(calls) for calls in read(tmp_path, {"entries": [entry, entry]}).recordings] == [2, 2]
    assert [len(calls) for calls in read(tmp_path, entry, entry, entry).recordings] == [2, 2, 2]
    assert [len(calls) for calls in read(tmp_path, call, call).recordings] == [2]


@pytest.mark.parametrize("result", ["Error: no such pet", {"error": "no such pet"}, {"isError": True, "content": []}])
def test_failed_calls_teach_nothing(tmp_path: Path, result: Any) -> None:
    observations = read(tmp_path, [{"name": "get_pet", "arguments": {"id": 7}, "result": result}])
    assert seen(observations)[0][3]
    toolset, _ = with_observations(Toolset(name="made", tools=(tool("get_pet"),)), observations)
    assert toolset.tools[0].returns is None


def test_definitions_of_tools_are_no_calls(tmp_path: Path) -> None:
    definition = {"name": "get_pet", "parameters": {"type": "object", "properties": {}}, "response": {"type": "object"}}
    with pytest.raises(ImportFailure, match="holds no recorded calls"):
        read(tmp_path, {"tools": [definition]})


def test_a_given_result_schema_stays_and_contradictions_are_told(tmp_path: Path) -> None:
    observations = read(tmp_path, [{"name": "get_pet", "arguments": {"id": 7}, "result": PET}])
    given = {"type": "object", "properties": {"id": {"type": "string"}}}
    toolset, reports = with_observations(Toolset(name="made", tools=(tool("get_pet", given),)), observations)
    assert toolset.tools[0].returns == given
    assert "1 of 1 recorded results contradict its schema, first at /id" in reports[0].reasons[0]


def test_an_empty_result_schema_is_filled_and_unknown_tools_are_told(tmp_path: Path) -> None:
    calls = [{"name": name, "arguments": {}, "result": PET} for name in ("get_pet", "feed_pet")]
    toolset, reports = with_observations(
        Toolset(name="made", tools=(tool("get_pet", {"type": "object"}), tool("wash_pet"))), read(tmp_path, calls)
    )
    assert set((toolset.tools[0].returns or {})["properties"]) == {"id", "tag"}
    assert [(report.name, report.outcome) for report in reports] == [
        ("get_pet", "repaired"), ("wash_pet", "imported"), ("feed_pet", "rejected"),
    ]  # fmt: skip


def test_schemas_merge_types_and_tell_what_is_always_there() -> None:
    values = [{"id": 1, "size": 2}, {"id": 2, "size": 2.5, "note": None}, {"id": 3, "size": 1, "note": "small"}]
    schema = schema_of_values(values)
    assert all(is_valid(value, schema) for value in values)
    assert schema["required"] == ["id", "size"]
    assert schema["properties"]["size"]["type"] == "number"
    assert schema["properties"]["note"]["type"] == ["string", "null"]


@pytest.mark.parametrize(
    "value", [{"card_81": {"id": "card_81"}}, {"JFK": "New York", "LAX": "Los Angeles"}, {"Action Camera": "337", "Air Purifier": "382"}]
)  # fmt: skip
def test_maps_are_told_from_objects_by_their_keys(value: dict[str, Any]) -> None:
    schema = schema_of_values([value])
    assert "properties" not in schema
    assert schema["propertyNames"]["examples"] == list(value)
    assert "properties" in schema_of_values([{"address1": "a", "address2": "b", "firstName": "c"}])


def test_a_value_that_is_used_again_is_a_flow_and_a_common_one_is_not(tmp_path: Path) -> None:
    recordings = [
        {
            "actions": [
                {"name": "get_user", "arguments": {"id": f"u{index}"}, "result": {"trips": [f"ZFA0{index}Y"], "kind": "yes", "cabin": "economy"}},
                {"name": "cancel", "arguments": {"trips": [{"id": f"ZFA0{index}Y"}], "sure": "yes", "cabin": "economy"}, "result": "ok"},
            ]
        }
        for index in range(5)
    ]  # fmt: skip
    toolset = Toolset(name="made", tools=(tool("get_user"), tool("cancel")))
    assert value_flows(toolset, read(tmp_path, {"tasks": recordings})) == (
        ValueFlow(
            producer="get_user", output="/trips/*", consumer="cancel", input="/trips/*/id", count=5, example="ZFA00Y"
        ),
    )


@pytest.mark.parametrize(("name", "least"), [("airline.json", 9), ("airline_trajectories.json", 11)])
def test_real_recordings_describe_most_tools(name: str, least: int) -> None:
    if not (SHARED / "tau" / name).exists():
        pytest.skip("the recordings are not here")
    toolset = import_tool_json(SHARED / "tau" / "airline.json").toolset
    described, reports = with_observations(toolset, read_observations(SHARED / "tau" / name))
    assert sum(report.outcome == "repaired" for report in reports) >= least
    returns = described.tool("get_user_details").returns or {}
    assert "additionalProperties" in returns["properties"]["payment_methods"]
