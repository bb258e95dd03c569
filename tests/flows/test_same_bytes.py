"""A record is a function of configuration and index alone: whatever was made before it, in whichever process."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.verdict import DatasetRecord

ROOT = Path(__file__).parents[2]
DESCRIPTIONS = (
    "museum.yaml", "train_travel.yaml", "petstore_v3.yaml", "xero_projects.yaml", "notion.json",
    "bigcommerce_customers_v2.yml",
)  # fmt: skip
SOURCES = ("domain:clinic", "domain:rental", "domain:workspace", *DESCRIPTIONS)
INDICES = (0, 3, 16, 19, 36, 37)
"""Indices that play in three worlds, the last of one beside the first of the next."""
ALONE = """
import json, os, sys
from tests.flows.test_same_bytes import made
for line in sys.stdin:
    child = os.fork()
    if not child:
        print(json.dumps(made(*json.loads(line))), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""
"""A process that makes nothing itself: each record is made by a child of its own, which has the modules and nothing else."""


def made(spec: str, indices: Sequence[int], together: bool = False) -> dict[str, str]:
    """Return the records of indices as JSON, made by parts opened anew: one after the other, or side by side."""
    config = RunConfig.model_validate({"toolset": [spec], "seed": 5, "language": {"en": 0.7, "de": 0.3}})

    async def make() -> list[DatasetRecord]:
        world = open_world(config.toolset)
        generator = Generator(config, world, await open_graph(world), "run")
        if together:
            return await asyncio.gather(*(generator.make_record(index) for index in indices))
        return [await generator.make_record(index) for index in indices]

    return {str(record.index): record.model_dump_json() for record in asyncio.run(make())}


@pytest.fixture(scope="module")
def alone() -> Iterator[Callable[[str, int], dict[str, str]]]:
    """Return the record of one index, made in a fresh process in which sets have another order."""
    hashes = {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"}
    with subprocess.Popen(
        [sys.executable, "-c", ALONE], cwd=ROOT, env={**os.environ, **hashes}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout

        def make(spec: str, index: int) -> dict[str, str]:
            asked.write(json.dumps([spec, [index]]) + "\n")
            asked.flush()
            return dict(json.loads(told.readline()))

        yield make
        asked.close()


@pytest.mark.parametrize("source", SOURCES)
def test_a_record_is_the_same_alone_and_beside_others_in_any_order(
    source: str, alone: Callable[[str, int], dict[str, str]]
) -> None:
    spec = source if ":" in source else shared_spec(source)
    in_order = made(spec, INDICES)
    shuffled = Random(source).sample(INDICES, len(INDICES))
    beside = made(spec, shuffled, together=True)
    assert [index for index in in_order if beside[index] != in_order[index]] == []
    last = shuffled[-1]
    assert alone(spec, last) == {str(last): in_order[str(last)]}
