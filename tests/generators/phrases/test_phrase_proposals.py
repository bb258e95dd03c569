import json
from typing import Any

import pytest

from interplay.generators.phrases.phrase_proposals import phrases_request, proposed
from interplay.schemas.records.tool import Source, Tool, Toolset

TEXT = {"type": "string"}
MOVE = Tool(
    name="add_task", original_name="add_task", effect="write", source=Source(file="x"),
    parameters={"type": "object", "properties": {"data": {"type": "object", "properties": {"section": TEXT}}}},
    returns={"type": "object", "properties": {"due_on": TEXT}},
)  # fmt: skip
LIST = MOVE.model_copy(update={"name": "list_tasks", "original_name": "list_tasks", "effect": "read"})
SOUND: dict[str, Any] = {
    "tool": "add_task", "wishes": ["move a task to another section"], "noun": "task", "plural": "tasks", "questions": [], "unasked": "", "done": ["I've moved the task."], "implied": [], "optional": [], "needed": [],
    "arguments": [{"name": "data.section", "label": "new section", "asked": ["Which section?"], "said": ["into {value}"]}],
    "answers": [{"name": "due_on", "sentence": "It's due on {value}.", "wish": "know when the task is due"}],
    "reasons": ["Our plans have changed."],
}  # fmt: skip


def test_keeps_what_a_model_says_of_a_tool() -> None:
    made = proposed({"tools": [SOUND]}, [MOVE])
    assert made.left_out == {}
    assert made.phrases["add_task"].arguments["data.section"].label == "new section"
    assert made.phrases["add_task"].reasons == ("Our plans have changed.",)


def test_a_label_may_say_what_people_call_by_an_id() -> None:
    told = {**SOUND["arguments"][0], "label": "kind of ID document"}
    assert proposed({"tools": [{**SOUND, "arguments": [told]}]}, [MOVE]).left_out == {}


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ({"wishes": []}, "no wish"),
        ({"wishes": ["tasks"]}, "does not begin with a verb"),
        ({"wishes": ["move a task by its task_id"]}, "only programs read"),
        ({"wishes": ["move a task by id"]}, "only programs read"),
        ({"wishes": ["move " + "a " * 200]}, "wishes/0"),
        ({"questions": ["Which tasks are there?"]}, "changes something"),
        ({"arguments": [{"name": "place", "label": "x", "asked": [], "said": []}]}, "neither an argument nor a field"),
        ({"arguments": [{"name": "data.section", "label": "x", "asked": ["Tell me"], "said": []}]}, "question mark"),
        ({"wishes": [" "]}, "does not begin with a verb"),
        ({"implied": [{"name": "data", "value": True}]}, "no value of"),
        ({"reasons": ["The task_id was wrong."]}, "only programs read"),
        ({"optional": ["place"]}, "neither an argument nor a field"),
        ({"needed": ["due_on"]}, "neither an argument nor a field"),
        ({"answers": [{"name": "due_on", "sentence": "It's due.", "wish": ""}]}, "answers/due_on"),
    ],
)
def test_a_fault_costs_its_tool_alone(fault: dict[str, Any], why: str) -> None:
    other = {
        **SOUND,
        "tool": "list_tasks",
        "wishes": ["see my tasks"],
        "questions": ["Which tasks do I have?"],
        "done": [],
    }
    made = proposed({"tools": [{**SOUND, **fault}, other]}, [MOVE, LIST])
    assert why in made.left_out["add_task"]
    assert [*made.phrases] == ["list_tasks"]


def test_tools_without_an_answer_and_answers_without_a_tool_are_told_apart() -> None:
    made = proposed({"tools": [{**SOUND, "tool": "other"}]}, [MOVE])
    assert (made.phrases, made.left_out) == ({}, {"add_task": "no answer"})


def test_asks_with_bounded_texts() -> None:
    long = MOVE.model_copy(update={"description": "word " * 10_000})
    toolset = Toolset(name="tasks", tools=(long,))
    assert len(phrases_request(toolset, [long]).messages[1].content or "") < 2_000


def test_a_tool_that_nobody_asks_for_has_the_reason_alone() -> None:
    made = proposed({"tools": [{**SOUND, "unasked": "Only programs do that."}]}, [MOVE])
    assert made.phrases["add_task"].unasked == "Only programs do that."
    assert not made.phrases["add_task"].wishes


def test_what_only_reads_reports_no_change() -> None:
    made = proposed({"tools": [{**SOUND, "tool": "list_tasks", "done": ["I've moved it."]}]}, [LIST])
    assert "only reads" in made.left_out["list_tasks"]


def test_tells_first_of_the_arguments_that_a_call_needs_and_of_no_fields_that_nobody_reads_out() -> None:
    some = {f"a{place:02}": TEXT for place in range(40)}
    tool = MOVE.model_copy(
        update={
            "parameters": {"type": "object", "properties": {**some, "zone": TEXT}, "required": ["zone"]},
            "returns": {"type": "object", "properties": {"id": TEXT, "href": TEXT, "due_on": TEXT}},
        }
    )
    asked = json.loads(phrases_request(Toolset(name="x", tools=(tool,)), [tool]).messages[-1].content)
    assert "zone" in asked["tools"][0]["arguments"]
    assert asked["tools"][0]["fields"] == ["due_on"]
