"""What an answer is about: the list in it, however it is packed, and what of it is read out."""

from typing import Any

import pytest

from interplay.generators.phrases.speakable_values import speakable, speakable_leaves
from interplay.generators.results.result_kinds import (
    is_page,
    list_in,
    payload_of,
    says_how_it_went,
    shows_part,
    tells_of_pages,
    total_in,
)

ROWS = [{"name": "Jade Atlas"}, {"name": "Calm Falcon"}]
PAGE = {"href": "https://x", "limit": 20, "next": None, "offset": 0, "previous": None, "total": 2, "items": ROWS}


def test_a_list_is_found_among_what_tells_of_its_other_parts() -> None:
    assert list_in(PAGE) == ("/items", ROWS)
    assert list_in({"playlists": PAGE}) == ("/playlists/items", ROWS)
    assert list_in({"message": "Popular", "playlists": PAGE}) == ("/playlists/items", ROWS)


def test_what_tells_of_an_answer_is_no_list_that_it_is_about() -> None:
    assert list_in({"metadata": [{"key": "a", "value": "b"}], "skus": ROWS}) == ("/skus", ROWS)
    assert list_in({"rows": ROWS, "hints": [{"key": "a", "value": "b"}]}) == ("/rows", ROWS)
    assert list_in({"metadata": ROWS, "total": 2}) == ("/metadata", ROWS)


def test_of_an_answer_in_an_envelope_what_stands_in_it_is_read_out() -> None:
    around = {"status_code": 200, "status": "OK", "service": "crm-one", "resource": "Employees", "operation": "one"}
    answer = {**around, "data": {"id": "E1", "title": "Editor"}, "links": {"self": "x"}, "meta": {"items": 1}}
    assert [pointer for pointer, _ in speakable_leaves(answer)] == ["/data/title"]
    assert list_in({**around, "data": ROWS, "links": {}, "meta": {}}) == ("/data", ROWS)
    assert list(speakable_leaves({**around, "data": {"id": "E1"}})) == []
    assert payload_of({"data": {"title": "Editor"}, "meta": {"items": 1}}) == "data"


def test_what_holds_data_of_its_own_is_no_envelope() -> None:
    assert payload_of({"id": "L1", "level": "high", "data": {"text": "x"}, "success": True}) is None
    assert payload_of({"level": "high", "kind": "log", "data": {"text": "x"}}) is None
    assert payload_of({"success": True, "data": {"text": "x"}, "owner": {"name": "x"}}) is None


def test_a_page_is_no_thing_with_a_list_in_it() -> None:
    assert is_page(PAGE)
    assert not is_page({"id": "A1", "total": 20.5, "lines": ROWS})
    assert not is_page({"total": 20.5, "currency": "EUR", "lines": ROWS})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("closed", "true"),
        ("unread", "false"),
        ("deletedAt", "2026-04-28T07:30:00Z"),
        ("after", "Western Willow"),
        ("received", False),
        ("created", 1778456182880),
    ],
)
def test_what_makes_no_sentence_is_not_read_out(name: str, value: Any) -> None:
    assert not speakable(name, value)


def test_what_has_arrived_and_what_was_made_is_read_out() -> None:
    assert speakable("received", True)
    assert speakable("createdAt", "2026-04-28T07:30:00Z")
    assert speakable("looksAfter", "Western Willow")


def test_how_a_call_went_is_told_from_what_it_found_be_it_nothing() -> None:
    answer = {"status": 200, "error": False, "message": "Request successful.", "data": None}
    assert says_how_it_went(answer, "message")
    assert not says_how_it_went(answer, "data")
    assert not says_how_it_went({"id": 1, "message": "Please call me back.", "sender": "Ada"}, "message")


@pytest.mark.parametrize(
    ("answer", "total"),
    [
        ({"data": ROWS, "total": 16, "totalPages": 8}, 16),
        ({"data": {"items": ROWS, "total_count": 7}}, 7),
        ({"data": ROWS, "page": 3, "limit": 20}, 2),
        ({"data": ROWS, "頁": 9}, 2),
        (ROWS, 2),
    ],
)
def test_the_total_is_told_where_a_list_is_a_part(answer: Any, total: int) -> None:
    assert total_in(answer, len(ROWS)) == total


@pytest.mark.parametrize(
    ("told", "part"),
    [
        ({"pageNumber": 1, "totalPages": 2}, True),
        ({"pageNumber": 2, "totalPages": 2}, False),
        ({"number": 0, "totalPages": 3}, True),
        ({"has_more": True}, True),
        ({"has_more": False}, False),
        ({"next": None}, False),
        ({"next": "/orders?page=2"}, True),
        ({"last": False}, True),
        ({"total": 7}, True),
        ({"total": 2, "page": 1}, False),
    ],
)
def test_a_page_says_that_there_are_more(told: dict[str, Any], part: bool) -> None:
    assert shows_part({"data": ROWS, **told}, len(ROWS)) == part
    assert shows_part({"data": ROWS, "meta": told}, len(ROWS)) == part


def test_a_list_stands_beside_what_tells_of_it() -> None:
    payees = [{"id": "p1", "name": "Dunn Group"}]
    assert list_in({"data": {"payees": payees, "server_knowledge": 32}}) == ("/data/payees", payees)
    assert list_in({"page_number": 1, "page_size": 30, "total_records": 1, "payees": payees}) == ("/payees", payees)
    assert list_in({"data": {"id": "o1", "items": payees}})[1] is None
    assert [name for name in ("total_records", "page_count", "number", "orderNumber") if tells_of_pages(name)] == [
        "total_records",
        "page_count",
    ]
