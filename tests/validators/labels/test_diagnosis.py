"""What went wrong first: one dialogue for each label, with acts and without."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    ADD_ARGUMENTS,
    ADDED,
    END,
    FINISHED,
    GOOD,
    START,
    TOOLSET,
    ConfirmFinish,
    answer,
    assistant,
    calls,
    digest,
    make_blueprint,
    make_trajectory,
    opens,
    user,
)

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import DialogueState, Message
from interplay.schemas.records.failure import Failure
from interplay.validators.chain import check_trajectory, trajectory_checks
from interplay.validators.labels.diagnosis import diagnose

BYE = (user("Thanks, bye.", "user_bye"), assistant("Goodbye!", "system_bye"))
ONLY_ADDED = {"notes": {"n1": START["n1"], "n2": ADDED}}
ONLY_FINISHED = {"notes": {"n1": FINISHED}}


def label(
    messages: tuple[Message, ...], state: Any = END, blueprint: Blueprint | None = None, **changes: Any
) -> Failure | None:
    checks = trajectory_checks(TOOLSET, opens(), ConfirmFinish())
    task = blueprint or make_blueprint()
    trajectory = make_trajectory(messages, final_digest=digest(state), **changes)

    async def judged() -> Failure | None:
        return await diagnose(trajectory, task, await check_trajectory(trajectory, task, checks), checks, TOOLSET)

    return asyncio.run(judged())


def bare(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return messages as models leave them: without acts but for goodbyes."""
    byes = ("user_bye", "system_bye")
    return tuple(m if m.act in byes else m.model_copy(update={"act": None}) for m in messages)


def added(text: str, due: str = "2026-05-04") -> tuple[tuple[Message, ...], dict[str, Any]]:
    """Return the first goal of the good dialogue with another note, and the rest, with what they lead to."""
    row = {**ADDED, "text": text, "due": due}
    arguments = {**ADD_ARGUMENTS, "text": text, "due": due}
    messages = (*GOOD[:3], calls(("call00001", "add_note", arguments)), answer("call00001", row), *GOOD[5:8])
    messages += (answer("call00002", [START["n1"], row]), *GOOD[9:])
    return messages, {"notes": {"n1": FINISHED, "n2": row}}


WRONG_ARGUMENT, WRONG_STATE = added("Call Ada", "2026-05-01")
UNGROUNDED, STRANGE_STATE = added("Call Ada", "2026-07-19")
LOOP = tuple(
    message
    for number in range(3)
    for message in (calls((f"again000{number}", "count_notes", {})), answer(f"again000{number}", 2))
)
EXTRA = calls(("extra0001", "add_note", {"text": "Buy milk"}))
EXTRA_ROW = {"id": "n3", "due": None, "done": False, "priority": "NORMAL", "text": "Buy milk"}


def test_gives_no_label_to_a_dialogue_that_passes() -> None:
    assert label(GOOD) is None
    assert label(bare(GOOD)) is None


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("fault", "index", "messages", "state"),
    [
        ("wrong_argument", 3, WRONG_ARGUMENT, WRONG_STATE),
        ("ungrounded_argument", 3, UNGROUNDED, STRANGE_STATE),
        ("loop", 14, (*GOOD[:10], *LOOP, *GOOD[10:]), END),
        (
            "extra_write",
            14,
            (*GOOD[:14], EXTRA, answer("extra0001", EXTRA_ROW), *GOOD[14:]),
            {"notes": {**END["notes"], "n3": EXTRA_ROW}},
        ),
        ("false_claim", 12, (*GOOD[:12], assistant("It has been ticked off.", "response"), *BYE), ONLY_ADDED),
        ("missed_goal", 12, (*GOOD[:12], assistant("All right.", "response_fail"), *BYE), ONLY_ADDED),
        ("early_stop", 12, (*GOOD[:12], assistant("Goodbye!", "system_bye")), ONLY_ADDED),
        ("user_fault", 11, (*GOOD[:11], *BYE), ONLY_ADDED),
        ("policy_broken", 10, (*GOOD[:10], *GOOD[12:14], assistant("Two notes. Done.", "response"), *BYE), END),
    ],
)  # fmt: skip
def test_names_the_fault_and_where_it_began(
    fault: str, index: int, messages: tuple[Message, ...], state: Any, plain: bool
) -> None:
    found = label(bare(messages) if plain else messages, state)
    assert found is not None
    assert (found.fault, found.message) == (fault, index), found


def heard(message: Message, act: str) -> Message:
    """Return a message with an act that was read from its words."""
    return message.model_copy(update={"act": act, "state": DialogueState(goal=1, confidence=0.9)})


@pytest.mark.parametrize(
    ("fault", "words", "act", "then"),
    [
        ("missed_goal", "All right. What else can I do for you?", "response", BYE),
        ("false_claim", "The note no longer exists.", "response", BYE),
        ("early_stop", "Thank you for writing. Goodbye!", "response", ()),
        ("early_stop", "Thank you for writing. Goodbye!", "response", BYE),
        ("early_stop", "I'm sorry, I can't help with that any further.", "response_fail", BYE),
    ],
)
def test_believes_words_more_than_acts_that_were_read_from_them(
    fault: str, words: str, act: str, then: tuple[Message, ...]
) -> None:
    spoken = heard(assistant(words), act)
    found = label((*bare(GOOD[:12]), spoken, *then), ONLY_ADDED)
    assert found is not None
    assert (found.fault, found.message) == (fault, 12), found


def test_names_a_tool_that_is_called_in_place_of_another() -> None:
    other = (calls(("call00004", "add_note", {"text": "Buy milk"})), answer("call00004", EXTRA_ROW))
    found = label((*GOOD[:12], *other, *GOOD[14:]), {"notes": {"n1": START["n1"], "n2": ADDED, "n3": EXTRA_ROW}})
    assert found is not None
    assert (found.fault, found.message) == ("wrong_tool", 12)


def test_blames_the_user_for_a_fact_that_its_scenario_does_not_know() -> None:
    messages, state = added("Call Ada", "2026-06-30")
    found = label((*messages[:2], user("On June 30th.", "inform"), *messages[3:]), state)
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2)


def test_blames_the_user_for_a_fact_that_it_keeps_to_itself() -> None:
    silent = (*GOOD[:1], assistant("Sure. What is the due date?", "request"), user("No idea.", "fail_inform"))
    found = label(bare((*silent, assistant("Then I cannot note it.", "response_fail"), *BYE)), {"notes": START})
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2)


def test_blames_the_user_for_an_answer_that_its_scenario_does_not_have() -> None:
    asks = assistant("When is it due?", "request").model_copy(update={"state": DialogueState(asked=("f2",))})
    again = assistant("Could you rephrase that?", "ask_again")

    def answered(text: str, confidence: float) -> Failure | None:
        state = DialogueState(goal=0, confidence=confidence)
        strange = user(text, "inform").model_copy(update={"state": state})
        return label((GOOD[0], asks, strange, again, strange), {"notes": START}, termination="unclear", reason="lost")

    found = answered("Whenever Olga Petrova likes.", 0.3)
    assert found is not None
    assert (found.fault, found.message, found.stage) == ("user_fault", 2, "structure")
    found = answered("It is 4 May, as I said.", 0.3)
    assert found is not None
    assert (found.fault, found.why) == ("unclear", "lost")


def test_blames_a_user_who_never_says_its_wish() -> None:
    again = assistant("Could you say that differently?", "ask_again")
    task = make_blueprint()
    task = task.model_copy(update={"goals": (task.goals[0].model_copy(update={"topic": "note"}), *task.goals[1:])})

    def asked(question: Message, act: str, *answers: str) -> Failure | None:
        state = DialogueState(goal=0, confidence=0.3)
        unclear = [user(text, act).model_copy(update={"state": state}) for text in answers]
        said = [message for answer in unclear for message in (answer, again)][:-1]
        opening = heard(user("Hello, it's about a note."), "inform_intent_vague")
        return label((opening, question, *said), {"notes": START}, task, termination="unclear", reason="lost")

    clarify = assistant("What would you like to do?", "clarify")
    for answers in (("Hm.", "Well, well.", "I don't know."), ("A note.", "It is about Ada.", "By 4 May.")):
        found = asked(clarify, "inform_intent_clear_add", *answers)
        assert found is not None
        assert (found.fault, found.message) == ("user_fault", 2), found
    suggest = assistant("Do you want to count your notes?", "suggest")
    found = asked(suggest, "negate", "Hm.", "Nice weather.", "Who knows?")
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2), found
    found = asked(clarify, "inform_intent_clear_add", "Hm.", "Down there, on my list.", "Ada.")
    assert found is not None
    assert (found.fault, found.why) == ("unclear", "lost")


def test_blames_a_user_who_refuses_what_it_wants() -> None:
    refuses = user("Absolutely not!")
    found = label((*GOOD[:11], refuses, assistant("All right.", "response"), *BYE), ONLY_ADDED)
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 11)


def test_blames_a_user_who_says_neither_yes_nor_no() -> None:
    state = DialogueState(goal=1, confidence=0.3)
    hums = user("Hm.", "inform").model_copy(update={"state": state})
    bye = assistant("Without a clear yes I won't do that. Goodbye!", "system_bye")
    asks = GOOD[10].model_copy(update={"state": DialogueState(goal=1)})
    again = asks.model_copy(update={"content": f"I'd need a clear yes or no. {asks.content}"})
    found = label((*GOOD[:10], asks, hums, again, hums, bye), ONLY_ADDED)
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 11)
    assert "neither yes nor no" in found.why


def test_blames_a_user_who_never_ends_and_an_assistant_that_goes_round_before_it_is_done() -> None:
    chat = (user("Nice weather.", None), assistant("It is. Anything else?", None))
    endless = (*GOOD[:15], *chat, user("Very nice.", None), assistant("Yes. Anything else?", None))
    found = label(endless, termination="turn_limit")
    assert found is not None
    assert found.fault == "user_fault"
    same = (user("And now?", None), assistant("Let me see.", None))
    found = label((*GOOD[:6], *same, *same, *same), {"notes": {**START, "n2": ADDED}}, termination="turn_limit")
    assert found is not None
    assert found.fault == "loop"


@pytest.mark.parametrize("limit", ["message_limit", "turn_limit", "length_limit", "token_limit", "time_limit"])
def test_a_limit_is_nobodys_fault(limit: str) -> None:
    for length, state in ((3, {"notes": START}), (6, ONLY_ADDED), (11, ONLY_ADDED)):
        for messages in (GOOD[:length], bare(GOOD[:length])):
            found = label(messages, state, termination=limit)
            assert found is not None
            assert (found.fault, found.message) == ("unclear", length - 1)


def test_who_calls_the_same_again_and_again_is_to_blame() -> None:
    mine = [calls((f"again000{place}", "count_notes", {})) for place in range(4)]
    users = [
        message.model_copy(
            update={
                "role": "user",
                "tool_calls": tuple(call.model_copy(update={"requestor": "user"}) for call in message.tool_calls),
            }
        )
        for message in mine
    ]
    for made, blamed in ((mine, "loop"), (users, "user_fault")):
        for begin in (GOOD[:3], ()):
            turns = [part for place in range(4) for part in (made[place], answer(f"again000{place}", 1))]
            found = label((*begin, *turns), {"notes": START}, termination="repeated_calls")
            assert found is not None
            assert found.fault == blamed


def test_labels_what_is_nobodys_fault_as_other_with_its_stage() -> None:
    found = label(GOOD[:3], {"notes": START}, termination="model_failed", reason="no answer")
    assert found == Failure(fault="unclear", stage="structure", message=2, why="no answer")


def test_rejects_a_claim_right_after_a_write_that_failed() -> None:
    gone = calls(("gone00001", "finish_note", {"id": "n9"}))
    missing = answer("gone00001", "404: nothing for finish_note", failed=True)
    trajectory = make_trajectory(
        (*GOOD[:12], gone, missing, assistant("That is done.", None), user("Sure?"), *GOOD[12:])
    )
    checks = trajectory_checks(TOOLSET, opens())
    judgement = asyncio.run(check_trajectory(trajectory, make_blueprint(), checks))
    assert "false_claim" in [issue.code for issue in judgement.verdicts[-1].issues]
