"""What is marked as not to be learnt: the faulty turn, the rest of it, and what builds on it."""

from interplay.schemas.records.dialogue import Message, ToolCall
from interplay.validators.review.turn_mask import masked

LOOK = ToolCall(id="call00001", name="find_booking", arguments={"name": "Abbot"})
PAY = ToolCall(id="call00002", name="pay_invoice", arguments={"invoice": "IN-7"})


def user(text: str) -> Message:
    return Message(role="user", content=text)


def says(text: str, *calls: ToolCall) -> Message:
    return Message(role="assistant", content=text, tool_calls=calls)


def result(call: ToolCall, text: str) -> Message:
    return Message(role="tool", content=text, tool_call_id=call.id)


DIALOGUE = (
    user("I am Abbot, what about my booking?"),
    says("", LOOK),
    result(LOOK, '{"booking": "BK-1"}'),
    says("BK-1 is booked."),
    user("Good. And my bill?"),
    says("", PAY),
    result(PAY, '{"receipt": "RC-55"}'),
    says("Paid."),
    user("Thanks. Is it raining?"),
    says("I cannot tell."),
    user("Then what about the bill?"),
    says("The receipt is RC-55."),
)


def unlearnt(*faulty: int) -> list[int]:
    return [place for place, message in enumerate(masked(DIALOGUE, faulty)) if not message.train]


def test_nothing_is_marked_without_a_fault() -> None:
    assert masked(DIALOGUE, ()) == DIALOGUE


def test_the_turn_and_what_says_again_what_came_of_it_are_marked() -> None:
    assert unlearnt(5) == [5, 7, 11]


def test_what_was_known_before_is_not_owed_to_the_fault() -> None:
    assert unlearnt(3) == [3]


def test_the_rest_of_a_turn_goes_with_its_fault() -> None:
    assert unlearnt(1) == [1, 3]


def test_the_last_words_alone() -> None:
    assert unlearnt(9) == [9]
