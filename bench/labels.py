"""How often a rejected dialogue is labelled with the fault that was planted in it: one line for each kind.

    python bench/labels.py [--quick] [--json] [--faults N] [--wrong N [--plain]]

Faults are planted into dialogues that the rules played and all checks accepted, in the three bundled domains. `labelled`
is the share with the right label; `unseen` counts dialogues that no check rejects (they are not counted in it); `plain` is
the same without acts and states, as models leave dialogues. `--wrong N` shows N that are labelled otherwise.
"""

import argparse
import asyncio
import json
from collections import Counter
from random import Random
from typing import Any

from planted import PLANTS, Scene, replayed, without_acts

from interplay.flows.assemble import open_graph, open_world
from interplay.flows.config import RunConfig
from interplay.flows.generation import Generator
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.verdict import Failure
from interplay.validators.chain import check_trajectory
from interplay.validators.labelling import diagnose

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
QUICK, WHOLE = 300, 2_000
SEED = 5


class Measured:
    """What is counted over all domains."""

    def __init__(self, show: int, bare: bool) -> None:
        self.planted: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        self.plain: Counter[str] = Counter()
        self.plain_seen: Counter[str] = Counter()
        self.unseen: Counter[str] = Counter()
        self.instead: Counter[tuple[str, str]] = Counter()
        self.shown, self.bare = show, bare


async def labelled(trajectory: Trajectory, blueprint: Blueprint, made: Generator) -> Failure | None:
    """Return the label of a dialogue; none if it passes."""
    place = made.workshop(0)
    judgement = await check_trajectory(trajectory, blueprint, place.trajectory_checks)
    return await diagnose(trajectory, blueprint, judgement, place.trajectory_checks, made.world.toolset)


async def measure(spec: str, count: int, found: Measured) -> None:
    """Plant `count` faults, the same number of each kind, into dialogues of one toolset."""
    world = open_world([spec])
    made = Generator(RunConfig(toolset=(spec,), seed=SEED), world, await open_graph(world, 0), "run")
    rng = Random(SEED)
    wanted = Counter({name: count // len(PLANTS) for name in PLANTS})
    for index in range(count * 3):
        if not +wanted:
            break
        record = await made.make_record(index)
        if record.status != "accepted" or record.blueprint is None or record.trajectory is None:
            continue
        for name in sorted(+wanted, key=lambda name: -wanted[name])[:4]:
            scene = Scene(record.trajectory, record.blueprint, world, rng)
            messages = PLANTS[name](scene)
            if messages is None:
                continue
            broken = await replayed(messages, scene, name)
            if broken is None:
                continue
            failure = await labelled(broken, record.blueprint, made)
            if failure is None:
                found.unseen[name] += 1
                continue
            wanted[name] -= 1
            found.planted[name] += 1
            found.right[name] += failure.fault == name
            bare = await labelled(without_acts(broken), record.blueprint, made)
            found.plain_seen[name] += bare is not None
            found.plain[name] += bare is not None and bare.fault == name
            if found.bare and bare is not None and bare.fault != name and failure.fault == name and found.shown > 0:
                found.shown -= 1
                show(name, bare, broken, record.blueprint, index)
            if failure.fault != name:
                found.instead[name, failure.fault] += 1
                if found.shown > 0 and not found.bare:
                    found.shown -= 1
                    show(name, failure, broken, record.blueprint, index)


def show(name: str, failure: Failure, broken: Trajectory, blueprint: Blueprint, index: int) -> None:
    """Print a dialogue that is labelled otherwise."""
    print(f"=== {index} {name} -> {failure}")
    for action in blueprint.actions:
        print("    ", action.goal, action.tool, action.arguments, action.withheld)
    for place, message in enumerate(broken.messages):
        goal = message.state.goal if message.state else None
        print(f"  {place:3} {message.role:9} [{message.act} {goal}] {message.content[:160]}")
        for call in message.tool_calls:
            print("        ->", call.name, call.arguments)


def figures(found: Measured) -> dict[str, Any]:
    """Return the shares of each kind and of all."""
    rows = {
        name: {
            "planted": found.planted[name],
            "labelled": round(found.right[name] / max(found.planted[name], 1), 4),
            "plain": round(found.plain[name] / max(found.plain_seen[name], 1), 4),
            "unseen": found.unseen[name],
            "instead": {other: n for (own, other), n in sorted(found.instead.items()) if own == name},
        }
        for name in PLANTS
    }
    total = sum(found.planted.values())
    return {
        "planted": total, "labelled": round(sum(found.right.values()) / max(total, 1), 4),
        "plain": round(sum(found.plain.values()) / max(sum(found.plain_seen.values()), 1), 4), "kinds": rows,
    }  # fmt: skip


async def run(count: int, wrong: int, bare: bool) -> dict[str, Any]:
    """Measure all domains."""
    found = Measured(wrong, bare)
    for spec in DOMAINS:
        await measure(spec, count // len(DOMAINS) + len(PLANTS), found)
    return figures(found)


def main() -> None:
    """Plant, label, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} faults")
    parser.add_argument("--faults", type=int, default=WHOLE, help="faults in all")
    parser.add_argument("--wrong", type=int, default=0, help="show so many that are labelled otherwise")
    parser.add_argument(
        "--plain", action="store_true", help="show those that are labelled otherwise without acts alone"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    told = asyncio.run(run(QUICK if options.quick else options.faults, options.wrong, options.plain))
    if options.json:
        print(json.dumps(told))
        return
    print(f"planted {told['planted']}  labelled {told['labelled']:.1%}  plain {told['plain']:.1%}")
    for name, row in told["kinds"].items():
        instead = " ".join(f"{other} {n}" for other, n in row["instead"].items())
        print(
            f"    {name:22}{row['planted']:6}{row['labelled']:9.1%}{row['plain']:9.1%}  unseen {row['unseen']:4}  {instead}"
        )


if __name__ == "__main__":
    main()
