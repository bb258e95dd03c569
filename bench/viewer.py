"""Measures `interplay view`: response times of pages, memory of the server, and the slowdown of a concurrent run.

    python bench/viewer.py --quick
    python bench/viewer.py --records 1000000 --json

The workspace holds copies of dialogues of the clinic with new ids and indices. Each page is requested over HTTP from a separate
server process, and the slowest try counts. Goals, at 1,000,000 records: a page of the list in 1 s, a record in 0.2 s, a filter
in 1 s, the server under 500 MB, and a run at most 5 % slower.
"""

import argparse
import asyncio
import hashlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pyarrow.parquet as pq

from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.viewer.index_upkeep import bring_up_to_date
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.run_files import write_record
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.shard_file import write_rows

SMALLEST = ("--quick",)
ORIGINALS = 400
SHARD = 1000
TRIES = 3
ROUNDS = 5
INTERPLAY = str(Path(sys.executable).with_name("interplay"))

PAGES = {
    "first page": "?",
    "page in the middle": "?page={middle}",
    "sorted": "?sort=-tokens",
    "sorted by what few have": "?sort=-pass_rate",
    "filter: a tool": "?tool=find_patient",
    "filter: rejected": "?status=rejected",
    "filter: three names": "?tool=find_patient&status=accepted&pattern=sequential",
    "filter: numbers": "?turns_from=6&calls_from=3&difficulty_from=0.4",
    "filter and order": "?tool=find_patient&status=accepted&sort=-difficulty",
    "words": "?words=invoice",
    "words and filter": "?words=invoice+direct+debit&status=accepted",
    "words in order": "?words=invoice&sort=-tokens",
}


OTHERS = {"overview": "", "figures that follow a run": "/progress", "tools": "/tools", "judge": "/judge?person=ada"}


def planted(folder: Path, records: int, originals: int) -> Workspace:
    """Return a workspace with copies of some dialogues of the clinic."""
    source = Workspace(folder / "originals")
    asyncio.run(run(source, RunConfig(records=originals, shard_size=min(50, originals)), lambda _: None))
    held = source.existing_run()
    texts: list[tuple[str, str, str]] = []
    for path in source.finished_shards():
        for row in pq.read_table(path).to_pylist():
            texts.append((row["status"], re.sub(r'^.*?"index":\d+', "", row["record"], count=1), row["id"]))
    workspace = Workspace(folder / "workspace")
    config = held.config.model_copy(update={"records": 10**9, "shard_size": SHARD, "copies": 10**6})
    write_record(_made(workspace.run_file), RunFile(**{**dict(held), "config": config}), indent=2)
    for name in ("toolset.json", "graph.json"):
        (workspace.folder / name).write_bytes((source.folder / name).read_bytes())
    for number in range(-(-records // SHARD)):
        rows = []
        for index in range(number * SHARD, (number + 1) * SHARD):
            status, rest, _ = texts[index % len(texts)]
            identifier = hashlib.md5(str(index).encode()).hexdigest()
            rows.append(
                (index, identifier, status, "", f'{{"id":"{identifier}","run":"{held.run}","index":{index}{rest}')
            )
        write_rows(workspace.shard(number), rows)
    return workspace


def _made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def asked(workspace: Workspace, records: int) -> dict[str, Any]:
    """Start a server, request each page, and return seconds and megabytes."""
    command = [INTERPLAY, "view", str(workspace.folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            with httpx.Client(base_url=address.partition("/?")[0], timeout=120, follow_redirects=True) as client:
                client.get(address)
                found: dict[str, Any] = {name: _slowest(client, f"/w/0{path}") for name, path in OTHERS.items()}
                for name, query in PAGES.items():
                    found[name] = _slowest(client, "/w/0/records" + query.format(middle=records // 100))
                ids = re.findall(r"/w/0/records/([0-9a-f]{32})", client.get("/w/0/records?sort=-tokens").text)
                found["a record"] = max(_slowest(client, f"/w/0/records/{identifier}", 1) for identifier in ids[:10])
            status = Path(f"/proc/{server.pid}/status").read_text()
            peak = re.search(r"VmHWM:\s+(\d+)", status)
            return {"seconds": found, "server_megabytes": int(peak[1]) // 1024 if peak else None}
        finally:
            server.terminate()


def _slowest(client: httpx.Client, path: str, tries: int = TRIES) -> float:
    times = []
    for _ in range(tries):
        began = time.perf_counter()
        answer = client.get(path)
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200, (path, answer.status_code, answer.text[:300])
    return round(max(times), 3)


def run_beside(folder: Path, records: int) -> dict[str, Any]:
    """Return how much longer a run of one worker takes while it is viewed: median, minimum and maximum over pairs of runs.

    The order within pairs alternates. Wall time means little on a busy machine, hence also CPU time.
    """
    ratios: dict[str, list[float]] = {"slower_percent": [], "more_processor_time_percent": []}
    for number in range(ROUNDS):
        order = (False, True) if number % 2 == 0 else (True, False)
        made = {looked: _made_beside(folder / f"{number}-{looked}", records, looked) for looked in order}
        for place, name in enumerate(ratios):
            ratios[name].append(100 * (made[True][place] / made[False][place] - 1))
    return {
        name: {"median": round(median(found), 1), "least": round(min(found), 1), "most": round(max(found), 1)}
        for name, found in ratios.items()
    }


def _made_beside(place: Path, records: int, looked_at: bool) -> tuple[float, float]:
    """Run once, polling a page meanwhile if `looked_at`; return wall and CPU seconds."""
    command = [INTERPLAY, "run", "--workspace", str(place)]
    subprocess.run([*command, "--records", "1"], check=True, capture_output=True)
    with ExitStack() as opened:
        client = None
        if looked_at:
            viewing = [INTERPLAY, "view", str(place), "--no-browser"]
            server = opened.enter_context(subprocess.Popen(viewing, stdout=subprocess.PIPE, text=True))
            opened.callback(server.terminate)
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            root = address.partition("/?")[0]
            client = opened.enter_context(httpx.Client(base_url=root, timeout=60, follow_redirects=True))
            client.get(address)
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        making = subprocess.Popen(
            [*command, "--records", str(records)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while _goes_on(making, 0.2 if records < 1000 else 2):
            if client is not None:
                client.get("/w/0/progress")  # as the page in a browser does
        assert making.returncode == 0, making.returncode
        wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return round(wall, 2), round(used, 2)


def _goes_on(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait for a process up to `seconds`; return whether it still runs."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def processor() -> float:
    """Return the CPU seconds of this process and its finished children."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def main() -> None:
    """Make a workspace, index it, request its pages, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--beside", type=int, default=2000, metavar="N", help="records of the run that is looked at")
    options = parser.parse_args()
    records, beside, originals = (1000, 0, 4) if options.quick else (options.records, options.beside, ORIGINALS)
    with tempfile.TemporaryDirectory() as scratch:
        workspace = planted(Path(scratch), records, originals)
        began, before = time.perf_counter(), processor()
        bring_up_to_date(workspace, workspace.viewer_file)
        indexed, used = time.perf_counter() - began, processor() - before
        told: dict[str, Any] = {
            "records": records,
            "indexed_per_second": round(records / indexed),
            "indexed_per_processor_second": round(records / used),
            "index_megabytes": workspace.viewer_file.stat().st_size // 2**20,
            **asked(workspace, records),
            "run": run_beside(Path(scratch), beside) if beside else {},
        }
    if options.json:
        print(json.dumps(told, indent=2))
        return
    for name, value in told.items():
        for inner, figure in value.items() if isinstance(value, dict) else [("", value)]:
            print(f"{name + (' ' + inner if inner else ''):<40}{figure}")


if __name__ == "__main__":
    main()
