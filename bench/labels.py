"""How often a rejected dialogue is labelled with the fault that was planted in it: one line for each kind.

    python bench/labels.py [--quick] [--json] [--faults N] [--wrong N [--played model|nobody]]

Faults are planted into dialogues that the rules played and all checks accepted, in the three bundled domains. `labelled`
is the share with the right label; `unseen` counts dialogues that no check rejects (they are not counted in it). `heard` is
the same as if models had played: without the acts and states of the rules, but with those that a run reads from the words
before it checks; `plain` is without any. `--wrong N` shows N that are labelled otherwise, of that kind.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from planted import PLANTS, Scene, replayed, without_acts

from interplay.flows.generation.generator import Generator
from interplay.flows.roles.listener import with_acts
from interplay.flows.roles.players import own_tools
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import Failure
from interplay.validators.chain import check_trajectory
from interplay.validators.labels.diagnosis import diagnose

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
QUICK, WHOLE = 300, 2_000
SMALLEST = ("--faults", "15", "--json")
"""Arguments of the smallest run, which a test makes."""
SEED = 5


PLAYED: Mapping[str, Callable[[Trajectory, Blueprint, OpenedWorld], Trajectory]] = {
    "rules": lambda trajectory, _, __: trajectory,
    "model": lambda trajectory, blueprint, world: with_acts(
        without_acts(trajectory), blueprint, own_tools(world), world.toolset
    ),
    "nobody": lambda trajectory, _, __: without_acts(trajectory),
}
"""Whose acts and states a dialogue has: those of the rules, those that are read from its words, or none."""
COLUMNS = {"rules": "labelled", "model": "heard", "nobody": "plain"}


class Measured:
    """What is counted over all domains: for each way to play, what was seen of each kind, and what was labelled right."""

    def __init__(self, show: int, played: str) -> None:
        self.seen = {name: Counter[str]() for name in PLAYED}
        self.right = {name: Counter[str]() for name in PLAYED}
        self.instead = {name: Counter[tuple[str, str]]() for name in PLAYED}
        self.unseen: Counter[str] = Counter()
        self.shown, self.played = show, played

    def note(self, played: str, name: str, failure: Failure) -> bool:
        """Count a label; tell whether it is to be shown."""
        self.seen[played][name] += 1
        if failure.fault == name:
            self.right[played][name] += 1
            return False
        self.instead[played][name, failure.fault] += 1
        self.shown -= played == self.played
        return played == self.played and self.shown >= 0


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
            for played, told in PLAYED.items():
                dialogue = told(broken, record.blueprint, world)
                failure = await labelled(dialogue, record.blueprint, made)
                if failure is None:
                    found.unseen[name] += played == "rules"
                    continue
                wanted[name] -= played == "rules"
                if found.note(played, name, failure):
                    show(name, failure, dialogue, record.blueprint, index)


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

    def share(played: str, names: Iterable[str]) -> float:
        kinds = list(names)
        total = sum(found.seen[played][name] for name in kinds)
        return round(sum(found.right[played][name] for name in kinds) / max(total, 1), 4)

    def instead(played: str, name: str) -> dict[str, int]:
        return {other: n for (own, other), n in sorted(found.instead[played].items()) if own == name}

    rows = {
        name: {
            "planted": found.seen["rules"][name],
            **{column: share(played, [name]) for played, column in COLUMNS.items()},
            "unseen": found.unseen[name],
            "instead": {column: instead(played, name) for played, column in COLUMNS.items()},
        }
        for name in PLANTS
    }
    shares = {column: share(played, PLANTS) for played, column in COLUMNS.items()}
    return {"planted": found.seen["rules"].total(), **shares, "kinds": rows}


async def run(count: int, wrong: int, played: str) -> dict[str, Any]:
    """Measure all domains."""
    found = Measured(wrong, played)
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
        "--played", choices=PLAYED, default="rules", help="whose acts the dialogues have that are shown"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    told = asyncio.run(run(QUICK if options.quick else options.faults, options.wrong, options.played))
    if options.json:
        print(json.dumps(told))
        return
    print(f"planted {told['planted']}", *(f"{column} {told[column]:.1%}" for column in COLUMNS.values()), sep="  ")
    for name, row in told["kinds"].items():
        shares = "".join(f"{row[column]:9.1%}" for column in COLUMNS.values())
        others = "  ".join(
            f"{column}: {' '.join(f'{other} {n}' for other, n in told.items())}"
            for column, told in row["instead"].items()
            if told
        )
        print(f"    {name:22}{row['planted']:6}{shares}  unseen {row['unseen']:4}  {others}")


if __name__ == "__main__":
    main()
