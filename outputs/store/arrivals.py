"""Shard files to load -> their records, with the verdicts that came later applied."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interplay.outputs.store.shard_file import read_rows, shard_outcomes
from interplay.outputs.store.shard_seal import shard_digest, verify_command
from interplay.schemas.errors import StoreError
from interplay.schemas.records.verdict import DatasetRecord, Verdict


@dataclass(frozen=True)
class ShardToLoad:
    """A shard file to load, up to and including the index `until`.

    `rejected` maps indices to verdicts that only the records of earlier shards make possible; their records are rejected on
    loading. If `run` is given, all records must be of it.
    """

    path: Path
    until: int | None = None
    rejected: Mapping[int, Verdict] = field(default_factory=dict)
    run: str = ""

    def rows(self) -> Iterator[tuple[str, DatasetRecord]]:
        """Yield (JSON text, record) for each record to load.

        Raises:
            StoreError: the file is broken, or holds records of another run.
        """
        for text, record in read_rows(self.path):
            if self.until is not None and record.index > self.until:
                continue
            if self.run not in ("", record.run):
                raise StoreError(
                    f"{self.path}: holds records of another run, or run.json is that of another. "
                    f"See which with: {verify_command(self.path)}"
                )
            if record.index in self.rejected and record.status != "rejected":
                judged = record.rejected_by(self.rejected[record.index])
                yield judged.model_dump_json(), judged
            else:
                yield text, record


@dataclass(frozen=True)
class LoadedShard:
    """An inspected shard file: its digest, the indices of its records in order, and how many records are to be loaded."""

    arrival: ShardToLoad
    digest: str
    indices: tuple[int, ...]
    wanted: int

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self.arrival.path

    @property
    def name(self) -> str:
        """The file's name, by which the store knows it."""
        return self.path.name

    def rows(self) -> Iterator[tuple["LoadedShard", str, DatasetRecord]]:
        """Yield (this shard, JSON text, record) for each record to load.

        Raises:
            StoreError: the file is broken, or holds records of another run.
        """
        yield from ((self, text, record) for text, record in self.arrival.rows())


def inspect_shard(arrival: ShardToLoad) -> LoadedShard:
    """Read the digest and the indices of a shard file.

    Raises:
        StoreError: it cannot be read.
    """
    indices = tuple(outcome.index for outcome in shard_outcomes(arrival.path))
    wanted = sum(arrival.until is None or index <= arrival.until for index in indices)
    return LoadedShard(arrival, shard_digest(arrival.path), indices, wanted)
