"""The form of a dialogue: the good one passes, and each planted fault is named."""

import asyncio

import pytest
from tests.validators.builders import (
    ADD_ARGUMENTS,
    ADDED,
    GOOD,
    TOOLSET,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_trajectory,
    replace,
    user,
)

from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.verdict import Verdict
from interplay.validators.trajectories.structure import StructureCheck


def judge(trajectory: Trajectory) -> Verdict:
    return asyncio.run(StructureCheck(TOOLSET).check(trajectory, make_blueprint()))


def test_accepts_the_good_dialogue() -> None:
    assert judge(make_trajectory()).issues == ()


USER_CALL = Message(
    role="user", content="I do it.", tool_calls=(ToolCall(id="call00009", name="count_notes", arguments={}),)
)
FAULTS: list[tuple[str, tuple[Message, ...]]] = [
    ("no_messages", ()),
    ("first_not_user", GOOD[1:]),
    ("last_not_assistant", GOOD[:-1]),
    ("last_not_assistant", GOOD[:4]),
    ("illegal_order", replace(1)),
    ("illegal_order", replace(2)),
    ("illegal_order", replace(5)),
    ("unanswered_call", replace(4)),
    ("unanswered_call", replace(9)),
    ("unanswered_call", GOOD[:4]),
    ("misplaced_result", replace(7)),
    ("misplaced_result", (*GOOD[:8], GOOD[9], GOOD[8], *GOOD[10:])),
    ("misplaced_result", replace(4, GOOD[4], GOOD[4])),
    ("misplaced_call", replace(0, USER_CALL, answer("call00009", 1))),
    ("duplicate_call_id", replace(12, calls(("call00001", "finish_note", {"id": "n1"})))),
    ("bad_call_id", replace(12, calls(("call_4", "finish_note", {"id": "n1"})))),
    ("tool_not_offered", replace(12, calls(("call00004", "fly", {})))),
    ("invalid_arguments", replace(12, calls(("call00004", "finish_note", {})))),
    ("invalid_arguments", replace(12, calls(("call00004", "finish_note", {"id": 1})))),
    ("invalid_arguments", replace(3, calls(("call00001", "add_note", ADD_ARGUMENTS | {"due": "tomorrow"})))),
    ("invalid_arguments", replace(3, calls(("call00001", "add_note", ADD_ARGUMENTS | {"priority": "urgent"})))),
    ("result_not_json", replace(4, answer("call00001", "all went well"))),
    ("invalid_result", replace(4, answer("call00001", {"text": "no id"}))),
    ("invalid_result", replace(9, answer("call00003", {"count": 2}))),
    ("empty_message", replace(5, assistant("  "))),
    ("empty_message", replace(6, user(""))),
    ("repeated_text", replace(14, assistant("You have two notes. Shall I tick off the milk?"))),
    ("machine_speech", replace(14, assistant('Done: {"id": "n1"}'))),
    ("machine_speech", replace(6, user("Use [{'id': 'n1'}]"))),
]


@pytest.mark.parametrize(("code", "messages"), FAULTS)
def test_names_a_fault_of_form(code: str, messages: tuple[Message, ...]) -> None:
    assert code in codes(judge(make_trajectory(messages)).issues, "error")


def test_names_a_tool_that_is_offered_but_unknown() -> None:
    messages = replace(12, calls(("call00004", "fly", {})))
    assert "unknown_tool" in codes(judge(make_trajectory(messages, tools=("fly", *make_trajectory().tools))).issues)


@pytest.mark.parametrize(
    "termination", ["message_limit", "call_limit", "environment_failure", "model_failed", "unclear"]
)
def test_rejects_a_dialogue_that_did_not_come_to_its_end(termination: str) -> None:
    assert codes(judge(make_trajectory(termination=termination)).issues) == [termination]


@pytest.mark.parametrize(
    "speech",
    [
        "I set due_date for you.",
        "The listName is main.",
        "Its id is 0b8f2a34-11aa-4c3e-9d7e-aabbccddeeff.",
    ],
)
def test_warns_of_machine_speech(speech: str) -> None:
    verdict = judge(make_trajectory(replace(14, assistant(speech))))
    assert verdict.passed
    assert codes(verdict.issues, "warning") == ["machine_speech"]


@pytest.mark.parametrize(
    "speech",
    [
        "Write to ada_l@example.com or see https://example.com/my_page.",
        "My iPhone runs JavaScript (really).",
        "Fine [see above]; it's {almost} done.",
    ],
)
def test_lets_people_talk(speech: str) -> None:
    assert judge(make_trajectory(replace(14, assistant(speech)))).issues == ()


def test_allows_failed_results_of_any_form() -> None:
    assert judge(make_trajectory(replace(4, answer("call00001", "503: try later", failed=True)))).issues == ()


@pytest.mark.parametrize("value", ["Hello there", "5", '{"a": 1}'])
def test_allows_text_where_the_schema_says_string(value: str) -> None:
    messages = (user("Hi!"), calls(("call00001", "say_hello", {})), answer("call00001", value), assistant("Hello!"))
    assert judge(make_trajectory(messages)).issues == ()


def test_takes_calls_in_one_message_in_their_order() -> None:
    both = calls(("call00001", "add_note", ADD_ARGUMENTS), ("call00002", "count_notes", {}))
    messages = (user("Go"), both, answer("call00001", ADDED), answer("call00002", 2), assistant("Done."))
    assert judge(make_trajectory(messages)).issues == ()


@pytest.mark.parametrize("reference", ["#/nowhere", "#", "https://example.com/schema.json"])
def test_a_broken_schema_costs_a_warning(reference: str) -> None:
    broken = TOOLSET.tools[0].model_copy(update={"parameters": {"$ref": reference}})
    check = StructureCheck(TOOLSET.model_copy(update={"tools": (broken, *TOOLSET.tools[1:])}))
    verdict = asyncio.run(check.check(make_trajectory(), make_blueprint()))
    assert verdict.passed
    assert codes(verdict.issues) == ["unusable_schema"]
