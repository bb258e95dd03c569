"""Where the rows stand in what a tool shows."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from interplay.flows.worlds.assembly import open_world
from interplay.generators.environments.inference.result_rows import rows_in
from interplay.schemas.records.dialogue import ToolCall

TEXT = {"type": "string"}
ROW = {"type": "object", "properties": {"id": TEXT, "title": TEXT, "price": {"type": "number"}}}
PAIR = {"type": "object", "properties": {"key": TEXT, "value": TEXT}}


def test_rows_are_not_what_a_result_says_of_itself() -> None:
    lists = {name: {"type": "array", "items": item} for name, item in (("metadata", PAIR), ("skus", ROW))}
    found = rows_in({"type": "object", "properties": lists}, wants_list=True, names=("product", "products"))
    assert found is not None
    assert (found.pointer, found.schema) == ("/skus", ROW)


def test_pairs_are_rows_where_there_are_no_others() -> None:
    found = rows_in({"type": "object", "properties": {"settings": {"type": "array", "items": PAIR}}}, wants_list=True)
    assert found is not None
    assert found.pointer == "/settings"


def test_details_of_an_order_are_those_of_the_order_that_was_placed(tmp_path: Path) -> None:
    def tool(name: str, given: list[str], *shown: str) -> dict[str, object]:
        properties = {key: {"type": "integer" if key == "order_id" else "string"} for key in given}
        fields = {key: {"type": "integer" if key in ("id", "order_id") else "string"} for key in shown}
        return {
            "name": name,
            "description": name.replace("_", " "),
            "parameters": {"type": "object", "properties": properties, "required": given},
            "response": {"type": "object", "properties": fields},
        }

    path = tmp_path / "shop.json"
    tools = [
        tool("place_order", ["colour"], "order_id", "colour"),
        tool("get_order_details", ["order_id"], "id", "colour", "status"),
    ]
    path.write_text(json.dumps(tools))
    environment = open_world([f"json:{path}"]).environment
    assert environment.resources.role("place_order").yields == {"/order_id": "order"}

    def call(name: str, **arguments: object) -> Any:
        return asyncio.run(environment.call(ToolCall(id="call00001", name=name, arguments=arguments))).value

    placed = call("place_order", colour="teal")
    shown = call("get_order_details", order_id=placed["order_id"])
    assert (shown["id"], shown["colour"]) == (placed["order_id"], "teal")


def test_rows_are_known_by_the_name_of_their_schema_in_a_page_whatever_its_field_is_called() -> None:
    page = {"total": {"type": "integer"}, "elements": {"type": "array", "items": {**ROW, "title": "PaymentMethod"}}}
    found = rows_in({"type": "object", "properties": page}, wants_list=False, names=("payment_method", "method"))
    assert found is not None
    assert (found.pointer, found.many) == ("/elements", True)
    other = rows_in({"type": "object", "properties": page}, wants_list=False, names=("cart", "cart"))
    assert other is not None
    assert not other.many
    sums = {"aggregations": {"type": "array", "items": {"type": "object"}}, **page}
    searched = rows_in({"type": "object", "properties": sums}, wants_list=True, names=("suggestion", "suggestion"))
    assert searched is not None
    assert searched.pointer == "/elements"


@pytest.mark.parametrize("open_to", [True, {}])
def test_an_object_that_may_hold_anything_holds_the_rows_of_a_list(open_to: Any) -> None:
    found = rows_in({"type": "object", "additionalProperties": open_to}, wants_list=True)
    assert found is not None
    assert (found.pointer, found.many) == ("/results", True)


def test_lists_in_a_map_are_rows() -> None:
    mapped = {"type": "object", "additionalProperties": {"type": "array", "items": ROW}}
    found = rows_in(mapped, wants_list=True)
    assert found is not None
    assert (found.pointer, found.schema, found.many) == ("/results", ROW, True)


def test_fields_about_pages_tell_of_a_list_whatever_its_noun() -> None:
    counts = {key: {"type": "integer"} for key in ("first", "last", "size", "totalPages")}
    page = {"type": "object", "properties": {"content": {"type": "array", "items": ROW}, **counts}}
    found = rows_in(page, wants_list=False, names=("series", "series"))
    assert found is not None
    assert (found.pointer, found.many) == ("/content", True)
