"""Whoever creates an order orders, and is asked before; whoever keeps a book of them does not."""

import pytest
from tests.generators.environments.inline import TEXT, operation, row, sandbox

from interplay.generators.environments.policy.caution import with_caution


@pytest.mark.parametrize(
    ("noun", "path", "asks"),
    [("Order", "orders", True), ("Booking", "bookings", True), ("Refund", "refunds", True), ("Book", "books", False)],
)
def test_what_is_made_by_a_grave_deed_is_confirmed(noun: str, path: str, asks: bool) -> None:
    held, one = row(name=TEXT), f"/{path}/{{id}}"
    opened = sandbox(
        operation(f"post_{path}", "POST", f"/{path}", held, name=TEXT),
        operation(f"get{noun}", "GET", one, held),
        operation(f"update{noun}", "PATCH", one, held, name=TEXT),
    )
    _, policy = with_caution(opened.toolset, opened.resources)
    assert policy.confirms(f"post_{path}") is asks
    assert not policy.confirms(f"update{noun}")
