"""Loads exports with the code of trainers, each in a virtual environment of its own, and looks at what would be learnt.

    python bench/trainers.py --python /path/of/an/environment/bin/python [--python ...] [--rows 40] [--formats trl ...] [--quick] [--json]

Whose environment it is, is found out: TRL (SFT, DPO and KTO run the snippet of the card for one step, with a model of
chance of one layer), LLaMA-Factory (its loader and templates), axolotl (its loader), mlcroissant (croissant.json), Harbor (its models
of trajectories). Good is a
dialogue of which each message of the assistant that is to be learnt is one span of learnt tokens that holds its words and
calls, and nothing else is learnt. With --quick, huggingface_hub checks the cards, in this environment.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SMALLEST = ("--quick", "--json", "--formats", "preference")
INTERPLAY = (sys.executable, "-c", "from interplay.flows.commands.cli import main; main()")
SCRIPTS = Path(__file__).with_name("consumers")
CONSUMERS = ("llamafactory", "axolotl", "mlcroissant", "harbor", "trl")
"""The first one that an environment has is tried: the others bring TRL along."""
FORMATS = ("trl", "preference", "kto", "sharegpt", "openai", "hermes", "atif")
CONFIG = "toolset: [domain:clinic]\nseed: 5\n"
BRANCHES = "branches: {count: 3, mistakes: 2}\n"


def exported(folder: Path, records: int, formats: Sequence[str]) -> None:
    """Make dialogues, and some that branch and fail, and export them in formats that trainers read, as JSON Lines and Parquet."""
    for name, more in (("plain", ""), ("branched", BRANCHES)):
        (folder / f"{name}.yaml").write_text(f"{CONFIG}shard_size: {min(50, records)}\n{more}", encoding="utf-8")
        asked = [str(folder / f"{name}.yaml"), "--records", str(records), "--workspace", str(folder / name)]
        subprocess.run([*INTERPLAY, "run", *asked], check=True, capture_output=True)
    for format in formats:
        source = "branched" if format in ("preference", "kto", "openai") else "plain"
        for shape in ("jsonl", "parquet"):
            to = folder / (format if shape == "jsonl" else f"{format}-{shape}")
            asked = ["--workspace", str(folder / source), "--format", format, "--as", shape, "--to", str(to)]
            subprocess.run([*INTERPLAY, "export", *asked], check=True, capture_output=True)


def cards(folder: Path) -> dict[str, Any]:
    """Return which cards huggingface_hub finds valid without asking the Hub."""
    from huggingface_hub import DatasetCard  # noqa: PLC0415
    from huggingface_hub.repocard import metadata_load  # noqa: PLC0415

    found = {}
    for card in sorted(folder.glob("*/README.md")):
        loaded = DatasetCard.load(card)
        found[card.parent.name] = loaded.data.to_dict() == metadata_load(card)
    return {"huggingface_hub cards": f"{sum(found.values())} of {len(found)}"}


def tried(python: Path, folder: Path, rows: int) -> dict[str, Any]:
    """Return what the trainer of an environment says of the exports."""
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
    """Print what each trainer says; return 1 where one found a fault."""
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
    """Tell whether "N of M" says that all are good."""
    good, _, of = str(told).partition(" of ")
    return good.isdigit() and good == of.split(",")[0]


if __name__ == "__main__":
    sys.exit(main())
