"""Opened worlds for tests: bundled domains, and what real API descriptions become; each is opened once in a process."""

import asyncio
import os
import pickle
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.workshop import Workshop
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.graph.multigraph import ToolGraph
from interplay.schemas.records.behaviour import BEHAVIOURS
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Message, Trajectory
from interplay.schemas.records.verdict import DatasetRecord

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[3] / "shared"))
OFTEN = {
    "behaviours": dict.fromkeys(BEHAVIOURS, 0.15) | {
        "impatient": 0.1, "changes_mind": 0.25, "wanders_off": 0.1, "asks_impossible": 0.08, "contradicts": 0.12,
        "mistaken": 0.2, "comes_back": 0.3, "elliptical": 0.5, "long_memory": 0.3,
    },
    "vague": 0.25, "out_of_scope": 0.12, "pressure": 0.5,
}  # fmt: skip
"""Recipes by which little shows enough of all that users do; by default they are rare."""

SMALL_SPECS = (
    "petstore_v3.yaml", "train_travel.yaml", "museum.yaml", "notion.json", "xero_projects.yaml", "petstore_expanded_v2.json",
)  # fmt: skip


def shared_spec(name: str) -> str:
    """Return the toolset specification of a real API description; skips where the files are absent."""
    path = SHARED / "data" / "openapi" / name
    if not path.exists():
        pytest.skip(f"{path} is not there; set INTERPLAY_SHARED")
    return f"openapi:{path}"


@cache
def _opened(specs: tuple[str, ...]) -> tuple[OpenedWorld, ToolGraph]:
    world = open_world(specs)
    return world, asyncio.run(open_graph(world))


@dataclass
class Supply:
    """The records of a generator, made when they are asked for and then kept, in a file for the other processes of the tests."""

    source: Generator
    file: Path | None = None
    made: list[DatasetRecord] = field(default_factory=list)

    def first(self, count: int) -> tuple[DatasetRecord, ...]:
        """Return the records of the first indices."""
        if len(self.made) < count and self.file is not None and self.file.exists():
            self.made = max(self.made, pickle.loads(self.file.read_bytes()), key=len)
        if len(self.made) < count:
            self.made += asyncio.run(self._made(range(len(self.made), count)))
            if self.file is not None:
                written = self.file.with_suffix(f".{os.getpid()}")
                written.write_bytes(pickle.dumps(self.made))
                written.replace(self.file)
        return tuple(self.made[:count])

    async def _made(self, indices: range) -> list[DatasetRecord]:
        return [await self.source.make_record(index) for index in indices]


@cache
def _supply(told: str) -> Supply:
    config = RunConfig.model_validate_json(told)
    folder = os.environ.get("INTERPLAY_TEST_RECORDS")
    stays = all(spec.startswith(("domain:", f"openapi:{SHARED}")) for spec in config.toolset)
    file = Path(folder) / sha256(told.encode()).hexdigest() if folder and stays else None
    return Supply(Generator(config, *_opened(config.toolset), "run"), file)


def supply(*specs: str, seed: int = 7, **settings: Any) -> Supply:
    """Return the records of toolsets under these settings of a run; `train_travel.yaml` is a real API description."""
    toolset = tuple(spec if ":" in spec else shared_spec(spec) for spec in specs)
    return _supply(RunConfig.model_validate({"toolset": toolset, "seed": seed, **settings}).model_dump_json())


def generator(*specs: str, seed: int = 7, **settings: Any) -> Generator:
    """Return a generator of records for toolsets."""
    return supply(*specs, seed=seed, **settings).source


def records(spec: str, count: int, seed: int = 7, **settings: Any) -> tuple[DatasetRecord, ...]:
    """Return the first records of a toolset."""
    return supply(spec, seed=seed, **settings).first(count)


def played(spec: str, count: int, seed: int = 7, **settings: Any) -> list[tuple[Blueprint, Trajectory]]:
    """Return the first tasks of a toolset with their dialogues."""
    made = records(spec, count, seed, **settings)
    return [(record.blueprint, record.trajectory) for record in made if record.blueprint and record.trajectory]


def place_of(source: Generator, blueprint: Blueprint) -> Workshop:
    """Return where a task was composed and is played: each few indices have a made-up world of their own."""
    return source.workshop(blueprint.recipe.index)


def request_of(blueprint: Blueprint, message: Message) -> int:
    """Return which request a message of a user by rules is at, from 1; 0 for a goodbye."""
    if message.act == "user_bye":
        return 0
    goal, requests = message.state and message.state.goal, enumerate(blueprint.scenario.requests, 1)
    return next((number for number, request in requests if goal in request), 1)
