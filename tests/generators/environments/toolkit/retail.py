"""A module in the manner of tau-bench: classes with `invoke` and `get_info`, and functions, over one dict."""

import json
from typing import Any


def load_data() -> dict[str, Any]:
    return {
        "orders": {"#W1": {"order_id": "#W1", "user_id": "ada", "status": "pending"}},
        "users": {"ada": {"user_id": "ada", "balance": 20}},
    }


class Tool:
    @staticmethod
    def invoke(*_arguments: Any, **_more: Any) -> str:
        raise NotImplementedError

    @staticmethod
    def get_info() -> dict[str, Any]:
        raise NotImplementedError


class CancelOrder(Tool):
    @staticmethod
    def invoke(data: dict[str, Any], order_id: str, reason: str) -> str:
        if order_id not in data["orders"]:
            return "Error: order not found"
        data["orders"][order_id]["status"] = f"cancelled ({reason})"
        return json.dumps(data["orders"][order_id])

    @staticmethod
    def get_info() -> dict[str, Any]:
        return {
            "type": "function",
            "function": {
                "name": "cancel_order",
                "description": "Cancel a pending order.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "order_id": {"type": "string", "description": "The order id."},
                        "reason": {"type": "string", "enum": ["no longer needed", "ordered by mistake"]},
                    },
                    "required": ["order_id", "reason"],
                },
            },
        }


def get_user(data: dict[str, Any], user_id: str) -> dict[str, Any]:
    """Get a user."""
    user: dict[str, Any] = data["users"][user_id]
    return user


def get_order_text(data: dict[str, Any], order_id: str):  # type: ignore[no-untyped-def]
    """Get an order, as text."""
    if order_id not in data["orders"]:
        return json.dumps({"error": f"no order {order_id}"})
    return json.dumps(data["orders"][order_id], indent=1)


def add(first: int, second: int) -> int:
    """Add two numbers."""
    return first + second
