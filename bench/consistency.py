"""Finds contradictions of sandboxes with themselves or with common API behaviour: findings by kind and pass rate per file.

    python bench/consistency.py [--quick] [--json] [--verbose] [--calls N] [FILE ...]

Files default to every API description, MCP tool list and class of functions below INTERPLAY_SHARED (default ../shared).
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shared_data import DATA, descriptions, spec_of

from interplay.flows.worlds.assembly import open_part
from interplay.flows.worlds.corrections import probe_part
from interplay.flows.worlds.tool_sources import import_source

QUICK, WHOLE = 1_000, 20_000
"""Most calls for each file."""
SMALLEST = ("--calls", "100", "--json", "FILE")
"""Arguments of the smallest run, which a test makes."""


def sources(folder: Path) -> Iterator[Path]:
    """Yield each description and tool list; classes of functions are written to `folder` as one tool list each."""
    yield from descriptions()
    yield from sorted((DATA / "mcp").glob("*.json"))
    classes = DATA / "bfcl" / "classes.json"
    if classes.exists():
        for name, described in sorted(json.loads(classes.read_text(encoding="utf-8"))["classes"].items()):
            path = folder / f"{name}.json"
            path.write_text(json.dumps({"tools": described["tools"]}), encoding="utf-8")
            yield path


async def measure(path: Path, calls: int) -> dict[str, Any]:
    """Return the figures of one file; times are CPU seconds."""
    part = open_part(import_source(spec_of(path)))
    started = time.process_time()
    found = await probe_part(part, calls)
    checked = sum(found.checked.values())
    kinds = Counter(finding.kind for finding in found.findings)
    return {
        "file": path.name, "tools": len(part.environment.toolset.tools), "calls": found.calls, "whole": found.is_whole,
        "cpu_s": round(time.process_time() - started, 1), "checked": found.checked, "findings": dict(sorted(kinds.items())),
        "passed": round(1 - len(found.findings) / max(1, checked), 4),
        "found": [finding.model_dump(mode="json") for finding in found.findings],
    }  # fmt: skip


def main() -> None:
    """Measure each file and print its line, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="API descriptions and tool lists")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} calls for each file at most")
    parser.add_argument("--calls", type=int, default=WHOLE, help="calls for each file at most")
    parser.add_argument("--json", action="store_true", help="print JSON, with all findings")
    parser.add_argument("--verbose", action="store_true", help="print the findings")
    options = parser.parse_args()
    measured, checked, findings = [], Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files or sources(Path(folder)):
            line = asyncio.run(measure(path, QUICK if options.quick else options.calls))
            measured.append(line)
            checked.update(line["checked"])
            findings.update(line["findings"])
            if not options.json:
                _print(line, options.verbose)
    if options.json:
        print(json.dumps(measured, indent=2))
        return
    for kind, count in sorted(checked.items()):
        print(f"{kind:<26} {findings[kind]:>5} of {count:>6}  {1 - findings[kind] / count:.4f} passed")


def _print(line: dict[str, Any], verbose: bool) -> None:
    shown = {key: value for key, value in line.items() if key not in ("found", "checked")}
    print("  ".join(f"{key} {value}" for key, value in shown.items()), flush=True)
    for finding in line["found"] if verbose else ():
        print(
            f"    {finding['kind']} {', '.join(finding['tools'])}: expected {finding['expected']}; came {finding['came']}"
        )
        print(f"        {[(call['name'], call['arguments']) for call in finding['calls']]}"[:400])


if __name__ == "__main__":
    main()
