"""Measures runs on real API descriptions: import, graph, yield, coverage and speed; a line per file.

    python bench/real_apis.py [--quick] [--json] [--records N] [FILE ...]

Files default to the six small ones below INTERPLAY_SHARED (default ../shared).
"""

import argparse
import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any

from shared_data import OPENAPI, SMALL, show_files

from interplay.flows.generation.generator import Generator
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.flows.worlds.tool_sources import import_spec

SMALLEST = ("--records", "6", "--json", "FILE")
"""Arguments of the smallest run, which a test makes."""


async def measure(path: Path, records: int) -> dict[str, Any]:
    """Return the figures of one file; times are CPU seconds."""
    spec = f"openapi:{path}"
    started = time.process_time()
    outcomes: Counter[str] = Counter(report.outcome for report in import_spec(spec).reports)
    imported = time.process_time()
    world = open_world([spec])
    graph = await open_graph(world)
    ready = time.process_time()
    made = Generator(RunConfig(toolset=(spec,), seed=1), world, graph, "bench")
    stages: Counter[str] = Counter()
    patterns: Counter[str] = Counter()
    covered: set[str] = set()
    calls = turns = 0
    for index in range(records):
        record = await made.make_record(index)
        stages[record.stage or "accepted"] += 1
        if record.trajectory is not None and record.blueprint is not None and record.stage is None:
            patterns[record.blueprint.pattern] += 1
            covered |= {call.name for call in record.trajectory.calls()} & set(made.tasks.targets)
            calls += len(record.trajectory.calls())
            turns += sum(message.role != "tool" for message in record.trajectory.messages)
    edges = graph.edges
    accepted = max(1, stages["accepted"])
    return {
        "file": path.name, **outcomes, "import_s": round(imported - started, 2), "open_and_graph_s": round(ready - imported, 2),
        "edges": len(edges), "verified": round(sum(edge.verified is True for edge in edges) / max(1, len(edges)), 3),
        "yield": round(stages["accepted"] / records, 4), "stages": dict(stages), "covered": f"{len(covered)}/{len(made.tasks.targets)}",
        "patterns": dict(patterns), "turns": round(turns / accepted, 2), "calls": round(calls / accepted, 2),
        "records_per_cpu_s": round(records / (time.process_time() - ready), 1),
    }  # fmt: skip


def main() -> None:
    """Measure each file and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions")
    parser.add_argument("--quick", action="store_true", help="200 records for each file")
    parser.add_argument("--records", type=int, default=2_000, help="records for each file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    records = 200 if options.quick else options.records
    files = options.files or [OPENAPI / name for name in SMALL]
    show_files(files, lambda path: asyncio.run(measure(path, records)), options.json)


if __name__ == "__main__":
    main()
