"""Execution, outcome and policy of a dialogue, and the chain that runs all checks."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    ADD_ARGUMENTS,
    GOOD,
    START,
    TOOLSET,
    ConfirmFinish,
    Notes,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_trajectory,
    opens,
    replace,
    user,
    worded,
)

from interplay.schemas.records.blueprint import ExpectedOutput
from interplay.schemas.records.dialogue import DialogueState, Message, Trajectory
from interplay.schemas.records.verdict import Verdict
from interplay.validators.chain import check_trajectory, trajectory_checks


def judge(name: str, trajectory: Trajectory, environment: Notes | None = None, **changes: Any) -> Verdict:
    """Return the verdict of one check alone; `changes` go into the blueprint."""
    checks = trajectory_checks(TOOLSET, opens(environment), ConfirmFinish())
    return next(asyncio.run(c.check(trajectory, make_blueprint(**changes))) for c in checks if c.name == name)


def test_accepts_the_good_dialogue_with_one_replay() -> None:
    notes = Notes()
    checks = trajectory_checks(TOOLSET, opens(notes), ConfirmFinish())
    judgement = asyncio.run(check_trajectory(make_trajectory(), make_blueprint(), checks))
    assert judgement.passed
    assert judgement.stage is None
    assert [(verdict.check, verdict.issues) for verdict in judgement.verdicts] == [
        (name, ())
        for name in (
            "structure",
            "knowledge",
            "safety",
            "execution",
            "agreement",
            "recovery",
            "grounding",
            "outcome",
            "policy",
            "evidence",
            "duties",
            "freshness",
        )
    ]
    assert notes.calls == len(make_trajectory().calls())
    assert notes.changes() == ()


def test_names_the_stage_that_rejects_and_keeps_the_verdicts_before() -> None:
    checks = trajectory_checks(TOOLSET, opens(), ConfirmFinish())
    judgement = asyncio.run(check_trajectory(make_trajectory(final_digest=""), make_blueprint(), checks))
    assert judgement.stage == "execution"
    assert not judgement.passed
    assert [verdict.check for verdict in judgement.verdicts] == ["structure", "knowledge", "safety", "execution"]


def test_runs_without_a_check_that_is_left_out() -> None:
    checks = trajectory_checks(TOOLSET, opens(), ConfirmFinish())
    kept = [check for check in checks if check.name not in ("execution", "policy")]
    judgement = asyncio.run(check_trajectory(make_trajectory(final_digest=""), make_blueprint(), kept))
    assert [verdict.check for verdict in judgement.verdicts] == [
        "structure",
        "knowledge",
        "safety",
        "agreement",
        "recovery",
        "grounding",
        "outcome",
        "evidence",
        "duties",
        "freshness",
    ]
    assert judgement.passed


EXECUTION_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("replay_differs", {"messages": replace(9, answer("call00003", 3))}),
    ("replay_differs", {"messages": replace(9, answer("call00003", "2", failed=True))}),
    ("replay_differs", {"messages": replace(9)}),
    ("wrong_final_digest", {"final_digest": "0" * 32}),
    ("wrong_final_digest", {"messages": GOOD[:12]}),
]


@pytest.mark.parametrize(("code", "changes"), EXECUTION_FAULTS)
def test_names_what_differs_when_run_again(code: str, changes: dict[str, Any]) -> None:
    assert codes(judge("execution", make_trajectory(**changes)).issues) == [code]


def test_reports_an_environment_that_broke() -> None:
    notes = Notes(breaks_at="count_notes")
    for name in ("execution", "outcome", "policy"):
        assert "environment_failure" in codes(judge(name, make_trajectory(), notes).issues)


def test_names_the_fields_that_ended_differently() -> None:
    issues = judge("outcome", make_trajectory(GOOD[:12])).issues
    assert [issue.code for issue in issues] == ["wrong_final_state", "missed_write"]
    assert "/notes/n1/done" in issues[0].message
    assert "finish_note" in issues[1].message


def test_names_a_write_beyond_what_was_wanted() -> None:
    again = calls(("call00009", "finish_note", {"id": "n1"}))
    messages = (*GOOD[:14], again, answer("call00009", {**START["n1"], "done": True}), *GOOD[14:])
    issues = judge("outcome", make_trajectory(messages)).issues
    assert [(issue.code, issue.pointer) for issue in issues] == [("extra_write", "/messages/14")]


def test_forgives_a_write_that_failed() -> None:
    lost = calls(("call00009", "finish_note", {"id": "n9"}))
    messages = (*GOOD[:12], lost, answer("call00009", "404: nothing for finish_note", failed=True), *GOOD[12:])
    assert judge("outcome", make_trajectory(messages)).issues == ()


def test_takes_a_default_as_given_or_left_out() -> None:
    arguments = {key: value for key, value in ADD_ARGUMENTS.items() if key != "priority"}
    messages = replace(3, calls(("call00001", "add_note", arguments)))
    assert judge("outcome", make_trajectory(messages)).issues == ()


def test_wants_the_expected_output_said() -> None:
    messages = replace(10, assistant("Shall I tick off the milk?", "confirm_request"))
    assert codes(judge("outcome", make_trajectory(messages)).issues) == ["output_not_said"]


def test_wants_the_output_said_after_its_result() -> None:
    early = replace(5, assistant("Noted. You have 2 notes."))
    messages = (*early[:10], assistant("Shall I tick off the milk?", "confirm_request"), *early[11:])
    assert codes(judge("outcome", make_trajectory(messages)).issues) == ["output_not_said"]


def test_rejects_a_wrong_output() -> None:
    messages = replace(10, assistant("You have 12 notes. Shall I tick off the milk?", "confirm_request"))
    assert codes(judge("outcome", make_trajectory(messages)).issues) == ["output_not_said"]


def test_lets_the_output_be_found_in_another_way() -> None:
    messages = (user("How many?"), calls(("call00001", "list_notes", {})), answer("call00001", [START["n1"]]))
    output = ExpectedOutput(action="a4", pointer="", label="due date", value="2026-05-03")
    told = make_trajectory((*messages, assistant("It is due on May 3rd.")))
    silent = make_trajectory((*messages, assistant("It is due soon.")))
    expected = make_blueprint().expected.model_copy(update={"outputs": (output,)})
    assert "output_not_said" not in codes(judge("outcome", told, expected=expected).issues)
    assert "output_not_said" in codes(judge("outcome", silent, expected=expected).issues)


def test_a_yes_is_told_after_the_result_that_holds_it_and_not_after_another() -> None:
    results = ({"has_bicycle": False, "has_dog": True}, {"dogs_allowed": True})
    asked = (user("Is there a dog?"), calls(("call00001", "list_notes", {})), answer("call00001", results[0]))
    later = (user("May it come along?"), calls(("call00002", "list_notes", {})), answer("call00002", results[1]))
    output = ExpectedOutput(action="a4", pointer="/has_dog", label="has dog", value=True, hint={"type": "boolean"})
    expected = make_blueprint().expected.model_copy(update={"outputs": (output,)})
    for said, issues in (("There is a dog.", []), ("There is no dog.", ["output_not_said"])):
        trajectory = make_trajectory((*asked, assistant(said), *later, assistant("It may.")))
        found = codes(judge("outcome", trajectory, expected=expected).issues)
        assert [code for code in found if code == "output_not_said"] == issues


def test_a_value_may_be_told_before_it_is_asked_for_once_a_result_has_shown_it() -> None:
    told = (user("What is there?"), calls(("call00001", "list_notes", {})), answer("call00001", [START["n1"]]))
    said = (assistant("It is due on May 3rd."), user("And when is it due?"), assistant("I see. Anything else?"))
    output = ExpectedOutput(action="a4", pointer="", label="due date", value="2026-05-03")
    expected = make_blueprint().expected.model_copy(update={"outputs": (output,)})
    for messages, issues in (((*told, *said), []), ((said[0], *told, *said[1:]), ["output_not_said"])):
        found = codes(judge("outcome", make_trajectory(messages), expected=expected).issues)
        assert [code for code in found if code == "output_not_said"] == issues


POLICY_FAULTS: list[tuple[Message, ...]] = [
    replace(11, user("No, wait.", "negate")),
    replace(10, assistant("You have two notes.", "response")),
    (*GOOD[:3], *GOOD[6:10], *GOOD[12:]),
    (*GOOD[6:10], *worded(GOOD[12:])),
]


@pytest.mark.parametrize("messages", POLICY_FAULTS)
def test_names_the_rule_broken_without_confirmation(messages: tuple[Message, ...]) -> None:
    issues = judge("policy", make_trajectory(messages)).issues
    place = next(place for place, message in enumerate(messages) if "finish" in str(message.tool_calls))
    assert [(issue.code, issue.pointer) for issue in issues] == [("confirm_finish", f"/messages/{place}")]


@pytest.mark.parametrize("reply", ["Yes, please.", "Perfect, do it!", "No, don't.", "Hm."])
def test_nobody_knows_what_is_confirmed_in_the_words_of_models(reply: str) -> None:
    question, answer = assistant("I'd tick off the milk.", "confirm_request"), user(reply, "affirm")
    for asked, answered in (
        (question, *worded((answer,))),
        (*worded((question,)), answer),
        worded((question, answer)),
        (question.model_copy(update={"model": "some model"}), answer),
        (question, answer.model_copy(update={"state": DialogueState(confidence=0.9)})),
    ):
        verdict = judge("policy", make_trajectory((*GOOD[:10], asked, answered, *GOOD[12:])))
        assert verdict.passed
        assert [(issue.code, issue.severity) for issue in verdict.issues] == [("unconfirmed", "warning")]
        assert verdict.scores == {"unconfirmed": 1.0}


def test_who_reviews_a_dialogue_may_know_what_was_confirmed() -> None:
    messages = worded(GOOD)
    for known, found in ((True, []), (False, ["confirm_finish"]), (None, ["unconfirmed"])):
        checks = trajectory_checks(
            TOOLSET, opens(), ConfirmFinish(), lambda trajectory, _, known=known: [known for _ in trajectory.calls()]
        )
        policy = next(check for check in checks if check.name == "policy")
        verdict = asyncio.run(policy.check(make_trajectory(messages), make_blueprint()))
        assert codes(verdict.issues) == found


def test_a_result_that_is_nested_too_deeply_fails_the_dialogue_and_no_check() -> None:
    deep = tuple(
        message.model_copy(update={"content": "[" * 200_000}) if message.role == "tool" else message for message in GOOD
    )
    checks = trajectory_checks(TOOLSET, opens(Notes()), ConfirmFinish())
    for check in checks:
        asyncio.run(check.check(make_trajectory(deep), make_blueprint()))
    assert not asyncio.run(check_trajectory(make_trajectory(deep), make_blueprint(), checks)).passed
