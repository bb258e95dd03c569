"""Finished shards -> counts of their records, and a store that holds them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.withdrawals import Withdrawal, withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import Outcome, shard_outcomes, withdrawn_notes
from interplay.outputs.store.shard_seal import remake, verify_command
from interplay.schemas.errors import StoreError
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.duplicates import Duplicates

LOADED_AT_MOST = 2000
"""Records after which no further shard is loaded in the same transaction."""


@dataclass(frozen=True)
class ShardTally:
    """The outcome of one shard: `until` is the last index that counts; `accepted`, `tried` and `records` count up to it.

    `records` counts all attempts at the `tried` indices. `repeats` holds, by index, the verdicts on records whose scenario an
    earlier record tells already.
    """

    accepted: int
    tried: int
    records: int
    until: int
    repeats: Mapping[int, Verdict]


def tally_shard(path: Path, indices: range, wanted: int, duplicates: Duplicates) -> ShardTally:
    """Count the accepted records of a shard in the order of their indices, up to `wanted` of them.

    All attempts at a task count together, so there may be a few more. Shards must be tallied in order, with the `duplicates` of
    those before, as a shard's file knows nothing of other shards.

    Raises:
        StoreError: the file is broken or holds other indices.
    """
    return tally_outcomes(path, list(shard_outcomes(path)), indices, wanted, duplicates)


def tally_outcomes(
    path: Path, outcomes: Sequence[Outcome], indices: range, wanted: int, duplicates: Duplicates
) -> ShardTally:
    """Count the accepted records of a shard as `tally_shard` does, given its outcomes.

    Raises:
        StoreError: they are of other indices.
    """
    found = {index: list(attempts) for index, attempts in groupby(outcomes, key=lambda outcome: outcome.index)}
    if list(found) != list(indices):
        raise StoreError(f"{path}: does not hold the indices {indices.start} to {indices.stop - 1}. {remake(path)}")
    accepted, records, repeats = 0, 0, dict[int, Verdict]()
    for index, attempts in found.items():
        records += len(attempts)
        passed = [attempt for attempt in attempts if attempt.status == "accepted"]
        if not passed:
            continue
        verdict = duplicates.judge(passed[0].story)
        if not verdict.passed:
            repeats[index] = verdict
            continue
        duplicates.keep(passed[0].story, index)
        accepted += len(passed)
        if accepted >= wanted:
            return ShardTally(accepted, index - indices.start + 1, records, index, repeats)
    return ShardTally(accepted, len(indices), records, indices.stop - 1, repeats)


def count_accepted(workspace: Workspace) -> int:
    """Count the accepted records that the store holds once all finished shards are loaded; 0 before a run begins.

    Raises:
        StoreError: a shard file is broken.
    """
    run = workspace.run()
    return 0 if run is None else sum(tally.accepted for _, tally in tallies(workspace, run))


def tallies(workspace: Workspace, run: RunFile) -> Iterator[tuple[Path, ShardTally]]:
    """Yield each finished shard, up to the records asked for, with its tally.

    Raises:
        StoreError: a file is broken, holds other indices, or holds what was withdrawn.
    """
    wanted, duplicates, out = run.config.records, Duplicates(run.config.copies), withdrawals(workspace)
    for number, path in enumerate(workspace.finished_shards()):
        require_heeded(path, run.config.shard(number), out)
        tally = tally_shard(path, run.config.shard(number), wanted, duplicates)
        yield path, tally
        wanted -= tally.accepted
        if wanted <= 0:
            return


def unheeded(path: Path, indices: range, known: Sequence[Withdrawal]) -> tuple[Withdrawal, ...]:
    """Return the withdrawals at the indices of a shard that its file was written without: an older copy of it.

    Raises:
        StoreError: it cannot be read.
    """
    own = [each for each in known if each.index in indices]
    noted = {Withdrawal.model_validate_json(note) for note in withdrawn_notes(path)} if own else set()
    return tuple(each for each in own if each not in noted)


def require_heeded(path: Path, indices: range, known: Sequence[Withdrawal]) -> None:
    """Check that a shard was written with the withdrawals at its indices.

    Raises:
        StoreError: it was not, or cannot be read.
    """
    if left := unheeded(path, indices, known):
        told = UNHEEDED.format(index=left[0].index)
        raise StoreError(f"{path}: {told}. Take it out with: {verify_command(path)} --repair")


UNHEEDED = "is an older copy, and holds what was withdrawn at index {index}"
"""What is wrong with a shard that was written without a withdrawal."""


def load_finished(store: DatasetStore, workspace: Workspace, run: RunFile) -> None:
    """Load all finished shards up to the records asked for, many records per transaction."""
    waiting, records = [], 0
    for path, tally in tallies(workspace, run):
        waiting.append(ShardToLoad(path, tally.until, tally.repeats, run.run))
        records += tally.records
        if records >= LOADED_AT_MOST:
            store.load_shards(waiting)
            waiting, records = [], 0
    store.load_shards(waiting)
