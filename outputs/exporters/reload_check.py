"""Loads an export as its users will, and compares each row with the row that should be there.

A hash of each written row is kept for the comparison; rows that come back different are built again to find the difference.
"""

import json
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from interplay.outputs.exporters.export_formats import Shape
from interplay.outputs.exporters.split_files import quietly
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.json.canonical import difference

LOADED_TOGETHER = 100
"""Number of rows in memory at once."""


@dataclass
class RowMarks:
    """The hashes of the rows of each split, in order of writing; with `struct_padding`, nulls are left out.

    They use Python's `hash`, randomised per process, which is ten times as fast as a digest; they never leave this process.
    """

    struct_padding: bool
    of_split: dict[str, "array[int]"] = field(default_factory=dict)

    def note(self, split: str, row: dict[str, Any]) -> None:
        """Store the hash of a written row."""
        self.of_split.setdefault(split, array("q")).append(self.mark(row))

    def mark(self, row: dict[str, Any]) -> int:
        """Return the hash of a row."""
        text = _exact({key: item for key, item in row.items() if item is not None} if self.struct_padding else row)
        if self.struct_padding and b'":null' in text:  # a real null: inside a string, the quote follows a backslash
            text = _exact(self.plain(row))
        return hash(text)

    def plain(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without the nulls that `datasets` puts in for absent keys, if it does so."""
        return _without_nulls(row) if self.struct_padding else row

    def rows(self) -> int:
        """Return the number of rows written."""
        return sum(map(len, self.of_split.values()))


@dataclass(frozen=True)
class Comparison:
    """How many rows came back identical, how many differ by a rounded number only, and where the first other one differs."""

    identical: int
    rounded: int
    first_difference: str


def compare(
    folder: Path, shape: Shape, marks: RowMarks, rows_again: Callable[[], Iterable[tuple[str, dict[str, Any]]]]
) -> Comparison:
    """Load the export, and compare it with the `marks` of its rows.

    `rows_again` yields (split, row) in order of writing; it is called only if a row differs. Nulls that `datasets` puts in for
    absent keys are no difference. Its JSON reader may turn 0.69 into 0.6900000000000001, which is counted as rounded.
    """
    with scratch_folder() as scratch, _loaded(folder, shape, scratch) as splits:
        others: dict[str, set[int]] = {}
        surplus = 0
        for split in marks.of_split.keys() | splits.keys():
            found = _rows(splits[split]) if split in splits else iter(())
            for position, expected in enumerate(marks.of_split.get(split, ())):
                row = next(found, None)
                if row is None or marks.mark(row) != expected:
                    others.setdefault(split, set()).add(position)
            surplus += sum(1 for _ in found)
        rounded, first = _explained(others, splits, marks, rows_again()) if others else (0, "")
    if surplus and not first:
        first = f"{surplus} rows more than the store has"
    return Comparison(marks.rows() - sum(map(len, others.values())), rounded, first)


def _explained(
    others: dict[str, set[int]], splits: dict[str, Any], marks: RowMarks, again: Iterable[tuple[str, dict[str, Any]]]
) -> tuple[int, str]:
    """Return how many of `others` (split -> row positions) differ by a rounded number only, and the first other difference."""
    rounded, first, left = 0, "", sum(map(len, others.values()))
    loaded = {name: enumerate(_rows(split)) for name, split in splits.items() if name in others}
    for split, row in again:
        if split not in others:
            continue
        position, found = next(loaded[split], (-1, None)) if split in loaded else (-1, None)
        if found is not None and position not in others[split]:
            continue
        if found is not None and _exact(_rounded(marks.plain(found))) == _exact(_rounded(marks.plain(row))):
            rounded += 1
        else:
            first = first or _describe(split, marks.plain(row), found)
        left -= 1
        if not left:
            break
    return rounded, first


@contextmanager
def _loaded(folder: Path, shape: Shape, scratch: Path) -> Iterator[dict[str, Any]]:
    """Load an export without leaving anything in the user's cache."""
    from datasets import load_dataset, load_from_disk  # noqa: PLC0415  (slow to import)

    with quietly():
        if shape == "dataset":
            yield dict(load_from_disk(str(folder)))
        else:
            named = scratch / "export"  # the library treats [ and * in a path as a pattern
            named.mkdir()
            for file in folder.iterdir():
                (named / file.name).symlink_to(file.absolute())
            # Streaming: otherwise a second copy of all rows is written, and its mapped pages count as memory.
            yield dict(load_dataset(str(named), cache_dir=str(scratch / "cache"), streaming=True))


def _rows(split: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a loaded split; `datasets` reads batches in half the time of single rows."""
    for batch in split.iter(batch_size=LOADED_TOGETHER):
        yield from (dict(zip(batch, values, strict=True)) for values in zip(*batch.values(), strict=True))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _exact(value: Any) -> bytes:
    """Return a JSON text in which 25 and 25.0, or true and 1, differ."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a number beyond 64 bits
        return json.dumps(value, sort_keys=True).encode()


def _rounded(value: Any) -> Any:
    """Return a value with floats rounded to 15 significant digits, which every JSON reader gets right."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return float(f"{value:.15g}") if isinstance(value, float) else value


def _describe(split: str, row: dict[str, Any], found: dict[str, Any] | None) -> str:
    if found is None:
        return f"{split}: row {row['id']} is missing"
    changes = difference(row, found)
    where = changes[0].path if changes else "the type of a number"
    return f"{split}: row {row['id']} differs at {where}"
