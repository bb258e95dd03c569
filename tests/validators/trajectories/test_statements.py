"""What an assistant states: values that nothing holds are found, and what can be reckoned or is worded otherwise passes."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    TOOLSET,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_trajectory,
    user,
)

from interplay.validators.trajectories.groundedness import GroundingCheck

VISIT: dict[str, Any] = {
    "id": "VIS-2041",
    "batch": 4711002,
    "token": "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
    "mail": "ada@example.org",
    "phone": "+49 30 1234567",
    "price": 45.5,
    "cents": 129900,
    "created": "2026-03-02T14:30:00",
    "until": "2026-03-05",
    "seen": 1767225600,
    "duration_ms": 225000,
    "items": [{"sku": "A-10293", "cost": 12.25, "count": 2}, {"sku": "A-10777", "cost": 7.1, "count": 3}],
}


def found(said: str, asked: str = "Show me the visit.", result: Any = VISIT) -> list[str]:
    messages = (
        user(asked),
        calls(("call00001", "search", {"days": 10})),
        answer("call00001", result),
        assistant(said),
    )
    trajectory = make_trajectory(messages, system_prompt="Today is Monday, 2026-05-04. A late guest pays after 21:00.")
    issues = asyncio.run(GroundingCheck(TOOLSET).check(trajectory, make_blueprint())).issues
    return [code for code in codes(issues, "error") if code != "ungrounded_argument"]


@pytest.mark.parametrize(
    "said",
    [
        "It was created on March 2nd, 2043.",
        "It was created on 2 July 2026 at 2:30 pm.",
        "Angelegt wurde das am 19. August 2026.",
        "It runs until 2026-07-05.",
        "It begins on 2 March 2026 at 11:17.",
        "The price is $46.75.",
        "Das kostet 54,20 €. Noch etwas?",
        "Your number is VIS-2047.",
        "The item is A-10299.",
        "The batch is 4711003.",
        "I wrote to eve@example.org.",
        "Shall I put VIS-2041 to 9 June 2026 at 16:45?",
        "Is it right that it costs $99.00?",
        "There are 9 items.",
        "The token is 1b4e28ba-2fa1-11d2-883f-0016d3cca428.",
    ],
)
def test_a_value_that_nothing_holds_is_false(said: str) -> None:
    assert found(said) == ["false_statement"]


@pytest.mark.parametrize(
    "said",
    [
        "Created on Monday, March 2nd, 2026 at 2:30 PM, for 45.50 EUR.",
        "Erstellt am 2. März 2026 um 14:30 Uhr, das kostet 45,50 €.",
        "It runs from March 2 to 5, that is on March 2, 3, 4 and 5.",
        "VIS-2041, batch 4711002: mail goes to Ada@example.org, or call (030) 1234567.",
        "Rounded it is $46, and $1,299.00 for the group.",
        "Both items cost €19.35, with their counts it is 45.80 in total.",
        "With 10% off that is €40.95, for three nights €136.50.",
        "The track is 3:45 long. It was seen on January 1, 2026.",
        "A week before, on 23 February 2026, it was still free; ten days after, on 15 March 2026, it will be.",
        "Today is May 4, 2026, and tomorrow is May 5, 2026.",
        "An hour later, at 15:30, it is over.",
        "Should I make it 16:45 on 9 June 2026?",
        "Could you write it like this: name@company.com or 2027-08-09?",
        "Version 1.2.3 speaks HTTP/1.1, as of ISO-9001 and RFC-3339.",
        "After 21:00 one pays more.",
    ],
)
def test_other_words_and_what_can_be_reckoned_are_sound(said: str) -> None:
    assert found(said) == []


ROWS = [
    {"id": "R-1", "title": "Quiet Saffron", "share": 55, "at": "2026-09-14T14:15:00"},
    {"id": "R-2", "title": "Southern Summit", "share": 2.5, "at": "2026-08-02T18:00:00"},
]


def test_a_multiple_of_what_the_parts_of_one_thing_come_to_is_reckoned() -> None:
    stay = {"per_day": {"room": 61.3, "meals": 18.9, "parking": 9.9}, "status": "open"}
    assert found("At 90.10 EUR a day the 8 days come to 720.80 EUR.", "What would 8 more days cost?", stay) == []
    assert found("That comes to 720.80 EUR.", "What would 8 more days cost?", stay) == []
    assert found("That comes to 720.80 EUR.", "What would 7 more days cost?", stay) == ["false_statement"]


@pytest.mark.parametrize(
    "said",
    [
        "The first is on September 14, 2026 at 14:15. The other is Southern Summit.",
        "One last check: Southern Summit is on August 2, 2026 at 18:00.",
        "Quiet Saffron: the share is 55. Southern Summit is on August 2, 2026.",
    ],
)
def test_what_is_said_in_two_sentences_is_not_said_of_one_row_nor_is_a_count(said: str) -> None:
    assert found(said, "Show both.", ROWS) == []


def test_what_another_row_holds_is_false_in_one_sentence() -> None:
    assert found("Southern Summit is on September 14, 2026 at 14:15.", "Show both.", ROWS) == ["false_statement"]
    assert found("Southern Summit is on August 2, 2026 at 18:00.", "Show both.", ROWS) == []


def test_what_is_no_day_is_compared_with_none() -> None:
    rows = [
        {"id": "B-1", "vehicle": "Norda Vista", "start": "2026-13-45", "end": "2026-03-31"},
        {"id": "B-2", "vehicle": "Velio Porter", "start": "2026-02-30", "end": "2026-04-09"},
    ]
    said = "Your Norda Vista (B-1) starts on February 30 and ends on March 31."
    assert set(found(said, "Show both.", rows)) <= {"false_statement"}


def test_a_day_that_is_reckoned_from_another_one_is_said_of_no_other_row() -> None:
    rows = [
        {"id": "B-1", "vehicle": "Norda Vista", "start": "2026-03-20", "end": "2026-03-31"},
        {"id": "B-2", "vehicle": "Velio Porter", "start": "2026-04-01", "end": "2026-04-09"},
    ]
    asked = "Can I keep the Norda Vista 1 day longer?"
    assert found("Your Norda Vista (B-1) would end on April 1 rather than March 31.", asked, rows) == []
    assert found("Your Norda Vista (B-1) starts on April 1 and ends on March 31.", "Show both.", rows) == [
        "false_statement"
    ]


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("To name a few folders: Projects, Templates and Team.", False),
        ("Customer list is in Projects.", False),
        ("Customer list is in Templates.", True),
    ],
)
def test_a_list_of_other_rows_is_not_told_of_the_one_that_was_written(said: str, wrong: bool) -> None:
    folders = [{"id": f"F-{number}", "title": title} for number, title in enumerate(("Projects", "Templates", "Team"))]
    files = [{"id": "D-1", "title": "Sketches", "folder": "Templates"}]
    written = {"id": "D-2", "title": "Customer list", "folder": "Projects"}
    messages = (
        user("What is there?"),
        calls(("call00001", "list_notes", {})),
        answer("call00001", folders),
        calls(("call00002", "list_notes", {})),
        answer("call00002", files),
        assistant("There is a lot."),
        user("Add a note."),
        calls(("call00003", "add_note", {"text": "Add a note."})),
        answer("call00003", written),
        assistant(said),
    )
    issues = asyncio.run(GroundingCheck(TOOLSET).check(make_trajectory(messages), make_blueprint())).issues
    assert ("false_statement" in codes(issues, "error")) is wrong


def test_what_the_user_said_and_what_was_passed_may_be_told() -> None:
    said = "I looked for next Friday, May 8, 2026 at 6:15 pm, for $120.75, and found nothing."
    asked = "Anything free next Friday at quarter past six, 6:15 pm, for $120.75 at most?"
    assert found(said, asked, []) == []
    assert found(said, "Anything free?", []) == ["false_statement"]


def test_other_zones_are_sound_where_times_have_one() -> None:
    assert found("It begins at 16:30 your time.", result={"at": "2026-03-02T14:30:00Z", "zone": "Europe/Sofia"}) == []
    assert found("It begins at 16:30.", result={"at": "2026-03-02T14:30:00Z"}) == ["false_statement"]


def test_numbers_that_read_two_ways_need_one_reading() -> None:
    sound = {"size": 16280, "on": "2026-05-03"}
    assert found("The size is 16,280.", result=sound) == []
    assert found("Es sind 16.280 Byte vom 03.05.2026.", result=sound) == []
    assert found("It dates from 03/05/2026.", result=sound) == []


@pytest.mark.parametrize("long", ["a", "a.", "_", "1T11:11", '"day', "1,"])
def test_long_results_and_long_words_are_read_at_once(long: str) -> None:
    text = long * (200_000 // len(long))  # would take minutes where each letter was read as often as there are letters
    assert found("It was created on March 2nd, 2043, at 11:17.", result={"text": text, **VISIT})
    assert isinstance(found(f"It was created on March 2nd, 2043: {text}@x"), list)
