"""Loads an export as its users will, and compares each row with the row that should be there.

Of each row that is written a hash is kept, by which it is known again; rows that come back otherwise are made once more.
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
"""Rows that are in memory at once."""


@dataclass
class RowMarks:
    """The hashes of the rows of each split, in the order of writing; with `struct_padding`, of what is not null in them.

    They are Python's of this process, of 64 bits under a key of chance: ten times as fast as a digest, and read by nobody else.
    """

    struct_padding: bool
    of_split: dict[str, "array[int]"] = field(default_factory=dict)

    def note(self, split: str, row: dict[str, Any]) -> None:
        """Keep the hash of a row."""
        self.of_split.setdefault(split, array("q")).append(self.mark(row))

    def mark(self, row: dict[str, Any]) -> int:
        """Return a number that tells a row from others."""
        text = _exact({key: item for key, item in row.items() if item is not None} if self.struct_padding else row)
        if self.struct_padding and b'":null' in text:  # within a string, such quotes follow a backslash too
            text = _exact(self.plain(row))
        return hash(text)

    def plain(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row without the nulls that `datasets` puts in for absent keys."""
        return _without_nulls(row) if self.struct_padding else row

    def rows(self) -> int:
        """Return how many rows there are."""
        return sum(map(len, self.of_split.values()))


@dataclass(frozen=True)
class Comparison:
    """How many rows came back identical, how many with a number rounded, and where the first other one differs."""

    identical: int
    rounded: int
    first_difference: str


def compare(
    folder: Path, shape: Shape, marks: RowMarks, rows_again: Callable[[], Iterable[tuple[str, dict[str, Any]]]]
) -> Comparison:
    """Load the export and compare it with the `marks` of its rows.

    `rows_again` gives (split, row) in the order of writing; it is asked where a row came back otherwise. Nulls that
    `datasets` puts in for absent keys are no difference. It reads JSON by multiplying: of 0.69 it makes 0.6900000000000001,
    which is told and no difference.
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
    """Tell how many of the `others`, positions of rows by split, differ by a rounded number alone, and the first that does not."""
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
    """Load an export with nothing left behind in the user's cache."""
    from datasets import load_dataset, load_from_disk  # noqa: PLC0415  (slow to import)

    with quietly():
        if shape == "dataset":
            yield dict(load_from_disk(str(folder)))
        else:
            named = scratch / "export"  # in a name, the library takes [ and * for a pattern
            named.mkdir()
            for file in folder.iterdir():
                (named / file.name).symlink_to(file.absolute())
            # As a stream: else a second copy of all rows is written, and its pages count as memory.
            yield dict(load_dataset(str(named), cache_dir=str(scratch / "cache"), streaming=True))


def _rows(split: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a split that was loaded; `datasets` gives many at once in half the time of one after the other."""
    for batch in split.iter(batch_size=LOADED_TOGETHER):
        yield from (dict(zip(batch, values, strict=True)) for values in zip(*batch.values(), strict=True))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _exact(value: Any) -> bytes:
    """Return a text in which 25 and 25.0, or true and 1, differ."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # a number beyond 64 bits
        return json.dumps(value, sort_keys=True).encode()


def _rounded(value: Any) -> Any:
    """Return a value with its numbers as far as every reader of JSON gets them right: 15 digits."""
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
