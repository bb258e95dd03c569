"""How long real API descriptions keep one waiting: the first record, the records after it, the memory; a line for each file.

    python bench/descriptions.py [--quick] [--json] [--records N] [FILE ...]

`first_s` are seconds from the command `interplay run --records 1` until its record is in a file, `per_second` accepted
records for each second of one core that a longer run takes beyond that, to its very end, and `peak_mib` what that run holds
at most. Processor seconds stand beside wall seconds, which say little on a busy machine. Files default to all below INTERPLAY_SHARED (default ../shared).
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
"""Records that are made together in the runs of users."""

FIRST, RATE, MEMORY = 4.0, 50.0, 1024
"""What is wanted: seconds at most, records a second at least, MiB at most."""


def run(path: Path, records: int, together: int) -> dict[str, float]:
    """Make some records of a file in one process, so many together; return seconds of wall and processor, and MiB at most.

    `first` and `first_cpu` are the seconds until a shard is there.
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
    """Return the seconds of processor that a process has used so far."""
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
    """Return which figures are not as wanted."""
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
