"""Measures how much of real APIs a run covers: yield, covered tools, and why others are never covered; a line per file.

    python bench/coverage.py [--quick] [--json] [--records N] [FILE ...]

Files default to every API description below INTERPLAY_SHARED (default ../shared); JSON files elsewhere are tool lists.
"""

import argparse
import asyncio
import json
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from shared_data import descriptions, spec_of

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.schemas.records.verdict import DatasetRecord

QUICK, WHOLE = 150, 2_000
SMALLEST = ("--records", "6", "--json", "FILE")
"""Arguments of the smallest run, which a test makes."""
TRIES = 2
"""Least records per tool of a quick measurement; recipes are spread evenly over the tools."""


async def measure(path: Path, records: int | None) -> dict[str, Any]:
    """Return the figures of one file; times are in CPU seconds; `records` is None for a quick measurement."""
    spec = spec_of(path)
    started = time.process_time()
    world = open_world([spec])
    opened = time.process_time()
    graph = await open_graph(world)
    ready = time.process_time()
    made = Generator(RunConfig(toolset=(spec,), seed=7), world, graph, "run")
    count = records or max(QUICK, TRIES * len(made.tasks.targets))
    found = _Found()
    for index in range(count):
        target = made.tasks.recipe(index).target
        found.note(target, await made.make_record(index))
    edges = graph.edges
    missing = [name for name in made.tasks.targets if name not in found.covered]
    return {
        "file": path.name, "tools": len(world.toolset.tools), "targets": len(made.tasks.targets), "records": count,
        "covered": round(1 - len(missing) / max(1, len(made.tasks.targets)), 4), "yield": round(found.accepted / count, 4),
        "records_per_cpu_s": round(count / (time.process_time() - ready), 1),
        "open_s": round(opened - started, 1), "graph_s": round(ready - opened, 1), "edges": len(edges),
        "verified": round(sum(edge.verified is True for edge in edges) / max(1, len(edges)), 3),
        "stages": dict(found.stages), "missing": {name: found.why(name) for name in missing},
    }  # fmt: skip


class _Found:
    """Counts over the records of one run."""

    def __init__(self) -> None:
        self.accepted = 0
        self.covered: set[str] = set()
        self.stages: Counter[str] = Counter()
        self._reasons: dict[str, Counter[str]] = defaultdict(Counter)

    def note(self, target: str, record: DatasetRecord) -> None:
        if record.stage is None:
            assert record.trajectory is not None
            self.accepted += 1
            self.covered |= {call.name for call in record.trajectory.calls()}
            return
        issue = next((issue for verdict in record.verdicts for issue in verdict.issues), None)
        code = issue.code if issue else "unknown"
        self.stages[f"{record.stage}/{code}"] += 1
        self._reasons[target][f"{code}: {issue.message if issue else ''}"] += 1

    def why(self, name: str) -> str:
        common = self._reasons[name].most_common(1)
        return common[0][0] if common else "was no target of these records"


def main() -> None:
    """Measure each file; print its line, then the tools that are never covered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions or tool lists")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} records, or {TRIES} for each tool if more")
    parser.add_argument("--records", type=int, default=WHOLE, help="records for each file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    for path in options.files or descriptions():
        figures = asyncio.run(measure(path, None if options.quick else options.records))
        if options.json:
            print(json.dumps(figures), flush=True)
            continue
        missing = figures.pop("missing")
        print("  ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
        for name, reason in missing.items():
            print(f"    {name}: {reason}", flush=True)


if __name__ == "__main__":
    main()
