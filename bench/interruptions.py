"""Kills runs at random moments, in every way to run, and checks that the shards are the same as without interruptions.

    python bench/interruptions.py [--records N] [--kills K] [--ways WAY ...] [--seed S] [--json]

A way is `plain` (processes of the command line), `prefect` (the same command beside a server) or `dask` (the flow on a local
cluster). K times, one or all processes of the run get SIGKILL, and the run is started again; the last time it runs to its end.
The exit code is 1 unless every way gives the shards of one undisturbed process.
  kills       kills that hit a running run                    shards   files of the undisturbed run
  same        shards with the same bytes                      over     additional shards, made ahead by two processes
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from production import BIN, api, children, environment, free_port, kill, kill_all, started, wait

SMALLEST = ("--records", "8", "--kills", "1", "--ways", "plain", "--json")
"""Arguments of the smallest run, which a test makes."""

FLOW = """\
import asyncio, sys
from interplay.flows.pipeline import generate_dataset
if __name__ == "__main__":
    asyncio.run(generate_dataset(sys.argv[1], config=sys.argv[2], records=int(sys.argv[3]), workers=2, runner="dask"))
"""
STARTS = {"plain": 3.0, "prefect": 8.0, "dask": 12.0}
"""Seconds after which a run has usually started its first shard."""


def run_of(way: str, workspace: Path, config: Path, records: int, workers: int = 2) -> list[str]:
    """Return the command for a way to run."""
    if way == "dask":
        script = config.parent / "on_dask.py"
        script.write_text(FLOW)
        return [sys.executable, str(script), str(workspace), str(config), str(records)]
    command = [str(BIN / "interplay"), "run", str(config), "--workspace", str(workspace), "--records", str(records)]
    return [*command, "--workers", str(workers), *(["--prefect"] if way == "prefect" else [])]


def disturbed(way: str, folder: Path, records: int, kills: int, span: float, drawn: random.Random) -> dict[str, Any]:
    """Kill a run `kills` times, let it finish, and compare its shards with those of the undisturbed run."""
    workspace, config, log = folder / way, folder / "interplay.yaml", folder / f"{way}.log"
    command = run_of(way, workspace, config, records)
    environ, hit = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}, 0
    with ExitStack() as stack:
        if way != "plain":
            port = free_port()
            environ = environment(folder / f"{way}-home", port)
            server = [str(BIN / "prefect"), "server", "start", "--port", str(port)]
            stack.enter_context(started(server, environ, folder / "server.log"))
            wait("the server", lambda: api(environ, "/health"))
        for _ in range(kills):
            with started(command, environ, log) as process:
                time.sleep(drawn.uniform(0.5, STARTS[way] + span))
                targets = [process.pid, *children(process.pid)]
                hit += process.poll() is None
                if drawn.random() < 0.5:  # only one process dies at first, and the others notice
                    kill(drawn.choice(targets))
                    time.sleep(drawn.uniform(0.0, 2.0))
                for target in targets:  # also those whose parent has died
                    kill(target)
                kill_all(process.pid)
        ended = subprocess.run(command, env=environ, cwd=folder, capture_output=True, text=True, check=False)
    log.write_text(log.read_text() + ended.stdout + ended.stderr)
    if ended.returncode:
        print(ended.stderr[-2000:], file=sys.stderr)
    wanted = {path.name: path for path in (folder / "undisturbed" / "shards").glob("*.parquet")}
    made = {path.name: path for path in (workspace / "shards").glob("*.parquet")}
    same = sum(name in made and made[name].read_bytes() == path.read_bytes() for name, path in wanted.items())
    return {"way": way, "kills": hit, "code": ended.returncode, "shards": len(wanted), "same": same, "over": len(made) - len(wanted)}  # fmt: skip


def main() -> int:
    """Run every way, and print the outcome of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--ways", nargs="+", choices=tuple(STARTS), default=tuple(STARTS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        (folder / "interplay.yaml").write_text(f"toolset: domain:clinic\nshard_size: {min(10, options.records // 2)}\n")
        alone = run_of("plain", folder / "undisturbed", folder / "interplay.yaml", options.records, workers=1)
        began = time.monotonic()
        subprocess.run(alone, cwd=folder, check=True, capture_output=True)
        span = (time.monotonic() - began) / max(1, options.kills)
        drawn = random.Random(options.seed)
        found = [disturbed(way, folder, options.records, options.kills, span, drawn) for way in options.ways]
    for line in found:
        print(json.dumps(line) if options.json else "  ".join(f"{name} {value}" for name, value in line.items()))
    return 0 if all(line["code"] == 0 and line["same"] == line["shards"] for line in found) else 1


if __name__ == "__main__":
    sys.exit(main())
