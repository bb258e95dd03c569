"""Dates in prose."""

import pytest

from interplay.schemas.words.dates import Day
from interplay.schemas.words.text import normalised


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("born on the 1st of June 1980", (1980, 6, 1)),
        ("born on the first of June 1980", (1980, 6, 1)),
        ("on the first of June", (None, 6, 1)),
        ("June twenty-first, 1990", (1990, 6, 21)),
        ("am einunddreißigsten März 1975", (1975, 3, 31)),
        ("the second one in May", None),
        ("10 February, 2296 EUR", (None, 2, 10)),
    ],
)
def test_a_day_is_read_in_figures_and_in_words(text: str, day: Day | None) -> None:
    assert normalised(text).moments.days == ({day} if day else set())
