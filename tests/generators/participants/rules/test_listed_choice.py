"""A choice by its place is told by its value where the list was shown otherwise, and one that was mistaken is noticed."""

import json

import pytest

from interplay.generators.participants.rules.listed_choice import is_mistaken, value_meant
from interplay.schemas.records.blueprint import Fact
from interplay.schemas.records.dialogue import Message

ORDERS = Message(role="tool", content=json.dumps({"order_ids": [10341, 10342, 10343]}), tool_call_id="a")
SLOTS = Message(
    role="tool",
    content=json.dumps([{"day": "2026-03-04", "room": "B1"}, {"day": "2026-03-05", "room": "B1"}]),
    tool_call_id="a",
)
SECOND = Fact(id="f1", goal=0, label="order", value={}, reveal="choice", action="a1", choice="/order_ids/1")
LATER = Fact(id="f2", goal=0, label="slot", value={"/day": "2026-03-05"}, reveal="choice", action="a1", choice="/1")


def said(text: str, result: Message = ORDERS) -> list[Message]:
    return [result, Message(role="assistant", content=text, model="other")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("There are 10341, 10342 and 10343. Which one?", ""),
        ("Open are 10342 and 10343. Which one?", "10342"),
        ("There are 10343, 10342 and 10341. Which one?", "10342"),
        ("There are 10342, 10341 and 10343. Which one?", "10342"),
        ("You have bought shares of three firms. Which one?", "10342"),
    ],
)
def test_a_place_is_said_of_the_list_as_it_was_shown(text: str, value: str) -> None:
    assert value_meant(SECOND, said(text)) == value


def test_what_is_chosen_by_a_value_needs_no_other() -> None:
    assert value_meant(LATER, said("March 4 or March 5?", SLOTS)) == ""


def test_a_thing_is_called_by_what_was_shown_of_it() -> None:
    rooms = [{"code": "R7", "floor": "upper", "note": "Quiet"}, {"code": "R8", "floor": "upper", "note": "By the lift"}]
    shown = Message(role="tool", content=json.dumps(rooms), tool_call_id="a")
    fact = Fact(id="f1", goal=0, label="room", value={"/note": "By the lift"}, action="a1", choice="/1")
    assert value_meant(fact, said("There are R7 and R8, both on the upper floor. Which one?", shown)) == "R8"
    assert value_meant(fact, said("R7 (quiet) or R8 (by the lift)?", shown)) == ""
    assert value_meant(fact, said("There are two on the upper floor. Which one?", shown)) == ""


@pytest.mark.parametrize(
    ("fact", "result", "text", "mistaken"),
    [
        (SECOND, ORDERS, "So I cancel 10343?", True),
        (SECOND, ORDERS, "So I cancel 10342?", False),
        (SECOND, ORDERS, "So I cancel 10342 and not 10343?", False),
        (SECOND, ORDERS, "So I cancel it?", False),
        (LATER, SLOTS, "So I book 4 March?", True),
        (LATER, SLOTS, "So I book 5 March?", False),
    ],
)
def test_another_item_of_the_list_is_a_mistake(fact: Fact, result: Message, text: str, mistaken: bool) -> None:
    assert is_mistaken(fact, said(text, result)) == mistaken


def test_what_is_meant_beside_it_is_no_mistake() -> None:
    assert not is_mistaken(LATER, said("So I move it from 4 March?", SLOTS), ["2026-03-04"])
