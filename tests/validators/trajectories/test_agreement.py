"""A result agrees with its call: contradictions are found in results and later readings, other spellings are none."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import (
    TEXT,
    TOOLSET,
    answer,
    assistant,
    calls,
    codes,
    make_blueprint,
    make_tool,
    make_trajectory,
    user,
)

from interplay.schemas.records.tool import HttpBinding, Tool, Toolset
from interplay.validators.trajectories.agreement import AgreementCheck

GIVEN = {"text": "Call the plumber", "due": "2026-05-14", "effort": 2}


def found(result: Any, later: Any = None) -> list[str]:
    messages = (user("Add it."), calls(("call00001", "add_note", GIVEN)), answer("call00001", result))
    if later is not None:
        messages += (calls(("call00002", "list_notes", {})), answer("call00002", later))
    trajectory = make_trajectory((*messages, assistant("Done.")))
    return codes(asyncio.run(AgreementCheck(TOOLSET).check(trajectory, make_blueprint())).issues)


@pytest.mark.parametrize(
    "result",
    [
        {"id": "n2", **GIVEN},
        {"data": {"id": "n2", "Text": "call the plumber", "Due": "2026-05-14T00:00:00Z", "effort": 2.0}},
        {"id": "n2", "text": None, "state": "queued"},
        {"id": "n2", "text": "Kitchen", "note_text": "Call the plumber"},
        {"id": "n2", "text_preview": "Call the"},
        {"id": "n2", "text_html": "a", "text_markdown": "b"},
        {"id": "n2", "text": 17, "effort": "medium"},
        "created",
        [],
    ],
)
def test_accepts_results_that_agree(result: Any) -> None:
    assert found(result) == []


@pytest.mark.parametrize(
    "shown", [{"text": "Call Eve"}, {"DUE": "2026-05-15"}, {"Effort": 3}, {"text_body": "Buy milk"}]
)
def test_finds_results_that_contradict(shown: dict[str, Any]) -> None:
    assert found({"id": "n2", **shown}) == ["result_contradicts"]


def test_a_row_that_refers_to_what_was_written_is_another_one() -> None:
    made = {"note_id": "n2", **GIVEN}
    assert found(made, [{"task_id": "t1", "text": "Buy milk", "note_id": "n2"}]) == []
    assert found(made, [{"note_id": "n2", "text": "Buy milk", "task": "t1"}]) == ["result_contradicts"]


def test_a_word_that_ends_in_id_is_no_identity() -> None:
    """Else `paid` is what tells rows apart, and one that a later list shows first is taken for what was written."""
    made = {"paid": "cash", "noteId": "n2", **GIVEN}
    assert found(made, [{"paid": "cash", "noteId": "n1", "text": "Buy milk"}]) == []
    assert found(made, [{"paid": "card", "noteid": "n2", "text": "Buy milk"}]) == ["result_contradicts"]


def test_finds_later_readings_that_contradict() -> None:
    made = {"id": "n2", **GIVEN}
    assert found(made, [made, {"id": "n1", "text": "Buy milk", "effort": 9}]) == []
    assert found(made, [{**made, "effort": 9}]) == ["result_contradicts"]


def test_rows_that_share_what_they_belong_to_are_not_what_was_written() -> None:
    made = {"list_id": "l1", **GIVEN}
    others = [{"list_id": "l1", "text": "Buy milk"}, {"list_id": "l1", "text": "Water the plants"}]
    assert found(made, others) == []
    assert found(made, others[:1]) == ["result_contradicts"]


def written(name: str, given: dict[str, Any], result: Any) -> list[str]:
    write = make_tool(name, dict.fromkeys(given, TEXT), [], "write", {"type": "object"})
    messages = (user("Go on."), calls(("call00001", name, given)), answer("call00001", result), assistant("Done."))
    toolset = Toolset(name="posts", tools=(write,))
    return codes(asyncio.run(AgreementCheck(toolset).check(make_trajectory(messages), make_blueprint())).issues)


@pytest.mark.parametrize(("method", "issues"), [("DELETE", []), ("POST", ["result_contradicts"])])
def test_what_is_taken_out_of_a_list_is_not_in_it(method: str, issues: list[str]) -> None:
    http = HttpBinding(method=method, path="/teams/{id}/members")
    write = make_tool("change", {"id": TEXT, "member_ids": TEXT}, [], "write", None).model_copy(update={"http": http})
    call = ("call00001", "change", {"id": "t1", "member_ids": ["m1"]})
    messages = (
        user("Go on."),
        calls(call),
        answer("call00001", {"id": "t1", "member_ids": ["m2"]}),
        assistant("Done."),
    )
    check = AgreementCheck(Toolset(name="teams", tools=(write,)))
    assert codes(asyncio.run(check.check(make_trajectory(messages), make_blueprint())).issues) == issues


@pytest.mark.parametrize(("kinds", "issues"), [(["task"], []), (["task", "note"], ["result_contradicts"])])
def test_a_value_that_a_caller_cannot_choose_is_that_of_no_row(kinds: list[str], issues: list[str]) -> None:
    of = {"type": "object", "properties": {"id": TEXT, "type": {"enum": kinds}}}
    write = make_tool("assign", {"task": of}, [], "write", None)
    messages = (
        user("Go on."),
        calls(("call00001", "assign", {"task": {"id": "t1", "type": "task"}})),
        answer("call00001", {"id": "a1", "type": "task_assignment"}),
        assistant("Done."),
    )
    check = AgreementCheck(Toolset(name="tasks", tools=(write,)))
    assert codes(asyncio.run(check.check(make_trajectory(messages), make_blueprint())).issues) == issues


SAYS = {"type": "object", "properties": {"content": TEXT}}


@pytest.mark.parametrize(
    ("others", "issues"),
    [
        ([make_tool("make_folder", {"path": TEXT}, ["path"], "write", SAYS)], []),
        ([make_tool("read_file", {"path": TEXT}, ["path"], "read", SAYS)], ["result_contradicts"]),
        ([], ["result_contradicts"]),
    ],
)
def test_a_text_that_other_writes_answer_with_too_is_a_report(others: list[Tool], issues: list[str]) -> None:
    write = make_tool("write_file", {"path": TEXT, "content": TEXT}, [], "write", SAYS)
    given = {"path": "a.txt", "content": "Rent and heating."}
    messages = (user("Go on."), calls(("call00001", "write_file", given)), answer("call00001", {"content": "Written."}))
    check = AgreementCheck(Toolset(name="files", tools=(write, *others)))
    assert codes(asyncio.run(check.check(make_trajectory(messages), make_blueprint())).issues) == issues


POST = {"name": "Security update", "community_id": 2511}
REPORT = {"comment_id": 4577, "reason": "Advertisement"}


def of_post(name: str, community: int, beside: int) -> dict[str, Any]:
    shown = {"id": 5509, "name": name, "community_id": community}
    return {"post_view": {"post": shown, "community": {"id": beside, "name": "Cycling"}, "saved": False}}


def of_report(comment: int, reason: str, beside: int) -> dict[str, Any]:
    shown = {"id": 81, "comment_id": comment, "reason": reason}
    return {
        "comment_report_view": {"comment_report": shown, "comment": {"id": beside, "content": "Buy now", "reason": "x"}}
    }


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("createPost", POST, of_post("Workshop community", 2511, 2511)),
        ("createPost", POST, of_post("Security update", 2511, 2992)),
        ("reportComment", REPORT, of_report(4577, "Rude", 4577)),
        ("reportComment", REPORT, of_report(4577, "Advertisement", 1755)),
        ("deleteComment", {"comment_id": 9381}, {"comment_view": {"comment": {"id": 1755}, "counts": {"score": 2}}}),
    ],
)
def test_finds_rows_in_a_view_that_contradict(name: str, given: dict[str, Any], result: Any) -> None:
    assert written(name, given, result) == ["result_contradicts"]


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("createPost", POST, of_post("Security update", 2511, 2511)),
        ("reportComment", REPORT, of_report(4577, "Advertisement", 4577)),
        ("deleteComment", {"comment_id": 9381}, {"comment_view": {"comment": {"id": 9381}}}),
        ("mergeLead", {"lead_id": 1, "into_lead_id": 2}, {"merged": {"lead": {"id": 2, "name": "Ann"}, "count": 2}}),
        ("createOrder", {"customer_id": 3}, {"id": 9, "customer": {"id": 4, "customer_id": 3}}),
        ("postStatusRevoke", {"id": "ST93892", "quoting_status_id": "QU55578"}, {"id": "QU55578", "content": "Hello"}),
    ],
)
def test_accepts_rows_in_a_view_that_agree(name: str, given: dict[str, Any], result: Any) -> None:
    assert written(name, given, result) == []


@pytest.mark.parametrize(
    ("shown", "issues"), [("2026-05-14T09:30:00Z", []), ("2026-05-14T11:00:00Z", ["result_contradicts"])]
)
def test_a_time_of_the_day_agrees_with_the_moment_that_has_it(shown: str, issues: list[str]) -> None:
    given = {**GIVEN, "due": "09:30"}
    messages = (
        user("Add it."),
        calls(("call00001", "add_note", given)),
        answer("call00001", {"id": "n2", **GIVEN, "due": shown}),
    )
    trajectory = make_trajectory((*messages, assistant("Done.")))
    assert codes(asyncio.run(AgreementCheck(TOOLSET).check(trajectory, make_blueprint())).issues) == issues
