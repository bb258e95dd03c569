"""Measures runs on live MCP servers: tools, used tools, accepted records, seconds, and the reason for too few; a line each.

    python bench/live.py [--records N] [--seconds S] [--json] [--servers FILE] [SPEC ...]

SPEC is a toolset such as 'mcp+live:mcp-server-time'; FILE holds one per line, after a name and a tab; `#` begins a comment.
Each is run with `interplay run`, in its own workspace, and stopped after S seconds. A server whose command is not installed is
skipped with the reason. By default, mcp-server-time is run.
"""

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from interplay.flows.settings.specs import parse_spec
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.importers.mcp.connection import Address
from interplay.outputs.store.shard_file import read_shard
from interplay.schemas.records.tool import SEARCH_TOOL

SMALLEST = ("--records", "1", "--seconds", "60", "--json")
"""Arguments of the smallest run, which a test makes."""

WANTED, SECONDS, SERVERS = 10, 120, 8
"""Accepted records wanted of each server, the seconds for them, and least number of servers that must give them."""

SHOWN = 300
"""Most characters of a reason."""

CLI = "from interplay.flows.commands.cli import main; main()"

PUBLIC = f"mcp+live:{sys.executable} -m mcp_server_time --local-timezone UTC"


def missing(spec: str) -> str:
    """Return why a server cannot be tried here; empty if it can."""
    if importlib.util.find_spec("mcp") is None:
        return "needs the extra: pip install -c constraints.txt '.[mcp]'"
    if spec == PUBLIC and importlib.util.find_spec("mcp_server_time") is None:
        return "needs mcp-server-time"
    address = Address.read(parse_spec(spec).place)
    found = address.url or shutil.which(address.words[0])
    return "" if found else f"{address.words[0]} is not installed"


def measure(spec: str, records: int, seconds: float) -> dict[str, Any]:
    """Run one server and return its figures."""
    with tempfile.TemporaryDirectory(prefix="interplay-live-") as folder:
        workspace = Path(folder) / "workspace"
        config = Path(folder) / "interplay.yaml"
        config.write_text(json.dumps({"toolset": spec, "shard_size": min(50, 5 * records)}), encoding="utf-8")
        command = [sys.executable, "-c", CLI, "run", str(config), "--records", str(records)]
        started, reason = time.monotonic(), ""
        try:
            done = subprocess.run(
                [*command, "--workspace", str(workspace)], capture_output=True, text=True, timeout=seconds, check=False
            )
            if done.returncode:
                reason = " ".join(done.stderr.split())[-SHOWN:]
        except subprocess.TimeoutExpired:
            reason = f"not done within {seconds:g} s"
        taken = time.monotonic() - started
        return {**_figures(Workspace(workspace)), "seconds": round(taken, 1), "reason": reason}


def _figures(workspace: Workspace) -> dict[str, Any]:
    """Return the figures of a workspace, however far its run came."""
    if not workspace.toolset_file.exists():
        return {"tools": 0, "used": 0, "records": 0, "tried": 0}
    tools = {tool["name"] for tool in json.loads(workspace.toolset_file.read_text(encoding="utf-8"))["tools"]}
    made = [record for path in workspace.finished_shards() for record in read_shard(path)]
    kept = [record for record in made if record.status == "accepted" and record.trajectory is not None]
    used = {call.name for record in kept if record.trajectory for call in record.trajectory.calls()}
    named = tools - {SEARCH_TOOL}
    return {"tools": len(named), "used": len(used & named), "records": len(kept), "tried": len(made)}


def listed(path: Path) -> list[tuple[str, str]]:
    """Return (name, toolset) of each server in a file."""
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition("\t") for line in lines if line and not line.startswith("#"))
    return [(name, spec.strip() or name) for name, _, spec in pairs]


def main() -> int:
    """Measure each server and print its line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("servers", nargs="*", help="toolsets")
    parser.add_argument("--servers", dest="file", type=Path, help="a file of toolsets")
    parser.add_argument("--records", type=int, default=WANTED, help="accepted records wanted of each")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="seconds for each")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    given = [(spec, spec) for spec in options.servers] + (listed(options.file) if options.file else [])
    found, skipped = [], []
    for name, spec in given or [("mcp-server-time", PUBLIC)]:
        reason = missing(spec)
        if reason:
            skipped.append({"server": name, "skipped": reason})
            continue
        found.append({"server": name, **measure(spec, options.records, options.seconds)})
        if not options.json:
            print("  ".join(f"{key} {value}" for key, value in found[-1].items() if value != ""), flush=True)
    enough = sum(row["records"] >= options.records for row in found)
    if options.json:
        print(json.dumps({"servers": found, "skipped": skipped, "enough": enough}, indent=2))
    else:
        for row in skipped:
            print(f"skipped  {row['server']}: {row['skipped']}")
        print(f"{enough} of {len(found)} servers give {options.records} records within {options.seconds:g} s")
    return 0 if enough >= min(SERVERS, len(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
