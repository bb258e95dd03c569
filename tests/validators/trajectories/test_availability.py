"""What is offered when: sound dialogues pass, and each planted fault is named."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import GOOD, TOOLSET, answer, calls, codes, make_blueprint, make_trajectory

from interplay.schemas.records.blueprint import Blueprint, ToolChange, with_identity
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL, Source, Tool
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.format import FormatCheck
from interplay.validators.trajectories.groundedness import GroundingCheck
from interplay.validators.trajectories.structure import StructureCheck

SEARCH = Tool(
    name=SEARCH_TOOL,
    original_name=SEARCH_TOOL,
    parameters={"type": "object", "properties": {"query": {"type": "string"}}},
    source=Source(file="interplay"),
)
WIDE = TOOLSET.model_copy(update={"tools": (*TOOLSET.tools, SEARCH)})
START = ("add_note",)
ALL = ("add_note", "list_notes", "count_notes", "finish_note")
LATER = ToolChange(request=1, added=("list_notes", "count_notes", "finish_note"))
GONE = ToolChange(request=1, added=("list_notes", "count_notes", "finish_note"), removed=("add_note",))


def offering(messages: tuple[Message, ...], offered: dict[int, tuple[str, ...]]) -> tuple[Message, ...]:
    return tuple(message.model_copy(update={"offered": offered.get(index)}) for index, message in enumerate(messages))


def planned(*changes: ToolChange, tools: tuple[str, ...] = START) -> Blueprint:
    return with_identity(make_blueprint(tools=tools, changes=changes))


def judge(trajectory: Trajectory, blueprint: Blueprint) -> Verdict:
    return asyncio.run(StructureCheck(WIDE).check(trajectory, blueprint))


def played(offered: dict[int, tuple[str, ...]], **changes: Any) -> Trajectory:
    return make_trajectory(offering(GOOD, offered), tools=changes.pop("tools", START), **changes)


def test_accepts_tools_that_come_and_go_as_planned() -> None:
    assert judge(played({6: ALL}), planned(LATER)).issues == ()
    assert judge(played({6: ALL[1:]}), planned(GONE)).issues == ()


BAD: list[tuple[str, dict[int, tuple[str, ...]], tuple[str, ...], tuple[ToolChange, ...]]] = [
    ("tool_not_available", {8: ALL}, START, (LATER,)),  # called at message 7, before it appears
    ("tool_not_available", {2: ALL[1:], 6: ALL}, ALL, (GONE, LATER)),  # called at 3, after it disappeared
    ("tool_not_offered", {}, START, ()),
    ("tool_from_nowhere", {6: ALL}, START, ()),
    ("tool_from_nowhere", {0: ALL}, START, (ToolChange(request=0, added=("list_notes",)),)),
    ("tool_lost", {6: ALL[1:]}, ALL, ()),
    ("changes_not_kept", {}, ALL, (GONE,)),
    ("changes_not_kept", {0: ALL}, START, (LATER, GONE)),
    ("misplaced_change", {1: ALL}, START, (LATER,)),
    ("duplicate_tool", {6: (*ALL, "add_note")}, START, (LATER,)),
]


@pytest.mark.parametrize(("code", "offered", "start", "changes"), BAD)
def test_names_a_fault_of_what_is_offered(
    code: str, offered: dict[int, tuple[str, ...]], start: tuple[str, ...], changes: tuple[ToolChange, ...]
) -> None:
    assert code in codes(judge(played(offered, tools=start), planned(*changes, tools=start)).issues, "error")


def searching(found: list[dict[str, Any]] | str, offered: tuple[str, ...] | None, failed: bool = False) -> Trajectory:
    """Return the good dialogue with a search before the first call, and what is offered after it."""
    looked = calls(("call00000", SEARCH_TOOL, {"query": "note something down"}))
    result = answer("call00000", found, failed=failed).model_copy(update={"offered": offered})
    return make_trajectory((*GOOD[:3], looked, result, *GOOD[3:]), tools=(SEARCH_TOOL,))


FOUND = [{"name": name, "description": "Notes."} for name in ALL]


def test_accepts_tools_that_a_search_found() -> None:
    assert judge(searching(FOUND, (SEARCH_TOOL, *ALL)), planned(tools=(SEARCH_TOOL,))).issues == ()


def test_names_a_tool_that_no_search_found() -> None:
    trajectory = searching(FOUND[:1], (SEARCH_TOOL, *ALL))
    assert "tool_from_nowhere" in codes(judge(trajectory, planned(tools=(SEARCH_TOOL,))).issues)


def test_names_a_call_of_a_tool_that_was_never_found() -> None:
    trajectory = searching(FOUND[:1], (SEARCH_TOOL, "add_note"))
    assert "tool_not_offered" in codes(judge(trajectory, planned(tools=(SEARCH_TOOL,))).issues)


def test_a_failed_search_finds_nothing() -> None:
    trajectory = searching("Error: no", (SEARCH_TOOL, *ALL), failed=True)
    assert "tool_from_nowhere" in codes(judge(trajectory, planned(tools=(SEARCH_TOOL,))).issues)


def test_a_search_takes_away_only_what_searches_found() -> None:
    trajectory = searching(FOUND, ALL)
    assert "tool_lost" in codes(judge(trajectory, planned(tools=(SEARCH_TOOL,))).issues)
    *before, done, thanks, bye = searching(FOUND, (SEARCH_TOOL, *ALL)).messages
    looked = calls(("call00009", SEARCH_TOOL, {"query": "list notes"}))
    again = answer("call00009", FOUND[1:2]).model_copy(update={"offered": (SEARCH_TOOL, "list_notes")})
    trajectory = make_trajectory((*before, looked, again, done, thanks, bye), tools=(SEARCH_TOOL,))
    assert judge(trajectory, planned(tools=(SEARCH_TOOL,))).issues == ()


def test_definitions_of_tools_give_no_value_to_an_argument() -> None:
    silent = tuple(message for index, message in enumerate(GOOD) if index != 2)  # nobody says when it is due
    found = [{"name": "add_note", "description": "Due 2026-05-04.", "parameters": {"default": "2026-05-04"}}]
    looked = calls(("call00000", SEARCH_TOOL, {"query": "note something down"}))
    trajectory = make_trajectory((*silent[:2], looked, answer("call00000", found), *silent[2:]))
    verdict = asyncio.run(GroundingCheck(WIDE).check(trajectory, make_blueprint()))
    assert any(issue.pointer.endswith("/due") for issue in verdict.issues)


def format_codes(blueprint: Blueprint) -> list[str]:
    return codes(asyncio.run(FormatCheck(WIDE).check(blueprint)).issues)


def test_accepts_a_blueprint_whose_tools_are_there_when_they_are_needed() -> None:
    assert format_codes(planned(LATER)) == []
    assert format_codes(planned(GONE)) == []
    searches = (
        ToolChange(request=0, query="notes", before="a1", added=ALL),
        ToolChange(request=1, query="more", before="a3", removed=("list_notes",)),
    )
    assert format_codes(planned(*searches, tools=(SEARCH_TOOL,))) == []


@pytest.mark.parametrize(
    ("changes", "tools", "code"),
    [
        ((), START, "tool_not_offered"),
        ((ToolChange(request=0, removed=("add_note",)),), ALL, "tool_not_offered"),
        ((ToolChange(request=1, query="notes", before="a2", added=ALL[1:]),), START, "tool_not_offered"),
        ((ToolChange(request=0, added=("fly",)),), ALL, "unknown_tool"),
        ((ToolChange(request=9, added=("list_notes",)),), ALL, "unknown_request"),
    ],
)
def test_names_a_blueprint_whose_tools_are_not(
    changes: tuple[ToolChange, ...], tools: tuple[str, ...], code: str
) -> None:
    assert code in format_codes(planned(*changes, tools=tools))
