"""Loads exports with the code of trainers, each in its own virtual environment, and checks what would be learnt.

    python bench/trainers.py --python /path/of/an/environment/bin/python [--python ...] [--rows 40] [--formats trl ...] [--quick] [--json]

The trainer of an environment is detected: TRL (SFT, DPO and KTO run the snippet of the card for one step, with a random model of
one layer), LLaMA-Factory (its loader and templates), axolotl (its loader), mlcroissant (croissant.json), Harbor (its models of
trajectories). A dialogue is good if each assistant message to be learnt is one span of learnt tokens that contains its text and
calls, and nothing else is learnt. With --quick, only huggingface_hub checks the cards, in this environment.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from interplay.flows.runs.run import run
from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.workspaces.run_store import export_run
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export_formats import FormatName

SMALLEST = ("--quick", "--json", "--formats", "preference")
SCRIPTS = Path(__file__).with_name("consumers")
CONSUMERS = ("llamafactory", "axolotl", "mlcroissant", "harbor", "trl")
"""The first one installed in an environment is tried; TRL is last, since others depend on it."""
FORMATS: tuple[FormatName, ...] = ("trl", "preference", "kto", "sharegpt", "openai", "hermes", "atif")
BRANCHED = ("preference", "kto", "openai")
"""Formats that need dialogues with branches and failures."""


def exported(folder: Path, records: int, formats: Sequence[FormatName]) -> None:
    """Make dialogues, with branches and failures as needed, and export them in each format as JSON Lines and Parquet."""
    for branched in sorted({format in BRANCHED for format in formats}):
        branches = BranchSettings(count=3, mistakes=2) if branched else None
        config = RunConfig(seed=5, shard_size=min(50, records), branches=branches)
        place = Workspace(folder / ("branched" if branched else "plain"))
        asyncio.run(run(place, config, lambda _: None, records=records))
        for format in (format for format in formats if (format in BRANCHED) == branched):
            export_run(place, format, folder / format)
            export_run(place, format, folder / f"{format}-parquet", "parquet")


def cards(folder: Path) -> dict[str, Any]:
    """Return how many cards huggingface_hub reads correctly, without contacting the Hub."""
    from huggingface_hub import DatasetCard  # noqa: PLC0415
    from huggingface_hub.repocard import metadata_load  # noqa: PLC0415

    found = {}
    for card in sorted(folder.glob("*/README.md")):
        loaded = DatasetCard.load(card)
        found[card.parent.name] = loaded.data.to_dict() == metadata_load(card)
    return {"huggingface_hub cards": f"{sum(found.values())} of {len(found)}"}


def tried(python: Path, folder: Path, rows: int) -> dict[str, Any]:
    """Return the findings of an environment's trainer on the exports."""
    for consumer in CONSUMERS:
        if subprocess.run([python, "-c", f"import {consumer}"], check=False, capture_output=True).returncode:
            continue
        done = subprocess.run(
            [python, SCRIPTS / f"{consumer}_rows.py", folder, str(rows)], capture_output=True, text=True, check=False, cwd=folder,
            env={"HOME": str(folder), "HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin", "TOKENIZERS_PARALLELISM": "false"},
        )  # fmt: skip
        if done.returncode:
            return {consumer: f"broke off: {done.stderr[-2000:]}"}
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found
    return {str(python): f"has none of {', '.join(CONSUMERS)}"}


def main() -> int:
    """Print the findings of each trainer; return 1 if any found a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the cards alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--python", type=Path, action="append", default=[])
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS, help="all that trainers read")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        exported(folder, 6 if given.quick else given.rows, given.formats)
        told = cards(folder)
        for python in given.python:
            told |= tried(python, folder, given.rows)
    sys.stdout.write(json.dumps(told, indent=None if given.json else 2) + "\n")
    return 0 if all(_whole(each) for each in told.values()) else 1


def _whole(told: Any) -> bool:
    """Tell whether a finding is "N of M" with N equal to M."""
    good, _, of = str(told).partition(" of ")
    return good.isdigit() and good == of.split(",")[0]


if __name__ == "__main__":
    sys.exit(main())
