"""Numbers stand for what their descriptions say, and are understood by it."""

from typing import Any

import pytest

from interplay.schemas.words.coded_values import codes_of
from interplay.schemas.words.mentions import mentions

DAYS = {
    "type": "integer",
    "description": "JavaScript day index. 0 = Sunday, 1 = Monday, 2 = Tuesday and `6 = Saturday`.",
}


@pytest.mark.parametrize(
    ("description", "codes"),
    [
        (DAYS["description"], {0: "Sunday", 1: "Monday", 2: "Tuesday", 6: "Saturday"}),
        ("1: male, 2: female", {1: "male", 2: "female"}),
        ("Priority (1 - low, 2 - high)", {1: "low", 2: "high"}),
        ("0 means off; 1 means on.", {0: "off", 1: "on"}),
        ("From 1 to 5, the default is 3.", {}),
        ("1 = yes, 2 = yes", {}),
        ("At most 10 items per page", {}),
        ("Between 2020-01-01 and 2021-01-01", {}),
    ],
)
def test_a_description_tells_what_numbers_stand_for(description: str, codes: dict[int, str]) -> None:
    assert codes_of({"type": "integer", "description": description}) == codes


def test_only_whole_numbers_are_codes() -> None:
    assert codes_of({**DAYS, "type": "string"}) == {}
    titled: dict[str, Any] = {"type": "integer", "oneOf": [{"const": 1, "title": "low"}, {"const": 2, "title": "high"}]}
    assert codes_of(titled) == {1: "low", 2: "high"}


def test_a_code_is_said_by_what_it_stands_for() -> None:
    assert mentions("Saturday would be best", 6, DAYS, "day of week")
    assert mentions("the day of week 6", 6, DAYS, "day of week")
    assert not mentions("Monday would be best", 6, DAYS, "day of week")
