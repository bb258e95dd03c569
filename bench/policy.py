"""Counts how often each policy rule applies, is tempted and is kept, in blueprints of the bundled domains.

    python bench/policy.py [--quick] [--json] [--blueprints N] [SPEC ...]

`met`: blueprints that call a tool of the rule. `tempted`: those whose user wants it broken. `forbidden` and `allowed`: the two
twins of a temptation. SPEC is a specification as for --toolset; by default the three bundled domains.
"""

import argparse
import asyncio
import json
import time
from collections import Counter
from typing import Any

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.tool import PolicyRule
from interplay.schemas.records.verdict import Issue
from interplay.validators.blueprints.gates import check_blueprint

QUICK, WHOLE = 600, 3_000
SMALLEST = ("--blueprints", "6", "--json", "domain:clinic")
"""Arguments of the smallest run, which a test makes."""
DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
COLUMNS = ("met", "tempted", "forbidden", "allowed")


def sides(blueprint: Blueprint, rule: PolicyRule) -> list[str]:
    """Return the columns in which a blueprint counts for a rule."""
    called = bool({action.tool for action in blueprint.calls} & set(rule.tools))
    held = any(action.withheld is not None and action.withheld.rule == rule.id for action in blueprint.actions)
    about = blueprint.recipe.rule == rule.id
    resisted = about and blueprint.scenario.pressure is not None and called
    tempted = held or resisted
    forbidden = held or (resisted and blueprint.recipe.twin == "forbidden")
    allowed = called and about and blueprint.recipe.twin == "allowed"
    return [name for name, holds in zip(COLUMNS, (called, tempted, forbidden, allowed), strict=True) if holds]


async def measure(spec: str, count: int) -> dict[str, Any]:
    """Return the figures of one toolset."""
    world = open_world([spec])
    made = Generator(RunConfig(toolset=(spec,), seed=11), world, await open_graph(world, 0), "run")
    place, rules = made.workshop(0), world.toolset.rules
    found: Counter[tuple[str, str]] = Counter()
    accepted, started = 0, time.process_time()
    for index in range(count):
        blueprint = await place.composer.compose(made.tasks.recipe(index))
        if isinstance(blueprint, Issue) or not (await check_blueprint(blueprint, place.blueprint_checks))[-1].passed:
            continue
        accepted += 1
        for rule in rules:
            found.update((rule.id, side) for side in sides(blueprint, rule))
    return {
        "toolset": spec, "blueprints": count, "accepted": accepted, "cpu_s": round(time.process_time() - started, 1),
        "rules": {rule.id: {"kind": rule.kind, **{name: found[rule.id, name] for name in COLUMNS}} for rule in rules},
    }  # fmt: skip


def main() -> None:
    """Measure each toolset and print a line for each of its rules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", default=DOMAINS, help="toolsets")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} blueprints")
    parser.add_argument("--blueprints", type=int, default=WHOLE, help="blueprints for each toolset")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    for spec in options.specs:
        figures = asyncio.run(measure(spec, QUICK if options.quick else options.blueprints))
        if options.json:
            print(json.dumps(figures), flush=True)
            continue
        rules = figures.pop("rules")
        print("  ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
        for name, row in rules.items():
            holes = [column for column in COLUMNS if not row[column]]
            print(f"    {name:34}{row['kind']:16}" + "".join(f"{row[column]:>11}" for column in COLUMNS), *holes)


if __name__ == "__main__":
    main()
