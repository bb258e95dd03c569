"""Tool definitions of any provider's shape as tools."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.generators.importers.sources import real

from interplay.generators.importers.tool_json import import_tool_json
from interplay.schemas.errors import ImportFailure
from interplay.schemas.tools import ImportReport

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


def load(folder: Path, value: Any) -> ImportReport:
    path = folder / "tools.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return import_tool_json(path)


@pytest.mark.parametrize(
    "definition",
    [
        {"type": "function", "function": {"name": "get_pet", "description": "Get it.", "parameters": SCHEMA}},
        {"type": "function", "name": "get_pet", "description": "Get it.", "parameters": SCHEMA, "strict": True},
        {"name": "get_pet", "description": "Get it.", "input_schema": SCHEMA},
        {"name": "get_pet", "description": "Get it.", "inputSchema": SCHEMA},
        {"toolSpec": {"name": "get_pet", "description": "Get it.", "inputSchema": {"json": SCHEMA}}},
    ],
)
@pytest.mark.parametrize("wrap", ["list", "tools", "result", "classes", "single"])
def test_reads_every_shape(tmp_path: Path, definition: dict[str, Any], wrap: str) -> None:
    value = {
        "list": [definition],
        "tools": {"tools": [definition]},
        "result": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [definition]}},
        "classes": {"classes": {"Pets": {"tools": [definition]}}},
        "single": [definition],
    }[wrap]
    report = load(tmp_path, value)
    tool = report.toolset.tools[0]
    assert (tool.name, tool.description, tool.parameters, tool.effect) == ("get_pet", "Get it.", SCHEMA, "read")
    assert report.reports[0].outcome == "imported"


def test_normalises_odd_types_and_tells(tmp_path: Path) -> None:
    kinds = ("dict", "float", "tuple", "any", "list", "int", "str", "bool")
    parameters = {"type": "dict", "properties": {kind: {"type": kind} for kind in kinds}}
    report = load(tmp_path, [{"name": "a", "parameters": parameters, "response": {"type": "dict", "properties": {}}}])
    assert [schema.get("type") for schema in report.toolset.tools[0].parameters["properties"].values()] == [
        "object",
        "number",
        "array",
        None,
        "array",
        "integer",
        "string",
        "boolean",
    ]
    assert report.toolset.tools[0].returns == {"type": "object", "properties": {}}
    assert report.reports[0].outcome == "repaired"


def test_takes_the_effect_from_hints_before_names(tmp_path: Path) -> None:
    definitions = [
        {"name": "get_a", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": False}},
        {
            "name": "do_b",
            "inputSchema": SCHEMA,
            "annotations": {"readOnlyHint": True},
            "outputSchema": {"type": "string"},
        },
        {"name": "send_c", "inputSchema": SCHEMA},
        {"name": "search_d", "inputSchema": SCHEMA},
    ]
    tools = load(tmp_path, definitions).toolset.tools
    assert [tool.effect for tool in tools] == ["write", "read", "write", "read"]
    assert tools[1].returns == {"type": "string"}


def test_inlines_local_definitions_and_opens_the_wrapper(tmp_path: Path) -> None:
    returns = {
        "$defs": {"Pet": {"type": "object", "properties": {"id": {"type": "string"}}}},
        "title": "returns",
        "type": "object",
        "properties": {"returns": {"$ref": "#/$defs/Pet"}},
    }
    report = load(tmp_path, [{"name": "a", "parameters": SCHEMA, "returns": returns}])
    assert report.toolset.tools[0].returns == {
        "title": "Pet",
        "type": "object",
        "properties": {"id": {"type": "string"}},
    }


def test_reads_parameters_without_a_schema_around_them(tmp_path: Path) -> None:
    listed = [{"name": "id", "type": "string", "required": True}]
    report = load(
        tmp_path, [{"name": "a", "parameters": listed}, {"name": "b", "parameters": {"id": {"type": "string"}}}]
    )
    assert report.toolset.tools[0].parameters == SCHEMA
    assert report.toolset.tools[1].parameters["properties"] == SCHEMA["properties"]
    assert {item.outcome for item in report.reports} == {"repaired"}


def test_makes_names_legal_and_unique_and_rejects_what_is_no_tool(tmp_path: Path) -> None:
    definitions: list[Any] = [
        {"name": "a.b"},
        {"name": "a_b"},
        {"name": "a_b", "description": "Other."},
        5,
        {"description": "x"},
    ]
    report = load(tmp_path, {"tools": definitions})
    assert [item.outcome for item in report.reports][3:] == ["rejected", "rejected"]
    assert len({tool.name for tool in report.toolset.tools}) == 3
    assert "a_b" in {tool.name for tool in report.toolset.tools if tool.original_name == "a_b"}
    assert report.reports[3].source.pointer == "/tools/3"


def test_reads_one_definition_on_each_line(tmp_path: Path) -> None:
    report = load(tmp_path, '{"name": "a", "parameters": {}}\n{"name": "b", "parameters": {}}\n')
    assert [tool.name for tool in report.toolset.tools] == ["a", "b"]


@pytest.mark.parametrize("text", ["", "{", "5", "{}", '{"tools": 5}', '{"error": {"message": "no"}}'])
def test_says_why_a_file_cannot_be_read(tmp_path: Path, text: str) -> None:
    with pytest.raises(ImportFailure, match=r"tools\.json"):
        load(tmp_path, text)


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        (("mcp", "time.json"), 2),
        (("mcp", "filesystem.json"), 14),
        (("mcp", "memory.json"), 9),
        (("bfcl", "classes.json"), 68),
        (("tau", "airline.json"), 14),
        (("tau", "mock.json"), 6),
    ],
)
def test_imports_real_definitions_whole(parts: tuple[str, ...], count: int) -> None:
    report = import_tool_json(real(*parts))
    assert len(report.toolset.tools) == len(report.reports) == count
    assert all(item.outcome != "rejected" for item in report.reports)


def test_takes_the_users_own_tools_as_theirs() -> None:
    toolset = import_tool_json(real("tau", "mock.json")).toolset
    assert {tool.name for tool in toolset.tools if tool.requestor == "user"} == {
        "check_notifications",
        "dismiss_notification",
    }
    assert toolset.policy.startswith("# Mock Domain Policy")
