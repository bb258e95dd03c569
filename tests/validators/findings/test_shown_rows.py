"""What is told of a row that was just written: another row's value is a lie, unless a list beside it is about that row."""

import json

import pytest

from interplay.schemas.words.text import normalised
from interplay.validators.findings.shown_rows import ShownRows

LISTED = [
    {"task_id": "T-1", "title": "Shorten the survey", "status": "open", "due_date": "2026-03-12"},
    {"task_id": "T-2", "title": "Choose a slogan", "status": "done", "due_date": "2026-03-13"},
]
MADE = json.dumps({"task_id": "T-3", "title": "Order badges", "status": "open", "due_date": "2026-04-29"})


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("- Shorten the survey (open, due date Thursday next week)", []),
        ("- Choose a slogan (done, due date March 13)", []),
        ('I\'ve set up the task "Order badges", which is open.', []),
        ("The open task is called Shorten the survey.", ["Shorten the survey"]),
        ("- Title: Shorten the survey, status: open", ["Shorten the survey"]),
    ],
)
def test_a_line_of_a_list_is_about_its_own_row(sentence: str, denied: list[str]) -> None:
    rows = ShownRows()
    rows.take(json.dumps(LISTED), written=False)
    rows.take(MADE, written=True)
    assert rows.denied(normalised(sentence), MADE, ()) == denied


HOUSES = [
    {"id": 1, "title": "Bungalow 90 Brady Lane", "cost": 39, "town": "Ulm"},
    {"id": 2, "title": "Town House Mill Lane", "cost": 90, "town": "Ghent"},
]


@pytest.mark.parametrize(
    ("sentence", "strays"),
    [
        ("Bungalow 90 Brady Lane in Ulm costs 39.", []),
        ("Town House Mill Lane in Ghent costs 39.", ["39"]),
    ],
)
def test_a_number_that_is_part_of_a_name_is_told_of_nothing_else(sentence: str, strays: list[str]) -> None:
    rows = ShownRows()
    rows.take(json.dumps(HOUSES), written=False)
    assert rows.strays(normalised(sentence), ()) == strays
