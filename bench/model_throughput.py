"""Measures the throughput of model requests relative to the ideal, and their CPU time and memory.

    python bench/model_throughput.py [--quick] [--json] [--requests N]

The same questions are sent to a local server through interplay's client (journal, budget, limits, retries, parsing), through a
bare loop over the SDK with its faster backend, and through a bare loop over aiohttp, one after the other.
  window      ideal time / time between 10 % and 90 % of the answers          whole   ideal time / time of the whole process
  cpu         CPU seconds of 1,000 further requests in the same process       first   seconds from start to first request
"""

import argparse
import json
import time
from typing import Any

from model_serving import child, control, serving

WAYS = ("ours", "sdk", "aiohttp")
CASES = ((1_000, 100, 0.5), (5_000, 1_000, 2.0))
QUICK = ((1_000, 100, 0.25),)
SMALLEST = ("--requests", "50", "--json", "--ways", "ours", "aiohttp")
"""Arguments of the smallest run, which a test makes."""


def measure(way: str, requests: int, concurrency: int, latency: float) -> dict[str, Any]:
    """Send the questions of one case in one way; return the figures."""
    with serving("--latency", str(latency)) as port:
        began = time.monotonic()
        found = child("model_client.py", way, port, requests, concurrency)
        whole = time.monotonic() - began
        seen = control(port, "/stats")
    answers = sorted(seen["answered_at"])
    low, high = len(answers) // 10, len(answers) * 9 // 10
    rate = concurrency / latency
    return {
        "way": way,
        "requests": requests,
        "concurrency": concurrency,
        "latency": latency,
        "lost": found["lost"],
        "window": round((high - low) / rate / (answers[high] - answers[low]), 3),
        "whole": round(requests / rate / whole, 3),
        "first": round(seen["first_ask"] - began, 2),
        "peak_mib": found["peak_mib"],
    }


def costs(way: str, requests: int) -> dict[str, Any]:
    """Return the CPU time of requests without start-up, and the peak memory."""
    with serving("--latency", "0.05") as port:
        found = child("model_client.py", way, port, requests, 100, "--again")
    return {
        "way": way,
        "requests": requests,
        "cpu": round(found["cpu_per_1000"], 2),
        "peak_mib": found["peak_mib"],
        "lost": found["lost"],
    }


def main() -> None:
    """Measure all cases and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one small case, and 1,000 requests instead of 20,000")
    parser.add_argument("--requests", type=int, help="one case of so many requests, and as many to count costs")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="who sends them")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    small = ((options.requests, 10, 0.05),) if options.requests else QUICK if options.quick else None
    found = [measure(way, *case) for case in small or CASES for way in options.ways]
    found += [costs(way, options.requests or 1_000) for way in options.ways]
    if small is None:
        found.append(costs("ours", 10_000))
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for figures in found:
        print("  ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
