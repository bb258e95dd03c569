"""Pages of rows, and what fields of an envelope say of them."""

from typing import Any

import pytest

from interplay.generators.environments.rows.pagination import WHOLE, Page, page_field, page_of

ROWS = [(f"k{number}", number) for number in range(10)]


@pytest.mark.parametrize(
    ("arguments", "first", "last"),
    [
        ({"page": 2, "per_page": 3}, 3, 5),
        ({"limit": 4, "offset": 2}, 2, 5),
        ({"limit": 3, "starting_after": "k4"}, 5, 7),
        ({"page_size": 3, "page_token": "cursor_3"}, 3, 5),
        ({"limit": 3, "cursor": "of another list"}, 0, 2),
    ],
)
def test_understands_the_common_ways_to_ask_for_a_page(arguments: dict[str, Any], first: int, last: int) -> None:
    page = page_of(ROWS, arguments)
    assert (page.rows[0][1], page.rows[-1][1]) == (first, last)


def test_takes_the_size_that_the_tool_declares() -> None:
    assert len(page_of(ROWS, {}, {"limit": {"type": "integer", "default": 4}}).rows) == 4


def test_a_list_without_pages_is_shown_whole() -> None:
    many = [(str(number), number) for number in range(WHOLE + 5)]
    assert len(page_of(many, {}, {}).rows) == WHOLE


def test_no_row_is_lost_between_pages_that_hold_fewer_rows_than_asked_for() -> None:
    pages = [page_of(ROWS, {"page": number, "per_page": 8}, {}, lambda _: 3) for number in range(1, 5)]
    assert [row for page in pages for row in page.rows] == ROWS
    assert {(page.total, page.size) for page in pages} == {(10, 3)}
    assert [page.has_more for page in pages] == [True, True, True, False]


def test_fields_say_what_is_true_of_the_page() -> None:
    page = page_of(ROWS, {"page": 2, "per_page": 4})
    whole, text, flag = {"type": "integer"}, {"type": "string"}, {"type": "boolean"}
    told = [page_field(name, whole, page) for name in ("page", "per_page", "total_pages", "next_page")]
    assert told == [2, 4, 3, 3]
    assert page_field("nextPageToken", text, page) == "cursor_8"
    assert page_field("has_more", flag, page) is True
    assert str(page_field("next", {"type": "string", "format": "uri"}, page)).startswith("https://")


def test_the_last_page_has_nothing_after_it() -> None:
    page = page_of(ROWS, {"page": 3, "per_page": 4})
    assert page_field("has_more", {"type": "boolean"}, page) is False
    assert page_field("next_cursor", {"type": "string"}, page) is None
    assert page_field("is_last", {"type": "boolean"}, page) is True


def test_an_empty_page_has_nothing_after_it() -> None:
    assert not Page((), 0).has_more
    assert not page_of(ROWS, {"offset": 50}).has_more


@pytest.mark.parametrize(("name", "value"), [("numberOfElements", 3), ("number", 1), ("size", 3), ("totalPages", 4)])
def test_knows_the_pages_of_spring(name: str, value: int) -> None:
    page = page_of(ROWS, {"page": 2, "size": 3})
    assert page_field(name, {"type": "integer"}, page) == value
