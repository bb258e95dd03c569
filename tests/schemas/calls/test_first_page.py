"""Arguments that say which part of a list is wanted, and the numbers that show its beginning: nobody is asked for an offset."""

from typing import Any

import pytest

from interplay.schemas.calls.first_page import first_page, is_paging

WHOLE = {"type": "integer"}


@pytest.mark.parametrize(
    ("name", "schema", "shown"),
    [
        ("offset", WHOLE, 0),
        ("pageNumber", WHOLE, 1),
        ("page", {**WHOLE, "minimum": 0}, 0),
        ("limit", {**WHOLE, "maximum": 10}, 10),
        ("per_page", {**WHOLE, "minimum": 50}, 50),
        ("top", WHOLE, 20),
        ("keyPage", WHOLE, 1),
        ("key_number", WHOLE, None),
        ("room_number", WHOLE, None),
        ("cursor", {"type": "string"}, None),
        ("after", WHOLE, None),
    ],
)
def test_a_list_is_shown_from_its_beginning(name: str, schema: dict[str, Any], shown: int | None) -> None:
    assert first_page(name, schema) == shown


@pytest.mark.parametrize("name", ["page", "pageToken", "startCursor", "max_per_page", "current_page", "starting_after"])
def test_a_part_of_a_list_is_told_by_the_name(name: str) -> None:
    assert is_paging(name)


@pytest.mark.parametrize("name", ["number", "token", "start", "issue_number", "page_title", "before_date", "max", ""])
def test_what_may_be_anything_else_is_no_part_of_a_list(name: str) -> None:
    assert not is_paging(name)
