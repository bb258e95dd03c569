"""Measures how much made-up worlds share: recurring entities, rows of the test split seen in training, time to open.

    python bench/worlds.py [--quick] [--json] [--toolset SPEC]... [--records N]

Without a toolset: the bundled clinic, and the real descriptions that are present (INTERPLAY_SHARED). An entity is a row whose key
or name an accepted dialogue shows, in a call or a result. Entities that most worlds have are a fixed catalogue, which is only
listed under `fixed`. The exit code is 1 if an entity occurs in more than 2 % of the records, a row of test was seen in train, or
a world takes more than 20 ms to open.
  most_often     the entity shown by most records, and the share of records
  over           number of entities in more than 2 % of the records
  fixed          number of fixed entities by table
  seen           rows shown in test that are also shown in train, and all rows shown in test
  tasks_seen     tasks of test that train has too (they name only fixed entities), and all tasks of test
  repeated       accepted tasks with the same story as an earlier one
  open_ms        time to open a world; `rows_ms` includes making all its rows
"""

import argparse
import asyncio
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from shared_data import OPENAPI

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.generators.values.world_seed import WorldSeed
from interplay.outputs.store.splits import split_of
from interplay.schemas.json.canonical import digest, leaves
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory

QUICK, WHOLE = 120, 1_000
SMALLEST = ("--toolset", "domain:clinic", "--records", "24", "--json")
"""Arguments of the smallest run, which a test makes."""

DESCRIPTIONS = (
    "petstore_v3.yaml", "train_travel.yaml", "museum.yaml", "notion.json", "xero_projects.yaml",
    "bigcommerce_customers_v2.yml",
)  # fmt: skip
MOST, LONGEST_OPENING = 0.02, 20.0
FIXED = 0.5
"""Share of worlds above which a common entity is part of a fixed catalogue."""
NAMES = ("name", "full_name", "title", "label", "subject", "username", "email", "display_name", "practitioner_name")
OPENED = 12
"""Number of worlds that are opened, to measure times and to find fixed entities."""

Entity = tuple[str, str]
"""A table, and a key or name in it."""


def entities(world: OpenedWorld) -> dict[Entity, str]:
    """Return the keys and names of all rows, each with the digest of its row."""
    found: dict[Entity, str] = {}
    for table, rows in world.environment.state().items():
        for key, row in rows.items():
            if isinstance(row, Mapping):
                told = digest({name: value for name, value in row.items() if not name.startswith("_")})
                texts = [row[name] for name in NAMES if isinstance(row.get(name), str) and row[name]]
                found |= {(table, str(text)): told for text in [key, *texts]}
    return found


def shown(trajectory: Trajectory) -> set[str]:
    """Return the scalar values in the calls and results of a dialogue."""
    values: set[str] = set()
    for message in trajectory.messages:
        for call in message.tool_calls:
            values |= {str(value) for _, value in leaves(call.arguments) if isinstance(value, (str, int))}
        if message.role == "tool":
            try:
                values |= {
                    str(value) for _, value in leaves(json.loads(message.content)) if isinstance(value, (str, int))
                }
            except ValueError:
                values.add(message.content)
    return values


def another(generator: Generator, number: int) -> OpenedWorld:
    """Open one of many worlds afresh."""
    made = generator.config.worlds.world(1, number, generator.config.language)
    return generator.world.renewed(WorldSeed.of(made, generator.config.worlds.rows))


def times(generator: Generator) -> Iterator[tuple[float, float]]:
    """Yield the milliseconds to open a world, and to open it and make all its rows."""
    for number in range(OPENED):
        began = time.process_time()
        world = another(generator, number)
        _ = world.environment.digest()
        opened = time.process_time()
        for table in world.environment.state().values():
            _ = list(table.values())
        yield 1000 * (opened - began), 1000 * (time.process_time() - began)


async def measure(spec: str, records: int) -> dict[str, Any]:
    """Return the figures of the worlds of one source."""
    config = RunConfig.model_validate({"toolset": [spec], "seed": 5})
    world = open_world(config.toolset)
    generator = Generator(config, world, await open_graph(world), "worlds")
    listed = Counter(entity for number in range(OPENED) for entity in entities(another(generator, number)))
    fixed = {entity for entity, worlds in listed.items() if worlds > FIXED * OPENED}
    in_records: Counter[Entity] = Counter()
    rows: dict[str, set[str]] = defaultdict(set)
    tasks: dict[str, list[str]] = defaultdict(list)
    stories: list[str] = []
    held: tuple[Any, dict[Entity, str]] = (None, {})
    for index in range(records):
        made = await generator.make_record(index)
        if made.status != "accepted" or made.blueprint is None or made.trajectory is None:
            continue
        if held[0] != made.blueprint.world:
            held = made.blueprint.world, entities(generator.workshop(index).world)
        values = shown(made.trajectory)
        met = {entity: row for entity, row in held[1].items() if entity[1] in values and entity not in fixed}
        in_records.update(met.keys())
        _take(made.blueprint, set(met.values()), rows, tasks)
        stories.append(made.blueprint.story())
    clock = list(times(generator))
    best = in_records.most_common(1) or [(("", ""), 0)]
    over = [entity for entity, count in in_records.items() if count > max(MOST * records, 1)]
    return {
        "toolset": spec.rpartition("/")[2],
        "accepted": len(stories),
        "most_often": [" ".join(best[0][0]), round(best[0][1] / max(records, 1), 4)],
        "over": len(over),
        "fixed": {table: sum(entity[0] == table for entity in fixed) for table in sorted({name for name, _ in fixed})},
        "seen": [len(rows["test"] & rows["train"]), len(rows["test"])],
        "tasks_seen": [sum(task in set(tasks["train"]) for task in tasks["test"]), len(tasks["test"])],
        "repeated": len(stories) - len(set(stories)),
        "open_ms": round(sum(opened for opened, _ in clock[1:]) / (OPENED - 1), 1),
        "rows_ms": round(sum(whole for _, whole in clock[1:]) / (OPENED - 1), 1),
    }


def _take(blueprint: Blueprint, met: set[str], rows: dict[str, set[str]], tasks: dict[str, list[str]]) -> None:
    """Add the rows and the task of a record to those of its split."""
    split = split_of(blueprint)
    rows[split] |= met
    tasks[split].append(blueprint.signature())


def main() -> int:
    """Print the figures; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description="How much made-up worlds share.")
    parser.add_argument("--quick", action="store_true", help=f"Make {QUICK} records of each source.")
    parser.add_argument("--records", type=int, help="Make so many records of each source.")
    parser.add_argument("--toolset", action="append", help="Sources of tools, as KIND:PLACE.")
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    options = parser.parse_args()
    present = [path for name in DESCRIPTIONS if (path := OPENAPI / name).exists()]
    specs = options.toolset or ["domain:clinic", *(f"openapi:{path}" for path in present)]
    records = options.records or (QUICK if options.quick else WHOLE)
    found = [asyncio.run(measure(spec, records)) for spec in specs]
    if options.json:
        print(json.dumps({"records": records, "sources": found}, indent=2))
    else:
        for item in found:
            print("  ".join(f"{name} {value}" for name, value in item.items()))
    kept = (not item["over"] and not item["seen"][0] and item["open_ms"] <= LONGEST_OPENING for item in found)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
