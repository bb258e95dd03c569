"""Export formats: each row as in its golden file, and what each format does with the unusual."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.outputs.builders import (
    CITY,
    answers,
    asks,
    call,
    hotel_dialogue,
    make_record,
    make_tool,
    make_toolset,
    says,
    wrong_attempt,
)

from interplay.outputs.exporters.export_formats import FORMATS, FormatName, named_format
from interplay.outputs.exporters.formats.openai import to_openai
from interplay.outputs.exporters.formats.preference import to_preference
from interplay.outputs.exporters.formats.sharegpt import losses_of, to_sharegpt
from interplay.outputs.exporters.formats.trl import to_trl
from interplay.outputs.exporters.message_lists import row_apart
from interplay.outputs.exporters.pairs import pairs_of
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.failure import Failure
from interplay.schemas.records.verdict import DatasetRecord

GOLDEN = Path(__file__).with_name("golden")
OF_RECORDS = [name for name in FORMATS if named_format(name).of_pair is None and not named_format(name).of_attempts]
OF_ATTEMPTS = [name for name in FORMATS if named_format(name).of_attempts]
OFFERED = make_toolset().tools[:2]
TASK = "6f61d8206609d39c788bb7554bec2e5e"
"""The id of the task in golden files."""


@pytest.mark.parametrize("name", OF_RECORDS)
def test_a_row_is_as_in_the_golden_file(name: FormatName) -> None:
    record = make_record(4)  # ids are digests of all fields, whatever they are by now
    assert record.blueprint is not None
    golden = (GOLDEN / f"{name}.json").read_text(encoding="utf-8").replace(TASK, record.blueprint.id)
    assert named_format(name).to_row(record, OFFERED) == _with_id(json.loads(golden), record.id)


def _with_id(golden: Any, identifier: str) -> Any:
    return json.loads(json.dumps(golden).replace("5513112c6f5e550af874b0aae46874f9", identifier))


@pytest.mark.parametrize("name", OF_ATTEMPTS)
def test_the_rows_of_attempts_are_as_in_the_golden_file(name: FormatName) -> None:
    record = make_record(4)
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    of_attempts = named_format(name).of_attempts
    assert of_attempts is not None
    rows = [row for _, row in of_attempts([record], make_toolset().tools)]
    assert rows == _with_id(golden, record.id)
    assert all(list(row) == list(named_format(name).features()) for row in rows)


@pytest.mark.parametrize("name", OF_RECORDS)
def test_a_row_has_the_columns_of_its_features(name: FormatName) -> None:
    assert list(named_format(name).to_row(make_record(4), OFFERED)) == list(named_format(name).features())


def test_openai_content_is_never_null_and_every_result_names_its_call() -> None:
    messages = to_openai(make_record(4), OFFERED)["messages"]
    assert all(isinstance(message["content"], str) for message in messages)
    made = [made["id"] for message in messages for made in message.get("tool_calls", [])]
    assert [message["tool_call_id"] for message in messages if message["role"] == "tool"] == made


def test_without_a_system_prompt_there_is_no_system_message() -> None:
    record = make_record(0, system_prompt="")
    assert to_openai(record, OFFERED)["messages"][0]["role"] == "user"
    assert to_trl(record, OFFERED)["messages"][0]["role"] == "user"


def test_reasoning_stands_where_each_format_wants_it() -> None:
    record = make_record(0, [asks("Hi."), says("Hello.", reasoning="A greeting.")])
    assert to_openai(record, ())["messages"][-1]["reasoning_content"] == "A greeting."
    assert to_trl(record, ())["messages"][-1]["reasoning_content"] == "A greeting."
    assert _values(record) == ["Hi.", "<think>\nA greeting.\n</think>\n\nHello."]


def test_messages_that_are_not_to_be_learnt_are_marked_or_told() -> None:
    record = make_record(0, [asks("Hi."), says("Hello.", train=False)])
    assert to_openai(record, ())["messages"][-1]["weight"] == 0
    assert named_format("trl").losses_of(record) == losses_of(record) == ("unlearnt_mark",)


def test_a_step_tells_what_share_of_attempts_passed_from_there() -> None:
    opening = [asks("Hi."), says("Hello."), asks("Find one.")]
    right, wrong = call(1, "find_hotel", city="Graz"), call(1, "find_hotel", city="Linz")
    passed = make_record(0, [*opening, says("", right), answers(right, "7"), says("It is 7.")])
    failed = make_record(0, [*opening, says("", wrong), answers(wrong, "8"), says("It is 8.")], status="rejected")
    failed = failed.model_copy(update={"failure": Failure(fault="wrong_argument", stage="execution", message=3)})
    of_attempts = named_format("steps").of_attempts
    assert of_attempts is not None
    rows = [row for _, row in of_attempts([passed, failed], make_toolset().tools)]
    assert [(row["step"], row["pass_rate"]) for row in rows] == [(0, 0.5), (1, 1.0), (2, 1.0)]
    assert {row["alternatives"] for row in rows} == {"[]"}


def test_arguments_that_are_no_json_are_kept_or_told() -> None:
    broken = call(1, "find_hotel").model_copy(update={"malformed": '{"city": '})
    record = make_record(0, [asks("Hi."), says("", broken), answers(broken, "no JSON"), says("Sorry.")])
    told = {name: "malformed" in named_format(name).losses(record) for name in ("openai", "trl", "hermes", "atif")}
    assert told == {"openai": False, "trl": True, "hermes": True, "atif": True}
    assert to_openai(record, OFFERED)["messages"][2]["tool_calls"][0]["function"]["arguments"] == '{"city": '


def test_the_assistant_does_not_see_what_the_user_does_on_its_own_device() -> None:
    own = call(1, "toggle_wifi").model_copy(update={"requestor": "user"})
    tools = (make_tool("toggle_wifi", CITY, requestor="user"), make_tool("find_hotel", CITY))
    record = make_record(
        0, [asks("Hi."), says("Switch it on."), asks("", own), answers(own, "on"), asks("Done."), says("Good.")]
    )
    row = to_openai(record, tools)
    assert [message["content"] for message in row["messages"][1:]] == ["Hi.", "Switch it on.", "Done.", "Good."]
    assert [tool["function"]["name"] for tool in json.loads(row["tools"])] == ["find_hotel"]
    assert _values(record) == ["Hi.", "Switch it on.", "Done.", "Good."]


def test_sharegpt_puts_calls_made_at_once_and_their_results_in_one_turn_each() -> None:
    turns = to_sharegpt(make_record(4), OFFERED)["conversations"]
    kinds = [turn["from"] for turn in turns]
    assert kinds == ["human", "function_call", "observation", "function_call", "observation", "gpt"]
    assert json.loads(turns[1]["value"])[1] == {"name": "find_hotel", "arguments": {"city": "Graz", "nights": "4"}}
    assert json.loads(turns[2]["value"]) == [{"hotels": [{"id": 7}]}, "nothing found"]
    assert json.loads(turns[3]["value"]) == {"name": "book_hotel", "arguments": {"nights": 4}}


@pytest.mark.parametrize(
    ("messages", "expected", "lost"),
    [
        ([asks("a"), says("b"), asks("bye")], ["a", "b"], ("last_word_of_user",)),
        ([says("hi"), asks("a"), says("b")], ["a", "b"], ("opening_of_assistant",)),
        ([asks("a"), asks("b"), says("c"), says("d")], ["a\nb", "c\nd"], ()),
        (
            [asks("a"), says("wait", call(1, "f")), answers(call(1, "f"), "1"), says("b")],
            ["a", 'wait\n<tool_call>{"name": "f", "arguments": {}}</tool_call>', "1", "b"],
            (),
        ),
        (
            [asks("a"), says("wait"), says("", call(1, "f")), answers(call(1, "f"), "1"), says("b")],
            ["a", 'wait\n<tool_call>{"name": "f", "arguments": {}}</tool_call>', "1", "b"],
            (),
        ),
    ],
)
def test_sharegpt_turns_alternate_and_what_that_costs_is_told(
    messages: list[Message], expected: list[str], lost: tuple[str, ...]
) -> None:
    record = make_record(0, messages)
    assert _values(record) == expected
    assert losses_of(record) == lost


def _values(record: DatasetRecord) -> list[Any]:
    return [turn["value"] for turn in to_sharegpt(record, ())["conversations"]]


def offering(messages: tuple[Message, ...], **offered: tuple[str, ...]) -> list[Message]:
    """Return a dialogue with what is offered after some of its messages, given as `after_0=(...)`."""
    changes = {int(key.removeprefix("after_")): names for key, names in offered.items()}
    return [message.model_copy(update={"offered": changes.get(index)}) for index, message in enumerate(messages)]


@pytest.mark.parametrize("to_row", [to_openai, to_trl])
def test_a_row_tells_after_which_of_its_messages_tools_come_and_go(to_row: Any) -> None:
    messages = offering(
        hotel_dialogue("Graz", 4), after_0=("find_hotel", "book_hotel", "cancel"), after_3=("book_hotel", "cancel")
    )
    record = make_record(4, messages)
    row = to_row(record, make_toolset().tools)
    assert json.loads(row["tool_changes"]) == [
        {"message": 1, "added": ["cancel"], "removed": []},
        {"message": 4, "added": [], "removed": ["find_hotel"]},
    ]
    assert row["messages"][4]["role"] == "tool"
    assert losses_of(record)[-1] == "tool_changes"


def test_a_change_after_a_message_that_is_left_out_is_told_of_the_one_before() -> None:
    own = call(1, "toggle_wifi").model_copy(update={"requestor": "user"})
    result = answers(own, "on").model_copy(update={"offered": ("find_hotel",)})
    record = make_record(0, [asks("Hi."), says("Switch it on."), asks("", own), result, says("Good.")])
    row = to_openai(record, make_toolset().tools)
    assert json.loads(row["tool_changes"]) == [{"message": 2, "added": [], "removed": ["book_hotel"]}]


def test_a_pair_is_as_in_the_golden_file() -> None:
    golden = json.loads((GOLDEN / "preference.json").read_text(encoding="utf-8"))
    chosen = make_record(4)
    (pair,) = pairs_of([chosen, wrong_attempt()])
    row = to_preference(pair, OFFERED)
    assert row == {**golden, "id": pair.rejected.id, "chosen_id": chosen.id}
    assert list(row) == list(named_format("preference").features())


def test_of_right_attempts_the_one_that_parts_last_makes_the_pair() -> None:
    right, wrong = make_record(4), wrong_attempt()
    assert right.trajectory is not None
    first, *rest = right.trajectory.messages
    place = next(place for place, message in enumerate(rest) if message.role == "assistant")
    rest[place] = rest[place].model_copy(update={"content": "At once."})
    early = right.model_copy(
        update={"id": "e" * 32, "trajectory": right.trajectory.model_copy(update={"messages": (first, *rest)})}
    )
    assert [pair.chosen.id for pair in pairs_of([early, right, wrong])] == [right.id]


def test_where_the_fault_lies_before_they_part_there_is_no_pair() -> None:
    wrong = wrong_attempt()
    assert wrong.failure is not None
    before = wrong.model_copy(update={"failure": wrong.failure.model_copy(update={"message": 1})})
    assert list(pairs_of([make_record(4), before])) == []


def test_words_beside_calls_become_a_message_of_their_own() -> None:
    one = call(1, "find_hotel", city="Graz")
    said = [asks("Hi."), says("Let me look.", one, reasoning="Where?"), answers(one, "1"), says("Free.")]
    record = make_record(0, offering(tuple(said), after_1=("find_hotel",), after_3=("book_hotel",)))
    row = to_trl(record, OFFERED)
    apart = row_apart(row)
    assert [(m["role"], m["content"], bool(m.get("tool_calls")), m.get("reasoning_content")) for m in apart["messages"]][1:] == [
        ("user", "Hi.", False, None),
        ("assistant", "Let me look.", False, "Where?"),
        ("assistant", "", True, None),
        ("tool", "1", False, None),
        ("assistant", "Free.", False, None),
    ]  # fmt: skip
    before, after = (json.loads(each["tool_changes"]) for each in (row, apart))
    assert [change["message"] + 1 for change in before] == [change["message"] for change in after]
    plain = to_trl(make_record(4), OFFERED)
    assert row_apart(plain) is plain
