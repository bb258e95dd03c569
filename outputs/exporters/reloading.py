"""Loads an export as its users will, and compares each row with the row that should be there."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from interplay.outputs.exporters.writing import Shape, quietly
from interplay.schemas.canonical import difference


def compare(
    folder: Path, shape: Shape, expected: Iterable[tuple[str, dict[str, Any]]], struct_padding: bool
) -> tuple[int, str]:
    """Return how many rows came back identical, and where the first other one differs.

    `expected` gives (split, row) in the order of writing. With `struct_padding`, nulls that `datasets` puts in for
    absent keys are taken out again.
    """
    identical, first = 0, ""
    with tempfile.TemporaryDirectory() as cache, _loaded(folder, shape, cache) as splits:
        rows: dict[str, Iterator[dict[str, Any]]] = {name: iter(split) for name, split in splits.items()}
        for split, row in expected:
            found = next(rows[split], None) if split in rows else None
            if struct_padding and found is not None:
                found = _without_nulls(found)
            if _exact(found) == _exact(row):
                identical += 1
            else:
                first = first or _describe(split, row, found)
        surplus = sum(1 for split in rows.values() for _ in split)
    if surplus and not first:
        first = f"{surplus} rows more than the store has"
    return identical, first


@contextmanager
def _loaded(folder: Path, shape: Shape, cache: str) -> Iterator[dict[str, Any]]:
    """Load an export with nothing left behind in the user's cache."""
    from datasets import load_dataset, load_from_disk  # noqa: PLC0415  (slow to import)

    with quietly():
        if shape == "dataset":
            yield dict(load_from_disk(str(folder)))
        else:
            yield dict(load_dataset(str(folder), cache_dir=cache))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _exact(value: Any) -> str:
    """Return a text in which 25 and 25.0, or true and 1, differ."""
    return json.dumps(value, sort_keys=True)


def _describe(split: str, row: dict[str, Any], found: dict[str, Any] | None) -> str:
    if found is None:
        return f"{split}: row {row['id']} is missing"
    changes = difference(row, found)
    where = changes[0].path if changes else "the type of a number"
    return f"{split}: row {row['id']} differs at {where}"
