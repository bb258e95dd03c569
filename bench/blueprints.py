"""Measures how fast blueprints are made, how varied they are, and whether the gates catch planted faults.

    python bench/blueprints.py [--quick] [--json] [--blueprints N] [--faults N]

Measured on the bundled domains: blueprints per CPU second with all gates; unique tool sequences, repeated scenarios, tools and
rules that occur, shares of patterns (that of `guided` only among toolsets with tools for users); stored blueprints that replay
to the same digest; planted faults that the right gate catches, and sound blueprints that are rejected.
"""

import argparse
import asyncio
import gc
import json
import time
from collections import Counter
from random import Random
from typing import Any

from faults import FAULTS, plant

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.panel import CheckedTask, check_task
from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.generators.blueprints.composition.novelty import Avoided
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import ToolCall
from interplay.schemas.records.recipe import PATTERNS
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.blueprints.duplicates import Duplicates
from interplay.validators.blueprints.gates import check_blueprint

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
QUICK, WHOLE = (450, 140), (10_000, 1_000)
SMALLEST = ("--blueprints", "45", "--faults", "9", "--json")
"""Arguments of the smallest run, which a test makes."""
SEED = 11


class Measured:
    """The counts over all domains."""

    def __init__(self) -> None:
        self.sequences: set[tuple[str, ...]] = set()
        self.scenarios: Counter[str] = Counter()
        self.patterns: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.caught: Counter[str] = Counter()
        self.planted: Counter[str] = Counter()
        self.unmet: list[str] = []
        self.speeds: dict[str, float] = {}
        self.replayed = self.same = self.composed = self.two_sided = 0

    def note(self, spec: str, blueprint: Blueprint) -> None:
        """Count an accepted blueprint."""
        self.patterns[blueprint.pattern] += 1
        self.sequences.add((spec, *(action.tool for action in blueprint.actions)))
        self.scenarios[digest([spec, blueprint.story()])] += 1


async def measure(spec: str, count: int, faults: int, found: Measured) -> None:
    """Compose, check and replay the blueprints of one toolset, and plant faults in them."""
    world = open_world([spec])
    made = Generator(RunConfig(toolset=(spec,), seed=SEED), world, await open_graph(world, 0), "run")
    place, rules = made.workshop(0), world.toolset.rules
    two_sided = any(tool.requestor == "user" for tool in world.toolset.tools)
    kept: list[str] = []
    met: set[str] = set()
    stories = Duplicates()
    started = time.process_time()
    for index in range(count):
        blueprint = await place.composer.compose(made.tasks.recipe(index), Avoided(told=stories.has))
        if isinstance(blueprint, Issue):
            found.stages["compose"] += 1
            continue
        found.composed += 1
        draft = await check_task(blueprint, place, stories)
        verdict = draft.verdicts[-1] if isinstance(draft, CheckedTask) else Verdict(check="compose")
        if not verdict.passed:
            found.stages[verdict.check] += 1
            continue
        found.note(spec, blueprint)
        found.two_sided += two_sided
        called = {action.tool for action in blueprint.calls}
        met |= called | {rule.id for rule in rules if set(rule.tools) & called}
        kept.append(blueprint.model_dump_json())
    found.speeds[spec] = round(count / (time.process_time() - started), 1)
    found.unmet += [f"{spec} {name}" for name in (*made.tasks.targets, *(rule.id for rule in rules)) if name not in met]
    for text in kept:
        await _replay(Blueprint.model_validate_json(text), place.world.environment, found)
    rng, order = Random(f"{SEED}/faults"), list(FAULTS)
    tries = (Blueprint.model_validate_json(rng.choice(kept)) for _ in range(faults * 200))
    for number in range(faults):
        name = order[number % len(order)]
        broken = None
        while broken is None:
            broken = await plant(name, next(tries), world, rng)
        verdict = (await check_blueprint(broken, place.blueprint_checks))[-1]
        found.planted[name] += 1
        if not verdict.passed and verdict.check in FAULTS[name][1]:
            found.caught[name] += 1
        else:
            codes = sorted({issue.code for issue in verdict.issues})
            found.missed[f"{name}: {'passed' if verdict.passed else verdict.check} {codes}"] += 1


async def _replay(blueprint: Blueprint, environment: Any, found: Measured) -> None:
    start = environment.snapshot()
    for action in blueprint.calls:
        await environment.call(
            ToolCall(id=action.id, name=action.tool, arguments=action.arguments, requestor=action.requestor)
        )
    found.replayed += 1
    found.same += environment.digest() == blueprint.expected.digest
    environment.restore(start)


def figures(found: Measured) -> dict[str, Any]:
    """Return the figures of what was measured."""
    accepted = sum(found.patterns.values())
    sound = found.composed - accepted
    among = {name: found.two_sided if name == "guided" else accepted for name in PATTERNS}
    shares = {name: round(found.patterns[name] / max(1, among[name]), 4) for name in PATTERNS}
    return {
        "blueprints": accepted, "per_cpu_s": found.speeds, "stages": dict(found.stages),
        "sound_rejected": round(sound / max(1, found.composed), 4),
        "unique_sequences": len(found.sequences), "twice": sum(found.scenarios.values()) - len(found.scenarios),
        "not_met": found.unmet, "patterns": shares,
        "patterns_outside": [name for name, share in shares.items() if not 0.04 <= share <= 0.25],
        "replayed": found.replayed, "same_digest": found.same,
        "faults": sum(found.planted.values()), "caught": sum(found.caught.values()),
        "by_fault": {name: f"{found.caught[name]}/{found.planted[name]}" for name in FAULTS},
        "missed": dict(found.missed.most_common(12)),
    }  # fmt: skip


def main() -> None:
    """Measure, and print the figures."""
    gc.set_threshold(COLLECTED_EVERY)  # as the command does
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK[0]} blueprints and {QUICK[1]} faults")
    parser.add_argument("--blueprints", type=int, default=WHOLE[0], help="blueprints over all domains")
    parser.add_argument("--faults", type=int, default=WHOLE[1], help="faults over all domains")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    count, faults = QUICK if options.quick else (options.blueprints, options.faults)
    found = Measured()
    for place, spec in enumerate(DOMAINS):
        share = [total // len(DOMAINS) + (place < total % len(DOMAINS)) for total in (count, faults)]
        asyncio.run(measure(spec, share[0], share[1], found))
    told = figures(found)
    if options.json:
        print(json.dumps(told))
        return
    for name, value in told.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
