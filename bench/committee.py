"""Measures the gain from feedback: the share of tasks that a strict committee accepts, with and without revision rounds.

    python bench/committee.py [--quick] [--json] [--tasks N]

A local model server plays a composer and three reviewers, who object to the wording of most wishes.
  without    no revision        words     the composer rewrites what was criticised
  draws      the composer gives up, and the rules draw another task that avoids what was criticised
  gain       the yield relative to that without feedback
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.flows.brains import StrictCommittee  # noqa: E402
from tests.model_server.misbehaviour import Settings  # noqa: E402
from tests.model_server.server import ModelServer  # noqa: E402

from interplay.flows.runs.shards import make_shard  # noqa: E402
from interplay.flows.runs.stages import prepare  # noqa: E402
from interplay.flows.settings.config_file import parse_config  # noqa: E402
from interplay.flows.workspaces.run_store import loaded_store  # noqa: E402
from interplay.flows.workspaces.workspace import Workspace  # noqa: E402
from interplay.outputs.report.statistics import statistics  # noqa: E402

ENOUGH = 2.0
"""Least gain from feedback."""
SMALLEST = ("--tasks", "3", "--json")
"""Arguments of the smallest run, which a test makes."""


async def measure(case: str, tasks: int, rounds: int, composes: bool) -> dict[str, Any]:
    """Make one shard of tasks; return how many passed gates and committee, by round."""
    brain = StrictCommittee(composes=composes)
    os.environ.setdefault("BENCH_KEY", "any")
    async with ModelServer(Settings(), brain) as server:
        model = {"model": "tiny", "base_url": server.openai_url, "api_key_env": "BENCH_KEY", "concurrency": 16}
        told = {
            "models": {"m": model},
            "roles": {"reviewer": "m", "composer": "m"},
            "committee": {"reviewers": 3, "rounds": rounds},
            "shard_size": tasks,
        }
        with tempfile.TemporaryDirectory() as folder:
            workspace = Workspace(Path(folder))
            generator = await prepare(workspace, parse_config(told, "bench"))
            await make_shard(generator, workspace, 0)
            await generator.aclose()
            with loaded_store(workspace) as store:
                figures = statistics(store, generator.run)
    shares = {number: row["passed"] for number, row in figures["yield_by_round"].items()}
    found = {"case": case, "tasks": figures["yield_by_round"]["0"]["judged"], "yield": figures["yield_with_feedback"]}
    return {**found, "accepted": figures["accepted"], "passed_by_round": shares, "asked": brain.asked}


async def compare(tasks: int) -> list[dict[str, Any]]:
    """Measure all cases, and the gain of each over the first."""
    found = [
        await measure("without", tasks, 0, composes=True),
        await measure("words", tasks, 3, composes=True),
        await measure("draws", tasks, 3, composes=False),
    ]
    return [{**row, "gain": round(row["yield"] / max(found[0]["yield"], 1 / tasks), 2)} for row in found]


def main() -> None:
    """Measure, and print a line for each case; the exit code is 1 if a gain is below `ENOUGH`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="60 tasks instead of 300")
    parser.add_argument("--tasks", type=int, default=300, help="tasks of each case")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found = asyncio.run(compare(60 if options.quick else options.tasks))
    for figures in found if not options.json else ():
        print("  ".join(f"{name} {value}" for name, value in figures.items()))
    if options.json:
        print(json.dumps(found, indent=2))
    sys.exit(any(figures["gain"] < ENOUGH for figures in found[1:]))


if __name__ == "__main__":
    main()
