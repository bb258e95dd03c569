"""Types of resource objects are known by what is told of them, or by their paths."""

from pathlib import Path
from typing import Any

from tests.generators.importers.sources import load, openapi

from interplay.schemas.records.tool import Tool

TEXT = {"type": "string"}


def thing(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields}


def answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}}


ACCOUNT = thing(type=TEXT, id=TEXT, attributes=thing(name=TEXT, type=TEXT), relationships=thing(
    owner=thing(data=thing(type=TEXT, id=TEXT)), bank=thing(data=thing(type=TEXT, id=TEXT)),
))  # fmt: skip


def imported(folder: Path, paths: dict[str, Any]) -> dict[str, Tool]:
    return {tool.name: tool for tool in load(folder, openapi(paths)).toolset.tools}


def test_takes_the_type_from_the_path_and_that_of_what_is_related_from_its_name(tmp_path: Path) -> None:
    one = {
        "get": answer(thing(data=ACCOUNT)),
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}],
    }
    tools = imported(
        tmp_path, {"/accounts/{id}": one, "/owners": {"get": answer(thing(data={"type": "array", "items": ACCOUNT}))}}
    )
    data = (tools["get_accounts_by_id"].returns or {})["properties"]["data"]["properties"]
    related = data["relationships"]["properties"]
    assert data["type"]["enum"] == ["accounts"]
    assert related["owner"]["properties"]["data"]["properties"]["type"]["enum"] == ["owners"]
    assert "enum" not in related["bank"]["properties"]["data"]["properties"]["type"]
    assert "enum" not in data["attributes"]["properties"]["type"]


def test_what_the_description_tells_goes_before_the_path(tmp_path: Path) -> None:
    told = thing(
        type={**TEXT, "description": "The type of this resource: `bank-accounts`"}, id=TEXT, attributes=thing(name=TEXT)
    )
    tools = imported(tmp_path, {"/accounts": {"get": answer(thing(data={"type": "array", "items": told}))}})
    items = (tools["get_accounts"].returns or {})["properties"]["data"]["items"]
    assert items["properties"]["type"]["enum"] == ["bank-accounts"]


def test_leaves_other_apis_alone(tmp_path: Path) -> None:
    tools = imported(tmp_path, {"/accounts": {"get": answer({"type": "array", "items": thing(type=TEXT, id=TEXT)})}})
    assert "enum" not in (tools["get_accounts"].returns or {})["items"]["properties"]["type"]
