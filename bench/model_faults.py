"""Measures how questions fare when the server fails, limits the rate or stays silent, and when the client is killed.

    python bench/model_faults.py [--quick] [--json] [--only NAME] [--requests N]

mixed      5 % 429, 5 % 500, 5 % dropped                        fails     30 % 500s
outage     15 s without a connection (`--quick`: 4 s)           silent    0.5 % of the questions are never answered
rate       10 questions a second are answered, 429 to the rest  killed    SIGKILL after 550 of 1,000 answers, and again
`after` is the time beyond what the fault makes unavoidable; `wasted` is the share of requests that were refused.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model_serving import ROOT, child, control, serving

TIMEOUT = 5.0
RATE = 10.0
SMALLEST = ("--quick", "--only", "mixed", "--requests", "40", "--json")
"""Arguments of the smallest run, which a test makes."""


def faulty(name: str, arguments: list[str], requests: int, forced: float) -> dict[str, Any]:
    """Send questions to a server with a fault."""
    with serving("--latency", "0.05", *arguments) as port:
        found = child("model_client.py", "ours", port, requests, 100, "--timeout", TIMEOUT)
        seen = control(port, "/stats")
    return {
        "fault": name,
        "requests": requests,
        "lost": found["lost"],
        "answered": seen["answered"],
        "answered_twice": seen["answered_twice"],
        "asked": seen["asked"],
        "seconds": max(seen["answered_at"]),
        "after": round(max(seen["answered_at"]) - forced, 2),
        "errors": found["limits"]["errors"],
    }


def rate(requests: int) -> dict[str, Any]:
    """Send questions to a server that limits the rate."""
    found = faulty("rate", ["--rate", str(RATE)], requests, requests / RATE)
    found["per_second"] = round(requests / found["seconds"], 2)
    found["wasted"] = round(found["errors"].get("429", 0) / found["asked"], 3)
    return found


def killed(requests: int, after: int) -> dict[str, Any]:
    """Kill the client in the middle, and restart it with the same journal."""
    with serving("--latency", "0.1") as port, tempfile.TemporaryDirectory() as folder:
        journal = str(Path(folder) / "journal.sqlite")
        arguments = ["ours", str(port), str(requests), "100", "--journal", journal]
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "bench" / "model_client.py"), *arguments], cwd=ROOT, stdout=subprocess.DEVNULL
        )
        while control(port, "/stats")["answered"] < after:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = control(port, "/stats")
        found = child("model_client.py", *arguments)
        seen = control(port, "/stats")
    return {
        "fault": "killed",
        "requests": requests,
        "lost": found["lost"],
        "answered_before": before["answered"],
        "paid_twice": seen["answered"] - requests,
        "asked": seen["asked"],
    }


def main() -> None:
    """Try all faults and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a shorter outage and fewer questions")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", help="the name of one fault")
    parser.add_argument(
        "--requests", type=int, default=500, help="questions for most faults; twice as many when killed"
    )
    options = parser.parse_args()
    count, end = options.requests, 5 if options.quick else 16
    mixed = ["--fault", "429:0.05", "--fault", "500:0.05", "--fault", "drop:0.05"]
    trials: dict[str, Callable[[], dict[str, Any]]] = {
        "mixed": lambda: faulty("mixed", mixed, count, 0),
        "fails": lambda: faulty("fails", ["--fault", "500:0.3"], count, 0),
        "outage": lambda: faulty("outage", ["--outage", f"0.1-{end}", "--outage-kind", "drop"], count, end),
        "outage_503": lambda: faulty("outage_503", ["--outage", f"0.1-{end}"], count, end),
        "silent": lambda: faulty("silent", ["--fault", "silent:0.005"], count, TIMEOUT),
        "rate": lambda: rate(150 if options.quick else 300),
        "killed": lambda: killed(2 * count, count * 11 // 10),
    }
    found = [trial() for name, trial in trials.items() if options.only in (None, name)]
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for figures in found:
        print("  ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
