"""What nobody says when something is to be changed: flags beside the body, and when something happened."""

import json
from pathlib import Path
from typing import Any

from tests.generators.worlds import records

TEXT = {"type": "string"}
MOMENT = {"type": "string", "format": "date-time"}


def path(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]


def answers(schema: dict[str, Any]) -> dict[str, Any]:
    return {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}


def test_flags_beside_the_body_and_past_moments_are_not_said(tmp_path: Path) -> None:
    fields = {"name": TEXT, "colour": {"enum": ["red", "blue", "green"]}, "archivedAt": MOMENT, "note": TEXT}
    kite = {"type": "object", "title": "Kite", "properties": {"id": TEXT, **fields}}
    flag = {"name": "archived", "in": "query", "schema": {"type": "boolean"}}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": fields}}}, "required": True}
    ways = {
        "/kites": {"get": {"operationId": "listKites", "summary": "List kites", "responses": answers({"type": "array", "items": kite})}},
        "/kites/{id}": {
            "get": {"operationId": "getKite", "summary": "Get a kite", "parameters": path("id"), "responses": answers(kite)},
            "patch": {"operationId": "updateKite", "summary": "Update a kite", "parameters": [*path("id"), flag], "requestBody": body, "responses": answers(kite)},
            "delete": {"operationId": "deleteKite", "summary": "Delete a kite", "parameters": [*path("id"), flag], "responses": {"204": {"description": ""}}},
        },
    }  # fmt: skip
    (tmp_path / "kites.json").write_text(
        json.dumps({"openapi": "3.0.0", "info": {"title": "Kites", "version": "1"}, "paths": ways})
    )
    made = records(f"openapi:{tmp_path / 'kites.json'}", 30)
    writes = [
        action
        for record in made
        if record.blueprint is not None
        for action in record.blueprint.actions
        if action.tool in ("updateKite", "deleteKite")
    ]
    assert {action.tool for action in writes} == {"updateKite", "deleteKite"}
    assert not {"archived", "archivedAt"} & {name for action in writes for name in action.arguments}


def test_a_write_whose_body_nobody_could_fill_is_no_task(tmp_path: Path) -> None:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"createdAt": MOMENT}}}}}
    write = {
        "operationId": "updateProgress",
        "summary": "Update the progress",
        "requestBody": body,
        "responses": {"204": {"description": ""}},
    }
    read = {
        "operationId": "listKites",
        "summary": "List kites",
        "responses": answers({"type": "array", "items": {"type": "object", "properties": {"id": TEXT, "name": TEXT}}}),
    }
    ways = {"/progress/update": {"post": write}, "/kites": {"get": read}}
    (tmp_path / "kites.json").write_text(
        json.dumps({"openapi": "3.0.0", "info": {"title": "Kites", "version": "1"}, "paths": ways})
    )
    made = records(f"openapi:{tmp_path / 'kites.json'}", 12)
    actions = [action for record in made if record.blueprint is not None for action in record.blueprint.actions]
    assert actions
    assert not any(action.tool == "updateProgress" and not action.arguments for action in actions)
