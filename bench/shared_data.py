"""Paths of the real descriptions and recordings that benchmarks read, below INTERPLAY_SHARED (default ../shared)."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

DATA = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).resolve().parents[2] / "shared")) / "data"
OPENAPI = DATA / "openapi"
SMALL = (
    "petstore_v3.yaml", "train_travel.yaml", "museum.yaml", "notion.json", "xero_projects.yaml",
    "petstore_expanded_v2.json",
)  # fmt: skip


def descriptions() -> list[Path]:
    """Return the main files of all API descriptions, smallest first; empty without shared data."""
    places = OPENAPI.iterdir() if OPENAPI.is_dir() else ()
    files = [path / "DigitalOcean-public.v2.yaml" if path.is_dir() else path for path in places]
    return sorted(files, key=lambda path: path.stat().st_size)


def spec_of(path: Path) -> str:
    """Return the specification (KIND:PLACE) of a description, or of a JSON file of tools."""
    if path.suffix != ".json":
        return f"openapi:{path}"
    described = json.loads(path.read_text(encoding="utf-8"))
    openapi = isinstance(described, dict) and bool({"openapi", "swagger"} & described.keys())
    return f"{'openapi' if openapi else 'json'}:{path}"


def show_files(files: Iterable[Path], measure: Callable[[Path], Mapping[str, Any]], as_json: bool) -> None:
    """Measure each file, and print a line as soon as its figures are known, or all as JSON."""
    found = []
    for path in files:
        found.append(measure(path))
        if not as_json:
            print("  ".join(f"{key} {value}" for key, value in found[-1].items()), flush=True)
    if as_json:
        print(json.dumps(found, indent=2))
