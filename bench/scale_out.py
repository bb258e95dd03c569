"""Measures the gain from more processes: two real ones, and a simulation of up to 256 workers from measured times.

    python bench/scale_out.py [--quick] [--records N] [--shards K] [--workers W ...] [--json]

`--records` are made by one process and by two, to compare the bytes of the shards, and the CPU time (`linear`), since wall time
means little on a busy machine. Then `--shards` are made, counted and loaded as by the committer, each timed, and any number of
workers is simulated with times drawn from these: free workers take the next shard, and one committer takes the shards in order.
  make_s   seconds of a worker per shard            count_s, load_s   seconds of the committer to count a shard, and to load it
  limit    number of workers at which the committer becomes the bottleneck, with loading, and with counting alone
  share    throughput relative to workers that never wait; waits: most shards that are finished and not committed
"""

import argparse
import asyncio
import heapq
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from records import measure

from interplay.flows.runs.committer import LOADED_TOGETHER
from interplay.flows.runs.run import prepare_alone
from interplay.flows.runs.shards import make_shard_here
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.finished_shards import tally_shard
from interplay.flows.workspaces.run_store import open_run_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.validators.blueprints.duplicates import Duplicates

SMALLEST = ("--records", "0", "--shards", "1", "--workers", "2", "--json")
"""Arguments of the smallest run, which a test makes."""
SHARD = 20
SIMULATED = 5000
"""Shards of a simulated run; more if that is fewer than 40 per worker."""


def seconds(of: Any, *arguments: Any) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and its result."""
    began = time.process_time()
    returned = of(*arguments)
    return time.process_time() - began, returned


def timed(folder: Path, shards: int) -> tuple[list[float], float, float]:
    """Make, count and load shards; return the seconds of making each, and the means of counting and loading one."""
    workspace = Workspace(folder)
    config = RunConfig(records=shards * SHARD, shard_size=SHARD, copies=shards * SHARD)
    asyncio.run(prepare_alone(workspace, config))
    make_shard_here(str(folder), shards, lambda _: None)  # warm up: one-time work of a worker
    made, counted, loaded, waiting = [], 0.0, 0.0, []
    run, duplicates = workspace.existing_run(), Duplicates(config.copies)
    with open_run_store(workspace, run):
        pass
    for number in range(shards):
        path = workspace.shard(number)
        made.append(seconds(make_shard_here, str(folder), number, lambda _: None)[0])
        taken, tally = seconds(tally_shard, path, config.shard(number), config.records, duplicates)
        counted += taken
        waiting.append(ShardToLoad(path, tally.until, tally.repeats, run.run))
        if len(waiting) * SHARD >= LOADED_TOGETHER or number == shards - 1:
            loaded += seconds(_load, workspace, run, waiting)[0]
            waiting = []
    return made, counted / shards, loaded / shards


def _load(workspace: Workspace, run: Any, waiting: list[ShardToLoad]) -> None:
    with open_run_store(workspace, run) as store:
        store.load_shards(waiting)


def simulated(workers: int, made: list[float], committing: float) -> dict[str, Any]:
    """Simulate workers that make shards with times drawn from `made`, and one committer that takes them in order."""
    drawn, total = random.Random(workers), max(SIMULATED, 40 * workers)
    free = [0.0] * workers
    ready, work = [], 0.0
    for _ in range(total):
        takes = drawn.choice(made)
        work += takes
        ready.append(heapq.heappop(free) + takes)
        heapq.heappush(free, ready[-1])
    done, ends = 0.0, []
    for at in ready:
        done = max(done, at) + committing
        ends.append(done)
    finished, waits, most = sorted(ready), 0, 0
    for number, end in enumerate(ends):
        while waits < total and finished[waits] <= end:
            waits += 1
        most = max(most, waits - number - 1)
    return {
        "workers": workers, "records_a_second": round(total * SHARD / done, 1),
        "share": round(work / workers / done, 3), "made_share": round(work / workers / max(ready), 3), "waits": most,
    }  # fmt: skip


def processes(folder: Path, records: int) -> dict[str, Any]:
    """Make a number of records with one process and with two, and compare the shards and the CPU time."""
    found, taken = {}, {}
    for workers in (1, 2):
        place = folder / f"by{workers}"
        config = folder / "interplay.yaml"
        config.write_text(f"toolset: domain:clinic\nshard_size: {min(SHARD, records)}\ncopies: {records}\n")
        arguments = ["run", str(config), "--records", str(records), "--workspace", str(place)]
        taken[workers] = measure([*arguments, "--workers", str(workers)])["cpu"]
        found[workers] = {path.name: path.read_bytes() for path in (place / "shards").glob("*.parquet")}
    same = sum(found[2].get(name) == content for name, content in found[1].items())
    return {
        "records": records, "cpu_of_one": taken[1], "cpu_of_two": taken[2], "linear": round(taken[1] / taken[2], 3),
        "shards": len(found[1]), "same": same,
    }  # fmt: skip


def main() -> None:
    """Measure, simulate, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=200_000, help="by one process and by two; none of them with 0")
    parser.add_argument("--shards", type=int, default=100, help=f"of {SHARD} records, that are timed")
    parser.add_argument("--workers", type=int, nargs="+", default=(1, 2, 4, 16, 64, 256))
    parser.add_argument("--quick", action="store_true", help="1,000 records and 30 shards")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    records, shards = (1_000, 30) if options.quick else (options.records, options.shards)
    with tempfile.TemporaryDirectory() as folder:
        made, count, load = timed(Path(folder) / "timed", shards)
        make = statistics.mean(made)
        times = {"make_s": round(make, 4), "count_s": round(count, 5), "load_s": round(load, 5)}
        limit = {"limit": round(make / (count + load), 1), "limit_of_counting": round(make / count, 1)}
        found: list[dict[str, Any]] = [{**times, **limit}]
        for name, committing in (("loading", count + load), ("counting", count)):
            found += [{"committer": name, **simulated(workers, made, committing)} for workers in options.workers]
        if not options.json:
            _tell(found)
        found.append(processes(Path(folder), records) if records else {})
    if options.json:
        print(json.dumps(found))
    else:
        _tell(found[-1:])


def _tell(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        print("  ".join(f"{key} {value}" for key, value in line.items()), flush=True)


if __name__ == "__main__":
    main()
