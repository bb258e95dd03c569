"""What of an assistant's words asks for something."""

import pytest

from interplay.generators.participants.hearing.assistant_reader import _questions


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("There are two. Which one is it?", ["Which one is it?"]),
        (
            "These are the bills:\n- X-ray\n- ECG\n\nPlease tell me which one it is.",
            ["Please tell me which one it is."],
        ),
        ("I need to know when it should be.", ["I need to know when it should be."]),
        ("I'll check which bills there are.", []),
        ("Let me know if there's anything else.", []),
        ("It was sent on Monday, which is what you wanted.", []),
    ],
)
def test_a_request_to_be_told_is_a_question(said: str, asked: list[str]) -> None:
    assert _questions(said) == asked
