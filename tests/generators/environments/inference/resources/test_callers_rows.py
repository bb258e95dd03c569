"""What the caller sees as its own says that it is the caller's."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

pytestmark = pytest.mark.anyio

ORDER = row(user_id=TEXT, product_id=TEXT)
ORDERS = {"type": "array", "items": ORDER}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def owners(path: str, description: str = "", **query: Any) -> set[str]:
    """Return the users of orders that a list shows, and of a new one."""
    listing = operation("listOrders", "GET", path, ORDERS, **query)
    opened = sandbox(
        listing.model_copy(update={"description": description}),
        operation("getOrder", "GET", "/orders/{orderId}", ORDER),
        operation("createOrder", "POST", "/orders", ORDER, product_id=TEXT),
    )
    made = (await call(opened, "createOrder", product_id="P1")).value
    listed = (await call(opened, "listOrders")).value
    assert len({order["product_id"] for order in listed}) > 1
    return {order["user_id"] for order in [made, *listed]}


async def test_all_that_is_mine_is_one_users() -> None:
    for path in ("/me/orders", "/orders/my-orders"):
        assert len(await owners(path)) == 1


async def test_a_description_says_that_rows_are_of_the_caller() -> None:
    assert len(await owners("/orders", "Get all orders of the authenticated user")) == 1
    assert len(await owners("/orders", "The authenticated user must be allowed to see orders.")) > 1


async def test_what_is_not_said_to_be_mine_or_is_chosen_by_its_user_is_of_several() -> None:
    assert len(await owners("/orders")) > 1
    assert len(await owners("/orders/my-orders", query_user_id=TEXT)) > 1


async def test_what_is_mine_refers_to_the_user_that_i_am() -> None:
    user = row(name=TEXT)
    opened = sandbox(
        operation("whoAmI", "GET", "/users/me", user),
        operation("listUsers", "GET", "/users", {"type": "array", "items": user}),
        operation("listOrders", "GET", "/me/orders", ORDERS),
        operation("getOrder", "GET", "/orders/{orderId}", ORDER),
    )
    me = (await call(opened, "whoAmI")).value["id"]
    assert {order["user_id"] for order in (await call(opened, "listOrders")).value} == {me}
