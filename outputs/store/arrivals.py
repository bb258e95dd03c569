"""Shard files that are to be loaded -> what they hold, and their records after verdicts that came later."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from interplay.outputs.store.shard_file import read_rows, shard_outcomes
from interplay.outputs.store.shard_seal import REMAKE, shard_digest
from interplay.schemas.errors import StoreError
from interplay.schemas.records.verdict import DatasetRecord, Verdict


@dataclass(frozen=True)
class ShardToLoad:
    """A shard file that is to be loaded, up to and with the index `until`.

    `rejected` holds by index what only shows beside the records of earlier shards: these are rejected here. All records
    are of `run`, where it is named.
    """

    path: Path
    until: int | None = None
    rejected: Mapping[int, Verdict] = field(default_factory=dict)
    run: str = ""

    def rows(self) -> Iterator[tuple[str, DatasetRecord]]:
        """Yield the records that are wanted, each with its JSON text.

        Raises:
            StoreError: the file is broken.
        """
        for text, record in read_rows(self.path):
            if self.until is not None and record.index > self.until:
                continue
            if self.run not in ("", record.run):
                raise StoreError(f"{self.path}: holds records of another run. {REMAKE}")
            if record.index in self.rejected and record.status != "rejected":
                judged = record.rejected_by(self.rejected[record.index])
                yield judged.model_dump_json(), judged
            else:
                yield text, record


@dataclass(frozen=True)
class LoadedShard:
    """A shard file as it is: its digest, the indices of its records in order, and how many of these are `wanted`."""

    arrival: ShardToLoad
    digest: str
    indices: tuple[int, ...]
    wanted: int

    @property
    def path(self) -> Path:
        """The file."""
        return self.arrival.path

    @property
    def name(self) -> str:
        """The file's name, by which the store knows it."""
        return self.path.name

    def rows(self) -> Iterator[tuple["LoadedShard", str, DatasetRecord]]:
        """Yield the records that are wanted, each with its JSON text and this.

        Raises:
            StoreError: the file is broken.
        """
        yield from ((self, text, record) for text, record in self.arrival.rows())


def inspect_shard(arrival: ShardToLoad) -> LoadedShard:
    """Look at a shard file.

    Raises:
        StoreError: it cannot be read.
    """
    indices = tuple(outcome.index for outcome in shard_outcomes(arrival.path))
    wanted = sum(arrival.until is None or index <= arrival.until for index in indices)
    return LoadedShard(arrival, shard_digest(arrival.path), indices, wanted)
