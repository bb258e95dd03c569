"""Dialogues in which a tool goes wrong, and assistants that do not do what is right then."""

import asyncio
from collections.abc import Callable
from functools import cache

from tests.generators.worlds import generator

from interplay.flows.config import RunConfig
from interplay.flows.generation import Generator
from interplay.flows.seating import seat, system_prompt
from interplay.generators.dialogue import Limits, simulate
from interplay.generators.environments.faults import with_faults
from interplay.generators.participants.assistant import OracleAssistant
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.protocols import Assistant
from interplay.schemas.verdict import DatasetRecord
from interplay.validators.chain import Judgement, check_trajectory


@cache
def faulty(spec: str) -> Generator:
    """Return a generator of which every dialogue that can has a fault."""
    plain = generator(spec)
    config = RunConfig.model_validate({"toolset": (spec,), "seed": 7, "recipes": {"faults": 1.0}})
    return Generator(config, plain.world, plain.graph, "run")


@cache
def faulty_records(spec: str, count: int) -> tuple[DatasetRecord, ...]:
    """Return the first records of it."""
    made = faulty(spec)

    async def make() -> tuple[DatasetRecord, ...]:
        return tuple([await made.make_record(index) for index in range(count)])

    return asyncio.run(make())


def replayed(spec: str, blueprint: Blueprint, plant: Callable[[OracleAssistant], Assistant]) -> Judgement:
    """Play a blueprint with a planted assistant, and judge what becomes of it."""
    place = faulty(spec).workshop(0)
    players = seat(blueprint, place.world)
    assert isinstance(players.assistant, OracleAssistant)

    async def play() -> Judgement:
        async with place.turn() as environment:
            played = await simulate(
                blueprint,
                players.user,
                plant(players.assistant),
                with_faults(environment, blueprint.faults),
                Limits(),
                system_prompt(place.world),
            )
        async with place.turn():
            return await check_trajectory(played, blueprint, place.trajectory_checks)

    return asyncio.run(play())
