"""Dialogues in which tools are searched for in a registry, come and go, or are missing at first."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.generators.worlds import Supply, generator, supply
from tests.generators.worlds import records as first_records

from interplay.generators.dialogue_limits import Limits
from interplay.generators.participants.by_model.user import scenario_prompt
from interplay.generators.simulation import simulate
from interplay.schemas.calls.offer import HELD, names_found
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.verdict import DatasetRecord

CLINIC = "domain:clinic"
BYE = Message(role="assistant", content="Bye.", act="system_bye")
Played = tuple[Blueprint, Trajectory]


PLAIN = {
    "behaviours": {}, "tool_search": 0.0, "tool_changes": 0.0,
    "patterns": {
        "single": 0.07, "sequential": 0.15, "parallel": 0.17, "parallel_then_sequential": 0.21, "multi_goal": 0.4
    },
}  # fmt: skip


def merged(**recipes: Any) -> Supply:
    return supply("notion.json", "museum.yaml", "xero_projects.yaml", "trello.yaml", recipes=recipes)


def records(mode: str, count: int = 50) -> tuple[DatasetRecord, ...]:
    if mode == "registry":
        return merged(**PLAIN, registry=1.0, plain=0.0, sense=0.0).first(count)
    return first_records(CLINIC, count, recipes={**PLAIN, "tool_changes": float(mode == "tool_changes")})


def played(mode: str) -> Iterator[Played]:
    for record in records(mode):
        if record.blueprint is not None and record.trajectory is not None and record.blueprint.changes:
            yield record.blueprint, record.trajectory


def changes_made(trajectory: Trajectory) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    made, offered = [], trajectory.tools
    for message in trajectory.messages:
        if message.offered is not None:
            added = tuple(name for name in message.offered if name not in offered)
            made.append((added, tuple(name for name in offered if name not in message.offered)))
            offered = message.offered
    return made


@pytest.mark.parametrize("mode", ["registry", "tool_changes"])
def test_nearly_all_records_are_accepted(mode: str) -> None:
    made = records(mode)
    assert sum(record.status == "accepted" for record in made) >= 0.95 * len(made)
    assert sum(1 for _ in played(mode)) >= 0.95 * len(made)


@pytest.mark.parametrize("mode", ["registry", "tool_changes"])
def test_calls_only_what_is_offered_at_that_message(mode: str) -> None:
    for _, trajectory in played(mode):
        for index, message in enumerate(trajectory.messages):
            assert {call.name for call in message.tool_calls} <= set(trajectory.offered_at(index))


@pytest.mark.parametrize("mode", ["registry", "tool_changes"])
def test_plays_the_changes_that_the_blueprint_plans(mode: str) -> None:
    for blueprint, trajectory in played(mode):
        planned = [
            (change.added, set(change.removed)) for change in blueprint.changes if change.added or change.removed
        ]
        assert [(added, set(removed)) for added, removed in changes_made(trajectory)] == planned


def test_a_registry_begins_with_the_search_and_little_else() -> None:
    for blueprint, trajectory in played("registry"):
        assert SEARCH_TOOL in trajectory.tools
        assert len(trajectory.tools) <= 4
        assert not set(trajectory.tools) & {action.tool for action in blueprint.actions}


def test_searches_in_plain_words_and_by_no_name() -> None:
    names = {tool.name.lower() for tool in merged().source.world.toolset.tools}
    for _, trajectory in played("registry"):
        for call in trajectory.calls():
            if call.name == SEARCH_TOOL:
                assert not names & set(call.arguments["query"].lower().split())
                assert "_" not in call.arguments["query"]


def test_has_nothing_but_what_searches_found() -> None:
    for _, trajectory in played("registry"):
        found = set(trajectory.tools)
        for _, call, answer in trajectory.calls_with_results():
            if call.name == SEARCH_TOOL and answer is not None:
                found |= set(names_found(answer.content))
        assert set(trajectory.all_tools()) <= found


def test_holds_no_more_tools_than_the_window() -> None:
    sizes = [
        len(message.offered) - len(trajectory.tools)
        for _, trajectory in played("registry")
        for message in trajectory.messages
        if message.offered
    ]
    assert max(sizes) <= HELD
    assert any(removed for _, trajectory in played("registry") for _, removed in changes_made(trajectory))


def test_some_searches_find_nothing_of_use_and_are_followed_by_another() -> None:
    missed = 0
    for blueprint, trajectory in played("registry"):
        needed = {action.tool for action in blueprint.actions}
        searches = [change for change in blueprint.changes if change.query]
        missed += sum(not needed & set(change.added) for change in searches[:-1])
        last = [call for call in trajectory.calls() if call.name == SEARCH_TOOL][-1]
        assert searches[-1].query == last.arguments["query"]
    assert missed >= 3


def test_a_later_goal_on_the_same_tools_needs_no_search() -> None:
    quiet = 0
    for blueprint, _ in played("registry"):
        searched = {change.request for change in blueprint.changes}
        quiet += len(set(range(len(blueprint.scenario.requests))) - searched)
    assert quiet >= 1


def test_tools_appear_with_the_request_that_needs_them_and_are_gone_when_it_is_done() -> None:
    came = went = 0
    for blueprint, _ in played("tool_changes"):
        needed = {action.tool for action in blueprint.actions}
        for change in blueprint.changes:
            came += bool(needed & set(change.added)) and change.request > 0
            went += bool(needed & set(change.removed))
    assert came >= 10
    assert went >= 10


def test_says_that_there_is_no_tool_and_does_it_when_there_is() -> None:
    seen = 0
    for blueprint, trajectory in played("tool_changes"):
        early = blueprint.scenario.early
        if early is None or any(fault.lasting for fault in blueprint.faults):
            continue
        seen += 1
        wanted = blueprint.goals[blueprint.scenario.requests[early.request][0]].tool
        if any(action.withheld for action in blueprint.actions if action.tool == wanted):
            continue  # there is the tool in the end, and a rule keeps it from being used
        refused = next(index for index, message in enumerate(trajectory.messages) if message.act == "response_fail")
        refusals = [index for index, message in enumerate(trajectory.messages) if message.act == "response_fail"]
        assert any(wanted not in trajectory.offered_at(index) for index in refusals)
        assert not any(call.name == wanted for message in trajectory.messages[:refused] for call in message.tool_calls)
        if not any(action.withheld for action in blueprint.actions if action.tool == wanted):
            assert wanted in [call.name for message in trajectory.messages[refused:] for call in message.tool_calls]
    assert seen >= 20


def test_nothing_like_the_missing_tool_is_offered_when_it_is_refused() -> None:
    roles = {role.tool: role for role in generator(CLINIC).world.environment.resources.roles}
    for blueprint, trajectory in played("tool_changes"):
        early = blueprint.scenario.early
        if early is not None:
            wanted = roles[blueprint.goals[blueprint.scenario.requests[early.request][0]].tool]
            first = next(
                index
                for index, message in enumerate(trajectory.messages)
                if _fails_for(message, trajectory, wanted.tool)
            )
            offered = [roles[name] for name in trajectory.offered_at(first)]
            assert not [
                role.tool
                for role in offered
                if (role.resource, role.operation) == (wanted.resource, wanted.operation) and role.resource
            ]


def _fails_for(message: Message, trajectory: Trajectory, tool: str) -> bool:
    index = trajectory.messages.index(message)
    return message.act == "response_fail" and tool not in trajectory.offered_at(index)


def test_nothing_changes_in_a_dialogue_of_another_kind() -> None:
    for record in first_records(CLINIC, 30, recipes={"tool_changes": 0.0}):
        assert record.trajectory is not None
        assert all(message.offered is None for message in record.trajectory.messages)


def test_makes_the_same_record_again() -> None:
    made = merged(registry=1.0)
    again = replace(made.source)
    assert made.first(4) == tuple(asyncio.run(again.make_record(index)) for index in range(4))


def test_tells_a_model_that_it_asks_for_something_too_early() -> None:
    blueprint = next(blueprint for blueprint, _ in played("tool_changes") if blueprint.scenario.early is not None)
    assert "If it cannot be done yet" in scenario_prompt(blueprint.scenario, blueprint.goals)


class Silent:
    """Says and calls what it was told to, as a model would: without any state."""

    def __init__(self, messages: list[Message]) -> None:
        self._messages = messages

    async def respond(self, _messages: tuple[Message, ...]) -> Message:
        return self._messages.pop(0)


def test_tools_come_when_a_model_says_that_it_is_at_the_request_that_needs_them_in_whatever_words() -> None:
    blueprint, _ = next(
        (blueprint, trajectory)
        for blueprint, trajectory in played("tool_changes")
        if blueprint.scenario.early is None and blueprint.changes[0].request == 1
    )
    user = Silent(
        [Message(role="user", content=words, about=at) for words, at in zip("abcd", (1, 1, 2, 0), strict=True)]
    )
    assistant = Silent([*(Message(role="assistant", content=words) for words in "efg"), BYE])
    environment = generator(CLINIC).world.environment
    result = asyncio.run(simulate(blueprint, user, assistant, environment, Limits()))
    told = [message.offered is not None for message in result.messages if message.role == "user"]
    assert told == [False, False, True, False]


def test_a_request_that_a_model_makes_too_early_is_in_vain_once() -> None:
    blueprint, _ = next((blueprint, played) for blueprint, played in played("tool_changes") if blueprint.scenario.early)
    early = blueprint.scenario.early
    assert early is not None
    before = [Message(role="user", content="x", about=at) for at in range(1, early.before + 1)]
    wish = Message(role="user", content="x", about=early.request + 1)
    user, answers = Silent([*before, wish, wish]), [Message(role="assistant", content="y")] * (len(before) + 1)
    environment = generator(CLINIC).world.environment
    result = asyncio.run(simulate(blueprint, user, Silent([*answers, BYE]), environment, Limits()))
    told = [message.offered is not None for message in result.messages if message.role == "user"]
    assert told[-2:] == [False, True]
