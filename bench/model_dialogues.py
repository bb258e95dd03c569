"""Measures whole dialogues with models: utilisation of the endpoint, CPU time by part, kills, and prompts.

    python bench/model_dialogues.py [--quick] [--json] [--only CASE] [--dialogues N]

A separate server replays the clinic's dialogues as rules played them; every case makes the same records. Most dialogues take
6 to 12 requests, each of which waits for the answer to the one before; more dialogues are open than requests allowed at a time.
  fixed      500 ms latency, concurrency 100, 600 dialogues      spread   lognormal of sigma 0.8, concurrency 20, 300 dialogues
  slow       the user of one dialogue is 100 times slower: when the others end, compared with a run without it
  cpu        CPU time of the client process                  kill     SIGKILL in the middle, then a restart
  prompts    tokens sent for one dialogue, and the share of each prompt that was sent before
  slot_use   requests in flight, as the server counts them, / concurrency: the mean between 10 % and 90 % of the answers, and
             `all` from the first question to the last answer
  whole_ms   CPU time, user and system, of 6 requests of a dialogue: the time of all processes and threads of the run from the
             first question to the end, / requests * 6. It includes composing (in its own process), asking, parsing, the
             journal, checking, records, files, the store. Start-up is excluded (`start_s`: imports, the world, the first
             task), since it is the same for ten dialogues and for ten thousand
  client_ms  the same without composing and checking; `threads_ms` is the part of threads: journal, files and store
  dialogue_ms, check_ms, compose_ms  the whole, and two of its parts, for one dialogue of average length (see `requests`)
  aiohttp_ms a bare loop that only posts bodies of the same size, 6 times
"""

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from model_serving import ROOT, child, control, serving

CALLS = 6
SMALLEST = ("--only", "cpu", "--dialogues", "3", "--json")
"""Arguments of the smallest run, which a test makes."""


@contextmanager
def playing(dialogues: int, *arguments: object) -> Iterator[int]:
    """Run a server that replays a number of dialogues; yield its port."""
    command = [sys.executable, str(ROOT / "bench" / "dialogue_server.py"), str(dialogues), *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def under_way(seen: dict[str, Any], begin: float, end: float) -> float:
    """Return the mean number of requests in flight at a server between two times."""

    def since(moments: list[float]) -> float:
        return sum(max(0.0, end - max(moment, begin)) for moment in moments)

    return (since(seen["asked_at"]) - since(seen["answered_at"])) / (end - begin)


def use(seen: dict[str, Any], concurrency: int) -> dict[str, float]:
    """Return the utilisation of the slots, between 10 % and 90 % of the answers and over the whole time."""
    answers = sorted(seen["answered_at"])
    begin, end = answers[len(answers) // 10], answers[len(answers) * 9 // 10]
    busy = {"slot_use": under_way(seen, begin, end), "all": under_way(seen, 0.0, answers[-1])}
    return {name: round(mean / concurrency, 3) for name, mean in busy.items()}


def measure(case: str, dialogues: int, concurrency: int, latency: float, spread: float) -> dict[str, Any]:
    """Play all dialogues, with twice as many open as `concurrency`; return the utilisation and CPU time."""
    wait = ("--latency", latency, "--spread", spread)
    with tempfile.TemporaryDirectory() as folder, playing(dialogues, "--short", *wait) as port:
        found = client(port, folder, dialogues, concurrency, "--open", 2 * concurrency)
        seen = control(port, "/stats")
    figures = {"case": case, "dialogues": found["accepted"] + found["rejected"], "concurrency": concurrency}
    figures["requests"] = round(found["calls"] / figures["dialogues"], 1)
    return {**figures, **use(seen, concurrency), **costs(found)}


def client(port: int, folder: str, dialogues: int, concurrency: int, *more: object) -> dict[str, Any]:
    """Make the records in a separate process, and return its figures."""
    return child("dialogue_client.py", port, Path(folder) / "run", dialogues, concurrency, "--short", *more)


def costs(found: dict[str, Any]) -> dict[str, float]:
    """Return milliseconds of CPU time by part, as the module's docstring defines them."""
    made, parts, calls = len(found["ended"]), found["parts"], found["calls"]
    whole = found["cpu"] - found["start"] + parts["compose"]
    totals = {
        "whole": whole / calls * CALLS,
        "client": (whole - sum(parts.values())) / calls * CALLS,
        "threads": found["threads"] / calls * CALLS,
        "dialogue": whole / made,
        **{name: seconds / made for name, seconds in sorted(parts.items())},
    }
    each = {f"{name}_ms": round(1000 * seconds, 1) for name, seconds in totals.items()}
    return {**each, "start_s": round(found["start"] + found["compose_start"], 1)}


def processor(dialogues: int) -> dict[str, Any]:
    """Measure CPU time at low latency, compared with a bare loop that sends as much."""
    with tempfile.TemporaryDirectory() as folder, playing(dialogues, "--short", "--latency", 0.02) as port:
        found = client(port, folder, dialogues, 20)
        seen = control(port, "/stats")
    size = seen["bytes"] // found["calls"]
    with serving("--latency", "0.02") as port:
        bare = child("model_client.py", "aiohttp", port, found["calls"], 20, "--again", "--size", size)
    figures = {"case": "cpu", "requests": round(found["calls"] / len(found["ended"]), 1), "bytes_per_request": size}
    return {**figures, **costs(found), "aiohttp_ms": round(bare["cpu_per_1000"] * CALLS, 1)}


def slow(dialogues: int, latency: float) -> dict[str, Any]:
    """Play with one dialogue that is 100 times slower; return when the others ended, and when they end without it."""
    ended: list[list[float]] = []
    for times in (0, 100):
        arguments = ("--short", "--latency", latency, *(("--slow", times) if times else ()))
        with tempfile.TemporaryDirectory() as folder, playing(dialogues, *arguments) as port:
            found = client(port, folder, dialogues, 20, "--open", 40)
            ended.append(sorted(found["ended"]))
    [usual, beside] = ended
    return {"case": "slow", "all_ended": usual[-1], "others_ended_beside_slow": beside[-2], "slow_ended": beside[-1]}


def prompts(dialogues: int) -> dict[str, Any]:
    """Return the prompt tokens of a dialogue, and the share of its prompts that was sent before."""
    told: dict[str, Any] = {"case": "prompts"}
    for name, short in (("short", ("--short",)), ("usual", ())):
        with tempfile.TemporaryDirectory() as folder, playing(dialogues, *short) as port:
            found = child("dialogue_client.py", port, Path(folder) / "run", dialogues, 20, "--prompts", *short)
            made = len(found["ended"])
            told[f"{name}_requests"] = round(found["calls"] / made, 1)
            told[f"{name}_prompt_tokens"] = round(sums(Path(folder) / "run", "prompt") / made)
            told[f"{name}_repeated_from_third_turn"] = found["repeated"]
    return told


def killed(dialogues: int, concurrency: int) -> dict[str, Any]:
    """Kill a run in the middle of its dialogues, restart it, and count the answers that were paid for twice."""
    with tempfile.TemporaryDirectory() as place, playing(dialogues, "--short", "--latency", 0.2) as port:
        folder = Path(place) / "run"
        command = [sys.executable, str(ROOT / "bench" / "dialogue_client.py"), str(port), str(folder), str(dialogues)]
        command += [str(concurrency), "--short", "--open", str(2 * concurrency)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=dict(os.environ))
        while sum(control(port, "/stats")["outcomes"].values()) < 4 * dialogues:
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
    """Count the answers in the journal of a workspace."""
    connection = sqlite3.connect(folder / "journal.sqlite")
    [[count]] = connection.execute("SELECT count(*) FROM answers").fetchall()
    connection.close()
    return int(count)


def sums(folder: Path, column: str) -> int:
    """Return the total of a token column in the journal's sums."""
    connection = sqlite3.connect(folder / "journal.sqlite")
    [[count]] = connection.execute(f"SELECT sum({column}) FROM sums").fetchall()
    connection.close()
    return int(count)


def main() -> None:
    """Measure all cases and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="a fifth of the dialogues, and concurrency 25 in place of 100"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default="", help="one case alone")
    parser.add_argument(
        "--dialogues", type=int, default=300, help="dialogues of most cases; a third or twice as many of others"
    )
    options = parser.parse_args()
    count, wide = (60, 25) if options.quick else (options.dialogues, 100)
    cases: dict[str, Callable[[], dict[str, Any]]] = {
        "fixed": lambda: measure("fixed", 2 * count, wide, 0.5, 0.0),
        "spread": lambda: measure("spread", count, 20, 0.5, 0.8),
        "cpu": lambda: processor(count),
        "slow": lambda: slow(count // 3, 0.1),
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
