"""A result agrees with its call: contradictions are found in results and later readings, other spellings are none."""

import asyncio
from typing import Any

import pytest
from tests.validators.builders import TOOLSET, answer, assistant, calls, codes, make_blueprint, make_trajectory, user

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
        "created",
        [],
    ],
)
def test_accepts_results_that_agree(result: Any) -> None:
    assert found(result) == []


@pytest.mark.parametrize("shown", [{"text": "Call Eve"}, {"DUE": "2026-05-15"}, {"Effort": 3}])
def test_finds_results_that_contradict(shown: dict[str, Any]) -> None:
    assert found({"id": "n2", **shown}) == ["result_contradicts"]


def test_a_row_that_refers_to_what_was_written_is_another_one() -> None:
    made = {"note_id": "n2", **GIVEN}
    assert found(made, [{"task_id": "t1", "text": "Buy milk", "note_id": "n2"}]) == []
    assert found(made, [{"note_id": "n2", "text": "Buy milk", "task": "t1"}]) == ["result_contradicts"]


def test_finds_later_readings_that_contradict() -> None:
    made = {"id": "n2", **GIVEN}
    assert found(made, [made, {"id": "n1", "text": "Buy milk", "effort": 9}]) == []
    assert found(made, [{**made, "effort": 9}]) == ["result_contradicts"]
