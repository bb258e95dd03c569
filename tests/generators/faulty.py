"""Dialogues in which a tool goes wrong, and assistants that do not do what is right then."""

import asyncio
from collections.abc import Callable

from tests.generators.worlds import generator, place_of, records

from interplay.flows.generation.generator import Generator
from interplay.flows.roles.players import seat
from interplay.flows.roles.system_prompt import system_prompt
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.participants.rules.oracle import OracleAssistant
from interplay.generators.simulation import Limits, simulate
from interplay.schemas.protocols import Assistant
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.chain import Judgement, check_trajectory

FAULTY = {"faults": 1.0}


def faulty(spec: str) -> Generator:
    """Return a generator of which every dialogue that can has a fault."""
    return generator(spec, recipes=FAULTY)


def faulty_records(spec: str, count: int, seed: int = 7) -> tuple[DatasetRecord, ...]:
    """Return the first records of it."""
    return records(spec, count, seed, recipes=FAULTY)


def replayed(spec: str, blueprint: Blueprint, plant: Callable[[OracleAssistant], Assistant]) -> Judgement:
    """Play a blueprint with a planted assistant, and judge what becomes of it."""
    place = place_of(faulty(spec), blueprint)
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
                system_prompt(place.world.toolset),
            )
        async with place.turn():
            return await check_trajectory(played, blueprint, place.trajectory_checks)

    return asyncio.run(play())
