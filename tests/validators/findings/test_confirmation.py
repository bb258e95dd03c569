"""Who agreed to what: the last words of the assistant are asked about, whatever was called without a word since."""

import pytest
from tests.validators.builders import answer, assistant, calls, make_blueprint, make_trajectory, user

from interplay.schemas.records.dialogue import DialogueAct
from interplay.validators.findings.confirmation import confirmed_by_acts


@pytest.mark.parametrize(("act", "agreed"), [("affirm", True), ("negate", False)])
def test_calls_without_words_between_a_question_and_its_answer_change_nothing(act: DialogueAct, agreed: bool) -> None:
    messages = (
        user("Tick off the milk.", "inform_intent_clear", 0),
        assistant("Shall I tick it off?", "confirm_request", 0),
        calls(("call00001", "list_notes", {})),
        answer("call00001", []),
        user("What I say.", act, 0),
        calls(("call00002", "finish_note", {"id": "n1"})),
    )
    assert confirmed_by_acts(make_trajectory(messages), make_blueprint()) == (False, agreed)
