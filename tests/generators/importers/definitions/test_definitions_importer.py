"""Tool definitions of any provider's shape as tools."""

import contextlib
import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.generators.importers.sources import real

from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.schemas.errors import ImportFailure
from interplay.schemas.records.tool import ImportReport

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


def test_what_sets_something_going_writes(tmp_path: Path) -> None:
    names = ("queue_print_job", "enqueue_task", "trigger_build", "queue_status", "get_queue")
    tools = load(tmp_path, [{"name": name, "inputSchema": SCHEMA} for name in names]).toolset.tools
    assert [tool.effect for tool in tools] == ["write", "write", "write", "read", "read"]


def test_passing_a_matter_on_is_an_act_though_it_mutates_nothing(tmp_path: Path) -> None:
    generic = {"parameters": SCHEMA, "kind": "generic", "mutates_state": False}
    tools = load(
        tmp_path, [{"name": name, **generic} for name in ("transfer_to_human_agents", "calculate")]
    ).toolset.tools
    assert [tool.effect for tool in tools] == ["write", "read"]


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


@pytest.mark.parametrize(
    ("definition", "parameters"),
    [
        (
            {"parameters": {"q": {"type": "str"}, "limit": {"type": "int, optional", "default": 10}}},
            {"q": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
        ),
        (
            {"parameters": {"q": "str", "limit": {"type": "Optional[int]"}}},
            {"q": {"type": "string"}, "limit": {"type": "integer"}},
        ),
        (
            {
                "required_parameters": [{"name": "q", "type": "STRING"}],
                "optional_parameters": [{"name": "limit", "type": "NUMBER", "default": ""}],
            },
            {"q": {"type": "string"}, "limit": {"type": "number"}},
        ),
        (
            {"inputs": {"q": {"type": "string"}, "limit": {"type": "integer", "nullable": True}}},
            {"q": {"type": "string"}, "limit": {"type": ["integer", "null"]}},
        ),
        (
            {
                "parameters": {
                    "type": "dict",
                    "properties": {"q": {"type": "string", "required": True}, "limit": "int"},
                }
            },
            {"q": {"type": "string"}, "limit": {"type": "integer"}},
        ),
        (
            {"parameters": json.dumps({"type": "object", "properties": SCHEMA["properties"], "required": ["id"]})},
            SCHEMA["properties"],
        ),
        (
            {"parameters": {"type": {"type": "str"}, "required": {"type": "bool, optional"}}},
            {"type": {"type": "string"}, "required": {"type": "boolean"}},
        ),
        (
            {"parameters": {"type": "OBJECT", "properties": {"q": {"type": "STRING"}}, "required": ["q"]}},
            {"q": {"type": "string"}},
        ),
    ],
)
def test_reads_parameters_in_the_shorthand_of_data_sets(
    tmp_path: Path, definition: dict[str, Any], parameters: dict[str, Any]
) -> None:
    report = load(tmp_path, [{"name": "a", "description": "x", **definition}])
    tool = report.toolset.tools[0]
    assert (tool.parameters["properties"], tool.parameters["required"]) == (parameters, [next(iter(parameters))])


def test_tells_how_it_read_a_written_type(tmp_path: Path) -> None:
    parameters = {"type": "object", "properties": {"ids": {"type": "List[int]"}}, "required": ["ids"]}
    report = load(tmp_path, [{"name": "a", "parameters": parameters}]).reports[0]
    assert report.reasons == (
        'parameters/properties/ids: type \'List[int]\' read as {"type": "array", "items": {"type": "integer"}}',
    )


@pytest.mark.parametrize(
    ("definition", "returns"),
    [
        ({"return": {"type": "number", "description": "The sum."}}, {"type": "number", "description": "The sum."}),
        ({"output_type": "string"}, {"type": "string"}),
        ({"results": {"type": "List[str]"}}, {"type": "array", "items": {"type": "string"}}),
        ({"responseJsonSchema": SCHEMA}, SCHEMA),
    ],
)
def test_reads_what_is_returned_wherever_it_is_said(tmp_path: Path, definition: dict[str, Any], returns: Any) -> None:
    assert load(tmp_path, [{"name": "a", "description": "x", **definition}]).toolset.tools[0].returns == returns


def test_tools_that_nothing_describes_are_rejected_and_cost_only_themselves(tmp_path: Path) -> None:
    definitions = [
        {"type": "web_search_preview"},
        {"type": "computer_20250124", "name": "computer", "display_width_px": 800},
        {"type": "custom", "name": "write_code", "description": "Free text."},
        {"type": "custom", "name": "get_pet", "input_schema": SCHEMA},
    ]
    report = load(tmp_path, {"tools": definitions})
    assert [item.outcome for item in report.reports] == ["rejected", "rejected", "rejected", "imported"]
    assert "of the provider's own" in report.reports[1].reasons[0]


def test_a_method_gives_the_effect_and_a_schema_with_a_title_is_a_tool(tmp_path: Path) -> None:
    definitions = [
        {"api_name": "Weather now", "api_description": "Weather.", "method": "GET", "required_parameters": []},
        {"title": "send_mail", "description": "Send it.", **SCHEMA},
    ]
    tools = load(tmp_path, {"tool_name": "Sky", "api_list": definitions}).toolset.tools
    assert [(tool.name, tool.description, tool.effect) for tool in tools] == [
        ("Weather_now", "Weather.", "read"),
        ("send_mail", "Send it.", "write"),
    ]
    assert tools[1].parameters == SCHEMA


WHOLE: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "get_pet", "description": "Get it.", "parameters": SCHEMA}},
    {"name": "b", "input_schema": {"type": "object", "properties": {"at": {"type": "datetime"}, "n": {"enum": [1]}}}},
    {"name": "c", "inputSchema": SCHEMA, "outputSchema": SCHEMA, "annotations": {"readOnlyHint": True}},
    {"name": "d", "parameters": {"q": {"type": "List[int], optional", "default": [1]}}, "response": {"type": "dict"}},
    {"name": "e", "required_parameters": [{"name": "x", "type": "STRING"}], "optional_parameters": []},
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS | st.sampled_from(["#/a", "List[int]", "object", '{"a"']),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "properties", "$ref", "items", "name", "enum", "x"]), inner)
    ),
    max_leaves=6,
)


def places_in(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values inside of a value."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [each for key in keys for each in [(*place, key), *places_in(value[key], (*place, key))]]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_costs_the_damaged_tool_and_raises_nothing_else(tmp_path: Path, data: st.DataObject) -> None:
    listed = copy.deepcopy(WHOLE)
    place = data.draw(st.sampled_from(places_in(listed)))
    holder: Any = listed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)
    report = load(tmp_path, json.dumps(listed))
    untouched = {each["name"] for index, each in enumerate(WHOLE) if "name" in each and index != place[0]}
    assert untouched <= {tool.original_name for tool in report.toolset.tools}
    for tool in report.toolset.tools:
        Draft202012Validator.check_schema(tool.parameters)
        Draft202012Validator.check_schema(tool.returns or {})


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(root=VALUES)
def test_any_json_gives_a_report_or_a_failure(tmp_path: Path, root: Any) -> None:
    with contextlib.suppress(ImportFailure):
        load(tmp_path, json.dumps(root))
        load(tmp_path, json.dumps({"tools": root, "functions": [root], "classes": {"A": root}}))
