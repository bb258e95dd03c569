"""A small shop as an OpenAPI file, and files of overrides beside it, for tests of what authors may say."""

from pathlib import Path
from typing import Any

import yaml

from interplay.flows.worlds.assembly import OpenedWorld, open_world
from interplay.schemas.records.dialogue import ToolCall, ToolResult

CUSTOMER = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["id", "name"],
}
ORDER = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "customer_id": {"type": "integer"},
        "status": {"type": "string", "enum": ["placed", "shipped", "cancelled"]},
        "quantity": {"type": "integer", "minimum": 1, "maximum": 9},
        "paid": {"type": "boolean"},
    },
    "required": ["id", "customer_id", "status", "quantity", "paid"],
}


def shop_file(folder: Path, title: str = "Shop", licence: str = "MIT") -> Path:
    """Write the description."""
    one = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
    body = {
        "required": True,
        "content": {"application/json": {"schema": {**ORDER, "required": ["customer_id", "quantity"]}}},
    }
    paths = {
        "/customers": {"get": _operation("listCustomers", {"type": "array", "items": CUSTOMER})},
        "/customers/{id}": {"get": _operation("getCustomer", CUSTOMER, parameters=one)},
        "/orders": {
            "get": _operation("listOrders", {"type": "array", "items": ORDER}),
            "post": _operation("placeOrder", ORDER, requestBody=body),
        },
        "/orders/{id}": {
            "get": _operation("getOrder", ORDER, parameters=one),
            "delete": _operation("cancelOrder", ORDER, parameters=one),
        },
        "/ping": {"post": _operation("pingOrder", None)},
    }
    info = {"title": title, "version": "1", "license": {"name": licence}}
    path = folder / "shop.yaml"
    path.write_text(yaml.safe_dump({"openapi": "3.0.0", "info": info, "paths": paths}, sort_keys=False))
    return path


def _operation(name: str, schema: Any, **more: Any) -> dict[str, Any]:
    content = {"content": {"application/json": {"schema": schema}}} if schema else {}
    return {"operationId": name, "summary": f"{name}.", "responses": {"200": {"description": "", **content}}, **more}


def open_shop(folder: Path, overrides: Any = None) -> OpenedWorld:
    """Open the shop with these overrides beside it."""
    path = shop_file(folder)
    if overrides is not None:
        text = overrides if isinstance(overrides, str) else yaml.safe_dump(overrides)
        (folder / "shop.interplay.yaml").write_text(text)
    return open_world([f"openapi:{path}"])


async def ask(world: OpenedWorld, tool: str, **arguments: Any) -> ToolResult:
    """Make one call."""
    return await world.environment.call(ToolCall(id="1", name=tool, arguments=arguments))
