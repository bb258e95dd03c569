"""Recorded dialogues by facts: sound ones pass, and each planted fault is found where it is, by its kind."""

import pytest
from tests.validators.recorded.rental_desk import (
    BOOKINGS,
    CANCEL,
    CANCELLED,
    DESK,
    GOLD,
    LIST,
    MOVE,
    MOVED,
    SOUND,
    answers,
    calls,
    recorded,
    replaced,
    says,
    user,
)

from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.schemas.records.failure import FailureKind
from interplay.schemas.records.recorded import Gold, RecordedDialogue
from interplay.schemas.records.tool import Toolset
from interplay.validators.recorded.checks import check_facts
from interplay.validators.recorded.first_fault import first_fault


def judged(messages: tuple[Message, ...], gold: Gold | None = GOLD, toolset: Toolset = DESK) -> list[str]:
    verdict = check_facts(recorded(messages, gold, toolset))
    return [issue.code for issue in verdict.issues if issue.severity == "error"]


def fault(messages: tuple[Message, ...]) -> tuple[FailureKind | None, int | None]:
    dialogue = recorded(messages)
    return first_fault(check_facts(dialogue).issues, dialogue)


def test_accepts_a_sound_dialogue_with_and_without_gold() -> None:
    assert judged(SOUND) == []
    assert judged(SOUND, None) == []
    assert judged(SOUND, None, Toolset(name="none", tools=())) == []


LATER = calls("move_booking", booking_id="BK-0151", start_date="2026-03-24")
INVENTED = calls("find_customer", name="Piet Dunmore", birth_date="1985-10-04")
OTHER = calls("cancel_booking", booking_id="BK-0151", reason="No need of it any more")
PLANTED: list[tuple[FailureKind, int, tuple[Message, ...]]] = [
    ("false_value", 9, replaced({9: says("It now begins on 29 March. Shall I cancel the Harrow Cargo Long?")})),
    ("false_value", 9, replaced({9: says("Moved. Shall I cancel the Harrow Cargo Long for 519.57?")})),
    ("false_value", 5, replaced({5: says("You have 3 vans. Shall I move the Harrow Cargo?")})),
    ("false_value", 5, replaced({5: says("There is BK-0161, the Harrow Cargo. Shall I move it to 27 March?")})),
    ("false_value", 5, replaced({5: says("Die Harrow Cargo aus Oakhurst kostet 591,57 €. Soll ich sie verlegen?")})),
    ("wrong_argument", 7, replaced({7: LATER, 8: answers(LATER, BOOKINGS[1])})),
    ("ungrounded_argument", 1, replaced({1: INVENTED, 2: answers(INVENTED, {"customer_id": "CU-0012"})})),
    ("extra_write", 11, (*SOUND[:11], OTHER, answers(OTHER, {**MOVED, "status": "cancelled"}), *SOUND[11:])),
    ("false_claim", 11, replaced({11: says("That's done as well."), 12: None, 13: None})),
    ("early_stop", 11, (*SOUND[:11], says("Have a good day!"), user("Bye."))),
    ("missed_goal", 9, replaced({9: says("It now begins on 27 March."), 10: user("Thanks"), 11: None, 12: None, 13: None})),
    ("wrong_tool", 11, replaced({11: calls("refund"), 12: answers(calls("refund"), "{}")})),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "turn", "messages"), PLANTED)
def test_finds_a_planted_fault_where_it_is(kind: FailureKind, turn: int, messages: tuple[Message, ...]) -> None:
    assert fault(messages) == (kind, turn)


@pytest.mark.parametrize(
    "said",
    [
        "There are two: the Harrow Cargo Long (3 April, 591.57) and the Harrow Cargo (24 March, 604.08).",
        "The Harrow Cargo is about 600, 12.51 more than the other one. Both are 1,195.65 in total.",
        "Es sind 2 Fahrzeuge, das erste ab dem 3. April 2026 für 591,57 €.",
        "Shall I put the Harrow Cargo of 24 March to 27 March?",
    ],
)
def test_accepts_what_a_person_accepts(said: str) -> None:
    assert judged(replaced({5: says(said)})) == []


def test_free_text_is_neither_grounded_nor_compared_by_letters() -> None:
    other = calls("cancel_booking", booking_id="BK-0178", reason="no longer needed, goes by other means")
    assert judged(replaced({11: other, 12: answers(other, CANCELLED)})) == []


def test_a_call_that_only_says_something_is_a_write_where_the_gold_names_it() -> None:
    passed = calls("pass_on", summary="The user wants to talk to a person about it")
    messages = (*SOUND[:13], passed, answers(passed, "Transfer successful"), *SOUND[13:])
    assert judged(messages) == []
    wanted = GOLD.model_copy(
        update={"writes": (*GOLD.writes, {"name": "pass_on", "arguments": {"summary": "Call me"}})}
    )
    assert "missed_write" in judged(SOUND, Gold.model_validate(wanted.model_dump()))


def test_a_write_that_failed_and_was_made_again_is_no_fault() -> None:
    first = MOVE.model_copy(update={"tool_calls": (MOVE.tool_calls[0].model_copy(update={"id": "first"}),)})
    tried = (first, answers(first, "Error: try again", failed=True))
    assert judged((*SOUND[:7], *tried, *SOUND[7:])) == []


def test_a_result_that_contradicts_its_call_is_found() -> None:
    shown = {**BOOKINGS[1], "startDate": "2026-03-25"}
    del shown["start_date"]
    messages = replaced({8: answers(MOVE, shown), 9: says("Done. Shall I cancel the Harrow Cargo Long?")})
    assert judged(messages) == judged(messages, None) == ["result_contradicts"]


def test_a_later_reading_that_contradicts_a_write_is_found() -> None:
    again = (LIST.model_copy(update={"tool_calls": (LIST.tool_calls[0].model_copy(update={"id": "again"}),)}),)
    shown = Message(role="tool", content=answers(LIST, BOOKINGS).content, tool_call_id="again")
    assert judged((*SOUND[:13], *again, shown, *SOUND[13:]), None) == ["result_contradicts"]


def test_cut_calls_and_bad_arguments_are_told() -> None:
    cut = Message(
        role="assistant", tool_calls=(ToolCall(id="x", name="move_booking", arguments={}, malformed='{"booking'),)
    )
    assert judged((*SOUND[:7], cut), None) == ["malformed_arguments", "unanswered_call"]
    bare = calls("move_booking", start_date="2026-03-27")
    assert "invalid_arguments" in judged(replaced({7: bare, 8: answers(bare, MOVED)}))


def test_a_call_over_and_over_is_a_loop() -> None:
    again = [
        LIST.model_copy(update={"tool_calls": (LIST.tool_calls[0].model_copy(update={"id": f"c{n}"}),)})
        for n in range(4)
    ]
    turns = [part for one in again for part in (one, answers(one, BOOKINGS))]
    assert "repeated_call" in judged((*SOUND[:5], *turns, *SOUND[5:]))


def test_turns_are_counted_as_in_the_file() -> None:
    dialogue = recorded(replaced({9: says("It costs 519.57 now.")}))
    placed: RecordedDialogue = dialogue.model_copy(
        update={"places": tuple(n + 3 for n in range(len(dialogue.messages)))}
    )
    assert first_fault(check_facts(placed).issues, placed)[1] == 12
    assert CANCEL in dialogue.messages
