"""Measures the speed and memory of making accepted records, with the whole command line from start to end.

    python bench/records.py [--quick] [--json] [--toolset SPEC] [--workers W] [--records N ...]

Prints accepted records per second (wall and CPU), peak memory of all processes together, and the run's own figures.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

COMMAND = [str(Path(sys.executable).with_name("interplay"))]
SMALLEST = ("--records", "5", "--workers", "1", "--json")
"""Arguments of the smallest run, which a test makes."""


def family_memory(root: int) -> int:
    """Return the memory of a process and its descendants in bytes, counting each shared page once."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
            except (OSError, IndexError):
                continue
            children.setdefault(int(parent), []).append(int(entry.name))
    pending, total = [root], 0
    while pending:
        process = pending.pop()
        pending += children.get(process, [])
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def measure(arguments: list[str]) -> dict[str, Any]:
    """Run the command line once; return wall and CPU seconds and peak memory in MiB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    peak = 0
    said: list[str] = []
    reader = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
    reader.start()
    while process.poll() is None:
        peak = max(peak, family_memory(process.pid))
        time.sleep(0.5)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit("".join(said[-5:]))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": round(wall, 2), "cpu": round(cpu, 2), "peak_mib": round(peak / 2**20)}


def main() -> None:
    """Measure runs of growing size and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1,000 records instead of 10,000 and 50,000")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--toolset", default="domain:clinic", help="where the tools come from")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--records", type=int, nargs="+", default=(10_000, 50_000), help="sizes of the runs")
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (1_000,) if options.quick else options.records:
            workspace = str(Path(folder) / f"w{size}")
            config = Path(folder) / f"w{size}.yaml"
            config.write_text(json.dumps({"toolset": options.toolset, "shard_size": min(50, size)}), encoding="utf-8")
            run = ["run", str(config), "--records", str(size), "--workers", str(options.workers)]
            figures = {"records": size, "workers": options.workers, **measure([*run, "--workspace", workspace])}
            figures["per_second"] = round(size / figures["wall"], 1)
            stats = subprocess.run(
                [*COMMAND, "stats", "--workspace", workspace, "--json"], capture_output=True, text=True, check=True
            )
            made = json.loads(stats.stdout)
            figures |= {
                key: made[key]
                for key in (
                    "accepted",
                    "rejected",
                    "turns_mean",
                    "calls_mean",
                    "patterns",
                    "tools_covered",
                    "tools_total",
                    "distinct_user_utterances",
                    "most_common_user_utterance_share",
                )
            }
            figures["acts"] = len(made["acts"])
            found.append(figures)
            if not options.json:
                print("  ".join(f"{key} {value}" for key, value in figures.items()), flush=True)
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
