"""Measures start-up: `interplay --help`, the first request of `interplay run`, and imports.

    python bench/startup.py [--quick] [--json] [--trials N]

Medians over sequential processes with compiled bytecode; `cpu` is in CPU seconds, `wall` in seconds.
  help      the whole command            first     from the start of the process to the first request at a local server
  import    a module alone, in its own process, beyond the time of Python itself
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from model_serving import ROOT, control, serving

INTERPLAY = str(Path(sys.executable).with_name("interplay"))
SMALLEST = ("--trials", "1", "--json")
"""Arguments of the smallest run, which a test makes."""
MODULES = (
    "interplay.flows.commands.cli",
    "interplay.flows.runs.run",
    "interplay.flows.workspaces.run_store",
    "openai, aiohttp",
    "anthropic, aiohttp",
    "pyarrow.parquet",
    "duckdb",
    "networkx",
    "jsonschema",
    "pydantic",
    "rich.progress",
    "prefect",
    "datasets",
)


def timed(command: list[str], environ: dict[str, str]) -> dict[str, float]:
    """Run a command; return its wall and CPU seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, check=True)
    wall, used = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": wall, "cpu": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime}


def first(environ: dict[str, str]) -> dict[str, float]:
    """Return the seconds until the first request of a run with models, which is then killed."""
    with serving("--latency", "60") as port, tempfile.TemporaryDirectory() as folder:
        model = {"model": "bench", "base_url": f"http://127.0.0.1:{port}/v1", "concurrency": 100}
        config = Path(folder) / "interplay.yaml"
        config.write_text(json.dumps({"models": {"m": model}, "roles": {"user": "m", "assistant": "m"}}))
        began = time.monotonic()
        command = [INTERPLAY, "run", str(config), "--workspace", str(Path(folder) / "run"), "--records", "100"]
        with subprocess.Popen(
            command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            while not (seen := control(port, "/stats")["first_ask"]):
                assert process.poll() is None, "the run ended without a request"
                time.sleep(0.02)
            process.kill()
    return {"wall": seen - began}


def median(trials: list[dict[str, float]]) -> dict[str, float]:
    """Return the median of each figure."""
    return {name: round(statistics.median(trial[name] for trial in trials), 3) for name in trials[0]}


def main() -> None:
    """Measure everything and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="3 trials of the commands instead of 9, and no imports")
    parser.add_argument("--trials", type=int, help="other trials of the commands, compiled already, and no imports")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    trials = options.trials or (3 if options.quick else 9)
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as bytecode:
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        if not options.trials:
            environ["PYTHONPYCACHEPREFIX"] = bytecode
            first(environ)  # compiles the bytecode for all others
        found.append({"what": "first", **median([first(environ) for _ in range(trials)])})
        found.append({"what": "help", **median([timed([INTERPLAY, "--help"], environ) for _ in range(trials)])})
        for module in () if options.quick or options.trials else ("", *MODULES):
            command = [sys.executable, "-c", f"import {module}" if module else ""]
            timed(command, environ)
            figures = median([timed(command, environ) for _ in range(trials)])
            alone = {name: round(value - found[2][name], 3) for name, value in figures.items()} if module else figures
            found.append({"what": f"import {module}" if module else "python", **alone})
    for figures in () if options.json else found:
        print("  ".join(f"{name} {value}" for name, value in figures.items()))
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
