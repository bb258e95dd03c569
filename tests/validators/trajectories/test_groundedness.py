"""Who said so? Arguments that came from somewhere pass, planted ones are found."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    ADD_ARGUMENTS,
    TOOLSET,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_tool,
    make_trajectory,
    replace,
    user,
)

from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import Verdict
from interplay.validators.trajectories.groundedness import GroundingCheck

BOOK = make_tool(
    "book",
    {
        "guest": {"type": "object", "properties": {"name": {"type": "string"}, "phone": {"type": "string"}}},
        "start": {"type": "string", "format": "date-time"},
        "date": {"type": "string", "format": "date"},
        "guests": {"type": "integer"},
        "extras": {"type": "array", "items": {"type": "string", "enum": ["BABY_COT", "late_checkout", "parking"]}},
        "has_pet": {"type": "boolean"},
        "nights": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 1},
        "rate": {"$ref": "#/$defs/rate"},
        "note": {"type": "string"},
    },
    [],
    "write",
    None,
)
BOOK = BOOK.model_copy(
    update={"parameters": BOOK.parameters | {"$defs": {"rate": {"type": "string", "enum": ["standard"]}}}}
)
HOTEL = TOOLSET.model_copy(update={"tools": (BOOK,), "policy": "All stays are booked under cost centre HQ-77."})
SPEECH = (
    "I need a room for Ada Lovelace (phone +1 555 010 2345), 3 guests, no pets, with parking and a baby cot,"
    " Sunday, May 3rd at 2:30 pm. Tell them: we arrive late!"
)


def judge(messages: tuple[Message, ...], **changes: Any) -> Verdict:
    return asyncio.run(GroundingCheck(HOTEL).check(make_trajectory(messages, **changes), make_blueprint()))


def booked(arguments: dict[str, Any], speech: str = SPEECH, **changes: Any) -> list[str]:
    """Return the pointers of the arguments of one booking after `speech` that nobody gave."""
    issues = judge((user(speech), calls(("call00001", "book", arguments))), **changes).issues
    return [issue.pointer.removeprefix("/messages/1/tool_calls/0/arguments") for issue in issues]


def test_accepts_the_good_dialogue() -> None:
    verdict = asyncio.run(GroundingCheck(TOOLSET).check(make_trajectory(), make_blueprint()))
    assert verdict.issues == ()


GROUNDED: list[dict[str, Any]] = [
    {"guest": {"name": "Ada Lovelace", "phone": "+15550102345"}},
    {"start": "2026-05-03T14:30:00Z"},
    {"date": "2026-05-03", "guests": 3},
    {"extras": ["parking", "BABY_COT"]},
    {"extras": []},
    {"has_pet": False},
    {"nights": 1, "rate": "standard"},
    {"nights": None},
    {"note": "We arrive late."},
    {"note": "They will be there after dark."},
    {"note": "HQ-77"},
    {"note": "notes"},
]


@pytest.mark.parametrize("arguments", GROUNDED)
def test_accepts_what_somebody_gave(arguments: dict[str, Any]) -> None:
    assert booked(arguments) == []


PLANTED: list[tuple[str, dict[str, Any]]] = [
    ("/guest/name", {"guest": {"name": "Ada Byron", "phone": "+15550102345"}}),
    ("/guest/phone", {"guest": {"name": "Ada Lovelace", "phone": "+15550102346"}}),
    ("/start", {"start": "2026-05-03T15:30:00Z"}),
    ("/start", {"start": "2026-05-04T14:30:00Z"}),
    ("/date", {"date": "2026-05-13"}),
    ("/guests", {"guests": 4}),
    ("/guests", {"guests": 30}),
    ("/extras/1", {"extras": ["parking", "late_checkout"]}),
    ("/has_pet", {"has_pet": True}),
    ("/nights", {"nights": 2}),
    ("/note", {"note": "Bob Babbage"}),
    ("/note", {"note": "HQ-78"}),
]


@pytest.mark.parametrize(("pointer", "arguments"), PLANTED)
def test_finds_what_nobody_gave(pointer: str, arguments: dict[str, Any]) -> None:
    assert booked(arguments) == [pointer]


def test_takes_values_from_results_but_only_from_earlier_ones() -> None:
    found = answer("call00001", {"rooms": [{"code": "zx9-4", "free": 17}]})
    look = calls(("call00001", "search", {}))
    book = calls(("call00002", "book", {"note": "zx9-4", "guests": 17}))
    assert judge((user("Hi"), look, found, book)).issues == ()
    assert codes(judge((user("Hi"), book, look, found)).issues) == ["ungrounded_argument"]


def test_takes_no_value_from_the_assistant_itself() -> None:
    messages = (
        user("Hi"),
        assistant("Shall I book for Bob?"),
        user("Fine."),
        calls(("call00001", "book", {"note": "Bob"})),
    )
    assert codes(judge(messages).issues) == ["ungrounded_argument"]


def test_takes_parts_of_results() -> None:
    found = answer("call00001", {"slots": ["2026-05-03T14:30:00Z"], "text": "Ask for room service"})
    look = calls(("call00001", "search", {}))
    book = calls(("call00002", "book", {"date": "2026-05-03", "note": "room service"}))
    assert judge((user("Hi"), look, found, book)).issues == ()


def test_joins_a_day_and_a_time_said_apart() -> None:
    book = calls(("call00001", "book", {"start": "2026-05-03T14:30:00Z"}))
    assert judge((user("On May 3."), assistant("When?"), user("At 2:30 pm."), book)).issues == ()


@pytest.mark.parametrize(
    ("speech", "day"),
    [
        ("tomorrow", "2026-05-02"),
        ("today", "2026-05-01"),
        ("next Monday", "2026-05-04"),
        ("in two weeks", "2026-05-15"),
    ],
)
def test_counts_days_from_the_date_in_the_system_prompt(speech: str, day: str) -> None:
    assert booked({"date": day}, f"A room for {speech}, please.") == []
    assert booked({"date": "2026-05-20"}, f"A room for {speech}, please.") == ["/date"]
    assert booked({"date": day}, f"A room for {speech}.", system_prompt="Help.") == ["/date"]


def test_planted_values_in_the_good_dialogue_are_found() -> None:
    for change in ({"text": "Call Eve"}, {"due": "2026-05-14"}, {"priority": "high"}, {"effort": 3}):
        messages = replace(3, calls(("call00001", "add_note", ADD_ARGUMENTS | change)))
        verdict = asyncio.run(GroundingCheck(TOOLSET).check(make_trajectory(messages), make_blueprint()))
        assert codes(verdict.issues, "error") == ["ungrounded_argument"]


def test_finds_statements_that_nothing_supports() -> None:
    found = (
        user("How many?"),
        calls(("call00001", "search", {})),
        answer("call00001", {"free": 17, "on": "2026-05-03"}),
    )
    supported = judge((*found, assistant("There are 17 rooms on May 3rd, 2026.")))
    invented = judge((*found, assistant("There are 18 rooms on May 4th.")))
    assert supported.issues == ()
    assert codes(invented.issues, "error") == ["false_statement"]
    assert "18" in invented.issues[0].message
    assert "05-04" in invented.issues[0].message


def test_lets_the_assistant_count_what_it_found() -> None:
    found = (user("Which?"), calls(("call00001", "search", {})), answer("call00001", [{"a": "x"}, {"a": "y"}]))
    assert judge((*found, assistant("I found 2 rooms."))).issues == ()


@pytest.mark.parametrize(
    ("query", "grounded"),
    [
        ({"field": "guest_name", "operator": "=", "value": "Ada Lovelace"}, True),
        ({"field": "guest_name", "operator": "=", "value": "Ann Lee"}, False),
        ({"expression": "guest_name='%Ada Lovelace%'"}, True),
        ({"expression": "guest_name='Ann Lee'"}, False),
    ],
)
def test_a_search_may_name_fields_and_put_what_was_given_into_an_expression(
    query: dict[str, str], grounded: bool
) -> None:
    returns = {"type": "array", "items": {"type": "object", "properties": {"guest_name": {"type": "string"}}}}
    options = {"operator": {"type": "string", "enum": ["=", "!="]}, "expression": {"type": "string"}}
    parameters = {"type": "object", "properties": {"query": {"type": "object", "properties": options}}}
    search = BOOK.model_copy(update={"effect": "read", "returns": returns, "parameters": parameters})
    messages = (user(SPEECH), calls(("call00001", "book", {"query": query})))
    check = GroundingCheck(HOTEL.model_copy(update={"tools": (search,)}))
    verdict = asyncio.run(check.check(make_trajectory(messages), make_blueprint()))
    assert (verdict.issues == ()) == grounded
