"""Arguments under whatever key a definition has for them: imported, or rejected with the reason, never lost."""

import json
from pathlib import Path
from typing import Any

import pytest

from interplay.generators.importers.definitions.importer import import_tool_json
from interplay.schemas.records.tool import ImportReport

COHERE: dict[str, Any] = {
    "name": "query_daily_sales_report",
    "description": "Looks up the sales of a day.",
    "parameter_definitions": {
        "day": {"description": "The day, as YYYY-MM-DD.", "type": "str", "required": True},
        "limit": {"description": "At most so many.", "type": "int"},
        "tags": {"type": "List[str]", "required": False},
    },
}
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


def load(folder: Path, value: Any) -> ImportReport:
    path = folder / "tools.json"
    path.write_text(json.dumps(value))
    return import_tool_json(path)


@pytest.mark.parametrize("wrapped", [[COHERE], {"model": "command-r", "message": "Hi", "tools": [COHERE]}])
def test_reads_parameter_definitions(tmp_path: Path, wrapped: Any) -> None:
    (tool,) = load(tmp_path, wrapped).toolset.tools
    assert tool.parameters == {
        "type": "object",
        "required": ["day"],
        "properties": {
            "day": {"type": "string", "description": "The day, as YYYY-MM-DD."},
            "limit": {"type": "integer", "description": "At most so many."},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }


def test_reads_a_parameter_definition_without_anything_else(tmp_path: Path) -> None:
    (tool,) = load(tmp_path, [{"name": "ping", "parameter_definitions": {"host": {"type": "str"}}}]).toolset.tools
    assert tool.parameters["properties"] == {"host": {"type": "string"}}
    assert not tool.parameters.get("required")


@pytest.mark.parametrize("key", ["args_schema", "inputParameters", "function_args", "schema"])
def test_takes_a_schema_under_a_key_that_speaks_of_arguments(tmp_path: Path, key: str) -> None:
    report = load(tmp_path, [{"name": "get_pet", "description": "Get it.", key: SCHEMA}])
    assert report.toolset.tools[0].parameters == SCHEMA
    assert report.reports[0].reasons == (f"{key}: taken as the parameters",)


@pytest.mark.parametrize("given", [SCHEMA, {"id": {"type": "string"}}, [{"name": "id", "type": "string"}]])
def test_rejects_a_tool_whose_arguments_stand_where_nobody_looks(tmp_path: Path, given: Any) -> None:
    report = load(tmp_path, [{"name": "get_pet", "description": "Get it.", "fields": given}])
    assert report.toolset.tools == ()
    assert [(item.name, item.outcome) for item in report.reports] == [("get_pet", "rejected")]
    assert "'fields'" in report.reports[0].reasons[0]


@pytest.mark.parametrize(
    "other",
    [
        {"outputs": SCHEMA},
        {"annotations": {"readOnlyHint": True}},
        {"examples": [{"name": "a", "type": "b"}]},
        {"errors": [{"name": "NotFound", "type": "error"}]},
        {"metadata": {"owner": {"team": "shop"}}},
    ],
)
def test_what_else_stands_in_a_tool_without_arguments_is_no_argument(tmp_path: Path, other: dict[str, Any]) -> None:
    (tool,) = load(tmp_path, [{"name": "ping", "description": "Ping.", **other}]).toolset.tools
    assert tool.parameters == {"type": "object", "properties": {}}
