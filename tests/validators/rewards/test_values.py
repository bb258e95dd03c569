"""Reciting a result is not telling what was asked for."""

import json

import pytest

from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.validators.rewards.values import declined, news, recites

ROW = {
    "id": "A-17", "doctor": "Dr. Okafor", "room": "B12", "status": "booked", "fee": 42.5, "day": "2026-03-04",
    "patient": "Eve Lang", "note": "first visit after the operation", "phone": "555-0172",
}  # fmt: skip
RESULT = json.dumps(ROW)
ASKED = (ExpectedOutput(action="a1", pointer="/fee", label="fee", value=42.5),)


@pytest.mark.parametrize(
    "text",
    [
        RESULT,
        f"Here is what I found: {RESULT[:120]} and so on",
        ", ".join(str(value) for value in ROW.values()),
    ],
)
def test_a_result_given_back_is_recited(text: str) -> None:
    assert recites(Message(role="assistant", content=text), [RESULT], ASKED)


@pytest.mark.parametrize(
    "text",
    [
        "The fee is 42.50.",
        "Your visit to Dr. Okafor on 4 March in room B12 costs 42.50.",
        'The note says "first visit after the operation".',
    ],
)
def test_an_answer_in_words_is_none(text: str) -> None:
    assert not recites(Message(role="assistant", content=text), [RESULT], ASKED)


def test_telling_all_of_what_was_asked_for_is_none() -> None:
    asked = tuple(
        ExpectedOutput(action="a1", pointer=f"/{name}", label=name, value=value) for name, value in ROW.items()
    )
    text = ", ".join(str(value) for value in ROW.values())
    assert not recites(Message(role="assistant", content=text), [RESULT], asked)


def test_several_small_results_given_back_together_are_recited() -> None:
    rows = [dict(list(ROW.items())[at : at + 3]) for at in (0, 3, 6)]
    text = ", ".join(str(value) for row in rows for value in row.values())
    results = [json.dumps(row) for row in rows]
    assert recites(Message(role="assistant", content=text), results, ASKED)
    assert not recites(Message(role="assistant", content="booked, 42.5, 2026-03-04"), results, ASKED)


def test_what_the_user_said_is_news_where_nothing_else_is_about_its_goal() -> None:
    slot = ExpectedOutput(action="slots", pointer="/0/day", label="day", value="2026-03-04")
    name = ExpectedOutput(action="people", pointer="/0/name", label="name", value="Amy Porter")
    job = ExpectedOutput(action="people", pointer="/0/job", label="job", value="controller")
    goals = {"slots": 0, "people": 1}
    asked = ["When is there a free time?", "Please look up Amy Porter."]
    assert news((slot, name), goals, asked) == (slot, name)
    assert news((slot, name, job), goals, asked) == (slot, job)


def test_a_table_is_no_reciting_and_one_breath_is() -> None:
    plans = [
        {"id": f"P{n}", "name": name, "gb": n * 5, "price": n * 20}
        for n, name in enumerate(("Basic", "Plus", "All"), 1)
    ]
    rows = [f"| {plan['name']} ({plan['id']}) | {plan['gb']} GB | {plan['price']} |" for plan in plans]
    asked = (ExpectedOutput(action="a1", pointer="/0/name", label="name", value="Basic"),)
    assert not recites(Message(role="assistant", content="\n".join(rows)), [json.dumps(plans)], asked)
    assert recites(Message(role="assistant", content=" ".join(rows)), [json.dumps(plans)], asked)


def test_who_repeats_the_user_has_declined_nothing() -> None:
    asked = Message(role="user", content="Search the projects of Ann. Only those that are not completed.")
    echoed = Message(
        role="assistant", content="Search the projects of Ann. Only those that are not completed. {}", act="refuse"
    )
    refused = Message(role="assistant", content="I am not allowed to search those.", act="refuse")
    trajectory = Trajectory(blueprint_id="b", toolset="t", tools=(), system_prompt="", messages=(asked, echoed, refused),
                            final_digest="", termination="user_ended", version="1")  # fmt: skip
    assert [declined(each, trajectory) for each in trajectory.messages] == [False, False, True]
