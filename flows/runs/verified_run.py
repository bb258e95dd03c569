"""A workspace -> what in it is damaged or missing; with `repair`, made again where it can be.

A run promises: its configuration and tools are those that its identity is a digest of; each shard is whole, follows the one
before it, and holds its own indices; the store holds what the shards hold. An export holds the files that were written, and
the rows that the workspace gives: one that was made earlier, and holds others, is told and not wrong, unless it is asked about.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import Field

from interplay.flows.generation.attempts import VERSION
from interplay.flows.runs.merged_run import MergedIndex
from interplay.flows.runs.shards import make_shard
from interplay.flows.runs.stages import open_generator
from interplay.flows.workspaces.finished_shards import tallies
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import AimsFile, MadeExport, PhrasesFile, RunFile, identify
from interplay.flows.workspaces.run_files import read_lines, read_record, write_record
from interplay.flows.workspaces.run_store import (
    export_difference,
    export_run,
    exports_made,
    is_anothers,
    loaded_store,
    may_write,
    shortfall,
)
from interplay.flows.workspaces.shared_workspace import damaged_shards
from interplay.flows.workspaces.source_notes import noted_accounts
from interplay.flows.workspaces.withdrawals import STAGE, withdrawals
from interplay.flows.workspaces.workspace import MERGE_ANEW, RESTORE, Workspace
from interplay.flows.worlds.explained_sources import note_accounts
from interplay.generators.models.journal.journal_erasure import erase_damaged
from interplay.generators.models.journal.journal_report import damaged_answers
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import scratch_folder
from interplay.outputs.store.shard_file import PARTIAL_SUFFIX, read_shard, shard_digest
from interplay.schemas.errors import ConfigError, InterplayError, StoreError
from interplay.schemas.json.record import Record
from interplay.schemas.records.verdict import DatasetRecord

State = Literal["wrong", "repaired", "older"]


class Finding(Record):
    """Something that is not as promised."""

    file: str
    why: str
    state: State = "wrong"


class VerifyReport(Record):
    """What was checked, and what was found; a workspace is sound where nothing is left that is wrong."""

    workspace: str
    shards: int
    records: int
    findings: tuple[Finding, ...] = ()
    lacking: str = Field("", description="What sound shards lack of the records that the run was asked for.")

    @property
    def sound(self) -> bool:
        """Tell whether nothing is wrong any more."""
        return all(finding.state != "wrong" for finding in self.findings)


async def verify(workspace: Workspace, repair: bool = False, exports: Sequence[Path] = ()) -> VerifyReport:
    """Check everything in a workspace, which is held meanwhile where it can be written; with `repair`, make again what can be: tools, graph, shards, the store, exports.

    All exports that it noted and that are still there are looked at, and `exports` besides, such as copies.

    Models that played a shard are asked through the journal: what it holds is not paid for again.

    Raises:
        ConfigError: there is no run.
        StoreError: run.json is broken, or another process works there.
    """
    run = workspace.existing_run()
    state: State = "repaired" if repair else "wrong"
    away = [Finding(file=url, why=why, state=state) for url, why in damaged_shards(workspace, delete=repair)]
    holds = repair or may_write(workspace)
    with hold_workspace(workspace, everywhere=repair or not away) if holds else nullcontext():
        findings = [*_small_files(workspace, run), *_journal(workspace, repair)]
        broken: list[int] = []
        shards, records, last, out = 0, 0, _last_shard(workspace, run), set[int]()
        for number in range(last + 1):
            why, held = _look(workspace, run, number)
            out |= {record.index for record in held if record.stage == STAGE}
            if why:
                broken.append(number)
                findings.append(Finding(file=str(workspace.shard(number)), why=why))
            else:
                shards, records = shards + 1, records + len(held)
        sound = {index for number in range(last + 1) if number not in broken for index in run.config.shard(number)}
        findings += _withdrawals(workspace, sound, out)
        if repair:
            findings = await _repaired(workspace, run, findings, broken)
    if not findings or all(finding.state == "repaired" for finding in findings):
        findings += _store(workspace, run, repair)
    findings += _exports(workspace, run, exports, repair, whole=all(each.state == "repaired" for each in findings))
    report = VerifyReport(workspace=workspace.name, shards=shards, records=records, findings=(*away, *findings))
    if not report.sound:
        return report
    accepted = sum(tally.accepted for _, tally in tallies(workspace, run))
    return report.model_copy(update={"lacking": shortfall(workspace, accepted)})


def _last_shard(workspace: Workspace, run: RunFile) -> int:
    """Return the number of the last shard that has to be there: all of what was merged, else that after which none is there."""
    wanted = (run.config.indices or 0) if workspace.merged_file.exists() else 0
    return max(workspace.last_shard(), (wanted - 1) // run.config.shard_size)


def _small_files(workspace: Workspace, run: RunFile) -> Iterator[Finding]:
    if run.config.fingerprint() != run.fingerprint:
        yield Finding(file=str(workspace.run_file), why="its settings are not those that the run began with")
    try:
        if workspace.toolset().digest() != run.toolset:
            yield Finding(file=str(workspace.toolset_file), why="its tools are not those of the run")
    except InterplayError as error:
        yield _told(workspace.toolset_file, error)
    try:
        graph = workspace.graph()
        if graph is None or graph.run != run.run:
            yield Finding(file=str(workspace.graph_file), why="is missing, or is of another run")
    except InterplayError as error:
        yield _told(workspace.graph_file, error)
    for path, read in _others(workspace, run).items():
        try:
            read()
        except InterplayError as error:
            yield _told(path, error)
    folder = workspace.shard(0).parent
    if folder.exists() and not folder.is_dir():
        yield Finding(file=str(folder), why="is a file in the place of the folder of shards: move it away")
    for left in sorted(workspace.shard(0).parent.glob(f"*{PARTIAL_SUFFIX}")):
        yield Finding(file=str(left), why="was left by a writer that was killed")


def _journal(workspace: Workspace, repair: bool) -> Iterator[Finding]:
    """Look at the answers of models; those that are damaged can go, and their questions are asked again where they are needed."""
    path = workspace.journal_file
    if not path.exists():
        return
    try:
        if damaged := damaged_answers(path):
            if repair:
                erase_damaged(path, damaged)
            why = f"holds damaged answers to {len(damaged)} questions, which are asked again where they are needed"
            yield Finding(file=str(path), why=why, state="repaired" if repair else "wrong")
    except StoreError as error:
        why = f"{_told(path, error).why} What was paid for cannot be made again: restore the file, or move it away"
        yield Finding(file=str(path), why=why)


def _told(path: Path, error: InterplayError) -> Finding:
    return Finding(file=str(path), why=str(error).removeprefix(f"{path}: "))


def _others(workspace: Workspace, run: RunFile) -> dict[Path, Callable[[], object]]:
    """Return the other small files of a run, each with what reads it."""
    evolution, start, branched = run.config.evolution, run.config.start, run.config.branched
    return {
        workspace.accounts_file: lambda: noted_accounts(workspace),
        workspace.phrases_file: lambda: read_record(workspace.phrases_file, PhrasesFile, workspace.repair),
        workspace.starts_file: lambda: start and workspace.starts(),
        workspace.parents_file: lambda: evolution and workspace.parents(evolution),
        workspace.branched_file: lambda: branched and workspace.branched(branched),
        workspace.calibration_file: workspace.calibration,
        workspace.labels_file: workspace.labels,
        workspace.curation_file: workspace.curated,
        workspace.exports_file: lambda: exports_made(workspace),
        workspace.merged_file: lambda: (
            workspace.merged_file.exists() and read_lines(workspace.merged_file, MergedIndex, MERGE_ANEW)
        ),
        workspace.withdrawn_file: lambda: withdrawals(workspace),
        **{
            path: partial(read_record, path, AimsFile, RESTORE)
            for path in sorted(workspace.aims_file(0).parent.glob("*.json"))
        },
    }


def _withdrawals(workspace: Workspace, looked_at: Collection[int], out: Collection[int]) -> Iterator[Finding]:
    """Tell where what was taken out, and what of the indices that were `looked_at` is `out` in their shards, do not agree."""
    try:
        told = {each.index for each in withdrawals(workspace) if not each.redacted} & set(looked_at)
    except InterplayError:
        return  # the file is told as broken
    for index in sorted(told - set(out)):
        why = f"says that index {index} was taken out, and its shard holds it still. Take it out again: interplay remove {index}"
        yield Finding(file=str(workspace.withdrawn_file), why=why)
    for index in sorted(set(out) - told):
        why = f"does not say that index {index} was taken out, as its shard does. Restore the file from a copy"
        yield Finding(file=str(workspace.withdrawn_file), why=why)


def _look(workspace: Workspace, run: RunFile, number: int) -> tuple[str, Sequence[DatasetRecord]]:
    """Return what is wrong with a shard, and the records of a sound one."""
    path, indices = workspace.shard(number), run.config.shard(number)
    if not path.exists():
        return "is missing", ()
    try:
        records = list(read_shard(path))
    except (StoreError, ValueError) as error:
        return f"cannot be read ({error})", ()
    if [*dict.fromkeys(record.index for record in records)] != list(indices):
        return f"does not hold the indices {indices.start} to {indices.stop - 1}", ()
    if any(record.run != run.run for record in records):
        return "holds records of another run", ()
    return "", records


async def _repaired(workspace: Workspace, run: RunFile, findings: list[Finding], broken: list[int]) -> list[Finding]:
    """Make again what is wrong, from what is right; leave what cannot be, with the reason."""
    files = {finding.file for finding in findings}
    made = {name for name in files if name.endswith(PARTIAL_SUFFIX)}
    for name in made:
        _discard(Path(name))
    derived = (workspace.toolset_file, workspace.graph_file, workspace.accounts_file, workspace.phrases_file)
    small = [str(path) for path in derived if str(path) in files]
    if not small and not broken:
        return _made_again(findings, made)
    try:
        _require_own(workspace, run)
        for path in (workspace.graph_file, workspace.phrases_file):
            if str(path) in files:
                _discard(path)
        generator = await open_generator(workspace)  # writes the graph and the phrases where they are missing
    except InterplayError as error:
        return [
            finding.model_copy(update={"why": f"{finding.why}; it cannot be made again: {error}"})
            if finding.state == "wrong" else finding
            for finding in _made_again(findings, made)
        ]  # fmt: skip
    try:
        if str(workspace.toolset_file) in files:
            write_record(workspace.toolset_file, generator.world.toolset)
        if str(workspace.accounts_file) in files:
            _discard(workspace.accounts_file)
            note_accounts(workspace, run.run, generator.world)
        made |= {*small}
        for number in broken:
            path = workspace.shard(number)
            _discard(path)
            await make_shard(generator, workspace, number)
            made.add(str(path))
    finally:
        await generator.aclose()
    return _made_again(findings, made)


def _discard(path: Path) -> None:
    """Delete a file, where it is there.

    Raises:
        StoreError: it cannot be deleted.
    """
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be deleted ({error.strerror}). Move it away, and repair again.") from error


def _made_again(findings: Sequence[Finding], files: Collection[str]) -> list[Finding]:
    """Return findings, those of the `files` that were made again as repaired."""
    return [
        finding.model_copy(update={"state": "repaired"}) if finding.file in files else finding for finding in findings
    ]


def _require_own(workspace: Workspace, run: RunFile) -> None:
    """Check that this program would make the same records again.

    Raises:
        ConfigError: they were made elsewhere, or by another version.
    """
    if workspace.merged_file.exists():
        raise ConfigError(f"its records are from other workspaces. {MERGE_ANEW}")
    if identify(run.config, run.toolset, VERSION).run != run.run:
        raise ConfigError(f"it was made with another version of interplay ({run.version}). Repair it with that one.")


def _store(workspace: Workspace, run: RunFile, repair: bool) -> list[Finding]:
    """Compare the store with the shards; it is derived, so that it can always be made again."""
    if not workspace.store_file.exists():
        return []
    try:
        with scratch_folder() as spill, DatasetStore(workspace.store_file, spill) as store:
            rows = store.query("SELECT name, digest, loaded FROM shards WHERE run = ? ORDER BY name", [run.run])
            counts = store.query("SELECT shard, count(*) AS n FROM records WHERE run = ? GROUP BY shard", [run.run])
            held = {row["shard"]: row["n"] for row in counts}
            store.read_through()
            folder = workspace.shard(0).parent
            if lost := [row["name"] for row in rows if not (folder / row["name"]).exists()]:
                run_again = f"Make it again with: interplay run --workspace {workspace.argument}"
                remedy = MERGE_ANEW if workspace.merged_file.exists() else run_again
                why = f"holds what {lost[0]} held, which is missing. {remedy}"
                return [Finding(file=str(workspace.store_file), why=why)]
            wrong = [
                row["name"] for row in rows
                if row["digest"] != shard_digest(folder / row["name"]) or held.get(row["name"], 0) != row["loaded"]
            ]  # fmt: skip
        why = f"does not hold what {wrong[0]} holds" if wrong else ""
    except StoreError as error:
        why = str(error)
    if not why:
        return []
    finding = Finding(file=str(workspace.store_file), why=why)
    if not repair:
        return [finding]
    for path in workspace.folder.glob(f"{workspace.store_file.name}*"):
        _discard(path)
    with loaded_store(workspace):
        return [finding.model_copy(update={"state": "repaired"})]


def _exports(workspace: Workspace, run: RunFile, asked: Sequence[Path], repair: bool, whole: bool) -> Iterator[Finding]:
    """Compare exports with what was written, and with a workspace that is `whole`; make again those that are wrong."""
    try:
        noted = {made.folder: made for made in exports_made(workspace)}
        taken_out = withdrawals(workspace)
    except InterplayError:
        return  # told with the small files
    gone = {identifier for each in taken_out if not each.redacted for identifier in each.records}
    wanted = dict.fromkeys(str(path.absolute()) for path in asked)
    own = (name for name, made in noted.items() if Path(name).exists() and not is_anothers(workspace, made))
    for folder in dict.fromkeys((*own, *wanted)):
        made, found = noted.get(folder), list[Finding]()
        try:
            made, found = _look_at_export(workspace, run, Path(folder), noted, folder in wanted, whole, gone)
        except InterplayError as error:
            found = [_told(Path(folder) / "export.json", error)]
        if repair and whole and made is not None and any(finding.state == "wrong" for finding in found):
            found = _exported_again(workspace, made, found)
        yield from found


def _look_at_export(
    workspace: Workspace,
    run: RunFile,
    folder: Path,
    noted: dict[str, MadeExport],
    asked: bool,
    whole: bool,
    gone: Collection[str],
) -> tuple[MadeExport, list[Finding]]:
    """Return how an export was made, and what is wrong with it; records that are `gone` must not be in it."""
    from interplay.outputs.exporters.export_check import damage, read_note, record_ids  # noqa: PLC0415 - slow to import

    note = read_note(folder)
    like = (note.format, note.shape, note.reasoning, note.settings)
    same = (each for each in noted.values() if (each.format, each.shape, each.reasoning, each.settings) == like)
    known = noted.get(str(folder)) or next(same, None)
    made = MadeExport(
        folder=str(folder), format=note.format, shape=note.shape, reasoning=note.reasoning, settings=note.settings,
        labels=known.labels if known else None,
    )  # fmt: skip
    if note.run != run.run:
        return made, [Finding(file=str(folder), why=f"is an export of another run ({note.run})")]
    found = [Finding(file=str(path), why=why) for path, why in damage(folder, note)]
    if gone and (held := next((identifier for identifier in record_ids(folder) if identifier in gone), "")):
        told = f"holds record {held}, which was taken out. Export again to have it without that"
        return made, [*found, Finding(file=str(folder), why=told)]
    if not found and whole and (why := export_difference(workspace, made)):
        told = f"holds other rows than the workspace gives now ({why}). Export again to have these"
        found = [Finding(file=str(folder), why=told, state="wrong" if asked else "older")]
    return made, found


def _exported_again(workspace: Workspace, made: MadeExport, found: list[Finding]) -> list[Finding]:
    labels = None if made.labels is None else Path(made.labels)
    try:
        export_run(workspace, made.format, Path(made.folder), made.shape, made.reasoning, labels, made.settings)
    except InterplayError as error:
        return [*found, _told(Path(made.folder), error)]
    return [finding.model_copy(update={"state": "repaired"}) for finding in found]
