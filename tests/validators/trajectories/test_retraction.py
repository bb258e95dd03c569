"""Values that a user takes back: nothing is done with them afterwards, unless the task needs them too."""

from collections.abc import Iterator

import pytest
from tests.generators.worlds import records

from interplay.schemas.json.canonical import value_at
from interplay.schemas.records.behaviour import Behaviour, PlannedBehaviour
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.validators.trajectories.outcome import retraction_issues


def played(kind: Behaviour) -> Iterator[tuple[PlannedBehaviour, Blueprint, Trajectory]]:
    for record in records("domain:clinic", 12, recipes={"behaviours": {kind: 1.0}}):
        for done in record.blueprint.scenario.behaviours if record.status == "accepted" and record.blueprint else ():
            if done.kind == kind and done.value is not None and record.blueprint and record.trajectory:
                yield done, record.blueprint, record.trajectory


def last_call_with(trajectory: Trajectory, blueprint: Blueprint, done: PlannedBehaviour) -> tuple[int, ToolCall, str]:
    pointers = {
        (action.tool, pointer)
        for action in blueprint.actions
        for pointer, origin in action.origins.items()
        if origin.fact == done.fact and pointer.count("/") == 1
    }
    return next(
        (index, call, pointer)
        for index, message in reversed([*enumerate(trajectory.messages)])
        for call in message.tool_calls
        for tool, pointer in sorted(pointers)
        if call.name == tool and value_at(call.arguments, pointer) is not None
    )


@pytest.mark.parametrize("kind", ["changes_mind", "corrects_itself", "contradicts", "mistaken"])
def test_sound_dialogues_pass_and_calls_with_the_dropped_value_do_not(kind: Behaviour) -> None:
    found = [*played(kind)]
    assert len(found) >= 2
    for done, blueprint, trajectory in found:
        assert [*retraction_issues(trajectory, blueprint)] == []
        if kind == "mistaken":
            continue  # its first look-up is made with the wrong value, as planned
        index, call, pointer = last_call_with(trajectory, blueprint, done)
        wrong = call.model_copy(update={"arguments": {**call.arguments, pointer[1:]: done.value}})
        messages: list[Message] = [*trajectory.messages]
        calls = tuple(wrong if other.id == call.id else other for other in messages[index].tool_calls)
        messages[index] = messages[index].model_copy(update={"tool_calls": calls})
        issues = [*retraction_issues(trajectory.model_copy(update={"messages": tuple(messages)}), blueprint)]
        assert [(issue.code, issue.pointer) for issue in issues] == [("dropped_value", f"/messages/{index}")]
