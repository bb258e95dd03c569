"""Measures dialogues by rules, with all behaviours and faults: how many per second, how many pass, and what is in them.

    python bench/rules.py [--quick] [--json] [--toolset SPEC] [--workers W] [--faults SHARE] [--dialogues N]

Each process makes an equal part of the indices of one run, and stores nothing. All steps run; `before_checks` excludes the time
of checks (gates, checks of dialogues, labels), and no figure includes start-up.
  before_checks      dialogues per second of all processes, including composition: by wall time, and `_cpu` by CPU time
  playing            the same without composition
  with_checks        the same as `before_checks`, with all checks
  accepted           share of indices that are accepted; `rejected` counts the others by check and issue
  missing            acts, behaviours and faults that no accepted dialogue has
"""

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from functools import wraps
from typing import Any, get_args

from interplay.flows.generation import attempts, panel
from interplay.flows.generation.generator import Generator
from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.runs.shards import TOGETHER
from interplay.flows.settings.config_file import parse_config
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.behaviour import BEHAVIOURS
from interplay.schemas.records.dialogue import SystemAct, UserAct
from interplay.schemas.records.fault import FAULTS
from interplay.schemas.records.verdict import DatasetRecord

QUICK, WHOLE = 1_000, 6_000
SMALLEST = ("--dialogues", "12", "--workers", "1", "--json")
"""Arguments of the smallest run, which a test makes."""
WANTED = {"acts": (*get_args(UserAct), *get_args(SystemAct)), "behaviours": BEHAVIOURS, "faults": FAULTS}

spent: dict[str, float] = defaultdict(float)
"""Wall and CPU seconds of all checks and of all playing."""


def timed(what: str, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Wrap a coroutine function to add its time to `spent`; valid since rules never wait, so that nothing runs meanwhile."""

    @wraps(work)
    async def wrapped(*arguments: Any, **settings: Any) -> Any:
        wall, cpu = time.monotonic(), time.process_time()
        try:
            return await work(*arguments, **settings)
        finally:
            spent[f"{what}_wall"] += time.monotonic() - wall
            spent[f"{what}_cpu"] += time.process_time() - cpu

    return wrapped


def found_in(record: DatasetRecord) -> Iterable[tuple[str, str]]:
    """Yield (kind, name) of the acts, faults and behaviours in a dialogue."""
    for message in record.trajectory.messages if record.trajectory else ():
        if message.act is not None:
            yield "acts", message.act
        if message.fault is not None:
            yield "faults", message.fault
        yield from (("behaviours", kind) for kind in message.behaviours)


async def in_step(made: Generator, indices: Sequence[int]) -> AsyncIterator[DatasetRecord]:
    """Yield the records of some indices, made concurrently as in a shard."""
    for start in range(0, len(indices), TOGETHER):
        for record in await asyncio.gather(*map(made.make_record, indices[start : start + TOGETHER])):
            yield record


async def make(options: argparse.Namespace) -> dict[str, Any]:
    """Make this process's part of the indices, and return the figures."""
    panel.check_blueprint = timed("checks", panel.check_blueprint)  # type: ignore[assignment, attr-defined]
    attempts.check_trajectory = timed("checks", attempts.check_trajectory)  # type: ignore[assignment, attr-defined]
    attempts.diagnose = timed("checks", attempts.diagnose)  # type: ignore[assignment, attr-defined]
    attempts.play = timed("playing", attempts.play)  # type: ignore[assignment, attr-defined]
    world = open_world([options.toolset])
    told = {"toolset": options.toolset, "recipes": {"faults": options.faults}}
    made = Generator(parse_config(told, "bench"), world, await open_graph(world), "run")
    seen: dict[str, Counter[str]] = {kind: Counter() for kind in WANTED}
    rejected: Counter[str] = Counter()
    accepted = played = 0
    wall, cpu = time.monotonic(), time.process_time()
    async for record in in_step(made, range(options.part, options.dialogues, options.workers)):
        played += record.trajectory is not None
        if record.status != "accepted":
            codes = [issue.code for verdict in record.verdicts for issue in verdict.issues if issue.severity == "error"]
            rejected[f"{record.stage}/{codes[0] if codes else ''}"] += 1
            continue
        accepted += 1
        for kind, name in set(found_in(record)):
            seen[kind][name] += 1
    return {
        "played": played, "accepted": accepted, "rejected": rejected, "seen": seen,
        "wall": time.monotonic() - wall, "cpu": time.process_time() - cpu,
        **spent,
    }  # fmt: skip


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run all processes in parallel, and combine their figures."""
    command = [sys.executable, __file__, *sys.argv[1:], "--dialogues", str(options.dialogues)]
    parts = [
        subprocess.Popen([*command, "--part", str(part)], stdout=subprocess.PIPE, text=True)
        for part in range(options.workers)
    ]
    found = [json.loads(part.communicate()[0]) for part in parts]
    accepted = sum(part["accepted"] for part in found)
    seen = {kind: sum((Counter(part["seen"][kind]) for part in found), Counter()) for kind in WANTED}
    rejected = sum((Counter(part["rejected"]) for part in found), Counter())

    def rate(clock: str, checks: bool) -> float:
        seconds = [float(part[clock] - (0 if checks else part[f"checks_{clock}"])) for part in found]
        return round(sum(int(part["played"]) / took for part, took in zip(found, seconds, strict=True)), 1)

    return {
        "toolset": options.toolset,
        "dialogues": options.dialogues,
        "workers": options.workers,
        "before_checks": rate("wall", checks=False),
        "before_checks_cpu": rate("cpu", checks=False),
        "playing": round(sum(part["played"] / part["playing_wall"] for part in found), 1),
        "playing_cpu": round(sum(part["played"] / part["playing_cpu"] for part in found), 1),
        "with_checks": rate("wall", checks=True),
        "with_checks_cpu": rate("cpu", checks=True),
        "accepted": round(accepted / options.dialogues, 4),
        "rejected": dict(rejected.most_common(12)),
        "missing": [name for kind, names in WANTED.items() for name in names if name not in seen[kind]],
        **{kind: dict(sorted(counts.items(), key=lambda item: (item[1], item[0]))) for kind, counts in seen.items()},
    }


def main() -> None:
    """Measure, and print one line for each figure."""
    gc.set_threshold(COLLECTED_EVERY)  # as the command does
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} dialogues instead of {WHOLE}")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--toolset", default="domain:clinic", help="where the tools come from")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--faults", type=float, default=0.3, help="share of the tasks in which a tool goes wrong")
    parser.add_argument("--dialogues", type=int, default=0, help="indices in all")
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.dialogues = options.dialogues or (QUICK if options.quick else WHOLE)
    if options.part is not None:
        print(json.dumps(asyncio.run(make(options))))
        return
    figures = measure(options)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
