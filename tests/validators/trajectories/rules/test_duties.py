"""Duties of rules: what they ask to be said before a call, and to be offered where they forbid one."""

import asyncio
from collections.abc import Iterator

from tests.generators.worlds import generator, records

from interplay.schemas.records.blueprint import Action, Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import Issue
from interplay.validators.trajectories.rules.duties import DutiesCheck

WORKSPACE = "domain:workspace"
COUNT = 120


def due(withheld: bool) -> Iterator[tuple[Blueprint, Trajectory, Action]]:
    for record in records(WORKSPACE, COUNT):
        if record.status == "accepted" and record.blueprint is not None and record.trajectory is not None:
            for action in record.blueprint.actions:
                if action.duties and (action.withheld is not None) == withheld:
                    yield record.blueprint, record.trajectory, action


def judged(blueprint: Blueprint, trajectory: Trajectory, messages: tuple[Message, ...]) -> list[Issue]:
    check = DutiesCheck(generator(WORKSPACE).world.toolset)
    changed = trajectory.model_copy(update={"messages": messages})
    return list(asyncio.run(check.check(changed, blueprint)).issues)


def unnoted(message: Message) -> Message:
    """Return a message that does no duty."""
    state = message.state.model_copy(update={"duties": ()}) if message.state is not None else None
    return message.model_copy(update={"state": state})


def by_a_model(message: Message) -> Message:
    return message.model_copy(update={"act": None, "state": None})


def test_what_a_rule_asks_to_be_said_comes_before_the_call() -> None:
    found = 0
    for blueprint, trajectory, action in due(withheld=False):
        messages = trajectory.messages
        assert judged(blueprint, trajectory, messages) == []
        assert judged(blueprint, trajectory, tuple(map(by_a_model, messages))) == []
        for changed in (
            tuple(map(unnoted, messages)),
            tuple(
                m.model_copy(update={"content": "Shall I?"}) if m.role == "assistant" and m.content else m
                for m in messages
            ),
        ):
            issues = judged(blueprint, trajectory, changed)
            assert {issue.code for issue in issues} == {"duty_not_kept"}, action.duties
        found += 1
    assert found >= 1


def test_what_a_rule_forbids_is_handed_over() -> None:
    found = 0
    for blueprint, trajectory, action in due(withheld=True):
        messages = trajectory.messages
        handing = {call.id for m in messages for call in m.tool_calls if call.name == "open_support_case"}
        silent = tuple(
            unnoted(m).model_copy(update={"tool_calls": tuple(c for c in m.tool_calls if c.id not in handing)})
            for m in messages
            if m.tool_call_id not in handing
        )
        assert judged(blueprint, trajectory, messages) == []
        assert judged(blueprint, trajectory, tuple(map(unnoted, messages))) == []  # it is handed over in fact
        assert {issue.code for issue in judged(blueprint, trajectory, silent)} == {"duty_not_kept"}, action.duties
        found += 1
    assert found >= 1
