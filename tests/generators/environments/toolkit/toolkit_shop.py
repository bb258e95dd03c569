"""A shop of notes and orders: the toolkit that most tests of code environments call."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Annotated, Any, TypedDict

from pydantic import AfterValidator

from interplay.generators.environments.toolkit.toolkit import Toolkit
from interplay.generators.importers.python.importer import ToolError, import_python
from interplay.schemas.records.dialogue import ToolCall, ToolResult


class Size(Enum):
    SMALL = "small"


@dataclass
class Receipt:
    number: int
    day: date
    size: Size = Size.SMALL
    tags: set[str] = field(default_factory=lambda: {"b", "a"})


def even(number: int) -> int:
    if number % 2:
        raise ValueError("an odd number")
    return number


class Due(TypedDict):
    day: date


class Shop:
    def __init__(self, rows: int = 3) -> None:
        self.customers: dict[str, dict[str, Any]] = {
            f"C-{n}": {"customer_id": f"C-{n}", "name": f"N{n}", "tags": ["x"]} for n in range(rows)
        }
        self.orders: dict[str, dict[str, Any]] = {}
        self.log: list[Any] = []
        self.grid: list[list[Any]] = [[1, 2], [3, [4]]]
        self.count = 0
        self._secret = {"calls": 0}

    def get_customer(self, customer_id: str) -> dict[str, Any]:
        return self.customers[customer_id]

    def rename_customer(self, customer_id: str, name: str) -> dict[str, Any]:
        if customer_id not in self.customers:
            raise ToolError(f"Error: no customer {customer_id}.")
        self.customers[customer_id]["name"] = name
        return self.customers[customer_id]

    def add_tag(self, customer_id: str, tag: str) -> Any:
        self.customers[customer_id]["tags"].append(tag)
        return self.customers[customer_id]["tags"]

    def delete_customer(self, customer_id: str) -> None:
        del self.customers[customer_id]

    def create_order(self, customer_id: str, items: list[str]) -> dict[str, Any]:
        order: dict[str, Any] = {"order_id": f"O-{len(self.orders) + 1}", "customer_id": customer_id}
        self.orders[order["order_id"]] = order
        order["items"] = items
        self.log.append({"order": order["order_id"]})
        self.count += 1
        return order

    def set_cell(self, row: int, column: int, value: float) -> float:
        self.grid[row][column] = value
        return value

    def note_call(self) -> None:
        self._secret["calls"] += 1

    def forget(self) -> None:
        self.log = []
        self.customers = {"C-9": {"customer_id": "C-9", "name": "new", "tags": []}}
        self.extra = {"a": 1}

    def get_receipt(self, day: date, size: Size = Size.SMALL) -> Receipt:
        assert isinstance(day, date)
        assert isinstance(size, Size)
        return Receipt(1, day, size)

    def get_even(self, number: Annotated[int, AfterValidator(even)]) -> int:
        return number

    def get_year(self, due: Due) -> int:
        return due["day"].year

    async def get_later(self) -> str:
        await asyncio.sleep(0)
        return "later"

    def get_trouble(self, kind: str) -> Any:
        if kind == "text":
            return "Error: no such thing."
        if kind == "object":
            return {"error": "no such thing"}
        if kind == "both":
            return {"error": "no such thing", "code": 404}
        if kind == "null":
            return {"error": None}
        if kind == "bug":
            return 1 / 0
        raise {
            "value": ValueError("bad"),
            "key": KeyError("C-7"),
            "runtime": RuntimeError("out of stock"),
            "type": TypeError("amounts are numbers"),
            "denied": PermissionError("not yours"),
            "duty": NotImplementedError("later"),
        }[kind]

    def get_bug(self) -> int:
        return len(3)  # type: ignore[arg-type]

    def get_unspeakable(self) -> object:
        return object()


def open_shop(rows: int = 3) -> Toolkit:
    return Toolkit(lambda: Shop(rows), import_python(Shop).toolset)


def call(toolkit: Toolkit, name: str, /, **arguments: Any) -> ToolResult:
    return asyncio.run(toolkit.call(ToolCall(id="a00000001", name=name, arguments=arguments)))


def everything(toolkit: Toolkit) -> str:
    """Write the state down with the order of its keys."""
    return json.dumps(vars(toolkit._object))
