"""Decisions by rules: sound where what they rest on was shown, named where the look-up is missing."""

import asyncio
from collections.abc import Collection, Iterator

import pytest
from tests.generators.worlds import generator, place_of, records

from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import Issue

COUNT = 60
DOMAINS = ["domain:clinic", "domain:rental", "domain:workspace"]
CODE = "decided_without_evidence"


def played(spec: str) -> Iterator[tuple[Blueprint, Trajectory]]:
    for record in records(spec, COUNT):
        if record.status == "accepted" and record.blueprint is not None and record.trajectory is not None:
            yield record.blueprint, record.trajectory


def judged(spec: str, blueprint: Blueprint, messages: tuple[Message, ...]) -> list[Issue]:
    """Return what the check finds in other messages of a dialogue."""
    place = place_of(generator(spec), blueprint)
    checks = [check for check in place.trajectory_checks if check.name == "evidence"]
    _, trajectory = next(pair for pair in played(spec) if pair[0] is blueprint)
    changed = trajectory.model_copy(update={"messages": messages})

    async def check() -> list[Issue]:
        async with place.turn():
            return [issue for each in checks for issue in (await each.check(changed, blueprint)).issues]

    return asyncio.run(check())


def without(messages: tuple[Message, ...], tools: Collection[str]) -> tuple[Message, ...]:
    """Return messages without the calls of some tools, and without their results."""
    gone = {call.id for message in messages for call in message.tool_calls if call.name in tools}
    kept = (
        message.model_copy(update={"tool_calls": tuple(call for call in message.tool_calls if call.id not in gone)})
        for message in messages
        if message.tool_call_id not in gone
    )
    return tuple(message for message in kept if message.content or message.tool_calls or message.role == "tool")


@pytest.mark.parametrize("spec", DOMAINS)
def test_a_decision_whose_look_ups_are_taken_out_has_no_evidence(spec: str) -> None:
    rules = {rule.id: rule for rule in generator(spec).world.toolset.rules}
    writing = {tool.name for tool in generator(spec).world.toolset.tools if tool.effect == "write"}
    refusals = writes = 0
    for blueprint, trajectory in played(spec):
        assert judged(spec, blueprint, trajectory.messages) == []
        refused = [action for action in blueprint.actions if action.withheld and action.withheld.reason == "forbidden"]
        for action in refused:
            assert action.withheld is not None
            shown = rules[action.withheld.rule].shown_by
            if shown and not blueprint.start:
                issues = judged(spec, blueprint, without(trajectory.messages, shown))
                assert CODE in {issue.code for issue in issues}, action.withheld.rule
                refusals += 1
        shown = [rule for rule in rules.values() if rule.shown_by]
        guarded = [(action, rule) for action in blueprint.calls for rule in shown if action.tool in rule.tools]
        for action, rule in guarded[:2]:
            before = blueprint.calls[: blueprint.calls.index(action)]
            alone = not writing & {other.tool for other in before}  # a write shows the row that it has changed
            if alone and not blueprint.start and not blueprint.faults:
                left = without(trajectory.messages, rule.shown_by)
                issues = judged(spec, blueprint, left)
                if any(call.name == action.tool for message in left for call in message.tool_calls):
                    assert CODE in {issue.code for issue in issues}, (rule.id, action.tool)
                    writes += 1
    assert refusals >= 1
    assert writes >= 1
