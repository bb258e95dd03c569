"""The store of a workspace, brought up to date and opened, and an export of what it holds.

This module imports DuckDB; code that has work to do before the first shard exists imports it late.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from interplay.flows.workspaces.lock import alone_in, hold_workspace, process_holding
from interplay.flows.workspaces.manifest import MadeExport, RunFile
from interplay.flows.workspaces.run_files import read_lines, write_lines, write_record
from interplay.flows.workspaces.shared_workspace import pull
from interplay.flows.workspaces.workspace import MERGE_ANEW, Workspace, read_labels
from interplay.outputs.exporters.export_formats import FormatName, Shape
from interplay.outputs.exporters.export_settings import DEFAULT_SETTINGS, ExportSettings
from interplay.outputs.store.database import is_begun
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import scratch_folder
from interplay.outputs.store.shard_seal import shard_digest
from interplay.schemas.errors import StoreError, StoreInUse, StoreOutdated
from interplay.schemas.records.calibration import PersonLabel

if TYPE_CHECKING:
    from interplay.outputs.exporters.export import ExportReport

FORGET = "Delete the file: exports that were made before are not known then, and have to be made again."
"""What to do if the file of exports is broken."""

log = logging.getLogger(__name__)

READING_WAITS = 5.0
"""Seconds that a reader waits while a run loads a shard, which takes a moment."""


def open_run_store(workspace: Workspace, run: RunFile, wait: float = 0.0, path: Path | None = None) -> DatasetStore:
    """Open the store of a workspace for writing, with its run and tools in it; `path` replaces its default place.

    A store of an older version is rebuilt first, which is logged.

    Raises:
        StoreInUse: it is still open elsewhere after `wait` seconds.
        StoreError: it is broken, or of an older version and holds what the shards do not.
    """
    try:
        store = DatasetStore(path or workspace.store_file, wait=wait)
    except StoreOutdated:
        _make_anew(workspace, run)
        store = DatasetStore(workspace.store_file, wait=wait)
    try:
        if not _holds(store, run):
            graph = workspace.graph()
            store.load_toolset(workspace.toolset(), graph.edges if graph else (), run.toolset)
            store.load_run(run.run, run.config.model_dump_json(), run.config.seed, run.toolset)
    except BaseException:
        store.close()
        raise
    return store


def _make_anew(workspace: Workspace, run: RunFile) -> None:
    """Load all finished shards into a new store, and replace the older one once the new one holds as much."""
    path, asked = workspace.store_file, "SELECT run, name FROM shards ORDER BY ALL"
    log.info("%s: its store is of an older version, and is made anew from the shards.", workspace.name)
    with scratch_folder() as spill, DatasetStore(path, spill) as older:
        held = [(row["run"], row["name"]) for row in older.query(asked)]
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with open_run_store(workspace, run, path=fresh) as store:
        _fill(store, workspace, run)
        loaded = {(row["run"], row["name"]) for row in store.query(asked)}
    if lost := [name for of, name in held if (of, name) not in loaded]:
        fresh.unlink()
        raise StoreError(
            f"{path}: is of an older version and holds what {lost[0]} held, which is not among the shards of this run. "
            "Bring that file back, or read the store with that version; moved away, it is made of the shards that are there."
        )
    fresh.replace(path)


@contextmanager
def loaded_store(workspace: Workspace) -> Iterator[DatasetStore]:
    """Open the store for reading, with all finished shards in it, up to the records asked for.

    If it is missing or behind, it is brought up to date first. Others may read it too. While a run goes on, it holds what the
    run has loaded so far. If it can be neither read nor written, for example in a read-only folder without a store, a
    temporary one is made from the shards, which is logged.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: the store or a shard file is broken.
    """
    pull(workspace)
    run = workspace.existing_run()
    with scratch_folder() as folder, _current(workspace, run, folder) or _temporary(workspace, run, folder) as store:
        yield store


def _current(workspace: Workspace, run: RunFile, spill: Path) -> DatasetStore | None:
    """Bring the store of the workspace up to date and open it for reading; None if that is not possible."""
    store = _open_to_read(workspace, run, spill)
    if store is not None and _is_up_to_date(store, workspace, run):
        return store
    if store is not None:
        store.close()
    under_way = False
    if may_write(workspace):
        try:
            with (
                hold_workspace(workspace, everywhere=False),
                suppress(StoreInUse),
                open_run_store(workspace, run) as written,
            ):
                _fill(written, workspace, run)
        except StoreInUse:
            under_way = True
    store = _open_to_read(workspace, run, spill)
    if store is None or under_way or _is_up_to_date(store, workspace, run):
        return store
    store.close()
    return None


def may_write(workspace: Workspace) -> bool:
    """Tell whether the folder of a workspace can be written and locked."""
    return all(os.access(path, os.W_OK) for path in (workspace.folder, workspace.lock_file) if path.exists())


def _open_to_read(workspace: Workspace, run: RunFile, spill: Path) -> DatasetStore | None:
    """Open the store of the workspace; None if it is missing, held for long, of an older version, or of another run."""
    if not is_begun(workspace.store_file):
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
    log.info(
        "%s: its store %s. What its %d shards hold is loaded into a temporary one, about a thousand records a second.",
        workspace.name,
        "can be neither read nor brought up to date now"
        if workspace.store_file.exists()
        else "cannot be made here now",
        len(list(workspace.finished_shards())),
    )
    with open_run_store(workspace, run, path=path) as store:
        _fill(store, workspace, run)
    return DatasetStore(path, folder)


def _holds(store: DatasetStore, run: RunFile) -> bool:
    return bool(store.query("SELECT 1 AS one FROM runs WHERE id = ?", [run.run]))


def _fill(store: DatasetStore, workspace: Workspace, run: RunFile) -> None:
    from interplay.flows.workspaces.finished_shards import load_finished  # noqa: PLC0415 - Arrow, which readers seldom need

    load_finished(store, workspace, run)


def shortfall(workspace: Workspace, accepted: int) -> str:
    """Return what is missing of the records that the run was asked for, and what to do; "" if nothing is."""
    config, missing, holder = workspace.existing_run().config, workspace.missing_shard(), process_holding(workspace)
    works = holder is not None and holder != os.getpid()
    told = [f"holds {accepted} of the {config.records} accepted records that were asked for"]
    told = told if accepted < config.records and not workspace.exhausted() else []
    told += [f"{missing} is missing, though later shards are there"] if missing is not None and not works else []
    run_on = f"The rest is made with: interplay run --workspace {workspace.argument}"
    under_way = f"Process {holder} works there; look on with: interplay watch {workspace.argument}"
    remedy = under_way if works else MERGE_ANEW if workspace.is_merged else run_on
    return f"{workspace.name}: {'; '.join(told)}. {remedy}" if told else ""


def lacking(workspace: Workspace) -> str:
    """Return what a workspace lacks of the records that its run was asked for, and what to do; "" if nothing."""
    with loaded_store(workspace) as store:
        return shortfall(workspace, store.count_accepted(workspace.existing_run().run))


def uncurated(workspace: Workspace) -> str:
    """Return how many accepted records came after the last curation, and what to do; "" if none did."""
    curated = workspace.curated()
    if curated is None:
        return ""
    query = "SELECT count(*) AS n FROM records WHERE run = ? AND status = 'accepted' AND index > ?"
    with loaded_store(workspace) as store:
        fresh = int(store.query(query, [workspace.existing_run().run, curated[0].last])[0]["n"])
    remedy = f"Look at them too with: interplay curate --workspace {workspace.argument}"
    return f"{workspace.folder}: {fresh} accepted records came after the curation. {remedy}" if fresh > 0 else ""


def unmatched(strange: Sequence[str]) -> str:
    """Return how many ids in labels match no record, with the first of them, and what to do; "" if all match."""
    if not strange:
        return ""
    more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
    return f"labels of {strange[0]}{more} are about no record of this run. Give ids as interplay show does."


def ask_for(workspace: Workspace, records: int) -> None:
    """Raise the number of accepted records asked of a workspace; finished shards may hold them already.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreInUse: another process works there.
    """
    with hold_workspace(workspace):
        run = workspace.existing_run()
        if records > run.config.records:
            asked = run.model_copy(update={"config": run.config.asking(records)})
            write_record(workspace.run_file, asked, indent=2)


def _is_up_to_date(store: DatasetStore, workspace: Workspace, run: RunFile) -> bool:
    """Tell by counts and digests whether a store holds all finished shards; cheap, since every reading command asks."""
    loaded = store.query("SELECT name, digest, rows - loaded AS left_out FROM shards WHERE run = ?", [run.run])
    digests = {row["name"]: row["digest"] for row in loaded}
    finished = list(workspace.finished_shards())
    if any(digests.get(path.name) not in (None, shard_digest(path)) for path in finished):
        return False
    whole = not any(row["left_out"] for row in loaded)
    return store.count_accepted(run.run) >= run.config.records or (whole and len(loaded) >= len(finished))


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
    """Export the accepted records of a workspace, load them again, and compare them; see `export`.

    A file of `labels` is read after that of the workspace. The export is noted in the workspace, if that can be written.

    Raises:
        ConfigError: the workspace holds no run yet, or its file of exports is broken.
        StoreError: the store cannot be read, or the folder cannot be written.
    """
    from interplay.flows.workspaces.run_graph import graph_picture  # noqa: PLC0415 - slow to import, and most commands only read
    from interplay.outputs.exporters.export import export  # noqa: PLC0415 - likewise

    if workspace.is_own(to):
        raise StoreError(f"{to}: is a place of the workspace itself. Name another folder.")
    exports_made(workspace)  # raises before anything is written
    with loaded_store(workspace) as store:
        run = workspace.existing_run().run
        told = workspace.labels() if labels is None else (*workspace.labels(), *read_labels(labels))
        given, strange = _of_records(store, run, told)
        if not store.count_accepted(run) and (lacking := shortfall(workspace, 0)):
            raise StoreError(lacking)
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
        workspace=str(workspace.folder.absolute()),
    )  # fmt: skip
    report = report.model_copy(update={"strange_labels": strange, "noted": False})
    with suppress(StoreError, OSError), alone_in(workspace.folder):  # the folder may be read-only
        lines = [*(other for other in exports_made(workspace) if other.folder != made.folder), made]
        write_lines(workspace.exports_file, lines)
        return report.model_copy(update={"noted": True})
    return report


def _of_records(
    store: DatasetStore, run: str, labels: Sequence[PersonLabel]
) -> tuple[tuple[PersonLabel, ...], tuple[str, ...]]:
    """Return the labels with abbreviated ids completed, and the ids that match no record."""
    named = list(dict.fromkeys(label.id for label in labels))
    query = "SELECT id FROM records WHERE run = ? AND id IN (SELECT unnest(?))"
    whole = {row["id"]: row["id"] for row in store.query(query, [run, named])} if named else {}
    for name in (name for name in named if name not in whole):
        found = store.query("SELECT id FROM records WHERE run = ? AND starts_with(id, ?) LIMIT 2", [run, name])
        whole |= {name: found[0]["id"]} if len(found) == 1 else {}
    told = tuple(label.model_copy(update={"id": whole.get(label.id, label.id)}) for label in labels)
    return told, tuple(name for name in named if name not in whole)


def export_difference(workspace: Workspace, made: MadeExport) -> str:
    """Return the first row of an export that differs from what the workspace gives now; "" if none does.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: the store or the labels cannot be read.
    """
    from interplay.outputs.exporters.export import row_source  # noqa: PLC0415 - slow to import, and most commands only read
    from interplay.outputs.exporters.export_check import difference  # noqa: PLC0415 - likewise

    told = (*workspace.labels(), *(() if made.labels is None else read_labels(Path(made.labels))))
    curated, run = workspace.curated(), workspace.existing_run().run
    out = curated[1] if curated else frozenset[str]()
    with loaded_store(workspace) as store:
        given, _ = _of_records(store, run, told)
        source = row_source(store, run, made.format, made.reasoning, given, out, made.settings)
        return difference(Path(made.folder), made.shape, source)


def exports_made(workspace: Workspace) -> tuple[MadeExport, ...]:
    """Return the exports of a workspace, the last one in each folder; paths inside the workspace follow it when it is moved.

    Raises:
        ConfigError: the file is broken.
    """
    path = workspace.exports_file
    noted = read_lines(path, MadeExport, FORGET) if path.exists() else ()
    return tuple(_moved_along(workspace.folder.absolute(), made) for made in noted)


def _moved_along(here: Path, made: MadeExport) -> MadeExport:
    """Return an export that was made inside its workspace with its path in the workspace's present folder."""
    there, folder = Path(made.workspace), Path(made.folder)
    inside = here / folder.relative_to(there) if made.workspace and folder.is_relative_to(there) else folder
    if there == here or not inside.is_relative_to(here) or not inside.exists():
        return made
    return made.model_copy(update={"folder": str(inside), "workspace": str(here)})


def is_anothers(workspace: Workspace, made: MadeExport) -> bool:
    """Tell whether an export belongs to another workspace that still exists, and of which this one is a copy."""
    there = Path(made.workspace)
    is_here = not made.workspace or there.resolve() == workspace.folder.resolve()
    return not is_here and Workspace(there).run_file.exists()
