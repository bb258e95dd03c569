"""Numbers that show the beginning of a list: nobody is asked for an offset."""

from typing import Any

import pytest

from interplay.schemas.calls.first_page import first_page

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
