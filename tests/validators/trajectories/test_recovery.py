"""What an assistant does after a fault: the right thing passes, each wrong one has its code."""

import asyncio
from collections.abc import Callable

import pytest
from tests.generators.faulty import faulty_records, replayed

from interplay.flows.worlds.assembly import open_world
from interplay.generators.participants.rules.oracle import OracleAssistant
from interplay.schemas.protocols import Assistant
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import DialogueAct, Message
from interplay.schemas.records.fault import FAULTS
from interplay.validators.trajectories.recovery import RecoveryCheck

COUNT = 110
WORLDS = ("domain:clinic", "domain:rental", "domain:workspace")


class Planted:
    """Plays like another assistant until a tool has gone wrong `tries` times more than once; then it says what it is told to."""

    def __init__(
        self, assistant: OracleAssistant, act: DialogueAct, said: str, tries: int = 0, model: str = ""
    ) -> None:
        self._assistant, self._act, self._said, self._tries = assistant, act, said, tries
        self._gone, self._answers, self._model = False, 0, model

    async def respond(self, messages: tuple[Message, ...]) -> Message:
        heard = messages[-1]
        if heard.role == "tool" and any(message.fault for message in messages) and not self._gone:
            self._gone = self._tries <= 0
            if not self._gone:
                self._tries -= 1
                return self._again(messages)
        if not self._gone:
            return await self._assistant.respond(messages)
        self._answers += 1
        if heard.act == "user_bye":
            return Message(role="assistant", content="Goodbye!", act="system_bye")
        return Message(role="assistant", content=f"{self._said} ({self._answers})", act=self._act, model=self._model)

    def _again(self, messages: tuple[Message, ...]) -> Message:
        hit = next(message.tool_call_id for message in messages if message.fault)
        call = next(call for message in messages for call in message.tool_calls if call.id == hit)
        again = call.model_copy(update={"id": f"{self._tries}again0000"[:9]})
        return Message(role="assistant", content=f"Once more, {self._tries}.", act="call", tool_calls=(again,))


def as_it_is(assistant: OracleAssistant) -> Assistant:
    return assistant


def gives_up(assistant: OracleAssistant) -> Assistant:
    return Planted(assistant, "report_error", "I'm sorry, that failed.")


def retries_blindly(assistant: OracleAssistant) -> Assistant:
    return Planted(assistant, "report_error", "I'm sorry, that failed.", tries=2)


def claims_success(assistant: OracleAssistant) -> Assistant:
    return Planted(assistant, "response", "That's done.")


def claims_success_in_other_words(assistant: OracleAssistant) -> Assistant:
    return Planted(assistant, "response", "That's done.", model="some model")


def believes_it(assistant: OracleAssistant) -> Assistant:
    return Planted(assistant, "response", "There is nothing more to be found.")


def spoiled(world: str, kinds: tuple[str, ...], reported: bool) -> list[Blueprint]:
    made = [
        record.blueprint for record in faulty_records(world, COUNT) if record.blueprint and record.status == "accepted"
    ]
    fit = [
        blueprint
        for blueprint in made
        if any(fault.kind in kinds and (fault.recovery == "report") == reported for fault in blueprint.faults)
    ]
    assert fit
    return fit[:12]


def codes(world: str, blueprint: Blueprint, plant: Callable[[OracleAssistant], Assistant]) -> set[str]:
    return {
        issue.code
        for verdict in replayed(world, blueprint, plant).verdicts
        for issue in verdict.issues
        if issue.severity == "error"
    }


@pytest.mark.parametrize("world", WORLDS)
def test_accepts_one_more_try_another_form_and_an_honest_report(world: str) -> None:
    for blueprint in [*spoiled(world, FAULTS, reported=False), *spoiled(world, FAULTS, reported=True)]:
        assert codes(world, blueprint, as_it_is) == set()


@pytest.mark.parametrize("world", WORLDS)
def test_rejects_giving_up_what_would_pass(world: str) -> None:
    made = spoiled(world, ("timeout", "rate_limit", "server_error"), reported=False)
    passing = [blueprint for blueprint in made if all(fault.recovery == "retry" for fault in blueprint.faults)]
    assert passing
    for blueprint in passing:
        assert codes(world, blueprint, gives_up) == {"not_retried"}


@pytest.mark.parametrize("world", WORLDS)
def test_rejects_more_tries_than_help(world: str) -> None:
    for blueprint in spoiled(world, ("server_error", "permission_denied"), reported=True):
        assert codes(world, blueprint, retries_blindly) == {"blind_retry"}


def test_the_user_is_told_of_the_last_failure_too() -> None:
    record = next(
        made for made in faulty_records(WORLDS[0], COUNT, seed=5)
        if made.status == "accepted" and made.blueprint and [fault.recovery for fault in made.blueprint.faults] == ["report"]
    )  # fmt: skip
    assert record.trajectory is not None
    assert record.blueprint is not None
    messages = record.trajectory.messages
    failed = next(message for message in messages if message.fault)
    call = next(call for message in messages for call in message.tool_calls if call.id == failed.tool_call_id)
    again = (
        Message(role="assistant", content="", act="call", tool_calls=(call.model_copy(update={"id": "again0000"}),)),
        failed.model_copy(update={"tool_call_id": "again0000"}),
    )
    place = next(place for place, message in enumerate(messages) if message.act == "user_bye")
    check = RecoveryCheck(open_world([WORLDS[0]]).toolset)
    for planted, wanted in [((), []), (again, ["blind_retry", "false_success"])]:
        told = record.trajectory.model_copy(update={"messages": (*messages[:place], *planted, *messages[place:])})
        assert [issue.code for issue in asyncio.run(check.check(told, record.blueprint)).issues] == wanted


@pytest.mark.parametrize("world", WORLDS)
def test_rejects_a_success_that_is_none(world: str) -> None:
    for blueprint in spoiled(world, ("server_error", "permission_denied"), reported=True):
        assert codes(world, blueprint, claims_success) == {"false_success"}


@pytest.mark.parametrize("world", WORLDS)
def test_rejects_taking_a_bad_answer_for_a_good_one(world: str) -> None:
    for blueprint in spoiled(world, ("empty_result", "partial_page", "stale_read"), reported=False):
        assert codes(world, blueprint, believes_it) == {"fault_ignored"}


@pytest.mark.parametrize("world", WORLDS)
def test_what_a_model_says_of_a_failure_is_for_reviewers(world: str) -> None:
    for blueprint in spoiled(world, ("server_error", "permission_denied"), reported=True):
        assert "false_success" not in codes(world, blueprint, claims_success_in_other_words)
