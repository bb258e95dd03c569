"""What a yes was for, where several calls follow it."""

import pytest
from tests.validators.builders import answer, assistant, calls, make_blueprint, make_tool, make_trajectory, user

from interplay.schemas.protocols import PolicyEvent
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import PolicyRule, Toolset
from interplay.schemas.records.translation import Translation
from interplay.validators.findings.consent import Consent

ID, DAY = {"type": "string"}, {"type": "string", "format": "date"}
TOOLSET = Toolset(
    name="bookings",
    tools=(
        make_tool("list_bookings", {}, [], "read", None),
        make_tool("cancel_booking", {"booking_id": ID}, ["booking_id"], "write", None).model_copy(
            update={"phrases": ("cancel my booking", "call off a rental")}
        ),
        make_tool("create_booking", {"vehicle": ID, "day": DAY}, ["vehicle", "day"], "write", None),
        make_tool("pay_charge", {"booking_id": ID, "method": ID}, ["booking_id"], "write", None).model_copy(
            update={"phrases": ("pay a charge",)}
        ),
    ),
    rules=(PolicyRule(id="ask", kind="confirm_before", text="Ask.", tools=("cancel_booking",)),),
    translations={
        "de": Translation(
            wishes={"cancel my booking": "meine Buchung stornieren", "pay a charge": "eine Gebühr bezahlen"}
        )
    },
)
ROWS = [
    {"booking_id": "B1", "vehicle": "Norda Trek", "day": "2026-05-03", "status": "booked"},
    {"booking_id": "B2", "vehicle": "Velio Uno", "day": "2026-05-07", "status": "booked"},
]
FIRST = ("cancel_booking", {"booking_id": "B1"})
SECOND = ("cancel_booking", {"booking_id": "B2"})
NEW = ("create_booking", {"vehicle": "Arven Mini", "day": "2026-05-09"})
PAID = ("pay_charge", {"booking_id": "B1", "method": "credit card"})


class AsksFirst:
    """A policy by which every change wants a yes."""

    def violations(self, _event: PolicyEvent) -> tuple[()]:
        return ()

    def confirms(self, tool: str) -> bool:
        return tool != "list_bookings"


def played(question: str, reply: str, *made: tuple[str, dict[str, str]], failed: int = -1) -> Trajectory:
    """Return a dialogue in which a yes is followed by calls, one after the other."""
    messages: list[Message] = [
        user("I have something to sort out."),
        calls(("call00001", "list_bookings", {})),
        answer("call00001", ROWS),
        assistant(question),
        user(reply),
    ]
    for place, (name, arguments) in enumerate(made):
        identifier = f"call1000{place}"
        row = next((row for row in ROWS if row["booking_id"] == arguments.get("booking_id")), {"booking_id": "B3"})
        messages += [calls((identifier, name, arguments)), answer(identifier, row, failed=place == failed)]
    return make_trajectory((*messages, assistant("Done.")))


def given(dialogue: Trajectory, language: str = "en") -> list[bool]:
    """Return whether the user agreed to each change."""
    told = make_blueprint().scenario.model_copy(update={"language": language})
    return list(Consent(TOOLSET, AsksFirst()).given(dialogue, make_blueprint(scenario=told)))[1:]


ONE = "You want to cancel the booking of the Norda Trek. Shall I go ahead?"


@pytest.mark.parametrize(
    ("reply", "agreed"),
    [
        ("Yes, go ahead. How long does it take?", True),
        ("Yes, go ahead. What does it cost?", True),
        ("Yes, but isn't it Friday?", False),
        ("Yes, go ahead. It is the one on Friday, right?", False),
    ],
)
def test_a_yes_may_have_a_question_beside_it_that_leaves_the_change_as_it_is(reply: str, agreed: bool) -> None:
    assert given(played(ONE, reply, FIRST)) == [agreed]


@pytest.mark.parametrize("second", [SECOND, NEW, PAID])
def test_a_yes_is_not_for_a_second_change_that_nobody_spoke_of(second: tuple[str, dict[str, str]]) -> None:
    assert given(played(ONE, "Yes, please, nothing to change.", FIRST, second)) == [True, False]


def test_a_yes_is_for_the_change_that_was_asked_for_and_not_for_the_one_before_it() -> None:
    assert given(played(ONE, "Yes.", SECOND, FIRST)) == [False, True]
    assert given(played(ONE, "Yes.", PAID, FIRST)) == [False, True]


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Shall I cancel the Norda Trek and the Velio Uno?", SECOND),
        ("Shall I cancel the booking on May 3rd and the one on May 7th?", SECOND),
        ("Shall I cancel both?", SECOND),
        ("Shall I cancel your two bookings?", SECOND),
        ("Shall I cancel your bookings with us?", SECOND),
        ("Shall I cancel B1 and B2?", SECOND),
        ("Shall I cancel your Norda Trek and book the Arven Mini instead?", NEW),
        ("Shall I move your booking from Sunday to Saturday?", NEW),
        ("Shall I cancel the Norda Trek and make a new booking for May 9?", NEW),
        ("Shall I cancel the Norda Trek and settle what you owe?", PAID),
        ("Shall I cancel the Norda Trek and charge your credit card?", PAID),
        ("Shall I go ahead?", SECOND),
    ],
)
def test_a_yes_is_for_all_that_the_question_told(question: str, second: tuple[str, dict[str, str]]) -> None:
    assert given(played(question, "Yes, please.", FIRST, second)) == [True, True]


def test_a_yes_may_ask_for_more_itself() -> None:
    assert given(played(ONE, "Yes, and the Velio Uno as well.", FIRST, SECOND)) == [True, True]


@pytest.mark.parametrize("second", [SECOND, PAID])
def test_a_question_that_says_nothing_is_read_with_what_was_said_before(second: tuple[str, dict[str, str]]) -> None:
    told = played(ONE, "What about the fee?", FIRST, second)
    later = (*told.messages[:5], assistant("There is none. Shall I go ahead?"), user("Yes."), *told.messages[5:])
    assert given(told.model_copy(update={"messages": later})) == [True, False]


def test_the_same_change_made_again_needs_no_other_yes() -> None:
    assert given(played(ONE, "Yes.", FIRST, FIRST, failed=0)) == [True, True]
    assert given(played(ONE, "Yes.", FIRST, FIRST)) == [True, True]


def test_what_failed_does_not_use_a_yes_up() -> None:
    assert given(played(ONE, "Yes.", SECOND, FIRST, failed=0)) == [True, True]


def test_knows_what_a_change_is_called_in_other_languages() -> None:
    question = "Sie möchten die Buchung vom 3. Mai stornieren. Soll ich das tun?"
    assert given(played(question, "Ja, gern.", FIRST, PAID), "de") == [True, False]
    question = "Soll ich die Buchung vom 3. Mai stornieren und die Gebühr bezahlen?"
    assert given(played(question, "Ja, gern.", FIRST, PAID), "de") == [True, True]


def test_another_change_may_be_told_of_in_a_language_that_is_not_known() -> None:
    question = "Voulez-vous annuler la Norda Trek et régler la facture ?"
    assert given(played(question, "Yes.", FIRST, PAID)) == [True, True]
    assert given(played("Voulez-vous annuler la Norda Trek ?", "Yes.", FIRST, SECOND)) == [True, False]
