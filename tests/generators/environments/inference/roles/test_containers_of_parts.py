"""Parts of a row that only the row shows: they are added, changed and removed in it."""

from typing import Any

import pytest
from tests.generators.environments.inference.examples import toolset_of
from tests.generators.environments.inline import TEXT, call, operation, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

COUNT = {"type": "integer", "minimum": 1, "maximum": 9}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def shop() -> Sandbox:
    item = {
        "type": "object",
        "properties": {"id": TEXT, "variant": TEXT, "quantity": COUNT},
        "required": ["id", "variant", "quantity"],
    }
    cart: dict[str, Any] = {
        "type": "object",
        "title": "Cart",
        "properties": {"id": TEXT, "items": {"type": "array", "items": item}},
    }
    return sandbox(
        operation("listCarts", "GET", "/carts", {"type": "array", "items": cart}),
        operation("getCart", "GET", "/carts/{cartId}", cart),
        operation("addItem", "POST", "/carts/{cartId}/items", cart, variant=TEXT, quantity=COUNT),
        operation("changeItem", "PATCH", "/carts/{cartId}/items/{itemId}", cart, quantity=COUNT),
        operation("dropItem", "DELETE", "/carts/{cartId}/items/{itemId}", None),
    )


async def test_a_part_is_added_changed_and_removed_in_its_row() -> None:
    opened = shop()
    cart = next(iter(opened.state()["cart"].values()))["id"]
    assert (await call(opened, "changeItem", cartId=cart, itemId="no-such-item", quantity=7)).error is not None
    added = (await call(opened, "addItem", cartId=cart, variant="lamp", quantity=2)).value["items"][-1]
    assert (added["variant"], added["quantity"]) == ("lamp", 2)
    await call(opened, "changeItem", cartId=cart, itemId=added["id"], quantity=7)
    shown = {item["id"]: item["quantity"] for item in (await call(opened, "getCart", cartId=cart)).value["items"]}
    assert shown[added["id"]] == 7
    await call(opened, "dropItem", cartId=cart, itemId=added["id"])
    assert added["id"] not in {item["id"] for item in (await call(opened, "getCart", cartId=cart)).value["items"]}


def test_what_a_write_shows_apart_is_a_row_of_its_own() -> None:
    cart = "{id, items: [item], total}"
    calls = f"POST /carts/{{cart_id}}/items (name) -> item | GET /carts/{{cart_id}} -> {cart} | DELETE /carts/{{cart_id}}/items/{{item_id}}"
    plan = infer_plan(toolset_of(calls))
    assert [tool.operation for tool in plan.tools.values()] == ["create", "read", "delete"]


async def test_rows_begin_with_parts_however_large_they_are() -> None:
    fields = {
        f"field_{number}": {"type": "object", "properties": dict.fromkeys("abcdefgh", TEXT)} for number in range(30)
    }
    item = {"type": "object", "properties": {"id": TEXT, **fields}, "required": ["id", *fields]}
    cart = {"type": "object", "title": "Cart", "properties": {"id": TEXT, "items": {"type": "array", "items": item}}}
    opened = sandbox(
        operation("getCart", "GET", "/carts/{cartId}", cart),
        operation("dropItem", "DELETE", "/carts/{cartId}/items/{itemId}", None),
    )
    cart_id = next(iter(opened.state()["cart"]))
    assert (await call(opened, "getCart", cartId=cart_id)).value["items"]
