"""Steps on the user's own device: whose fault it is where they are not made, or made by the wrong side."""

import asyncio
import re
from typing import Any

import pytest
from tests.generators.participants.test_guided_dialogues import WORKSPACE, generator, records

from interplay.generators.participants.wording.languages import load_grammar
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, ToolCall, Trajectory
from interplay.schemas.records.failure import Failure
from interplay.validators.chain import check_trajectory
from interplay.validators.labels.diagnosis import diagnose
from interplay.validators.language.claims import says_done
from interplay.validators.trajectories.device_steps import asked_for, known_in_all_languages

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


def bare(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return messages as models leave them: without acts and states but for goodbyes."""
    byes = ("user_bye", "system_bye")
    return tuple(
        message if message.act in byes else message.model_copy(update={"act": None, "state": None})
        for message in messages
    )


def place_of(messages: tuple[Message, ...], name: str) -> int:
    return next(place for place, message in enumerate(messages) if name in [call.name for call in message.tool_calls])


def without_call(messages: tuple[Message, ...], name: str) -> tuple[Message, ...]:
    """Return the messages without a call of the user and its result: it only says that it has made the step."""
    place = place_of(messages, name)
    return (*messages[:place], *messages[place + 2 :])


def test_accepts_the_dialogue_as_it_was_played_with_acts_and_without() -> None:
    _, trajectory = played()
    assert judged(trajectory.messages)[1] is None
    assert judged(bare(trajectory.messages))[1] is None


def test_a_user_that_says_it_has_done_what_it_has_not_is_at_fault() -> None:
    _, trajectory = played()
    for messages in (trajectory.messages, bare(trajectory.messages)):
        claimed = tuple(
            message.model_copy(update={"content": message.content.replace("I did that", "I've done that")})
            for message in without_call(messages, RESTART)
        )
        codes, label = judged(claimed)
        assert "claimed_not_done" in codes
        assert label is not None
        assert label.fault == "user_fault"
        assert label.message == place_of(messages, RESTART)


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


def test_a_step_that_nobody_needs_is_the_fault_of_whoever_wants_it() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, RESTART)
    call = ToolCall(id="extra0001", name="free_disk_space", arguments={}, requestor="user")
    made = trajectory.messages[place].model_copy(update={"tool_calls": (call,)})
    answer, told = Message(role="tool", tool_call_id="extra0001"), Message(role="user", content="Done.")
    asks = Message(role="assistant", content="Please make room on your laptop first, and empty the bin.")
    before, after = trajectory.messages[: place - 1], trajectory.messages[place - 1 :]
    codes, label = judged((*before, asks, made, answer, told, *after))
    assert "extra_write" in codes
    assert label is not None
    assert (label.fault, label.message) == ("extra_write", place - 1)
    alone = (*trajectory.messages[:place], made, answer, *trajectory.messages[place:])
    _, label = judged(alone)
    assert label is not None
    assert (label.fault, label.message) == ("user_fault", place)


def test_the_assistant_may_not_speak_before_the_user_has_told_what_it_saw() -> None:
    _, trajectory = played()
    place = place_of(trajectory.messages, LOOK)
    codes, _ = judged((*trajectory.messages[: place + 2], *trajectory.messages[place + 3 :]))
    assert "illegal_order" in codes


def test_steps_are_known_in_the_other_languages_of_a_domain() -> None:
    tools = known_in_all_languages(generator(WORKSPACE).world.toolset)
    asking = Message(role="assistant", content="Könnten Sie bitte den Schalter für den Flugmodus umlegen?")
    assert asked_for(asking, tools[TOGGLE])
    assert not asked_for(asking, tools[RESTART])
    looking = Message(role="assistant", content="Sehen Sie bitte in den Einstellungen Ihres Laptops nach.")
    assert asked_for(looking, tools[LOOK])
    assert all(map(says_done, ("OK, done.", "Phew, done.", "Did that.", "OK, fertig.", "Das habe ich gemacht.")))
    assert says_done("Ich habe das Mailprogramm neu gestartet.")
    assert not says_done("Das habe ich noch nicht gemacht.")


def test_reads_a_long_text_in_one_go() -> None:
    assert not any(says_done(part * 400_000) for part in ("word ", "\n", "- ", "what? "))  # each would take hours else
    assert says_done("word " * 400_000 + "? Done.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_that_the_rules_say_of_what_is_done_is_heard(language: str) -> None:
    grammar = load_grammar(language)["assistant"]
    said = [text for name in ("done", "created", "updated") for text in grammar[name] if isinstance(text, str)]
    assert len(said) > 20
    assert [text for text in said if not says_done(re.sub(r"\{noun[^}]*\}", "order", text))] == []
