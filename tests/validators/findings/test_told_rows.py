"""A row of a list is told by any value that is its own, unless the user has asked for another one."""

import json

import pytest

from interplay.schemas.records.blueprint import Blueprint, Expected, ExpectedOutput, Goal, Question, Scenario
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.words.text import normalised
from interplay.validators.findings.told_rows import tells_row

ROWS = json.dumps(
    {
        "items": [
            {"user": "a@example.com", "code": "TEEN", "sum": 35, "kind": "sale"},
            {"user": "b@example.com", "code": "NWRA", "sum": 72, "kind": "sale"},
        ]
    }
)
OUTPUT = ExpectedOutput(action="a1", pointer="/items/1/user", label="user", value="b@example.com")

KIND = ExpectedOutput(action="a1", pointer="/items/1/kind", label="kind", value="sale")


def task(words: str = "") -> Blueprint:
    question = Question(action="a1", pointers=("/items/1/user",), words=words)
    return Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="list", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="list transactions", tool="list", asks_for=(question,)),), actions=(), tools=("list",),
        expected=Expected(digest="", outputs=(OUTPUT, KIND)), scenario=Scenario(requests=((0,),)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        ("There are two: TEEN (35) and NWRA (72).", "", True),
        ("There are two sales.", "", False),
        ("There are TEEN and NWRA.", "", False),
        ("There is TEEN (35).", "", False),
        ("There are two: TEEN (35) and NWRA (72).", "who made them", False),
    ],
)
def test_a_row_is_told_by_a_value_of_its_own(text: str, asked: str, told: bool) -> None:
    assert tells_row(task(asked), OUTPUT, ROWS, [normalised(text)]) == told


def test_what_is_to_be_told_beside_what_a_row_is_called_by_is_not_told_with_it() -> None:
    assert not tells_row(task(), KIND, ROWS, [normalised("There are two: TEEN (35) and NWRA (72).")])
