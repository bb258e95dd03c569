"""A row of a list is told by any value that is its own, unless the user has asked for another one."""

import json

import pytest

from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Condition,
    Expected,
    ExpectedOutput,
    Goal,
    Question,
    Scenario,
)
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
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


def told_in(
    words: str,
    text: str,
    output: ExpectedOutput = OUTPUT,
    tool: str = "list",
    condition: Condition | None = None,
    blueprint: Blueprint | None = None,
) -> bool:
    call = ToolCall(id="abcdefghi", name=tool, arguments={})
    messages = (
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", content=ROWS, tool_call_id=call.id),
        Message(role="assistant", content=text),
    )
    made = Trajectory(
        blueprint_id="b",
        toolset="",
        system_prompt="",
        tools=("list",),
        messages=messages,
        final_digest="",
        termination="user_ended",
    )
    return tells_row(made, blueprint or task(words, condition), output, [(2, normalised(text))])


def task(words: str = "", condition: Condition | None = None) -> Blueprint:
    question = Question(action="a1", pointers=("/items/1/user",), words=words)
    return Blueprint(
        id="b", recipe=Recipe(index=0, seed=0, target="list", pattern="single"), toolset="", pattern="single",
        goals=(Goal(intent="list transactions", tool="list", asks_for=(question,), condition=condition),), actions=(Action(id="a1", goal=0, tool="list", arguments={}),), tools=("list",),
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
    assert told_in(asked, text) == told
    assert not told_in(asked, text, tool="another")


def test_what_is_to_be_told_beside_the_name_of_a_row_is_told_by_the_name_alone() -> None:
    assert not told_in("", "There are two: TEEN (35) and NWRA (72).", KIND)
    assert told_in("", "There is one of a@example.com, and one of b@example.com.", KIND)


def test_what_something_depends_on_is_told_by_itself_alone() -> None:
    condition = Condition(action="a1", pointer="/items/1/user", noun="sale", label="user", value="b@example.com")
    assert told_in("", "There are two: TEEN (35) and NWRA (72).")
    assert not told_in("", "There are two: TEEN (35) and NWRA (72).", condition=condition)


def test_what_a_wish_says_tells_nothing_of_a_row() -> None:
    assert told_in("", "There are two: TEEN (35) and NWRA (72).")
    blueprint = task()
    goal = blueprint.goals[0].model_copy(update={"intent": "list the transactions with NWRA"})
    assert not told_in(
        "", "There are two: TEEN (35) and NWRA (72).", blueprint=blueprint.model_copy(update={"goals": (goal,)})
    )
