"""A record is a function of configuration and index alone: whatever was made before it, in whichever process."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from random import Random

import pytest
from tests.generators.worlds import shared_spec

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world

DESCRIPTIONS = (
    "museum.yaml", "train_travel.yaml", "petstore_v3.yaml", "xero_projects.yaml", "notion.json",
    "bigcommerce_customers_v2.yml",
)  # fmt: skip
SOURCES = ("domain:clinic", "domain:rental", "domain:workspace", *DESCRIPTIONS)
COUNT = 12
ALONE = """
import json, sys
from tests.flows.test_same_bytes import made
print(json.dumps(made(sys.argv[1], json.loads(sys.argv[2]))))
"""


def made(spec: str, indices: Iterable[int], **settings: object) -> dict[str, str]:
    """Return the records of indices as JSON, made in this order by parts opened anew."""
    config = RunConfig.model_validate({"toolset": [spec], "seed": 5, "language": {"en": 0.7, "de": 0.3}, **settings})

    async def make() -> dict[str, str]:
        world = open_world(config.toolset)
        generator = Generator(config, world, await open_graph(world), "run")
        records = {str(index): await generator.make_records(index) for index in indices}
        return {index: "\n".join(one.model_dump_json() for one in each) for index, each in records.items()}

    return asyncio.run(make())


def alone(spec: str, indices: list[int]) -> dict[str, str]:
    """Return the same of a fresh process, in which texts have other hashes."""
    seed = str(1 + int(os.environ.get("PYTHONHASHSEED") or 0) if os.environ.get("PYTHONHASHSEED", "").isdigit() else 1)
    done = subprocess.run(
        [sys.executable, "-c", ALONE, spec, json.dumps(indices)],
        env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("source", SOURCES)
def test_a_record_does_not_depend_on_what_was_made_before_it(source: str) -> None:
    spec = source if ":" in source else shared_spec(source)
    in_order = made(spec, range(COUNT))
    shuffled = Random(source).sample(range(COUNT), COUNT)
    again = made(spec, shuffled)
    assert [index for index in in_order if again[index] != in_order[index]] == []
    last = shuffled[-1]
    assert alone(spec, [last]) == {str(last): in_order[str(last)]}
