"""What went wrong first: one dialogue for each label, as rules write it and as models word it."""

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
    worded,
)

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import DialogueState, Message
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.chain import Judgement, check_trajectory, trajectory_checks
from interplay.validators.labels.diagnosis import REVIEW, diagnose

BYE = (user("Thanks, bye.", "user_bye"), assistant("Goodbye!", "system_bye"))
ONLY_ADDED = {"notes": {"n1": START["n1"], "n2": ADDED}}
ONLY_FINISHED = {"notes": {"n1": FINISHED}}


def label(
    messages: tuple[Message, ...],
    state: Any = END,
    blueprint: Blueprint | None = None,
    reviewed: tuple[Issue, ...] = (),
    **changes: Any,
) -> Failure | None:
    checks = trajectory_checks(TOOLSET, opens(), ConfirmFinish())
    task = blueprint or make_blueprint()
    trajectory = make_trajectory(messages, final_digest=digest(state), **changes)

    async def judged() -> Failure | None:
        judgement = await check_trajectory(trajectory, task, checks)
        if reviewed:
            judgement = Judgement((*judgement.verdicts, Verdict(check=REVIEW, issues=reviewed)), REVIEW)
        return await diagnose(trajectory, task, judgement, checks, TOOLSET)

    return asyncio.run(judged())


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
    assert label(worded(GOOD)) is None


FAULTS = [
    ("wrong_argument", 3, WRONG_ARGUMENT, WRONG_STATE),
    ("ungrounded_argument", 3, UNGROUNDED, STRANGE_STATE),
    ("loop", 14, (*GOOD[:10], *LOOP, *GOOD[10:]), END),
    (
        "extra_write",
        14,
        (*GOOD[:14], EXTRA, answer("extra0001", EXTRA_ROW), *GOOD[14:]),
        {"notes": {**END["notes"], "n3": EXTRA_ROW}},
    ),
]
ACTS = [
    ("false_claim", 12, (*GOOD[:12], assistant("It has been ticked off.", "response", 1), *BYE), ONLY_ADDED),
    ("missed_goal", 12, (*GOOD[:12], assistant("What else can I do?", "clarify"), *BYE), ONLY_ADDED),
    ("early_stop", 12, (*GOOD[:12], assistant("I can't do more.", "response_fail", 1), *BYE), ONLY_ADDED),
    ("early_stop", 12, (*GOOD[:12], assistant("Goodbye!", "system_bye")), ONLY_ADDED),
    ("user_fault", 11, (*GOOD[:11], *BYE), ONLY_ADDED),
    ("user_fault", 11, (*GOOD[:11], user("No!", "negate", 1), assistant("All right.", "response"), *BYE), ONLY_ADDED),
    (
        "missing_confirmation",
        10,
        (*GOOD[:10], *GOOD[12:14], assistant("Two notes. Done.", "response", 1), *BYE),
        END,
    ),
]


@pytest.mark.parametrize("by_model", [False, True])
@pytest.mark.parametrize(("fault", "index", "messages", "state"), FAULTS)
def test_names_the_fault_and_where_it_began(
    fault: str, index: int, messages: tuple[Message, ...], state: Any, by_model: bool
) -> None:
    found = label(worded(messages) if by_model else messages, state)
    assert found is not None
    assert (found.fault, found.message) == (fault, index), found


@pytest.mark.parametrize(("fault", "index", "messages", "state"), ACTS)
def test_names_by_acts_what_the_rules_said(fault: str, index: int, messages: tuple[Message, ...], state: Any) -> None:
    found = label(messages, state)
    assert found is not None
    assert (found.fault, found.message) == (fault, index), found


@pytest.mark.parametrize(("messages", "state"), [(messages, state) for _, _, messages, state in ACTS[:-1]])
def test_does_not_guess_what_words_of_models_mean(messages: tuple[Message, ...], state: Any) -> None:
    heard = [
        message.model_copy(update={"state": DialogueState(goal=1, confidence=0.9)}) if message.content else message
        for message in messages
    ]
    for said in (worded(messages), (*GOOD[:10], *worded(messages[10:])), tuple(heard)):
        found = label(said, state)
        assert found is not None
        assert found.fault == "unclear", found


def test_takes_the_word_of_reviewers() -> None:
    found = label(
        worded(GOOD),
        reviewed=(
            Issue.of("incoherent", "Nobody asked for that.", "/messages/14"),
            Issue.of("unanswered_question", "The number is not told.", "/messages/10"),
        ),
    )
    assert found == Failure(fault="unanswered_question", stage="review", message=10, why="The number is not told.")


def test_a_filter_that_shows_what_is_looked_for_is_not_to_blame() -> None:
    claimed = (*GOOD[:12], assistant("It has been ticked off.", "response", 1), *BYE)
    for done, fault, index in ((False, "false_claim", 12), (True, "wrong_argument", 7)):
        looks = calls(("call00002", "list_notes", {"done": done}), ("call00003", "count_notes", {}))
        shown = answer("call00002", [] if done else [START["n1"], ADDED])
        found = label((*claimed[:7], looks, shown, *claimed[9:]), ONLY_ADDED)
        assert found is not None
        assert (found.fault, found.message) == (fault, index), found


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
    asks = assistant("Sure. What is the due date?", "request").model_copy(
        update={"state": DialogueState(goal=0, asked=("f2",))}
    )
    silent = (*GOOD[:1], asks, user("No idea.", "fail_inform", 0))
    found = label((*silent, assistant("Then I cannot note it.", "response_fail", 0), *BYE), {"notes": START})
    assert found is not None
    assert (found.fault, found.message) == ("user_fault", 2)


def test_blames_a_user_who_never_ends_and_an_assistant_that_goes_round_before_it_is_done() -> None:
    chat = (user("Nice weather.", "off_topic"), assistant("It is. Anything else?", "response_fail"))
    endless = (*GOOD[:15], *chat, user("Very nice.", "off_topic"), assistant("Yes. Anything else?", "response_fail"))
    found = label(endless, termination="turn_limit")
    assert found is not None
    assert found.fault == "user_fault"
    found = label(worded(endless), termination="turn_limit")
    assert found is not None
    assert found.fault == "unclear"
    same = (user("And now?", None), assistant("Let me see.", None))
    found = label((*GOOD[:6], *same, *same, *same), {"notes": {**START, "n2": ADDED}}, termination="turn_limit")
    assert found is not None
    assert found.fault == "loop"


@pytest.mark.parametrize("limit", ["message_limit", "turn_limit", "length_limit", "token_limit", "time_limit"])
def test_a_limit_is_nobodys_fault(limit: str) -> None:
    for length, state in ((3, {"notes": START}), (6, ONLY_ADDED), (11, ONLY_ADDED)):
        for messages in (GOOD[:length], worded(GOOD[:length])):
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


def test_what_breaks_off_is_unclear_with_its_stage() -> None:
    for termination in ("model_failed", "environment_failure", "unclear"):
        found = label(GOOD[:3], {"notes": START}, termination=termination, reason="no answer")
        assert found == Failure(fault="unclear", stage="structure", message=2, why="no answer")


@pytest.mark.parametrize(("act", "claimed"), [("response", True), ("report_error", False), (None, False)])
def test_rejects_a_claim_right_after_a_write_that_failed(act: Any, claimed: bool) -> None:
    gone = calls(("gone00001", "finish_note", {"id": "n9"}))
    missing = answer("gone00001", "404: nothing for finish_note", failed=True)
    trajectory = make_trajectory(
        (*GOOD[:12], gone, missing, assistant("That is done.", act), user("Sure?", "ask_back"), *GOOD[12:])
    )
    [outcome] = [check for check in trajectory_checks(TOOLSET, opens()) if check.name == "outcome"]
    found = [issue.code for issue in asyncio.run(outcome.check(trajectory, make_blueprint())).issues]
    assert ("false_claim" in found) == claimed
