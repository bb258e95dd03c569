"""Checks that records and exports still have the same bytes: compares their digests by source with the committed ones.

    python bench/digests.py [--quick] [--json] [--against FILE] [--write FILE] [SOURCE ...]

Prints the sources whose records or rows differ, with the first differing index; the exit code is 1 if there are any. If a change
is meant to change records, rewrite `bench/digests.json` with `--write`. Versions and paths are not compared.
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from shared_data import OPENAPI

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.tasks import ScenarioOrder
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.outputs.exporters.export_formats import FORMATS, named_format
from interplay.outputs.exporters.pairs import pairs_of
from interplay.outputs.exporters.row_format import Format
from interplay.outputs.store.stored_dialogue import ended_at, stored_dialogue
from interplay.schemas.json.canonical import json_text
from interplay.schemas.records.tool import Tool, Toolset
from interplay.schemas.records.verdict import DatasetRecord
from interplay.validators.blueprints.duplicates import Duplicates

COMMITTED = Path(__file__).with_suffix(".json")
WHOLE, QUICK = 60, 8
"""Indices of each source, in all and with `--quick`, which compares no rows."""
SMALLEST = ("--quick", "--json", "clinic")
"""Arguments of the smallest run, which a test makes."""

SEED = 5
GERMAN: Mapping[str, Any] = {"language": {"de": 1.0}}
DOMAINS = ("clinic", "rental", "workspace")
DESCRIPTIONS = (
    "museum.yaml", "train_travel.yaml", "petstore_v3.yaml", "xero_projects.yaml", "notion.json",
    "bigcommerce_customers_v2.yml",
)  # fmt: skip
SOURCES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{name: (f"domain:{name}", {}) for name in DOMAINS},
    **{f"{name}, German": (f"domain:{name}", GERMAN) for name in DOMAINS},
    "clinic, in sessions": ("domain:clinic", {"tasks_per_session": 3}),
    "clinic, with branches": ("domain:clinic", {"branches": {"count": 3, "mistakes": 1}}),
    **{name: (f"openapi:{OPENAPI / name}", {}) for name in DESCRIPTIONS},
}
"""Names of sources, each with its toolset and the settings of its run."""


def digests_of(name: str, count: int) -> dict[str, Any]:
    """Return the digests of the first `count` records of a source, and of their rows in each format."""
    toolset, settings = SOURCES[name]
    config = RunConfig.model_validate({"toolset": [toolset], "seed": SEED, **settings})
    world = open_world(config.toolset)
    made = asyncio.run(_records(config, world, count))
    by_index = [_digest(map(_text, records)) for records in made]
    rows = {
        format: _digest(map(json_text, _rows(named_format(format), made, world.toolset))) for format in FORMATS
    } if count == WHOLE else {}  # fmt: skip
    accepted = sum(record.status == "accepted" for records in made for record in records)
    return {"accepted": accepted, "rows": rows, "records": " ".join(digest[:10] for digest in by_index)}


async def _records(config: RunConfig, world: OpenedWorld, count: int) -> list[tuple[DatasetRecord, ...]]:
    generator = Generator(config, world, await open_graph(world), "digests")
    told = ScenarioOrder(range(count), Duplicates(config.copies))
    return [await generator.make_records(index, told) for index in range(count)]


def _text(record: DatasetRecord) -> str:
    """Return a record as JSON without the software version."""
    trajectory = record.trajectory
    if trajectory is not None:
        record = record.model_copy(update={"trajectory": trajectory.model_copy(update={"version": ""})})
    return record.model_dump_json()


def _rows(format: Format, made: Sequence[Sequence[DatasetRecord]], toolset: Toolset) -> list[dict[str, Any]]:
    """Return the rows of a format: of each accepted record, each pair of attempts, or the attempts of a task."""
    if format.of_pair is not None:
        pairs = [pair for records in made for pair in pairs_of(records)]
        return [format.of_pair(pair, _offered([pair.chosen, pair.rejected], toolset)) for pair in pairs]
    if format.of_attempts is not None:
        return [row for records in made for _, row in format.of_attempts(_judged(records), toolset.tools)]
    accepted = [record for records in made for record in records if record.status == "accepted"]
    wanted = [
        ended_at(record, stored_dialogue(record).until) if format.tools_at_once else record for record in accepted
    ]
    return [format.to_row(record, _offered([record], toolset)) for record in wanted]


def _judged(records: Sequence[DatasetRecord]) -> list[DatasetRecord]:
    """Return the accepted attempts, and those that failed by a fault of the assistant."""
    return [
        r for r in records if r.status == "accepted" or (r.failure and r.failure.fault not in ("user_fault", "unclear"))
    ]


def _offered(records: Sequence[DatasetRecord], toolset: Toolset) -> tuple[Tool, ...]:
    names = {name for record in records if record.trajectory for name in record.trajectory.all_tools()}
    return tuple(tool for tool in toolset.tools if tool.name in names)


def _digest(lines: Any) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()


def made(names: Sequence[str], count: int, tell: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Return the digests of sources by name, computed in a few processes; sources whose files are missing are left out."""
    absent = [name for name in names if name in DESCRIPTIONS and not (OPENAPI / name).exists()]
    present = [name for name in names if name not in absent]
    for name in absent:
        tell(
            f"{name}: left out, and its digests stay as they were: {OPENAPI / name} is not there; set INTERPLAY_SHARED"
        )
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        return dict(zip(present, pool.map(digests_of, present, [count] * len(present)), strict=True))


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return a line for each source of `now` that differs from `before`; only the indices that both have are compared."""
    return [line for name in now if (line := _difference(name, before.get(name), now[name]))]


def _difference(name: str, before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    if before is None:
        return f"{name}: no digests were kept of it"
    pairs = list(zip(before["records"].split(), now["records"].split(), strict=False))
    indices = [index for index, (old, new) in enumerate(pairs) if old != new]
    formats = [format for format, digest in now["rows"].items() if digest != before["rows"].get(format)]
    if not indices and not formats:
        return ""
    records = f"{len(indices)} of {len(pairs)} records, first index {indices[0]}" if indices else "no record"
    return f"{name}: {records}; rows of {', '.join(formats) or 'no format'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help=f"One of: {'; '.join(SOURCES)}.")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} records of each source instead of {WHOLE}.")
    parser.add_argument("--json", action="store_true", help="Print what was found as JSON.")
    parser.add_argument("--against", type=Path, default=COMMITTED, metavar="FILE", help="Digests to compare with.")
    parser.add_argument("--write", type=Path, metavar="FILE", help="Write the digests instead of comparing them.")
    options = parser.parse_args()
    unknown = [name for name in options.sources if name not in SOURCES]
    if unknown:
        parser.error(f"unknown source {unknown[0]!r}; choose from {', '.join(map(repr, SOURCES))}")
    if options.write and options.quick:
        parser.error("--write keeps whole digests; leave --quick out")
    names = options.sources or list(SOURCES)
    now = made(names, QUICK if options.quick else WHOLE, lambda line: print(line, file=sys.stderr))
    if options.write:
        known = json.loads(options.write.read_text(encoding="utf-8")) if options.write.exists() else {}
        whole = {name: {**known, **now}[name] for name in SOURCES if name in known or name in now}
        options.write.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    found = differences(json.loads(options.against.read_text(encoding="utf-8")), now)
    if options.json:
        print(json.dumps({"compared": list(now), "differ": found}, ensure_ascii=False))
    else:
        print("\n".join(found) or f"{len(now)} sources: the same bytes")
    raise SystemExit(1 if found else 0)


if __name__ == "__main__":
    main()
