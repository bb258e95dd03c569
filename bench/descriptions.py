"""Measures runs on real API descriptions: time to the first record, rate after it, and memory; a line per file.

    python bench/descriptions.py [--quick] [--json] [--records N] [FILE ...]

`first_s` is the time from the start of `interplay run --records 1` until its record is in a file; `per_second` is the number of
accepted records per CPU second of a longer run, without the time to its first shard; `peak_mib` is the peak memory of that run.
CPU seconds are given beside wall seconds, which mean little on a busy machine. Files default to all below INTERPLAY_SHARED
(default ../shared).
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from shared_data import descriptions, show_files

INTERPLAY = str(Path(sys.executable).with_name("interplay"))
SMALLEST = ("--records", "4", "--json", "FILE")
"""Arguments of the smallest run, which a test makes."""

SHARD = 50
"""Shard size of the runs."""

FIRST, RATE, MEMORY = 4.0, 50.0, 1024
"""The limits: most seconds to the first record, least records per second, most MiB."""


def run(path: Path, records: int, together: int) -> dict[str, float]:
    """Run one process that makes `records` records in shards of `together`; return wall and CPU seconds, and peak MiB.

    `first` and `first_cpu` are the seconds until the first shard exists.
    """
    first: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "interplay.yaml"
        config.write_text(
            json.dumps({"toolset": f"openapi:{path.absolute()}", "shard_size": together}), encoding="utf-8"
        )
        command = [INTERPLAY, "run", str(config), "--workspace", str(Path(folder) / "run")]
        command += ["--records", str(records), "--workers", "1"]
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not first and os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if any((Path(folder) / "run" / "shards").glob("*.parquet")):
                first = {"first": time.monotonic() - began, "first_cpu": processor_seconds(process.pid)}
            time.sleep(0.01)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: ended with {process.returncode}")
    return {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "mib": used.ru_maxrss / 1024, **first}


def processor_seconds(process: int) -> float:
    """Return the CPU seconds that a process has used so far."""
    user, system = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def measure(path: Path, records: int) -> dict[str, Any]:
    """Return the figures of one file."""
    first, whole = (run(path, count, min(SHARD, records)) for count in (1, records))
    seconds = max(0.01, whole["cpu"] - first["first_cpu"])
    found = {
        "file": path.name,
        "first_s": round(first["first"], 2),
        "first_cpu_s": round(first["first_cpu"], 2),
        "per_second": round((records - 1) / seconds, 1),
        "peak_mib": round(whole["mib"]),
    }
    return {**found, "misses": misses(found)}


def misses(found: dict[str, Any]) -> str:
    """Return the names of the figures that miss their limits."""
    bad = {
        "first": found["first_s"] > FIRST,
        "rate": found["per_second"] < RATE,
        "memory": found["peak_mib"] > MEMORY,
    }
    return " ".join(name for name, missed in bad.items() if missed)


def main() -> None:
    """Measure each file and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions")
    parser.add_argument("--quick", action="store_true", help="100 records for each file")
    parser.add_argument("--records", type=int, default=400, help="records for each file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    records = 100 if options.quick else options.records
    show_files(options.files or descriptions(), lambda path: measure(path, records), options.json)


if __name__ == "__main__":
    main()
