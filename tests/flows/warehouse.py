"""A module with tools as people write them: annotations that say no more than `dict`."""

from typing import Any

PRODUCTS: dict[str, dict[str, Any]] = {
    "P1": {"product_id": "P1", "name": "Lamp", "price": 30.0},
    "P2": {"product_id": "P2", "name": "Desk", "price": 120.0},
}
ORDERS: dict[int, dict[str, Any]] = {
    1: {"order_id": 1, "product_id": "P1", "quantity": 1, "status": "open"},
    2: {"order_id": 2, "product_id": "P2", "quantity": 4, "status": "shipped"},
}


def list_products() -> list[dict[str, Any]]:
    """List all products."""
    return list(PRODUCTS.values())


def get_order(order_id: int) -> dict[str, Any]:
    """Get an order."""
    if order_id not in ORDERS:
        raise ValueError(f"There is no order {order_id}.")
    return ORDERS[order_id]


def place_order(product_id: str, quantity: int) -> dict[str, Any]:
    """Place an order."""
    if product_id not in PRODUCTS:
        raise ValueError(f"There is no product {product_id}.")
    number = max(ORDERS) + 1
    ORDERS[number] = {"order_id": number, "product_id": product_id, "quantity": quantity, "status": "open"}
    return ORDERS[number]


def cancel_order(order_id: int) -> str:
    """Cancel an order."""
    ORDERS[order_id]["status"] = "cancelled"
    return "The order is cancelled."


async def get_stock(product_id: str) -> dict[str, Any]:
    """Get the stock of a product."""
    raise ValueError(f"Nobody has counted {product_id}.")
