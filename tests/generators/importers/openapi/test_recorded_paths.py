"""Descriptions that were made of recorded calls: identities in paths, answers as text with JSON in it, bodies by example."""

import json
from pathlib import Path
from typing import Any

from interplay.flows.worlds.tool_sources import import_spec

DISH = {"_id": "6981bd73cd6c6400e2377063", "name": "Chicken Noodles", "price": 120, "isAvailable": True}


def answer(value: Any) -> dict[str, Any]:
    content = {"text/plain": {"schema": {"type": "string"}, "examples": {"one": {"value": json.dumps(value)}}}}
    return {"responses": {"200": {"description": "OK", "content": content}}}


def test_recorded_calls_are_taken_for_what_they_are_calls_of(tmp_path: Path) -> None:
    body = {
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}, "example": {"name": "Soup"}}}}
    }
    paths = {
        "/menu": {"get": answer({"count": 1, "data": [DISH]}), "post": {**body, **answer({"menuData": DISH})}},
        "/menu/6981bd73cd6c6400e2377063": {"get": answer({"menuData": DISH})},
        "/menu/6984b5f95d15403e43e2276d": {"delete": answer({"msg": "deleted"})},
        "/orders/12/lines": {"get": answer([])},
        "/order-items/6984b5f95d15403e43e2276d": {"get": answer(DISH)},
        "/api/v1/123": {"get": answer(DISH)},
        "/reports/2024": {"get": answer({"year": 2024})},
        "/guests/:guestId/stays": {"get": answer([])},
        "/notes": {"get": {"responses": {"200": {"content": {"text/plain": {"schema": {"type": "string"}}}}}}},
    }
    file = tmp_path / "menu.json"
    file.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Menu", "version": "1"}, "paths": paths}))
    tools = import_spec(f"openapi:{file}").toolset.tools
    paths_of = {tool.http.path: tool for tool in tools if tool.http is not None}
    assert {
        "/menu/{menuId}",
        "/orders/{orderId}/lines",
        "/order-items/{orderItemId}",
        "/api/v1/123",
        "/reports/2024",
        "/guests/{guestId}/stays",
    } <= paths_of.keys()
    assert paths_of["/menu/{menuId}"].parameters["required"] == ["menuId"]
    by_name = {tool.original_name: tool for tool in tools}
    assert set(by_name["post_menu"].parameters["properties"]) == {"name"}
    shown = by_name["get_menu"].returns
    assert shown is not None
    assert set(shown["properties"]["data"]["items"]["properties"]) == set(DISH)
    assert paths_of["/notes"].returns == {"type": "string"}
