"""APIs whose operation ids are made of function, path and method, as FastAPI makes them."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.generators.worlds import generator

from interplay.generators.importers.documents.tool_names import function_name
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import SEARCH_TOOL

SPEC = f"openapi:{Path(__file__).parent / 'depots_fastapi.yaml'}"
ENVIRONMENT = generator(SPEC).world.environment
TOOLS = {tool.name: tool for tool in ENVIRONMENT.toolset.tools if tool.name != SEARCH_TOOL}


def answer(tool: str, **arguments: Any) -> Any:
    result = asyncio.run(ENVIRONMENT.call(ToolCall(id="1", name=tool, arguments=arguments)))
    assert result.error is None
    return result.value


@pytest.mark.parametrize(
    ("method", "path", "identity", "name"),
    [
        ("GET", "/items/{item_id}", "read_item_items__item_id__get", "read_item"),
        ("POST", "/a-b/c", "make_a_b_c_post", "make"),
        ("GET", "/items", "_items_get", "_items_get"),
        ("GET", "/items", "listItems", "listItems"),
        ("PUT", "/items", "read_items_get", "read_items_get"),
    ],
)
def test_the_name_of_the_function_is_found(method: str, path: str, identity: str, name: str) -> None:
    assert function_name(method, path, identity) == name


def test_tools_keep_their_ids_unless_these_are_too_long() -> None:
    assert "read_depot_depots__name__get" in TOOLS
    assert "reschedule_shipment_for_the_next_departure" in TOOLS
    assert TOOLS["count_depots_depots_count_post"].original_name == "count_depots"


def test_posts_that_read_are_told_from_those_that_write() -> None:
    read = {name for name, tool in TOOLS.items() if tool.effect == "read"}
    assert {name.split("_")[0] for name in read} == {"read", "count", "paginate"}
    assert {name.split("_")[0] for name in set(TOOLS) - read} == {"create", "update", "delete", "reschedule"}


def test_counts_say_how_many_rows_there_are() -> None:
    assert answer("count_depots_depots_count_post") == len(answer("read_depots_depots_filter_post")) > 0
    sent = answer("read_shipments_shipments_filter_post", status="sent")
    assert answer("count_shipments_shipments_count_post", status="sent") == len(sent)
    assert answer("paginate_shipments_shipments_paginate_post")["count"] == len(ENVIRONMENT.state()["shipment"])


def test_names_in_paths_are_names() -> None:
    state = ENVIRONMENT.state()
    names = {row["name"] for row in state["depot"].values()}
    assert not any(any(character.isdigit() for character in name) for name in names)
    assert {row["depot_name"] for row in state["shipment"].values()} <= names
