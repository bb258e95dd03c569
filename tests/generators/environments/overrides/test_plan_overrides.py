import asyncio
import json
from pathlib import Path
from typing import Any

from tests.generators.environments.shop import ask

from interplay.flows.worlds.assembly import OpenedWorld, open_world

_REPORT = {
    "type": "object",
    "properties": {"reportId": {"type": "string"}, "code": {"type": "string"}, "open": {"type": "boolean"}},
}
_FOUND = {"200": {"description": "It.", "content": {"application/json": {"schema": _REPORT}}}}
_BY_CODE = {
    "content": {
        "application/json": {
            "schema": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}
        }
    }
}
_ID = {"name": "reportId", "in": "path", "required": True, "schema": {"type": "string"}}
PATHS: dict[str, Any] = {
    "/reports/look-up": {
        "post": {"operationId": "createReportLookup", "requestBody": _BY_CODE, "responses": _FOUND},
    },
    "/reports/shut": {"post": {"operationId": "shutReport", "requestBody": _BY_CODE, "responses": _FOUND}},
    "/reports/{reportId}": {"get": {"operationId": "getReport", "parameters": [_ID], "responses": _FOUND}},
}


def open_reports(folder: Path, paths: dict[str, Any], tools: dict[str, Any]) -> OpenedWorld:
    spec = folder / "reports.json"
    spec.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "Reports", "version": "1"}, "paths": paths}))
    (folder / "reports.interplay.yaml").write_text(json.dumps({"tools": tools}))
    return open_world([f"openapi:{spec}"])


def test_a_target_that_names_another_field_finds_the_row_by_that_field(tmp_path: Path) -> None:
    lookup = {"operation": "read", "effect": "read", "resource": "report", "target": "code"}
    shut = {"operation": "action", "resource": "report", "target": "code", "sets": {"open": False}}
    for order in (list(PATHS), list(reversed(PATHS))):
        paths = {path: PATHS[path] for path in order}
        world = open_reports(tmp_path, paths, {"createReportLookup": lookup, "shutReport": shut})
        identity, row = next(iter(world.environment.state()["report"].items()))
        assert row["reportId"] == identity != row["code"]
        assert asyncio.run(ask(world, "createReportLookup", code=row["code"])).value == row
        assert asyncio.run(ask(world, "getReport", reportId=identity)).value == row
        assert "404" in str(asyncio.run(ask(world, "createReportLookup", code=identity)).error)
        assert asyncio.run(ask(world, "shutReport", code=row["code"])).error is None
        assert world.environment.state()["report"][identity] == {**row, "open": False}


def test_what_an_author_says_of_one_tool_changes_no_rows_of_others(tmp_path: Path) -> None:
    plain = open_reports(tmp_path, PATHS, {}).parts[0].plan
    said = open_reports(tmp_path, PATHS, {"shutReport": {"summary": "Shut a report"}}).parts[0].plan
    assert plain is not None
    assert said is not None
    assert said.resources == plain.resources
    assert all(resource.about for resource in said.resources.values())
