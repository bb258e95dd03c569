"""Steps on the user's own device: whose fault it is where they are not made, or made by the wrong side."""

import asyncio
from typing import Any

from tests.generators.participants.test_guided_dialogues import WORKSPACE, generator, records
from tests.validators.builders import worded

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.failure import Failure
from interplay.validators.chain import check_trajectory
from interplay.validators.labels.diagnosis import diagnose

READ, LOOK, TOGGLE, RESTART = "get_device_status", "check_sync_status", "toggle_airplane_mode", "restart_mail_client"


def played() -> tuple[Blueprint, Trajectory]:
    """Return a task that takes two steps of the user, and its dialogue."""
    for record in records(WORKSPACE):
        if record.blueprint is not None and record.trajectory is not None:
            tools = [action.tool for action in record.blueprint.calls]
            if tools[:5] == [READ, LOOK, TOGGLE, RESTART, READ]:
                return record.blueprint, record.trajectory
    raise AssertionError("no such dialogue")


def judged(messages: tuple[Message, ...]) -> tuple[set[str], Failure | None]:
    """Return the codes of what is wrong with other messages of the dialogue, and its label."""
    blueprint, trajectory = played()
    place = generator(WORKSPACE).workshop(0)

    async def check() -> tuple[set[str], Failure | None]:
        again = await _again(trajectory.model_copy(update={"messages": messages}))
        async with place.turn():
            judgement = await check_trajectory(again, blueprint, place.trajectory_checks)
            label = await diagnose(again, blueprint, judgement, place.trajectory_checks, place.world.toolset)
        return {issue.code for verdict in judgement.verdicts for issue in verdict.issues}, label

    async def _again(changed: Trajectory) -> Trajectory:
        """Let every call be answered as it is, and the state be the one that is reached."""
        answers: dict[str, dict[str, Any]] = {}
        async with place.turn() as environment:
            for call in changed.calls():
                result = await environment.call(call)
                answers[call.id] = {"content": result.text, "failed": result.error is not None}
            digest = environment.digest()
        told = tuple(
            message.model_copy(update=answers[str(message.tool_call_id)]) if message.role == "tool" else message
            for message in changed.messages
        )
        return changed.model_copy(update={"messages": told, "final_digest": digest})

    return asyncio.run(check())


def place_of(messages: tuple[Message, ...], name: str) -> int:
    return next(place for place, message in enumerate(messages) if name in [call.name for call in message.tool_calls])


def without_call(messages: tuple[Message, ...], name: str) -> tuple[Message, ...]:
    """Return the messages without a call of the user and its result: it only says that it has made the step."""
    place = place_of(messages, name)
    return (*messages[:place], *messages[place + 2 :])


def test_accepts_the_dialogue_as_it_was_played_with_acts_and_without() -> None:
    _, trajectory = played()
    assert judged(trajectory.messages)[1] is None
    assert judged(worded(trajectory.messages))[1] is None


def test_a_user_that_says_it_has_done_what_it_has_not_is_at_fault() -> None:
    _, trajectory = played()
    claimed = without_call(trajectory.messages, RESTART)
    codes, label = judged(claimed)
    assert "claimed_not_done" in codes
    assert label is not None
    assert (label.fault, label.message) == ("user_fault", place_of(trajectory.messages, RESTART))
    codes, label = judged(worded(claimed))
    assert "claimed_not_done" not in codes
    assert label is not None
    assert label.fault == "unclear"


def test_an_assistant_that_calls_what_is_the_users_is_at_fault() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, RESTART)
    call = ToolCall(id="wrong0001", name=RESTART, arguments={})
    asks = trajectory.messages[place - 1].model_copy(update={"tool_calls": (call,), "act": "call"})
    answer = Message(role="tool", tool_call_id="wrong0001")
    codes, label = judged((*trajectory.messages[: place - 1], asks, answer, *trajectory.messages[place + 3 :]))
    assert "users_own_tool" in codes
    assert label is not None
    assert (label.fault, label.message) == ("wrong_tool", place - 1)


def test_a_user_that_calls_what_is_the_assistants_is_at_fault() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, TOGGLE)
    call = ToolCall(id="wrong0001", name=READ, arguments={}, requestor="user")
    extra = (
        trajectory.messages[place].model_copy(update={"tool_calls": (call,)}),
        Message(role="tool", tool_call_id="wrong0001"),
    )
    codes, label = judged((*trajectory.messages[:place], *extra, *trajectory.messages[place:]))
    assert "not_the_users_tool" in codes
    assert label is not None
    assert (label.fault, label.message) == ("user_fault", place)


def test_an_assistant_that_does_not_ask_for_a_step_has_missed_it() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, RESTART)
    skipped = (*trajectory.messages[: place - 1], *trajectory.messages[place + 3 :])
    codes, label = judged(skipped)
    assert "missed_write" in codes
    assert label is not None
    assert label.fault in ("missed_goal", "false_claim")


def test_a_step_that_nobody_needs_is_the_users_fault_where_it_is_known_not_to_be_asked_for() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, RESTART)
    call = ToolCall(id="extra0001", name="free_disk_space", arguments={}, requestor="user")
    made = trajectory.messages[place].model_copy(update={"tool_calls": (call,)})
    answer = Message(role="tool", tool_call_id="extra0001")
    alone = (*trajectory.messages[:place], made, answer, *trajectory.messages[place:])
    codes, label = judged(alone)
    assert "extra_write" in codes
    assert label is not None
    assert (label.fault, label.message) == ("user_fault", place)
    _, label = judged(worded(alone))
    assert label is not None
    assert (label.fault, label.message) == ("unclear", place)


def test_the_assistant_may_not_speak_before_the_user_has_told_what_it_saw() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, LOOK)
    codes, _ = judged((*trajectory.messages[: place + 2], *trajectory.messages[place + 3 :]))
    assert "illegal_order" in codes
