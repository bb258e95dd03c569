"""What is told of results: rows by what people call them, never by how they are or how many."""

from typing import Any

from interplay.generators.blueprints.reporting import _named


def told(*items: dict[str, Any], own: str = "") -> list[str]:
    """Return the pointers of what names each item."""
    return [below for _, below in _named(items, own)]


def test_names_come_first() -> None:
    assert told({"order_id": 1, "label": "Desk", "quantity": 2}, own="/order_id") == ["/label"]


def test_an_identity_names_what_has_no_name() -> None:
    rows = [{"order_id": 1, "quantity": 1, "status": "open"}, {"order_id": 2, "quantity": 4, "status": "shipped"}]
    assert told(*rows, own="/order_id") == ["/order_id", "/order_id"]
    assert told(rows[0], own="/order_id") == ["/order_id"]


def test_an_identity_that_nobody_says_names_nothing() -> None:
    row = {"id": "6f1c2f0e-7f5b-4f44-9f0e-2f6d7c3f9b11", "status": "open"}
    assert told(row, own="/id") == ["/status"]
