"""Real API descriptions for tests: found by the environment variable INTERPLAY_SHARED, skipped where they are absent."""

import os
from functools import cache
from pathlib import Path

import pytest

from interplay.generators.importers.openapi.importer import import_openapi
from interplay.schemas.records.tool import Toolset

SHARED = Path(os.environ.get("INTERPLAY_SHARED", Path(__file__).parents[4] / "shared"))
SMALL = (
    "petstore_v3.yaml",
    "train_travel.yaml",
    "museum.yaml",
    "notion.json",
    "xero_projects.yaml",
    "petstore_expanded_v2.json",
)


def spec(name: str) -> Toolset:
    """Return the toolset of one real description."""
    path = SHARED / "data" / "openapi" / name
    if not path.exists():
        pytest.skip(f"the API description {name} is not here")
    return _imported(path)


@cache
def _imported(path: Path) -> Toolset:
    return import_openapi(path).toolset
