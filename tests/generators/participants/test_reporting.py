"""What an assistant says of results: lists by what was asked for, and never more than was done."""

import asyncio
from functools import cache
from random import Random

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import parse_config
from interplay.flows.generation import Generator
from interplay.generators.participants.deeds import asked_for, said_of
from interplay.generators.participants.reporting import listing
from interplay.generators.participants.wording import Words, load_grammar
from interplay.schemas.blueprint import Blueprint, ExpectedOutput
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.recipe import Persona
from interplay.schemas.tools import ResourceModel


@cache
def played(name: str, count: int = 80) -> tuple[ResourceModel, tuple[tuple[Blueprint, Trajectory], ...]]:
    """Return what the tools of a description do, and the first dialogues about them."""
    spec = shared_spec(name)
    world = open_world([spec])
    maker = Generator(parse_config({"toolset": [spec]}, "test"), world, asyncio.run(open_graph(world, 0)), "run")

    async def made() -> list[tuple[Blueprint, Trajectory]]:
        records = [await maker.make_record(index) for index in range(count)]
        return [(r.blueprint, r.trajectory) for r in records if r.blueprint and r.trajectory]

    return world.environment.resources, tuple(asyncio.run(made()))


@pytest.mark.parametrize(
    ("intent", "things"),
    [
        ("get a list of public categories", "public categories"),
        ("see all reserved IPs", "reserved IPs"),
        ("check my top items", "top items"),
        ("list the cards of a board", "cards"),
        ("get an order", ""),
        ("check what I owe", ""),
    ],
)
def test_a_list_is_called_by_what_was_asked_for(intent: str, things: str) -> None:
    assert asked_for(intent) == things


def test_a_measure_is_named_with_what_it_measures() -> None:
    words = Words(load_grammar()["assistant"], Random(1), Persona())
    outputs = [ExpectedOutput(action="a1", pointer=f"/{place}/height", label="height", value=value)
               for place, value in enumerate((312, 407))]  # fmt: skip
    assert "height 312 and height 407" in listing(words, [{}, {}], outputs, None, "images")


def test_what_is_looked_up_is_not_reported_as_done() -> None:
    model, dialogues = played("spotify_official.yml")
    done = {text for text in load_grammar()["assistant"]["done"] if text}
    looked = 0
    for blueprint, trajectory in dialogues:
        goals = [goal for goal in blueprint.goals if goal.tool]
        if not all(model.role(goal.tool).operation in ("read", "list") for goal in goals):
            continue
        for message in trajectory.messages:
            looked += message.act == "response"
            if message.act == "response":
                assert not any(message.content.startswith(text) for text in done), message.content
    assert looked


def test_what_is_cancelled_is_not_said_to_be_gone() -> None:
    assert said_of("delete", "disable a private link") == "done"
    assert said_of("delete", "cancel a run") == "done"
    assert said_of("delete", "remove a private link") == "deleted"
    assert said_of("create", "set up a meeting") == "created"


def test_a_question_that_a_change_of_mind_answers_is_not_asked_in_the_same_words() -> None:
    spec = shared_spec("launchdarkly_v2.json")
    world = open_world([spec])
    config = parse_config({"toolset": [spec], "seed": 11}, "test")
    maker = Generator(config, world, asyncio.run(open_graph(world, 0)), "run")
    record = asyncio.run(maker.make_record(93))
    assert record.trajectory is not None
    asked = [message.content for message in record.trajectory.messages if message.act == "confirm_request"]
    changed = [message for message in record.trajectory.messages if message.act == "change_mind"]
    assert changed
    assert len(set(asked)) == len(asked) > 1
    assert asked[1].startswith(tuple(load_grammar()["assistant"]["noted"]))
    assert record.status == "accepted"


def test_like_answers_are_told_apart_by_what_was_asked_for() -> None:
    spec = "domain:clinic"
    world = open_world([spec])
    config = parse_config({"toolset": [spec], "seed": 5, "recipes": {"patterns": {"parallel": 1.0}}}, "test")
    maker = Generator(config, world, asyncio.run(open_graph(world, 0)), "run")
    said = []
    for index in range(12):
        record = asyncio.run(maker.make_record(index))
        assert record.blueprint is not None
        assert record.trajectory is not None
        prices = [
            action.arguments["service"] for action in record.blueprint.calls if action.tool == "get_price_estimate"
        ]
        answers = " ".join(message.content for message in record.trajectory.messages if message.act == "response")
        if len(set(prices)) > 1:
            said.append(all(f"({price}):" in answers for price in prices))
    assert said
    assert all(said)
