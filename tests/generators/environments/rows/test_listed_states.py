"""A list shows rows in the state that is said of it."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row, sandbox

pytestmark = pytest.mark.anyio

STATUS = {"type": "string", "enum": ["open", "closed", "void"]}
ORDER = row(title=TEXT, status=STATUS, is_public={"type": "boolean"})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def shown(summary: str, **query: Any) -> list[dict[str, Any]]:
    """Return what a list of this summary shows of the rows that all lists have."""
    listed = operation("listOrders", "GET", "/orders", {"type": "array", "items": ORDER}, **query)
    opened = sandbox(
        listed.model_copy(update={"summary": summary}), operation("getOrder", "GET", "/orders/{orderId}", ORDER)
    )
    return list((await call(opened, "listOrders")).value)


@pytest.mark.parametrize(
    ("summary", "field", "value"),
    [
        ("List all open orders", "status", "open"),
        ("Get closed orders (newest first)", "status", "closed"),
        ("Browse public orders of a shop", "is_public", True),
    ],
)
async def test_all_rows_are_in_the_state_before_the_noun(summary: str, field: str, value: Any) -> None:
    found, every = await shown(summary), await shown("List orders")
    assert found == [each for each in every if each[field] == value]
    assert len(found) < len(every)


@pytest.mark.parametrize(
    "summary", ["List open and closed orders", "List orders that are not open", "List orders, open ones first"]
)
async def test_what_is_said_otherwise_of_states_narrows_nothing(summary: str) -> None:
    assert await shown(summary) == await shown("List orders")


async def test_a_state_that_can_be_asked_for_is_left_to_the_call() -> None:
    assert await shown("List open orders", query_status=STATUS) == await shown("List orders")
