"""Opened worlds for tests: the bundled clinic, and what a real API description becomes."""

import asyncio
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import RunConfig
from interplay.flows.generation import Generator
from interplay.schemas.verdict import DatasetRecord

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[3] / "shared"))
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
def generator(spec: str, seed: int = 7) -> Generator:
    """Return a generator of records for one toolset."""
    world = open_world([spec])
    graph = asyncio.run(open_graph(world))
    return Generator(RunConfig(toolset=(spec,), seed=seed), world, graph, "run")


@dataclass
class Supply:
    """The records of a generator, made when they are asked for and then kept."""

    source: Generator
    made: list[DatasetRecord] = field(default_factory=list)

    def first(self, count: int) -> tuple[DatasetRecord, ...]:
        """Return the records of the first indices."""

        async def make() -> None:
            for index in range(len(self.made), count):
                self.made.append(await self.source.make_record(index))

        asyncio.run(make())
        return tuple(self.made[:count])


@cache
def _supply(spec: str) -> Supply:
    return Supply(generator(spec))


def records(spec: str, count: int) -> tuple[DatasetRecord, ...]:
    """Return the first records of a toolset."""
    return _supply(spec).first(count)
