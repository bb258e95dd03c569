"""A workspace -> what in it is damaged or missing; with `repair`, it is made again where possible.

A sound run has the configuration and tools that its identity is a digest of; each shard is readable and holds exactly its
own indices; the store holds what the shards hold. A sound export holds the files that were written, and the rows that the
workspace gives: an older export with other rows is reported but not wrong, unless it is asked about.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from interplay.flows.generation.attempts import VERSION
from interplay.flows.runs.merged_run import MergedIndex
from interplay.flows.runs.shards import make_shard
from interplay.flows.runs.stages import open_generator
from interplay.flows.runs.verification.verified_exports import Finding, State, export_findings, finding_of, made_again
from interplay.flows.workspaces.finished_shards import UNHEEDED, load_finished, tallies, unheeded
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import AimsFile, PhrasesFile, RunFile, identify
from interplay.flows.workspaces.run_files import read_lines, read_record, write_lines, write_record
from interplay.flows.workspaces.run_store import (
    exports_made,
    loaded_store,
    may_write,
    open_run_store,
    shortfall,
)
from interplay.flows.workspaces.shared_workspace import damaged_shards
from interplay.flows.workspaces.source_notes import AccountsFile
from interplay.flows.workspaces.withdrawals import STAGE, Withdrawal, noted_for, withdrawals, withhold
from interplay.flows.workspaces.workspace import MERGE_ANEW, RESTORE, Workspace
from interplay.flows.worlds.explained_sources import note_accounts
from interplay.generators.models.journal.journal_erasure import erase_damaged
from interplay.generators.models.journal.journal_report import damaged_answers
from interplay.outputs.store.dataset_store import DatasetStore
from interplay.outputs.store.scratch import scratch_folder
from interplay.outputs.store.shard_file import PARTIAL_SUFFIX, read_shard, withdrawn_notes, write_shard
from interplay.outputs.store.shard_seal import shard_digest
from interplay.schemas.errors import ConfigError, InterplayError, StoreError
from interplay.schemas.json.record import Record


class VerifyReport(Record):
    """What was checked and found; a workspace is sound if nothing is wrong any more."""

    workspace: str
    shards: int
    records: int
    findings: tuple[Finding, ...] = ()
    lacking: str = Field("", description="What sound shards lack of the records that the run was asked for.")

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(finding.state != "wrong" for finding in self.findings)


async def verify(workspace: Workspace, repair: bool = False, exports: Sequence[Path] = ()) -> VerifyReport:
    """Check everything in a workspace; with `repair`, make again tools, graph, shards, the store and exports.

    The workspace is held meanwhile, if it can be written. All noted exports that still exist are checked, and the `exports`
    given, such as copies. Models that played a shard are asked through the journal: answers that it holds are not paid for again.

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
        looked = _shards(workspace, run)
        if other := _other_run(run, looked):
            why = f"is that of another run than its shards, which are of {other}. Restore the file from a copy"
            foreign = Finding(file=str(workspace.run_file), why=why)
            return VerifyReport(workspace=workspace.name, shards=0, records=0, findings=(*away, foreign))
        sound = [each for each in looked if not each.why]
        broken = [each for each in looked if each.why]
        findings += [Finding(file=str(workspace.shard(each.number)), why=each.why) for each in broken]
        findings += _withdrawals(workspace, run, sound, repair)
        if repair:
            lost = [each.number for each in broken if not each.barred]
            findings = await _repaired(workspace, run, findings, lost)
            sound = [each for each in _shards(workspace, run) if not each.why]
    shards, records = len(sound), sum(each.records for each in sound)
    if not findings or all(finding.state == "repaired" for finding in findings):
        findings += _store(workspace, run, repair)
    findings += export_findings(
        workspace, run, exports, repair, whole=all(each.state == "repaired" for each in findings)
    )
    report = VerifyReport(workspace=workspace.name, shards=shards, records=records, findings=(*away, *findings))
    if not report.sound:
        return report
    accepted = sum(tally.accepted for _, tally in tallies(workspace, run))
    return report.model_copy(update={"lacking": shortfall(workspace, accepted)})


class _Shard(NamedTuple):
    """The state of one shard: what is wrong with it, the number of its records, and which of its indices were removed."""

    number: int
    why: str
    records: int = 0
    run: str = ""
    """The run that all its records belong to, or ""."""
    out: frozenset[int] = frozenset()
    barred: bool = False
    """Whether it may not be read, though it may be sound."""


_OF_OTHER_RUN = "holds records of another run"


def _shards(workspace: Workspace, run: RunFile) -> list[_Shard]:
    """Look at all shards that must exist: those of a merge by its indices, else all up to the last one that exists."""
    wanted = (run.config.indices or 0) if workspace.is_merged else 0
    last = max(workspace.last_shard(), (wanted - 1) // run.config.shard_size)
    return [_look(workspace, run, number) for number in range(last + 1)]


def _other_run(run: RunFile, looked: Sequence[_Shard]) -> str:
    """Return the one other run that all readable shards belong to, or ""; then run.json is the wrong file."""
    runs = {each.run for each in looked if each.run}
    return next(iter(runs)) if len(runs) == 1 and run.run not in runs else ""


def _small_files(workspace: Workspace, run: RunFile) -> Iterator[Finding]:
    if run.config.fingerprint() != run.fingerprint:
        yield Finding(file=str(workspace.run_file), why="its settings are not those that the run began with")
    try:
        if workspace.toolset().digest() != run.toolset:
            yield Finding(file=str(workspace.toolset_file), why="its tools are not those of the run")
    except InterplayError as error:
        yield finding_of(workspace.toolset_file, error)
    try:
        graph = workspace.graph()
        if graph is None or graph.run != run.run:
            yield Finding(file=str(workspace.graph_file), why="is missing, or is of another run")
    except InterplayError as error:
        yield finding_of(workspace.graph_file, error)
    for path, read in _others(workspace, run).items():
        try:
            read()
        except InterplayError as error:
            yield finding_of(path, error)
    folder = workspace.shard(0).parent
    if folder.exists() and not folder.is_dir():
        yield Finding(file=str(folder), why="is a file in the place of the folder of shards: move it away")
    for path in workspace.strays():
        yield Finding(file=str(path), why="is no shard of the run: its number is far from all others. Move it away")
    for left in sorted(workspace.shard(0).parent.glob(f"*{PARTIAL_SUFFIX}")):
        yield Finding(file=str(left), why="was left by a writer that was killed")


def _journal(workspace: Workspace, repair: bool) -> Iterator[Finding]:
    """Check the answers of models; with `repair`, damaged ones are deleted, to be asked for again when they are needed."""
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
        why = f"{finding_of(path, error).why} What was paid for cannot be made again: restore the file, or move it away"
        yield Finding(file=str(path), why=why)


def _require_accounts(workspace: Workspace, run: RunFile) -> None:
    held = read_record(workspace.accounts_file, AccountsFile, workspace.repair)
    if held is not None and held.run != run.run:
        raise StoreError(f"{workspace.accounts_file}: is of another run. {workspace.repair}")


def _others(workspace: Workspace, run: RunFile) -> dict[Path, Callable[[], object]]:
    """Return the other small files of a run, each with a function that reads it."""
    evolution, start, branched = run.config.evolution, run.config.start, run.config.branched
    return {
        workspace.accounts_file: lambda: _require_accounts(workspace, run),
        workspace.phrases_file: lambda: read_record(workspace.phrases_file, PhrasesFile, workspace.repair),
        workspace.starts_file: lambda: start and workspace.starts(),
        workspace.parents_file: lambda: evolution and workspace.parents(evolution),
        workspace.branched_file: lambda: branched and workspace.branched(branched),
        workspace.calibration_file: workspace.calibration,
        workspace.labels_file: workspace.labels,
        workspace.curation_file: workspace.curated,
        workspace.exports_file: lambda: exports_made(workspace),
        workspace.merged_file: lambda: _merged(workspace, run),
        workspace.withdrawn_file: lambda: withdrawals(workspace),
        **{
            path: partial(read_record, path, AimsFile, RESTORE)
            for path in sorted(workspace.aims_file(0).parent.glob("*.json"))
        },
    }


def _merged(workspace: Workspace, run: RunFile) -> None:
    """Check that `merged.jsonl` of a merged workspace has an entry for each index."""
    if not workspace.is_merged:
        return
    lineage = read_lines(workspace.merged_file, MergedIndex, MERGE_ANEW) if workspace.merged_file.exists() else ()
    if [each.index for each in lineage] != list(range(run.config.indices or 0)):
        raise ConfigError(
            f"{workspace.merged_file}: does not tell of each index where its records are from. {MERGE_ANEW}"
        )


def _difference(workspace: Workspace, run: RunFile, spill: Path, digests: Mapping[str, str]) -> str:
    """Return in which table a store differs from one that is made of the same shards; "" if it does not."""
    path = spill / workspace.store_file.name
    with open_run_store(workspace, run, path=path) as anew:
        load_finished(anew, workspace, run)
    with DatasetStore(path, spill) as anew:
        right = anew.read_through()
    right.pop("runs")  # holds how many records were asked for at first
    table = next((name for name in right if digests.get(name) != right[name]), "")
    return f"holds other rows in its table {table} than its shards give" if table else ""


def _withdrawals(workspace: Workspace, run: RunFile, looked: Sequence[_Shard], repair: bool) -> Iterator[Finding]:
    """Find where `withdrawn.jsonl` and the shards disagree about withdrawals; lines that shards note can be restored."""
    try:
        known = withdrawals(workspace)
    except InterplayError:
        return  # the file is reported as broken elsewhere
    path, out = str(workspace.withdrawn_file), {index for each in looked for index in each.out}
    notes = [note for each in looked for note in withdrawn_notes(workspace.shard(each.number))]
    lost = [each for each in map(Withdrawal.model_validate_json, notes) if each not in known]
    every = (*known, *lost)
    if lost:
        if repair:
            write_lines(workspace.withdrawn_file, every)
        why = f"does not say that index {lost[0].index} was taken out, as its shard does. Write it again with --repair"
        yield Finding(file=path, why=why, state="repaired" if repair else "wrong")
    for shard in looked:
        left = unheeded(workspace.shard(shard.number), run.config.shard(shard.number), every)
        if left and repair:
            _take_out(workspace, run, shard.number, left, every)
        if left:
            why = f"{UNHEEDED.format(index=left[0].index)}. Take it out with --repair"
            yield Finding(file=str(workspace.shard(shard.number)), why=why, state="repaired" if repair else "wrong")
    for index in sorted(out - {each.index for each in every}):
        why = f"does not say that index {index} was taken out, as its shard does. Restore the file from a copy"
        yield Finding(file=path, why=why)


def _take_out(
    workspace: Workspace, run: RunFile, number: int, left: Sequence[Withdrawal], every: Sequence[Withdrawal]
) -> None:
    """Write a shard without what was withdrawn from it; where a text was redacted, the record goes, as that text is not kept."""
    path = workspace.shard(number)
    write_shard(path, withhold(left, [*read_shard(path)]), noted_for(every, run.config.shard(number)))


def _look(workspace: Workspace, run: RunFile, number: int) -> _Shard:
    """Look at one shard."""
    path, indices = workspace.shard(number), run.config.shard(number)
    if not path.exists():
        return _Shard(number, "is missing")
    found, count, out, runs = dict[int, None](), 0, set[int](), set[str]()
    try:
        for record in read_shard(path):
            found[record.index], count = None, count + 1
            runs.add(record.run)
            out |= {record.index} if record.stage == STAGE else set()
    except (StoreError, ValueError) as error:
        return _Shard(number, f"cannot be read ({error})", barred=isinstance(error.__cause__, PermissionError))
    own = next(iter(runs)) if len(runs) == 1 else ""
    if runs != {run.run}:
        return _Shard(number, _OF_OTHER_RUN, run=own)
    if [*found] != list(indices):
        return _Shard(number, f"does not hold the indices {indices.start} to {indices.stop - 1}", run=own)
    return _Shard(number, "", count, own, frozenset(out))


async def _repaired(workspace: Workspace, run: RunFile, findings: list[Finding], broken: list[int]) -> list[Finding]:
    """Repair what can be made from sound files; leave the rest, with the reason."""
    files = {finding.file for finding in findings}
    made = {name for name in files if name.endswith(PARTIAL_SUFFIX)}
    for name in made:
        _discard(Path(name))
    derived = (workspace.toolset_file, workspace.graph_file, workspace.accounts_file, workspace.phrases_file)
    small = [str(path) for path in derived if str(path) in files]
    if not small and not broken:
        return made_again(findings, made)
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
            for finding in made_again(findings, made)
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
    return made_again(findings, made)


def _discard(path: Path) -> None:
    """Delete a file, if it exists."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: cannot be deleted ({error.strerror}). Move it away, and repair again.") from error


def _require_own(workspace: Workspace, run: RunFile) -> None:
    """Check that this version of interplay would make the same records again."""
    if workspace.is_merged:
        raise ConfigError(f"its records are from other workspaces. {MERGE_ANEW}")
    if identify(run.config, run.toolset, VERSION).run != run.run:
        raise ConfigError(f"it was made with another version of interplay ({run.version}). Repair it with that one.")


def _store(workspace: Workspace, run: RunFile, repair: bool) -> list[Finding]:
    """Compare the store with the shards; as it is derived, it can nearly always be made again."""
    if not workspace.store_file.exists():
        return []
    try:
        with scratch_folder() as spill, DatasetStore(workspace.store_file, spill) as store:
            rows = store.query("SELECT name, digest, loaded FROM shards WHERE run = ? ORDER BY name", [run.run])
            counts = store.query("SELECT shard, count(*) AS n FROM records WHERE run = ? GROUP BY shard", [run.run])
            held = {row["shard"]: row["n"] for row in counts}
            digests = store.read_through()
            folder = workspace.shard(0).parent
            if lost := [row["name"] for row in rows if not (folder / row["name"]).exists()]:
                run_again = f"Make it again with: interplay run --workspace {workspace.argument}"
                remedy = MERGE_ANEW if workspace.is_merged else run_again
                why = f"holds what {lost[0]} held, which is missing. {remedy}"
                return [Finding(file=str(workspace.store_file), why=why)]
            wrong = [
                row["name"] for row in rows
                if row["digest"] != shard_digest(folder / row["name"]) or held.get(row["name"], 0) != row["loaded"]
            ]  # fmt: skip
            why = f"does not hold what {wrong[0]} holds" if wrong else _difference(workspace, run, spill, digests)
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
