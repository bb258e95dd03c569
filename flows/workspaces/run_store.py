"""The last stages of a run as plain functions: count what a shard holds, load it into the store, export.

Arrow and DuckDB are imported with this; whoever has something to do before the first shard is there imports it later.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import MadeExport, RunFile
from interplay.flows.workspaces.run_files import read_lines, write_record, write_text
from interplay.flows.workspaces.shared_workspace import pull
from interplay.flows.workspaces.workspace import Workspace, read_labels
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.exporters.export_settings import DEFAULT_SETTINGS, ExportSettings
from interplay.outputs.store.arrivals import ShardToLoad
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import scratch_folder
from interplay.outputs.store.shard_file import Outcome, shard_outcomes
from interplay.schemas.errors import StoreError, StoreInUse
from interplay.schemas.records.verdict import Verdict
from interplay.validators.blueprints.duplicates import Duplicates

if TYPE_CHECKING:
    from interplay.outputs.exporters.export import ExportReport

READING_WAITS = 5.0
"""Seconds that a reader waits while a run loads what it made, which takes a moment."""

LOADED_TOGETHER = 2000
"""Records that are loaded at once where there are many."""


@dataclass(frozen=True)
class ShardTally:
    """The outcome of one shard: `until` is the last index that counts, `accepted`, `tried` and `records` go up to it.

    `records` counts all attempts at the indices that were `tried`.

    `repeats` holds by index the verdicts on records whose scenario another shard, or an earlier record, tells already.
    """

    accepted: int
    tried: int
    records: int
    until: int
    repeats: Mapping[int, Verdict]


def tally_shard(path: Path, indices: range, wanted: int, duplicates: Duplicates) -> ShardTally:
    """Count the accepted records of a shard in the order of their indices, up to `wanted` of them.

    The attempts at one task stay together, so there may be a few more. Shards are tallied in order, with the `duplicates` of those before; a shard's file knows nothing of other shards.

    Raises:
        StoreError: the file is broken or holds other indices.
    """
    return tally_outcomes(path, list(shard_outcomes(path)), indices, wanted, duplicates)


def tally_outcomes(
    path: Path, outcomes: Sequence[Outcome], indices: range, wanted: int, duplicates: Duplicates
) -> ShardTally:
    """Count the accepted records of a shard as `tally_shard` does, by its outcomes that were read.

    Raises:
        StoreError: these are of other indices.
    """
    found = {index: list(attempts) for index, attempts in groupby(outcomes, key=lambda outcome: outcome.index)}
    if list(found) != list(indices):
        raise StoreError(
            f"{path}: does not hold the indices {indices.start} to {indices.stop - 1}. "
            "Delete the file and run again: the shard is made anew."
        )
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


def open_run_store(workspace: Workspace, run: RunFile, wait: float = 0.0, path: Path | None = None) -> DatasetStore:
    """Open the store of a workspace to be written, its run and tools in it; `path` is another place for it.

    Raises:
        StoreInUse: somebody else has it open, and for `wait` seconds still has.
        StoreError: it is broken.
    """
    store = DatasetStore(path or workspace.store_file, wait=wait)
    try:
        if not _holds(store, run):
            graph = workspace.graph()
            store.load_toolset(workspace.toolset(), graph.edges if graph else (), run.toolset)
            store.load_run(run.run, run.config.model_dump_json(), run.config.seed, run.toolset)
    except BaseException:
        store.close()
        raise
    return store


@contextmanager
def loaded_store(workspace: Workspace) -> Iterator[DatasetStore]:
    """Open the store to read, with all finished shards in it, up to the records asked for.

    Where it is missing or behind, it is brought up to date first. Others may read it too, and a run may go on: then it holds
    what that has loaded so far. Where it can be neither read nor written, as in a folder that is read-only and has none, one
    is made of the shards in a temporary place.

    Raises:
        ConfigError: nothing was made in the workspace yet.
        StoreError: the store or a shard file is broken.
    """
    pull(workspace)
    run = workspace.existing_run()
    with scratch_folder() as folder, _current(workspace, run, folder) or _temporary(workspace, run, folder) as store:
        yield store


def _current(workspace: Workspace, run: RunFile, spill: Path) -> DatasetStore | None:
    """Open the store of the workspace to read, after it was brought up to date; none where that cannot be done."""
    store = _open_to_read(workspace, run, spill)
    if store is not None and _is_up_to_date(store, workspace, run):
        return store
    if store is not None:
        store.close()
    under_way = False
    if all(os.access(path, os.W_OK) for path in (workspace.folder, workspace.lock_file) if path.exists()):
        try:
            with (
                hold_workspace(workspace, everywhere=False),
                suppress(StoreInUse),
                open_run_store(workspace, run) as written,
            ):
                _load(written, workspace, run)
        except StoreInUse:
            under_way = True
    store = _open_to_read(workspace, run, spill)
    if store is None or under_way or _is_up_to_date(store, workspace, run):
        return store
    store.close()
    return None


def _open_to_read(workspace: Workspace, run: RunFile, spill: Path) -> DatasetStore | None:
    """Open the store of the workspace; none where it is missing, held for long, of an older version, or of another run."""
    if not workspace.store_file.exists():
        return None
    try:
        store = DatasetStore(workspace.store_file, spill, READING_WAITS)
    except StoreInUse:
        return None
    if store.is_current and _holds(store, run):
        return store
    store.close()
    return None


def _temporary(workspace: Workspace, run: RunFile, folder: Path) -> DatasetStore:
    path = folder / workspace.store_file.name
    with open_run_store(workspace, run, path=path) as store:
        _load(store, workspace, run)
    return DatasetStore(path, folder)


def _holds(store: DatasetStore, run: RunFile) -> bool:
    return bool(store.query("SELECT 1 AS one FROM runs WHERE id = ?", [run.run]))


def _load(store: DatasetStore, workspace: Workspace, run: RunFile) -> None:
    """Load all finished shards up to the records asked for, many records at once."""
    wanted, duplicates, waiting, records = run.config.records, Duplicates(run.config.copies), [], 0
    for number, path in enumerate(workspace.finished_shards()):
        tally = tally_shard(path, run.config.shard(number), wanted, duplicates)
        waiting.append(ShardToLoad(path, tally.until, tally.repeats, run.run))
        wanted, records = wanted - tally.accepted, records + tally.records
        if records >= LOADED_TOGETHER:
            store.load_shards(waiting)
            waiting, records = [], 0
        if wanted <= 0:
            break
    store.load_shards(waiting)


def shortfall(workspace: Workspace, accepted: int) -> str:
    """Return what the records that are there lack of those that the run was asked for, and what to do; empty if nothing."""
    config, missing = workspace.existing_run().config, workspace.missing_shard()
    told = [f"holds {accepted} of the {config.records} accepted records that were asked for"]
    told = told if accepted < config.records and not workspace.exhausted() else []
    told += [f"{missing} is missing, though later shards are there"] if missing is not None else []
    remedy = f"The rest is made with: interplay run --workspace {workspace.name}"
    return f"{workspace.name}: {'; '.join(told)}. {remedy}" if told else ""


def uncurated(workspace: Workspace, accepted: int) -> str:
    """Return how many accepted records came after somebody curated, and what to do; empty if none did."""
    curated = workspace.curated()
    fresh = accepted - curated[0].looked_at if curated else 0
    remedy = f"Look at them too with: interplay curate --workspace {workspace.folder}"
    return f"{workspace.folder}: {fresh} accepted records came after the curation. {remedy}" if fresh > 0 else ""


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
            write_record(workspace.run_file, asked, indent=2)


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
    accepted = store.count_accepted(run.run)
    whole = loaded[0]["left_out"] == 0
    finished = sum(1 for _ in workspace.finished_shards())
    return bool(accepted >= run.config.records or (whole and loaded[0]["n"] >= finished))


def export_run(
    workspace: Workspace,
    format: FormatName,
    to: Path,
    shape: Shape = "jsonl",
    reasoning: bool = True,
    labels: Path | None = None,
    settings: ExportSettings = DEFAULT_SETTINGS,
    template: Path | None = None,
) -> "ExportReport":
    """Export the accepted records of a workspace, load them again, and tell how they compare; see `export`.

    A file of `labels` is read after that of the workspace. The workspace notes the export, where it can be written.

    Raises:
        ConfigError: nothing was made in the workspace yet, or its file of exports is broken.
        StoreError: the store cannot be read, or the folder cannot be written.
    """
    from interplay.flows.workspaces.run_graph import graph_picture  # noqa: PLC0415 - slow to import, and most commands only read
    from interplay.outputs.exporters.export import export  # noqa: PLC0415 - as that

    earlier = exports_made(workspace)  # what cannot be read is told before anything is made
    with loaded_store(workspace) as store:
        given = workspace.labels() if labels is None else (*workspace.labels(), *read_labels(labels))
        run = workspace.existing_run().run
        curated = workspace.curated()
        report = export(
            store,
            run,
            format,
            to,
            shape,
            reasoning,
            given,
            workspace.calibration(),
            curated,
            settings,
            template,
            graph_picture(workspace),
        )
    made = MadeExport(
        folder=report.folder, format=format, shape=shape, reasoning=reasoning,
        labels=None if labels is None else str(labels.absolute()), settings=settings,
    )  # fmt: skip
    with suppress(StoreError):  # a folder that is read-only
        lines = [*(other for other in earlier if other.folder != made.folder), made]
        write_text(workspace.exports_file, "".join(f"{line.model_dump_json()}\n" for line in lines))
    return report


def exports_made(workspace: Workspace) -> tuple[MadeExport, ...]:
    """Return the exports of a workspace, the last one of each folder.

    Raises:
        ConfigError: the file is broken.
    """
    path = workspace.exports_file
    return read_lines(path, MadeExport, "Delete the file.") if path.exists() else ()
