"""The last stages of a run as plain functions: count what a shard holds, load it into the store, export.

Arrow and DuckDB are imported with this; whoever has something to do before the first shard is there imports it later.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.run_files import write_text
from interplay.flows.workspaces.workspace import Workspace
from interplay.outputs.exporters.export import ExportReport, export
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.shard_file import shard_outcomes
from interplay.schemas.errors import StoreError
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.duplicates import Duplicates


@dataclass(frozen=True)
class ShardTally:
    """The outcome of one shard: `until` is the last index that counts, `accepted` and `tried` go up to it.

    `repeats` holds by index the verdicts on records whose scenario another shard, or an earlier record, tells already.
    """

    accepted: int
    tried: int
    until: int
    repeats: Mapping[int, Verdict]


def tally_shard(path: Path, indices: range, wanted: int, duplicates: Duplicates) -> ShardTally:
    """Count the accepted records of a shard in the order of their indices, up to `wanted` of them.

    The attempts at one task stay together, so there may be a few more. Shards are tallied in order, with the `duplicates` of those before; a shard's file knows nothing of other shards.

    Raises:
        StoreError: the file is broken or holds other indices.
    """
    outcomes = list(shard_outcomes(path))
    found = {index: list(attempts) for index, attempts in groupby(outcomes, key=lambda outcome: outcome.index)}
    if list(found) != list(indices):
        raise StoreError(
            f"{path}: does not hold the indices {indices.start} to {indices.stop - 1}. "
            "Delete the file and run again: the shard is made anew."
        )
    accepted, repeats = 0, dict[int, Verdict]()
    for index, attempts in found.items():
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
            return ShardTally(accepted, index - indices.start + 1, index, repeats)
    return ShardTally(accepted, len(indices), indices.stop - 1, repeats)


def open_run_store(workspace: Workspace, run: RunFile) -> DatasetStore:
    """Open the store of a workspace, its run and tools in it.

    Raises:
        StoreError: it is in use by another process, or broken.
    """
    store = DatasetStore(workspace.store_file)
    try:
        if not store.query("SELECT 1 AS one FROM runs WHERE id = ?", [run.run]):
            graph = workspace.graph()
            store.load_toolset(workspace.toolset(), graph.edges if graph else (), run.toolset)
            store.load_run(run.run, run.config.model_dump_json(), run.config.seed, run.toolset)
    except BaseException:
        store.close()
        raise
    return store


@contextmanager
def loaded_store(workspace: Workspace) -> Iterator[DatasetStore]:
    """Open the store with all finished shards in it, up to the records asked for; rebuilt when it is missing or stale.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreError: the store is in use or broken, or a shard file is broken.
    """
    run = workspace.existing_run()
    with hold_workspace(workspace), open_run_store(workspace, run) as store:
        if not _is_up_to_date(store, workspace, run):
            wanted, duplicates = run.config.records, Duplicates(run.config.copies)
            for number, path in enumerate(workspace.finished_shards()):
                tally = tally_shard(path, run.config.shard(number), wanted, duplicates)
                store.load_shard(path, tally.until, tally.repeats)
                wanted -= tally.accepted
                if wanted <= 0:
                    break
        yield store


def ask_for(workspace: Workspace, records: int) -> None:
    """Ask a workspace for more accepted records than before, which finished shards may hold already.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreInUse: another process works there.
    """
    with hold_workspace(workspace):
        run = workspace.existing_run()
        if records > run.config.records:
            asked = run.model_copy(update={"config": run.config.model_copy(update={"records": records})})
            write_text(workspace.run_file, asked.model_dump_json(indent=2) + "\n")


def count_accepted(workspace: Workspace) -> int:
    """Count what the finished shards of a workspace hold that is accepted, whether it is in the store yet or not.

    Raises:
        StoreError: a shard file is broken.
    """
    shards = workspace.finished_shards()
    return sum(outcome.status == "accepted" for path in shards for outcome in shard_outcomes(path))


def _is_up_to_date(store: DatasetStore, workspace: Workspace, run: RunFile) -> bool:
    """Compare counts only: a run that goes on checks every file, and this is asked by each command that reads."""
    loaded = store.query(
        "SELECT count(*) AS n, coalesce(sum(rows - loaded), 0) AS left_out FROM shards WHERE run = ?", [run.run]
    )
    if loaded[0]["n"] == 0:
        return False
    accepted = store.query("SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted'", [run.run])
    whole = loaded[0]["left_out"] == 0
    finished = sum(1 for _ in workspace.finished_shards())
    return bool(accepted[0]["n"] >= run.config.records or (whole and loaded[0]["n"] >= finished))


def export_run(
    workspace: Workspace, format: FormatName, to: Path, shape: Shape = "jsonl", reasoning: bool = True
) -> ExportReport:
    """Export the accepted records of a workspace, load them again, and tell how they compare; see `export`.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreError: the store cannot be read, or the folder cannot be written.
    """
    with loaded_store(workspace) as store:
        return export(store, workspace.existing_run().run, format, to, shape, reasoning)
