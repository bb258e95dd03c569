"""Tests a nightly deployment on a real Prefect server whose workers are killed: what it makes, and how long it takes.

    python bench/production.py [--records N] [--firings N] [--kill {none,cancel,process,machine}] [--runner NAME] [--json]

A server, a work pool and a worker are started from the installed package, in their own folder, and `interplay deploy` sets up a
schedule. In the second firing, the process of the run, or the worker with all its processes, gets SIGKILL, and a new worker is
started; nothing else is done by hand. With `cancel`, the run is cancelled, and the third firing makes the rest. The exit code is
1 unless all firings complete with the bytes of a plain run.
  accepted    records in the workspace; as many as `wanted`                 artifacts   versions of the table of records
  same        shards with the same bytes as a run without Prefect           lost_s      seconds from the kill until it runs again
  over        shards that only one of the two has, made ahead
  cancelled_s seconds from the request to cancel a run to its cancelled state
  taken_up    how often runs were rescheduled; once for each kill
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

SMALLEST = ("--records", "2", "--firings", "1", "--kill", "none", "--json")
"""Arguments of the smallest run, which a test makes."""

BIN = Path(sys.executable).parent
SHARD = 4
PATIENCE = 420.0
"""Timeout of each wait in seconds."""


def environment(home: Path, port: int) -> dict[str, str]:
    """Return environment variables for a Prefect that stores everything in one folder, and uses only the local server."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")},
        "PREFECT_HOME": str(home),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait(what: str, found: Callable[[], Any]) -> Any:
    """Poll `found` until it returns something true, and return that.

    Raises:
        TimeoutError: it did not within `PATIENCE` seconds; `what` names it.
    """
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if answer := found():
            return answer
        time.sleep(0.3)
    raise TimeoutError(f"{what}: waited {PATIENCE:.0f} s in vain")


def api(environ: dict[str, str], path: str, body: dict[str, Any] | None = None) -> Any:
    """Send a request to the server, and return its JSON; None if it does not answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        environ["PREFECT_API_URL"] + path, data, {"content-type": "application/json"} if data else {}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)
    except OSError:
        return None


@contextmanager
def started(command: list[str], environ: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process within the context; at its end, kill it and all that it started."""
    with log.open("ab") as file:
        process = subprocess.Popen(
            command, env=environ, stdout=file, stderr=file, start_new_session=True, cwd=log.parent
        )
    try:
        yield process
    finally:
        kill_all(process.pid)
        process.wait()


def children(parent: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            above = int(entry.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        parents.setdefault(above, []).append(int(entry.parent.name))
    found, at = list(parents.get(parent, ())), 0
    while at < len(found):
        found += parents.get(found[at], ())
        at += 1
    return found


def kill_all(parent: int) -> None:
    """Kill a process and all its descendants, as when a machine fails."""
    for process in (parent, *children(parent)):
        kill(process)


def kill(process: int) -> None:
    """Kill one process, unless it has ended."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return


def engine(worker: int) -> int:
    """Return the process id of a worker's flow run; 0 if there is none."""
    for process in children(worker):
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"prefect.engine" in command or b"prefect.flow_engine" in command:
            return process
    return 0


def firings(environ: dict[str, str]) -> list[dict[str, Any]]:
    """Return the runs that have started, in order."""
    listed = api(environ, "/flow_runs/filter", {"sort": "EXPECTED_START_TIME_ASC"}) or []
    return [run for run in listed if run["state"]["type"] != "SCHEDULED" or run["run_count"]]


def ended(environ: dict[str, str]) -> list[dict[str, Any]]:
    """Return the started runs once all of them have ended; empty before, or if the server does not answer."""
    begun = firings(environ)
    return begun if all(run["state"]["type"] in ENDED for run in begun) else []


def produce(folder: Path, records: int, count: int, lost: str, runner: str | None, workers: int) -> dict[str, Any]:
    """Run a deployment, kill or cancel its second firing as `lost` says, and return the figures."""
    port = free_port()
    environ = environment(folder / "prefect", port)
    workspace, config = folder / "nightly", folder / "interplay.yaml"
    config.write_text(f"toolset: domain:clinic\nshard_size: {SHARD}\nworkers: {workers}\n")
    work = [str(BIN / "prefect"), "worker", "start", "--pool", "interplay"]
    deploy = [str(BIN / "interplay"), "deploy", str(config), "--workspace", str(workspace), "--add", str(records)]
    deploy += ["--export", "openai", *(["--runner", runner] if runner else [])]
    log, told = folder / "log.txt", dict[str, Any]()
    began = time.monotonic()
    with started([str(BIN / "prefect"), "server", "start", "--port", str(port)], environ, log):
        wait("the server", lambda: api(environ, "/health"))
        subprocess.run([*deploy, "--every", "20"], env=environ, check=True, stdout=subprocess.DEVNULL, cwd=folder)
        told["deployed_s"] = round(time.monotonic() - began, 1)

        def enough() -> list[dict[str, Any]]:
            """Return the started runs; pause the schedule once there are `count`."""
            begun = firings(environ)
            if len(begun) >= count:
                api(environ, f"/deployments/{begun[0]['deployment_id']}/pause_deployment", {})
            return begun

        with started(work, environ, log) as worker:
            if lost != "none":
                second = wait("the second firing", lambda: next(iter(enough()[1:2]), None))
                wait("a shard of it", lambda: enough() and shards(workspace) > -(-records // SHARD) + 1)
                target = wait("its process", lambda: engine(worker.pid))
                killed = time.monotonic()
                if lost == "cancel":
                    api(environ, f"/flow_runs/{second['id']}/set_state", {"state": {"type": "CANCELLING"}})
                    wait("its end", lambda: _state(environ, second["id"]) == "CANCELLED")
                    told["cancelled_s"] = round(time.monotonic() - killed, 1)
                    wait("all firings", lambda: len(enough()) >= count)
                    wait("their ends", lambda: ended(environ))
                else:
                    kill_all(worker.pid) if lost == "machine" else kill(target)
            with ExitStack() as again:
                if lost in ("process", "machine"):
                    again.enter_context(started(work, environ, log))
                    wait("the run to go on", lambda: enough() and _runs_again(environ, second["id"]))
                    told["lost_s"] = round(time.monotonic() - killed, 1)
                wait("all firings", lambda: len(enough()) >= count)
                runs = wait("their ends", lambda: ended(environ))
        heard = api(environ, "/events/filter", {"filter": {"event": {"name": ["prefect.automation.triggered"]}}}) or {}
        tables = api(environ, "/artifacts/filter", {"artifacts": {"key": {"like_": "records-nightly-"}}}) or []
    told |= {"firings": [run["state"]["name"] for run in runs], "artifacts": len(tables)}
    told["taken_up"] = len(heard.get("events", ()))
    told |= compared(folder, workspace, config, records * len(runs))
    return told


ENDED = ("COMPLETED", "FAILED", "CANCELLED")
"""Final states of a run; crashed ones are rescheduled."""


def _state(environ: dict[str, str], run: str) -> str:
    return str((api(environ, f"/flow_runs/{run}") or {"state": {"type": ""}})["state"]["type"])


def _runs_again(environ: dict[str, str], run: str) -> bool:
    found = api(environ, f"/flow_runs/{run}")
    return bool(found) and (found["run_count"] > 1 or found["state"]["type"] == "COMPLETED")


def shards(workspace: Path) -> int:
    """Return the number of finished shards."""
    return len(list(workspace.glob("shards/*.parquet")))


def compared(folder: Path, workspace: Path, config: Path, records: int) -> dict[str, Any]:
    """Compare a workspace with that of a plain run."""
    plain = folder / "plain"
    command = [
        str(BIN / "interplay"),
        "run",
        str(config),
        "--workspace",
        str(plain),
        "--records",
        str(records),
        "--json",
    ]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
    summary = subprocess.run(command, env=environ, capture_output=True, check=True, cwd=folder)
    wanted = json.loads(summary.stdout)["accepted"]
    stats = [str(BIN / "interplay"), "stats", "--workspace", str(workspace), "--json"]
    found = json.loads(subprocess.run(stats, env=environ, capture_output=True, check=True, cwd=folder).stdout)
    made, plainly = ({path.name: path for path in place.glob("shards/*.parquet")} for place in (workspace, plain))
    both = made.keys() & plainly.keys()
    same = sum(made[name].read_bytes() == plainly[name].read_bytes() for name in both)
    over = len(made.keys() ^ plainly.keys())
    return {"accepted": found["accepted"], "wanted": wanted, "shards": len(both), "same": same, "over": over}


def main() -> int:
    """Run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=60)
    parser.add_argument("--firings", type=int, default=3)
    parser.add_argument("--kill", choices=("none", "cancel", "process", "machine"), default="machine")
    parser.add_argument("--runner", choices=("threads", "processes", "dask"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        try:
            told = produce(Path(name), asked.records, asked.firings, asked.kill, asked.runner, asked.workers)
        except TimeoutError as error:
            log = (Path(name) / "log.txt").read_text(errors="replace").splitlines()
            print(error, *log[-40:], sep="\n", file=sys.stderr)
            return 1
    if asked.json:
        print(json.dumps(told))
    else:
        for key, value in told.items():
            print(f"{key:12} {value}")
    whole = (
        {*told["firings"]} - {"Cancelled"} == {"Completed"}
        and told["accepted"] == told["wanted"]
        and told["same"] == told["shards"]
    )
    return 0 if whole and told["artifacts"] >= told["firings"].count("Completed") else 1


if __name__ == "__main__":
    sys.exit(main())
