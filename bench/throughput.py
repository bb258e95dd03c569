"""Measures a run from the command line: records a second and the memory of all its processes together.

records  workers  seconds  records/s  peak MB
1000     1           11.9       84.0      182
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

INTERPLAY = str(Path(sys.executable).with_name("interplay"))
SECONDS_BETWEEN_SAMPLES = 0.1


def main() -> None:
    """Run with one worker and with two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--toolset", default="domain:clinic")
    given = parser.parse_args()
    print("records  workers  seconds  records/s  peak MB")
    for workers in given.workers:
        accepted, seconds, peak = measure(given.toolset, given.records, workers)
        print(f"{accepted:<7}  {workers:<7}  {seconds:7.1f}  {accepted / seconds:9.1f}  {peak:7.0f}")


def measure(toolset: str, records: int, workers: int) -> tuple[int, float, float]:
    """Return accepted records, seconds of wall time with start and end, and peak megabytes of all processes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [INTERPLAY, "run", "--toolset", toolset, "--records", str(records), "--workers", str(workers)]
        started = time.monotonic()
        with subprocess.Popen(
            [*command, "--workspace", folder, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            peaks = [0.0]
            threading.Thread(target=watch, args=(process, peaks), daemon=True).start()
            answer, _ = process.communicate()
        seconds = time.monotonic() - started
    return json.loads(answer)["accepted"], seconds, max(peaks)


def watch(process: subprocess.Popen[str], peaks: list[float]) -> None:
    """Add up the resident memory of a process and its children until it ends (needs /proc)."""
    while process.poll() is None:
        peaks.append(sum(resident(number) for number in family(process.pid)))
        time.sleep(SECONDS_BETWEEN_SAMPLES)


def family(root: int) -> list[int]:
    """Return the process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.parent.name))
    found = [root]
    for number in found:
        found += children.get(number, [])
    return found


def resident(number: int) -> float:
    """Return the resident megabytes of a process, none if it is gone."""
    try:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
    except OSError:
        return 0.0
    sizes = [int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS:")]
    return sizes[0] if sizes else 0.0


if __name__ == "__main__":
    main()
