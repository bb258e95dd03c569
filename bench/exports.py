"""Measures exports: rows per second, peak memory and reload time for each format, on copies of dialogues of the clinic,
with branches and failures for formats that need several attempts.

    python bench/exports.py --quick
    python bench/exports.py --records 100000 --format openai --format trl

Each format runs in its own process. Rows per second are per CPU second, so that other load on the machine does not count, and
cover only the writing of rows; the check that reloads them is timed separately.
"""

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from interplay.flows.runs.process_life import COLLECTED_EVERY
from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export import _write_rows
from interplay.outputs.exporters.export_formats import FORMATS, named_format
from interplay.outputs.exporters.export_rows import RowSource
from interplay.outputs.exporters.reload_check import RowMarks, compare
from interplay.outputs.exporters.selection import Tally
from interplay.outputs.store.dataset_store import DatasetStore

SMALLEST = ("--records", "8", "--format", "openai")
ORIGINALS = 24
RUN = "bench"


def copied(folder: Path, records: int, branches: BranchSettings | None) -> Path:
    """Make a store with copies of some dialogues, under new ids and indices, and return its path."""
    workspace = Workspace(folder / "workspace")
    originals = min(ORIGINALS, records)
    asyncio.run(run(workspace, RunConfig(records=originals, shard_size=originals, branches=branches), lambda _: None))
    with loaded_store(workspace) as store:
        name = workspace.existing_run().run
    path = folder / "dataset.duckdb"
    (workspace.folder / "dataset.duckdb").rename(path)
    with DatasetStore(path) as store:
        store.query("UPDATE runs SET id = ? WHERE id = ?", [RUN, name])
        for table in ("records", "dialogues"):
            store.query(f"UPDATE {table} SET run = ? WHERE run = ?", [RUN, name])
        (held,) = store.query("SELECT count(*) AS records, max(index) + 1 AS span FROM records")
        copies, span = max(1, records // held["records"]), held["span"]
        for start in range(1, copies, 500):
            store.query(
                "INSERT INTO records SELECT records.* REPLACE (id || n AS id, index + n * ? AS index, "
                "replace(record, id, id || n) AS record) FROM records, range(?, ?) AS numbers(n) WHERE index < ?",
                [span, start, min(start + 500, copies), span],
            )
            store.query(
                "INSERT INTO dialogues SELECT record_id || n, run, index + n * ?, replace(dialogue, record_id, record_id || n) "
                "FROM dialogues, range(?, ?) AS numbers(n) WHERE index < ?",
                [span, start, min(start + 500, copies), span],
            )
    return path


def measured(path: Path, format: str, folder: Path) -> dict[str, object]:
    """Export once in this process, and return its figures."""
    with DatasetStore(path) as store:
        source = RowSource(store, RUN, store.run_toolset(RUN), named_format(format))  # type: ignore[arg-type]
        folder.mkdir(parents=True)
        source.features()  # imports `datasets`, which every export does once
        began = time.process_time()
        marks = RowMarks(source.format.struct_padding)
        splits, _ = _write_rows(source, Tally(), folder, "jsonl", marks)
        wrote = time.process_time() - began
        rows = sum(splits.values())
        files = [{"split": split, "path": f"{split}*.jsonl"} for split in splits]
        (folder / "README.md").write_text(
            f"---\n{json.dumps({'configs': [{'config_name': 'd', 'data_files': files}]})}\n---\n"
        )
        began = time.process_time()
        found = compare(folder, "jsonl", marks, lambda: ((split, row) for split, row, _ in source.rows(Tally())))
    return {
        "format": format, "rows": rows, "rows_per_second": round(rows / wrote),
        "reload_seconds": round(time.process_time() - began, 1), "identical": found.identical + found.rounded,
        "megabytes": _peak(),
    }  # fmt: skip


def _peak() -> int:
    """Return the peak memory of this process in MB; `ru_maxrss` would include that of its parent."""
    told = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(told.partition("VmHWM:")[2].split()[0]) // 1024


def main() -> None:
    """Measure each format in its own process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--format", action="append", choices=FORMATS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        gc.set_threshold(COLLECTED_EVERY)  # as the command does
        store, format, folder = options.one
        print(json.dumps(measured(Path(store), format, Path(folder))))
        return
    with tempfile.TemporaryDirectory() as scratch:
        count = 480 if options.quick else options.records
        stores: dict[bool, Path] = {}
        for format in options.format or FORMATS:
            known = named_format(format)
            several = known.of_pair is not None or known.of_attempts is not None
            if several not in stores:  # pairs need branches that fail
                branches = BranchSettings(count=3, mistakes=2) if several else None
                stores[several] = copied(Path(scratch) / str(several), count, branches)
            one = ["--one", str(stores[several]), format, str(Path(scratch) / format)]
            print(
                subprocess.run(
                    [sys.executable, __file__, *one], check=True, capture_output=True, text=True
                ).stdout.strip()
            )


if __name__ == "__main__":
    main()
