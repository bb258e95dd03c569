"""No task is about what tells nobody anything, or about a file that nobody can hand over in words."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import played

from interplay.generators.blueprints.sense.machine_tools import is_plumbing
from interplay.schemas.records.tool import Source, Tool

PARCEL = {
    "type": "object",
    "properties": {"id": {"type": "string"}, "title": {"type": "string"}, "status": {"enum": ["sent", "lost"]}},
}
KEY = {"name": "parcelId", "in": "path", "required": True, "schema": {"type": "string"}}
TWICE = [{**KEY, "name": name, "in": "query"} for name in ("left_parcel_id", "right_parcel_id")]
FILE = {
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "properties": {"scan": {"type": "string", "format": "binary"}, "note": {"type": "string"}},
        }
    }
}


def answering(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}}}


def parcels(folder: Path, paths: Mapping[str, Any], parcel: Mapping[str, Any] = PARCEL) -> str:
    """Write an API whose parcels can be listed and looked at, with other operations besides; return what it is opened by."""
    listed = {"operationId": "listParcels", "summary": "List parcels", **answering({"type": "array", "items": parcel})}
    shown = {"operationId": "getParcel", "summary": "Get a parcel", "parameters": [KEY], **answering(parcel)}
    known = {"/parcels": {"get": listed}, "/parcels/{parcelId}": {"get": shown}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "parcels", "version": "1"},
        "paths": {path: {**known.get(path, {}), **paths.get(path, {})} for path in (*known, *paths)},
    }
    (folder / "parcels.json").write_text(json.dumps(document))
    return f"openapi:{folder / 'parcels.json'}"


@pytest.mark.parametrize(
    ("path", "operation"),
    [
        ("/parcels/{parcelId}/check", {"get": {"summary": "Check a parcel", **answering({"type": "object", "properties": {"success": {"type": "boolean"}}})}}),
        ("/renewal", {"post": {"summary": "Renew the session", **answering({"type": "object", "properties": {"success": {"type": "boolean"}}})}}),
        ("/parcels/{parcelId}/scans", {"post": {"summary": "Add a scan to a parcel", "requestBody": {"content": FILE}, **answering(PARCEL)}}),
    ],
)  # fmt: skip
def test_no_task_is_about_it(tmp_path: Path, path: str, operation: dict[str, Any]) -> None:
    pointless = {
        name: {**held, "operationId": "pointless", "parameters": [KEY] if "{" in path else []}
        for name, held in operation.items()
    }
    spec = parcels(tmp_path, {path: pointless})
    wanted = [goal.tool for blueprint, _ in played(spec, 30) for goal in blueprint.goals]
    assert "getParcel" in wanted
    assert "pointless" not in wanted


def test_what_takes_a_list_of_days_or_of_pictures_is_wanted_all_the_same(tmp_path: Path) -> None:
    days = {"type": "array", "items": {"type": "string", "format": "date"}, "minItems": 1}
    pictures = {"type": "array", "items": {"type": "string", "format": "uri"}, "minItems": 1}
    fields = {"title": {"type": "string"}, "days": days, "pictures": pictures}
    body = {"schema": {"type": "object", "properties": fields, "required": ["title", "days", "pictures"]}}
    made = {"operationId": "addTour", "summary": "Add a tour", "requestBody": {"content": {"application/json": body}}}
    tour = {"type": "object", "properties": {"id": {"type": "string"}, **fields}}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "tours", "version": "1"},
        "paths": {
            "/tours": {
                "get": {"operationId": "listTours", **answering({"type": "array", "items": tour})},
                "post": {**made, **answering(tour)},
            }
        },
    }
    file = tmp_path / "tours.json"
    file.write_text(json.dumps(document))
    wanted = [goal.tool for blueprint, _ in played(f"openapi:{file}", 20) for goal in blueprint.goals]
    assert "addTour" in wanted


def test_nothing_is_compared_with_itself(tmp_path: Path) -> None:
    compare = {"operationId": "compare", "summary": "Compare two parcels", "parameters": TWICE, **answering(PARCEL)}
    spec = parcels(tmp_path, {"/comparison": {"get": compare}})
    made = [action for blueprint, _ in played(spec, 40) for action in blueprint.actions]
    compared = [action.arguments for action in made if action.tool == "compare"]
    assert all(given["left_parcel_id"] != given["right_parcel_id"] for given in compared)
    assert compared


def test_nobody_changes_what_no_answer_shows(tmp_path: Path) -> None:
    body = {
        "content": {
            "application/json": {
                "schema": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}
            }
        }
    }
    dated = {
        **PARCEL["properties"],
        "first_day": {"type": "string", "format": "date"},
        "last_day": {"type": "string", "format": "date"},
    }
    parcel = {"type": "object", "properties": dated}
    change = {
        "operationId": "moveParcel",
        "summary": "Update a parcel",
        "parameters": [KEY],
        "requestBody": body,
        **answering(parcel),
    }
    spec = parcels(tmp_path, {"/parcels/{parcelId}": {"put": change}}, parcel)
    wanted = [goal.tool for blueprint, _ in played(spec, 30) for goal in blueprint.goals]
    assert "getParcel" in wanted
    assert "moveParcel" not in wanted


ORDER = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "status": {"enum": ["pending_approval", "open", "cancelled"]},
    },
}


def orders(folder: Path) -> str:
    """Write an API whose parcels can be added, set to a status, and deleted once that was confirmed."""
    properties = ORDER["properties"]

    def taking(*fields: str) -> dict[str, Any]:
        schema = {"type": "object", "properties": {name: properties[name] for name in fields}, "required": [*fields]}
        return {"requestBody": {"content": {"application/json": {"schema": schema}}}, **answering(ORDER)}

    paths = {
        "/parcels": {"post": {"operationId": "addParcel", "summary": "Add a parcel", **taking("title")}},
        "/parcels/{parcelId}": {
            "put": {"operationId": "updateParcel", "summary": "Update a parcel", "parameters": [KEY], **taking("status")},
            "delete": {"operationId": "deleteParcel", "summary": "Delete a parcel", "parameters": [KEY], "responses": {"204": {"description": ""}}},
        },
    }  # fmt: skip
    return parcels(folder, paths, ORDER)


def test_an_end_that_nobody_confirms_is_doubted(tmp_path: Path) -> None:
    doubts: dict[str, set[str]] = {"cancelled": set(), "open": set()}
    for blueprint, _ in played(orders(tmp_path), 30, recipes={"sense": 0.0}):
        assert blueprint.sense is not None
        found = {doubt.action for doubt in blueprint.sense.doubts if doubt.code == "ended_unasked"}
        for action in blueprint.actions:
            if action.tool == "updateParcel" and action.arguments["status"] in doubts:
                doubts[action.arguments["status"]].add("doubted" if action.id in found else "fair")
    assert doubts == {"cancelled": {"doubted"}, "open": {"fair"}}


def test_how_a_new_thing_stands_is_told_once(tmp_path: Path) -> None:
    told = [
        text.count("The status is open") + text.count("the status is open")
        for blueprint, trajectory in played(orders(tmp_path), 30, recipes={"sense": 0.0})
        if any(action.tool == "addParcel" for action in blueprint.actions)
        for text in [" ".join(str(message.content) for message in trajectory.messages if message.role == "assistant")]
        if sum(action.tool == "addParcel" for action in blueprint.actions) == 1
    ]
    assert 1 in told
    assert max(told) == 1


def test_who_does_not_say_which_one_wants_one_of_them(tmp_path: Path) -> None:
    said = [
        str(message.content)
        for _, trajectory in played(orders(tmp_path), 30, recipes={"sense": 0.0})
        for message in trajectory.messages
        if message.role == "user"
    ]
    assert any("delete one of the parcels" in text or "remove one of the parcels" in text for text in said)


def test_changes_as_a_json_patch_are_for_programs() -> None:
    patch = {"type": "object", "properties": {"op": {"enum": ["add", "remove"]}, "path": {"type": "string"}}}
    body = {"type": "object", "properties": {"id": {"type": "string"}, "body": {"type": "array", "items": patch}}}
    tool = Tool(
        name="patch_order", original_name="patch_order", parameters=body, source=Source(file="x"), effect="write"
    )
    assert is_plumbing(tool)
    plain = {**body, "properties": {"body": {"type": "array", "items": {"type": "object", "properties": {"op": {}}}}}}
    assert not is_plumbing(tool.model_copy(update={"parameters": plain}))
