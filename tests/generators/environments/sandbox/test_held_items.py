"""What a cart holds is what was put into it, and it comes to what that costs."""

from typing import Any

import pytest
from tests.generators.environments.inference.examples import toolset_of
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox

pytestmark = pytest.mark.anyio

NUMBER, COUNT = {"type": "number"}, {"type": "integer"}
PRODUCT = row(name=TEXT, price=NUMBER)
ITEM = {"type": "object", "properties": {"productId": TEXT, "productName": TEXT, "quantity": COUNT}}
CART = {"type": "object", "properties": {"items": {"type": "array", "items": ITEM}, "total": NUMBER}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def shop() -> Sandbox:
    return sandbox(
        operation("listProducts", "GET", "/products", {"type": "array", "items": PRODUCT}),
        operation("getProduct", "GET", "/products/{productId}", PRODUCT),
        operation("getCart", "GET", "/cart", CART),
        operation("addToCart", "POST", "/cart/add", CART, productId=TEXT, quantity=COUNT),
        operation("setInCart", "PUT", "/cart/items", CART, productId=TEXT, quantity=COUNT),
        operation("removeFromCart", "DELETE", "/cart/remove/{productId}", CART),
        operation("clearCart", "DELETE", "/cart", None),
    )


async def test_a_cart_holds_what_was_put_into_it_at_its_price(shop: Sandbox) -> None:
    products = {product["id"]: product for product in (await call(shop, "listProducts")).value}
    held = {item["productId"] for item in (await call(shop, "getCart")).value["items"]}
    chosen = next(product for product in products if product not in held)

    async def cart() -> dict[str, Any]:
        shown: dict[str, Any] = (await call(shop, "getCart")).value
        costs = sum(products[item["productId"]]["price"] * item["quantity"] for item in shown["items"])
        assert shown["total"] == pytest.approx(costs)
        return {item["productId"]: item["quantity"] for item in shown["items"]}

    await call(shop, "addToCart", productId=chosen, quantity=2)
    await call(shop, "addToCart", productId=chosen, quantity=3)
    assert (await cart())[chosen] == 2 + 3
    await call(shop, "setInCart", productId=chosen, quantity=1)
    assert (await cart())[chosen] == 1
    named = (await call(shop, "getCart")).value["items"][-1]
    assert named["productName"] == products[named["productId"]]["name"]
    await call(shop, "removeFromCart", productId=chosen)
    assert chosen not in await cart()
    again = await call(shop, "removeFromCart", productId=chosen)
    assert "not in this cart" in str(again.error)
    await call(shop, "clearCart")
    assert await cart() == {}


def test_a_page_of_rows_holds_nothing_for_its_caller() -> None:
    plan = infer_plan(
        toolset_of(
            "GET /progress -> {data: [{lesson_id, done}]} | POST /progress (lesson_id) | PUT /progress/{progressId} (lesson_id)"
            " | GET /lessons/{id} -> lesson"
        )
    )
    assert not any(tool.edit for tool in plan.tools.values())
