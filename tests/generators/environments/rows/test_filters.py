"""A list call finds the rows that its parameters ask for, in the order that they ask for."""

from typing import Any

import pytest
from tests.generators.environments.inline import TEXT, call, operation, row

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.tool import Toolset

pytestmark = pytest.mark.anyio

TIME = {"type": "string", "format": "date-time"}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}
STATUS = {"type": "string", "enum": ["open", "closed", "void"]}
STRINGS = {"type": "array", "items": TEXT}
ITEM = row(name=TEXT, price=NUMBER, status=STATUS, active={"type": "boolean"}, created_at=TIME, tags=STRINGS)

ROWS: tuple[dict[str, Any], ...] = (
    {"id": "a", "name": "Green tea", "price": 5, "status": "open", "active": True, "created_at": "2025-01-01T08:00:00Z", "tags": ["x"]},
    {"id": "b", "name": "Black tea", "price": 9, "status": "closed", "active": False, "created_at": "2025-02-01T08:00:00Z", "tags": ["x", "y"]},
    {"id": "c", "name": "Coffee", "price": 7, "status": "void", "active": True, "created_at": "2025-03-01T08:00:00Z", "tags": []},
)  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def found(moment: str = "created_at", **asked: Any) -> str:
    """Return the ids that a call finds among three rows, as one text; every parameter is declared freely.

    `moment` is what the field with a moment is called.
    """
    query = {f"query_{name}": {} for name in asked}
    given = [{moment if name == "created_at" else name: value for name, value in held.items()} for held in ROWS]
    item = row(name=TEXT, price=NUMBER, status=STATUS, active={"type": "boolean"}, tags=STRINGS, **{moment: TIME})
    tools = (
        operation("listItems", "GET", "/items", {"type": "array", "items": item}, **query),
        operation("createItem", "POST", "/items", item, **{name: item["properties"][name] for name in given[0]}),
        operation("getItem", "GET", "/items/{id}", item),
        operation("deleteItem", "DELETE", "/items/{id}", None),
    )
    toolset = Toolset(name="inline", tools=tools)
    opened = Sandbox(toolset, 7, infer_plan(toolset))
    for key in list(opened.state()["item"]):
        await call(opened, "deleteItem", id=key)
    for held in given:
        assert (await opened.call(_made(held))).error is None
    result = await call(opened, "listItems", **asked)
    assert result.error is None, result.error
    return "".join(item["id"] for item in result.value)


def _made(held: dict[str, Any]) -> ToolCall:
    return ToolCall(id="call00002", name="createItem", arguments=held)


@pytest.mark.parametrize("name", ["q", "query", "search", "search_text", "keyword"])
async def test_a_search_finds_rows_that_hold_the_text_in_any_case(name: str) -> None:
    assert await found(**{name: "TEA"}) == "ab"
    assert await found(**{name: "cocoa"}) == ""


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({"status": "open"}, "a"),
        ({"status": "open,void"}, "ac"),
        ({"status": ["open", "closed"]}, "ab"),
        ({"statuses": ["void"]}, "c"),
        ({"status_filter": "void"}, "c"),
        ({"filter_status": "void"}, "c"),
        ({"active": True}, "ac"),
        ({"active": False}, "b"),
        ({"is_active": "true"}, "ac"),
        ({"tags": "y"}, "b"),
        ({"tags": ["x"]}, "ab"),
        ({"min_price": 7}, "bc"),
        ({"price_min": 7, "price_max": 8}, "c"),
        ({"price__gt": 7}, "b"),
        ({"price_gte": 7}, "bc"),
        ({"price_lt": 7}, "a"),
        ({"price": {"gte": 5, "lt": 9}}, "ac"),
    ],
)
async def test_values_flags_lists_and_bounds_narrow_a_list(asked: dict[str, Any], ids: str) -> None:
    assert await found(**asked) == ids


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({"created_after": "2025-02-01T08:00:00Z"}, "c"),
        ({"created_since": "2025-02-01T08:00:00Z"}, "bc"),
        ({"created_before": "2025-02-01T08:00:00Z"}, "a"),
        ({"created_until": "2025-02-01T08:00:00Z"}, "ab"),
        ({"since": "2025-02-15"}, "c"),
        ({"after": "2025-02-15"}, "c"),
        ({"before": "2025-01-15"}, "a"),
        ({"created_from": "2025-01-15", "created_to": "2025-02-15"}, "b"),
        ({"dateStartBefore": "2025-02-15"}, "ab"),
        ({"end_date_after": "2025-02-15"}, "c"),
        ({"day": "2025-02-01"}, "b"),
        ({"month": "2024-02"}, "abc"),  # nobody asks in which month a row was recorded
    ],
)
async def test_dates_bound_a_list_from_and_until(asked: dict[str, Any], ids: str) -> None:
    assert await found(**asked) == ids


@pytest.mark.parametrize(
    ("asked", "ids"),
    [({"month": "2025-02"}, "b"), ({"month": 3, "year": 2025}, "c"), ({"year": "2024"}, ""), ({"year": 2025}, "abc")],
)
async def test_months_and_years_are_those_of_the_first_date(asked: dict[str, Any], ids: str) -> None:
    assert await found("visit_date", **asked) == ids


async def test_a_title_that_rows_do_not_have_is_their_name() -> None:
    assert await found(title="Black tea") == "b"


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({"sort": "price"}, "acb"),
        ({"sort": "-price"}, "bca"),
        ({"sort": "price:desc"}, "bca"),
        ({"sort": "price_desc"}, "bca"),
        ({"sort_by": "name", "sort_order": "asc"}, "bca"),
        ({"order_by": "created_at", "direction": "desc"}, "cba"),
        ({"orderBy": "price", "order": "desc"}, "bca"),
        ({"ordering": "-created_at"}, "cba"),
        ({"sort": ["active", "-price"]}, "bca"),
        ({"sort": "nothing_known"}, "abc"),
        ({"sorts": [{"property": "price", "direction": "descending"}]}, "bca"),
    ],
)
async def test_a_list_comes_in_the_order_that_is_asked_for(asked: dict[str, Any], ids: str) -> None:
    assert await found(**asked) == ids


@pytest.mark.parametrize("field", ["influenceScore", "rating"])
async def test_a_ranking_begins_with_the_highest(field: str) -> None:
    speaker = {"type": "object", "properties": {"name": {"type": "string"}, field: {"type": "number"}}}
    speaker["required"] = ["name", field]
    tool = operation("getMostInfluentialSpeakers", "GET", "/speakers", {"type": "array", "items": speaker})
    rows = (await call(Sandbox(Toolset(name="inline", tools=(tool,)), seed=7), tool.name)).value
    scores = [item[field] for item in rows]
    assert len(set(scores)) > 3
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("name", "path"), [("listRecentItems", "/items"), ("getItems", "/items/latest"), ("listItems", "/items")]
)
async def test_recent_ones_are_listed_with_the_newest_first(name: str, path: str) -> None:
    toolset = Toolset(name="inline", tools=(operation(name, "GET", path, {"type": "array", "items": ITEM}),))
    rows = (await call(Sandbox(toolset, 7, infer_plan(toolset)), name)).value
    moments = [item["created_at"] for item in rows]
    assert len(set(moments)) > 3
    assert (moments == sorted(moments, reverse=True)) == ((name, path) != ("listItems", "/items"))


@pytest.mark.parametrize(
    "asked",
    [
        {"fields": "name"}, {"include": "price"}, {"expand": "status"}, {"If-None-Match": "abc"}, {"X-Request-Id": "1"},
        {"Idempotency-Key": "k"}, {"trace_id": "t"}, {"etag": "e"},
    ],
)  # fmt: skip
async def test_what_is_about_the_request_alone_narrows_nothing(asked: dict[str, Any]) -> None:
    assert await found(**asked) == "abc"


@pytest.mark.parametrize(
    ("asked", "ids"),
    [({"page": 1, "per_page": 2}, "cb"), ({"page": 2, "per_page": 2}, "a"), ({"page": 0, "per_page": 2}, "cb")],
)
async def test_pages_are_counted_from_one_the_newest_first(asked: dict[str, Any], ids: str) -> None:
    assert await found(**asked) == ids


@pytest.mark.parametrize(("part", "found_in"), [("tea", "ab"), ("gre", "a"), ("een", ""), ("black t", "b")])
async def test_a_text_is_found_by_the_beginnings_of_its_words(part: str, found_in: str) -> None:
    assert await found(name=part) == found_in
