"""Measures loading, viewing and exporting large datasets: seconds and peak memory of each command, in its own process.

    python bench/scale.py [--quick] [--records N ...] [--seed-records N] [--formats NAME ...] [--stored] [--json]

A run makes a few hundred records; the others are copies of them with other indices and ids, in shards as a run writes them. The
first command makes the database of these, the others read it. With `--stored`, the copies are made in the database itself, a
million in four minutes, and `copy` and `load` are left out.
  load    make the database      open     open it finished     stats  all figures     show  one record by its index
  FORMAT  export, including the check that reloads each row: rows per CPU second
  copy    copy the shards byte by byte: the time of the disk alone
"""

import argparse
import asyncio
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from records import family_memory

from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.run_files import write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export_check import MANIFEST
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.outputs.store.table_rows import SCHEMAS
from interplay.schemas.json.canonical import digest

SMALLEST = ("--records", "12", "--seed-records", "4", "--formats", "--json")
"""Arguments of the smallest run, which a test makes."""

FORMATS = ("openai", "trl", "sharegpt")
SIZES, QUICK = (8_000, 100_000, 1_000_000), 2_000
SHARD = 500
TOGETHER = 10
"""Copies of all records made by one query; the sort of more would not fit in the store's memory."""
TEXTS = {"records": ("record",), "dialogues": ("dialogue",)}
"""Columns whose text contains the id of their record."""
LOAD = "import sys; from interplay.flows.api import open_store\nwith open_store(sys.argv[1]): pass"
COMMAND = str(Path(sys.executable).with_name("interplay"))


def copied(source: Workspace, target: Workspace, records: int) -> None:
    """Fill a workspace with copies of the accepted records of another workspace."""
    known = source.existing_run()
    config = known.config.model_copy(update={"records": records, "shard_size": SHARD, "copies": records})
    marked = digest(["copies", known.run, records])
    held = [record for path in source.finished_shards() for record in read_shard(path) if record.status == "accepted"]
    arriving = cycle(held)
    for number, start in enumerate(range(0, records, SHARD)):
        indices = range(start, min(start + SHARD, records))
        copies = zip(indices, islice(arriving, len(indices)), strict=True)
        told = [
            one.model_copy(update={"run": marked, "index": index, "id": digest([one.id, index])})
            for index, one in copies
        ]
        write_shard(target.shard(number), told)
    config = config.model_copy(update={"indices": records})
    for name in ("toolset_file", "graph_file"):
        shutil.copyfile(getattr(source, name), getattr(target, name))
    noted = RunFile(
        run=marked, config=config, fingerprint=config.fingerprint(), toolset=known.toolset, version=known.version
    )
    write_text(target.run_file, noted.model_dump_json(indent=2) + "\n")


def stored(source: Workspace, target: Workspace, records: int) -> None:
    """Copy a workspace, and multiply the rows of its database in order of index; its shards stay few."""
    shutil.copytree(source.folder, target.folder)
    known = source.existing_run()
    config = known.config.model_copy(update={"records": records, "copies": records})
    config = config.model_copy(update={"indices": max(records, known.config.indices or 0)})
    noted = known.model_copy(update={"config": config, "fingerprint": config.fingerprint()})
    write_text(target.run_file, noted.model_dump_json(indent=2) + "\n")
    with DatasetStore(target.store_file) as store:
        held = store.query("SELECT max(index) + 1 AS span, count(*) FILTER (status = 'accepted') AS n FROM records")[0]
        for name in SCHEMAS:
            store.query(f"CREATE TEMP TABLE first_{name} AS FROM {name}")
        for start in range(1, -(-records // held["n"]), TOGETHER):
            for name in SCHEMAS:
                key = "id" if name == "records" else "record_id"
                changed = [f"md5(first_{name}.{key} || n) AS {key}"]
                changed += [f"index + n * {held['span']} AS index"] if name in ("records", "dialogues") else []
                changed += [
                    f"replace({text}, {key}, md5(first_{name}.{key} || n)) AS {text}" for text in TEXTS.get(name, ())
                ]
                store.query(
                    f"INSERT INTO {name} SELECT first_{name}.* REPLACE ({', '.join(changed)}) FROM first_{name}, "
                    f"range({start}, {min(start + TOGETHER, -(-records // held['n']))}) AS copies(n) "
                    f"ORDER BY n, first_{name}.rowid"
                )


def measured(*command: str) -> dict[str, Any]:
    """Run a command; return its wall and CPU seconds, and its peak memory."""
    started, peak, before = time.perf_counter(), 0, resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        while process.poll() is None:
            peak = max(peak, family_memory(process.pid))
            time.sleep(0.05)
        seconds = time.perf_counter() - started
        said.seek(0)
        if process.returncode:
            raise SystemExit(said.read().decode()[-500:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": round(seconds, 2), "cpu": round(cpu, 2), "peak_mib": round(peak / 2**20)}


def sized(
    few: Workspace, records: int, formats: Sequence[str], tell: Callable[[str], None], in_store: bool
) -> dict[str, Any]:
    """Measure each command once on a dataset of `records` records."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        many = Workspace(Path(folder) / "many")
        if in_store:
            stored(few, many, records)
        else:
            many.shard(0).parent.mkdir(parents=True)
            copied(few, many, records)
        place = ("--workspace", str(many.folder))

        def note(name: str, figures: dict[str, Any]) -> None:
            found[name] = figures
            told = "  ".join(f"{key} {value}" for key, value in figures.items())
            tell(f"{records:>9}  {name:<11} {told}")

        if not in_store:
            note("copy", measured("cp", "-r", str(many.shard(0).parent), f"{folder}/bare"))
            shutil.rmtree(f"{folder}/bare")
        for name in ("open",) if in_store else ("load", "open"):
            note(name, measured(sys.executable, "-c", LOAD, str(many.folder)))
        note("stats", measured(COMMAND, "stats", *place, "--json"))
        note("show", measured(COMMAND, "show", str(records // 2), *place, "--json"))
        for name in formats:
            to = f"{folder}/{name}"
            figures = measured(COMMAND, "export", "--format", name, *place, "--to", to)
            rows = sum(json.loads((Path(to) / MANIFEST).read_text())["splits"].values())
            note(name, {"rows": rows, "rows_a_second": round(rows / figures["cpu"]), **figures})
            shutil.rmtree(to)
    return found


def main() -> None:
    """Measure each number of records, and print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, nargs="+", help=f"accepted records in all; else {SIZES}")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} records")
    parser.add_argument("--seed-records", type=int, default=500, help="records that are made, and not copied")
    parser.add_argument("--formats", nargs="*", default=FORMATS, help="formats to export")
    parser.add_argument("--stored", action="store_true", help="make the copies in the database itself")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    tell = (lambda _: None) if options.json else (lambda line: print(line, flush=True))
    with tempfile.TemporaryDirectory() as folder:
        few = Workspace(Path(folder) / "few")
        asyncio.run(
            run(few, RunConfig(records=options.seed_records, shard_size=min(50, options.seed_records)), lambda _: None)
        )
        sizes = options.records or ((QUICK,) if options.quick else SIZES)
        with loaded_store(few):
            found = {records: sized(few, records, options.formats, tell, options.stored) for records in sizes}
    if options.json:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
