"""What whole dialogues with models take: how busy the endpoint is kept, processor time by part, kills, and prompts.

    python bench/model_dialogues.py [--quick] [--json]

A server in a process of its own plays the clinic's dialogues as the rules did; every case makes the same records.
  fixed      500 ms each, concurrency 100, more dialogues open than that        spread   lognormal of sigma 0.8, concurrency 20
  slow       the user of one dialogue is 100 times slower                       kill     SIGKILL in the middle, and again
  slot_use   answers between 10 % and 90 %, times their mean latency / (concurrency x that time); `all` is of the whole run
  client_ms  processor time of a dialogue of 6 calls, beyond composing, checking and starting
"""

import argparse
import json
import math
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from model_serving import ROOT, child, control

CALLS = 6


@contextmanager
def playing(dialogues: int, *arguments: object) -> Iterator[int]:
    """Run a server that plays so many dialogues; yield its port."""
    command = [sys.executable, str(ROOT / "bench" / "dialogue_server.py"), str(dialogues), *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def use(seen: dict[str, Any], concurrency: int, mean: float) -> dict[str, float]:
    """Return how busy the slots were, in the middle and from the first question to the last answer."""
    answers = sorted(seen["answered_at"])
    low, high = len(answers) // 10, len(answers) * 9 // 10
    window = answers[high] - answers[low]
    return {
        "slot_use": round((high - low) * mean / (concurrency * window), 3),
        "all": round(len(answers) * mean / (concurrency * answers[-1]), 3),
    }


def measure(case: str, dialogues: int, concurrency: int, opened: int, latency: float, spread: float) -> dict[str, Any]:
    """Play all dialogues once; return what the slots and the processor did."""
    with tempfile.TemporaryDirectory() as folder, playing(dialogues, "--latency", latency, "--spread", spread) as port:
        found = child("dialogue_client.py", port, Path(folder) / "run", dialogues, concurrency, "--open", opened)
        seen = control(port, "/stats")
    mean = latency * math.exp(spread * spread / 2)
    figures = {"case": case, "dialogues": found["accepted"] + found["rejected"], "concurrency": concurrency}
    return {**figures, "open": opened, "calls": found["calls"], **use(seen, concurrency, mean), **costs(found)}


def costs(found: dict[str, Any]) -> dict[str, float]:
    """Return milliseconds of processor time for one dialogue, by part; `client` of one with 6 calls."""
    made, parts = len(found["ended"]), found["parts"]
    rest = found["cpu"] - sum(parts.values()) - found["start"]
    each = {f"{name}_ms": round(1000 * seconds / made, 1) for name, seconds in sorted(parts.items())}
    return {**each, "client_ms": round(1000 * rest / found["calls"] * CALLS, 1)}


def slow(dialogues: int, latency: float) -> dict[str, Any]:
    """Play with one dialogue that is 100 times slower; tell when the others ended, beside a run without it."""
    ended: list[list[float]] = []
    for times in (0, 100):
        arguments = ("--latency", latency, *(("--slow", times) if times else ()))
        with tempfile.TemporaryDirectory() as folder, playing(dialogues, *arguments) as port:
            found = child("dialogue_client.py", port, Path(folder) / "run", dialogues, 20, "--open", 40)
            ended.append(sorted(found["ended"]))
    names = ("last", "last_but_one")
    return {"case": "slow", **{name: ended[0][-1 - place] for place, name in enumerate(names)},
            **{f"{name}_beside_slow": ended[1][-1 - place] for place, name in enumerate(names)}}  # fmt: skip


def prompts(dialogues: int) -> dict[str, Any]:
    """Count the tokens of a dialogue, and the share of its prompts that was sent before."""
    with tempfile.TemporaryDirectory() as folder, playing(dialogues) as port:
        found = child("dialogue_client.py", port, Path(folder) / "run", dialogues, 20, "--prompts")
    tokens = round(found["tokens"] / len(found["ended"]))
    return {"case": "prompts", "tokens_per_dialogue": tokens, "repeated_from_third_turn": found["repeated"]}


def killed(dialogues: int, concurrency: int) -> dict[str, Any]:
    """Kill a run in the middle of its dialogues, start it again, and count what was paid for twice."""
    with tempfile.TemporaryDirectory() as place, playing(dialogues, "--latency", 0.2) as port:
        folder = Path(place) / "run"
        command = [sys.executable, str(ROOT / "bench" / "dialogue_client.py"), str(port), str(folder), str(dialogues)]
        command += [str(concurrency), "--open", str(2 * concurrency)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=dict(os.environ))
        while sum(control(port, "/stats")["outcomes"].values()) < 5 * dialogues:
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
        at_kill = control(port, "/stats")["answered"], journaled(folder)
        child("dialogue_client.py", *command[2:])
        paid, kept = control(port, "/stats")["answered"], journaled(folder)
    lost = at_kill[0] - at_kill[1]
    figures = {"case": "kill", "concurrency": concurrency, "journaled_at_kill": at_kill[1], "paid_twice": paid - kept}
    return {**figures, "journaled_asked_again": max(0, paid - kept - max(lost, 0) - concurrency)}


def journaled(folder: Path) -> int:
    """Count the answers that the journal of a workspace holds."""
    connection = sqlite3.connect(folder / "journal.sqlite")
    [[count]] = connection.execute("SELECT count(*) FROM answers").fetchall()
    connection.close()
    return int(count)


def main() -> None:
    """Measure all cases and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="60 dialogues instead of 300")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default="", help="one case alone")
    options = parser.parse_args()
    count, wide = (60, 25) if options.quick else (300, 100)
    cases = {
        "fixed": lambda: measure("fixed", count, wide, 2 * wide, 0.5, 0.0),
        "spread": lambda: measure("spread", count, 20, 40, 0.2, 0.8),
        "slow": lambda: slow(count // 3, 0.02),
        "kill": lambda: killed(count, wide),
        "prompts": lambda: prompts(count // 3),
    }
    found = [case() for name, case in cases.items() if options.only in ("", name)]
    for figures in found if not options.json else ():
        print("  ".join(f"{name} {value}" for name, value in figures.items()))
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
