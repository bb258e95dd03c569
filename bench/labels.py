"""Measures how often a rejected dialogue is labelled with the fault that was planted in it: a line per kind.

    python bench/labels.py [--quick] [--json] [--faults N] [--wrong N [--told worded|reviewed]] [DOMAIN ...]

Faults are planted into accepted dialogues that rules played, in the three bundled domains. `unseen` counts dialogues that no
check rejects (they are not part of any share).
  labelled   share labelled with the planted kind, if rules wrote every sentence
  near       the same, counting kinds that careful readers confuse (`NEIGHBOURS`) as right
  worded     share labelled with the planted kind as if models had worded everything, by calls, results and values alone;
             `unclear` is the share left to reviewers, and the rest is labelled wrongly
  reviewed   the same, with a reviewer who finds each fault at its place
`--wrong N` shows N wrongly labelled dialogues, of the way that `--told` names.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from planted import PLANTS, SoundDialogue, replayed, without_acts

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Trajectory
from interplay.schemas.records.failure import NEIGHBOURS, Failure, FailureKind
from interplay.schemas.records.verdict import Issue, Verdict
from interplay.validators.chain import Judgement, check_trajectory
from interplay.validators.labels.diagnosis import REVIEW, diagnose

DOMAINS = ("domain:clinic", "domain:rental", "domain:workspace")
QUICK, WHOLE = 300, 2_000
SMALLEST = ("--faults", "4", "--json", "domain:clinic")
"""Arguments of the smallest run, which a test makes."""
SEED = 5
COLUMNS = ("labelled", "near", "worded", "unclear", "reviewed")
PASSED = Failure(fault="unclear", stage="none", why="No check rejects it.")
"""The label of a dialogue that passes once its acts are removed."""


TOLD = ("labelled", "worded", "reviewed")
"""Ways to label: by facts and the acts of rules, by facts alone, and by facts and a reviewer."""


class Measured:
    """The counts over all domains: for each way to label, how often each planted kind got which label."""

    def __init__(self, show: int, told: str) -> None:
        self.labels = {way: Counter[tuple[str, FailureKind]]() for way in TOLD}
        self.unseen: Counter[str] = Counter()
        self.shown, self.told = show, told

    def note(self, way: str, name: str, failure: Failure) -> bool:
        """Count a label; return whether the dialogue should be shown."""
        self.labels[way][name, failure.fault] += 1
        if failure.fault == name or way != self.told:
            return False
        self.shown -= 1
        return self.shown >= 0

    def share(self, way: str, names: Iterable[str], right: Callable[[str, FailureKind], bool]) -> float:
        """Return the share of right labels among those of some planted kinds."""
        kinds = set(names)
        counts = {pair: count for pair, count in self.labels[way].items() if pair[0] in kinds}
        return round(sum(count for pair, count in counts.items() if right(*pair)) / max(sum(counts.values()), 1), 4)


async def labelled(
    trajectory: Trajectory, blueprint: Blueprint, made: Generator, reviewed: Issue | None = None
) -> Failure | None:
    """Return the label of a dialogue, with a reviewer's issue if given; None if it passes."""
    checks = made.workshop(blueprint.recipe.index).trajectory_checks
    judgement = await check_trajectory(trajectory, blueprint, checks)
    if reviewed is not None:
        judgement = Judgement((*judgement.verdicts, Verdict(check=REVIEW, issues=(reviewed,))), REVIEW)
    return await diagnose(trajectory, blueprint, judgement, checks, made.world.toolset)


def parted(sound: Trajectory, broken: Trajectory) -> int:
    """Return the index of the first message that differs."""
    pairs = zip(sound.messages, broken.messages, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), len(broken.messages) - 1)


async def measure(spec: str, count: int, found: Measured) -> None:
    """Plant `count` faults, equally many of each kind, into dialogues of one toolset, and count their labels."""
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
            played = SoundDialogue(record.trajectory, record.blueprint, world, rng)
            messages = PLANTS[name](played)
            if messages is None:
                continue
            broken = await replayed(messages, played, name)
            if broken is None:
                continue
            bare = without_acts(broken)
            reviewed = Issue.of(name, "It is so.", f"/messages/{parted(record.trajectory, broken)}")
            labels = {
                "labelled": await labelled(broken, record.blueprint, made),
                "worded": await labelled(bare, record.blueprint, made),
                "reviewed": await labelled(bare, record.blueprint, made, reviewed),
            }
            if labels["labelled"] is None:
                found.unseen[name] += 1
                continue
            wanted[name] -= 1
            for way, failure in labels.items():
                if found.note(way, name, failure or PASSED):
                    show(name, failure or PASSED, broken, record.blueprint, index)


def show(name: str, failure: Failure, broken: Trajectory, blueprint: Blueprint, index: int) -> None:
    """Print a wrongly labelled dialogue."""
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

    def shares(names: Sequence[str]) -> dict[str, float]:
        return {
            "labelled": found.share("labelled", names, lambda name, label: label == name),
            "near": found.share("labelled", names, lambda name, label: name in NEIGHBOURS[label]),
            "worded": found.share("worded", names, lambda name, label: label == name),
            "unclear": found.share("worded", names, lambda _, label: label == "unclear"),
            "reviewed": found.share("reviewed", names, lambda name, label: label == name),
        }

    def instead(way: str, name: str) -> dict[str, int]:
        return {label: n for (own, label), n in sorted(found.labels[way].items()) if own == name != label}

    rows = {
        name: {
            "planted": sum(n for (own, _), n in found.labels["labelled"].items() if own == name),
            **shares([name]),
            "unseen": found.unseen[name],
            "instead": {way: instead(way, name) for way in TOLD},
        }
        for name in PLANTS
    }
    return {"planted": found.labels["labelled"].total(), **shares(list(PLANTS)), "kinds": rows}


async def run(domains: Sequence[str], count: int, wrong: int, way: str) -> dict[str, Any]:
    """Measure some domains, and return the figures."""
    found = Measured(wrong, way)
    for spec in domains:
        await measure(spec, count // len(domains) + len(PLANTS), found)
    return figures(found)


def main() -> None:
    """Measure, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="*", default=DOMAINS, help="toolsets whose dialogues get faults")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} faults")
    parser.add_argument("--faults", type=int, default=WHOLE, help="faults in all")
    parser.add_argument("--wrong", type=int, default=0, help="show so many that are labelled otherwise")
    parser.add_argument(
        "--told", choices=TOLD, default="labelled", help="how the dialogues are labelled that are shown"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    told = asyncio.run(run(options.domains, QUICK if options.quick else options.faults, options.wrong, options.told))
    if options.json:
        print(json.dumps(told))
        return
    print(f"planted {told['planted']}", *(f"{column} {told[column]:.1%}" for column in COLUMNS), sep="  ")
    for name, row in told["kinds"].items():
        shares = "".join(f"{row[column]:9.1%}" for column in COLUMNS)
        others = "  ".join(
            f"{way}: {' '.join(f'{other} {n}' for other, n in labels.items())}"
            for way, labels in row["instead"].items()
            if labels
        )
        print(f"    {name:22}{row['planted']:6}{shares}  unseen {row['unseen']:4}  {others}")


if __name__ == "__main__":
    main()
