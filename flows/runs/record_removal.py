"""A record that must not be kept, or a text in it -> a workspace without it; exports are made again."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from interplay.flows.generation.attempts import OTHER_INDEX
from interplay.flows.roles.cast import CANDIDATE, SEATS
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.lock import hold_workspace
from interplay.flows.workspaces.manifest import MadeExport
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_files import write_lines
from interplay.flows.workspaces.run_store import export_run, exports_made, is_anothers, loaded_store
from interplay.flows.workspaces.withdrawals import STAGE, Withdrawal, noted_for, removed, withdrawals
from interplay.flows.workspaces.workspace import Workspace
from interplay.generators.models.journal.journal_erasure import TELLING, Whose, erase
from interplay.outputs.store.shard_file import read_shard, write_shard
from interplay.schemas.errors import ConfigError, InterplayError, StoreError
from interplay.schemas.json.json_text import json_value
from interplay.schemas.json.record import Record
from interplay.schemas.records.tool import Toolset
from interplay.schemas.records.verdict import DatasetRecord

REDACTED = "[redacted]"
MORE = "Give more of the text around it."


class WithdrawalReport(Record):
    """The result of a withdrawal: indices changed, answers of models deleted, exports made again, files that may still hold it.

    `elsewhere` are unchanged exports of the workspace that this one is a copy of; `failed` are exports that could not be made
    again, with the reason; `gone` are exports that are no longer where they were made.
    """

    workspace: str
    withdrawn: tuple[Withdrawal, ...]
    answers: int
    exports: tuple[str, ...]
    left: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    failed: dict[str, str] = Field(default_factory=dict)
    gone: tuple[str, ...] = ()


def remove(workspace: Workspace, wanted: str, why: str) -> WithdrawalReport:
    """Remove a record, with all attempts at its task and all dialogues that continue it.

    Raises:
        ConfigError: no reason is given, or the workspace holds no run.
        StoreError: there is no such record, another process works here, or a file cannot be written.
    """
    if not why.strip():
        raise ConfigError('Say why: --why "a customer asked for it".')
    chosen = _with_heirs(workspace, find_record(workspace, wanted))
    texts = {message.content for record in chosen if record.trajectory for message in record.trajectory.messages}
    left = [record for record in chosen if record.stage != STAGE]  # none if they were removed before
    return _withdrawn(workspace, left, why, texts, lambda record: removed(record, why))


def redact(workspace: Workspace, wanted: str, text: str, why: str) -> WithdrawalReport:
    """Replace a text by `[redacted]` wherever a record, or a dialogue that continues it, holds it.

    Raises:
        ConfigError: no reason or no text is given, the record does not hold it, or the workspace holds no run.
        StoreError: there is no such record, another process works here, or a file cannot be written.
    """
    if not why.strip() or not text.strip():
        raise ConfigError('Say what to take out, and why: --text "Ada Zeller" --why "a name".')
    if text in why:
        raise ConfigError("The reason is kept, and it holds the text. Give one that does not.")
    chosen = [record for record in _with_heirs(workspace, find_record(workspace, wanted)) if _holds(record, text)]
    named = next((name for name in _names(workspace.toolset(), chosen) if text in name), None)
    if named is not None:
        raise ConfigError(f"{text!r} is part of {named!r}, by which records hang together. {MORE}")
    if not chosen:
        raise ConfigError(f"{wanted}: holds no such text. Give it as the record spells it.")
    texts = {
        message.content
        for record in chosen if record.trajectory
        for message in record.trajectory.messages if text in message.content
    }  # fmt: skip
    without = {record.id: _without(record, text) for record in chosen}  # raises before anything is written
    return _withdrawn(workspace, chosen, why, {*texts, text}, lambda record: without[record.id], text)


def _with_heirs(workspace: Workspace, record: DatasetRecord) -> list[DatasetRecord]:
    """Return all records of the index of a record, and of all indices that continue one of them."""
    with loaded_store(workspace) as store:
        rows = store.query(
            "WITH RECURSIVE heirs(id, index) AS (SELECT id, index FROM records WHERE run = ? AND index = ? "
            "UNION SELECT records.id, records.index FROM records JOIN heirs ON records.continues = heirs.id) "
            "SELECT DISTINCT records.id, records.index, records.attempt FROM records JOIN heirs "
            "ON records.index = heirs.index WHERE records.run = ? ORDER BY records.index, records.attempt",
            [record.run, record.index, record.run],
        )
        return [store.record(row["id"]) for row in rows]


def _withdrawn(
    workspace: Workspace,
    chosen: Sequence[DatasetRecord],
    why: str,
    texts: set[str],
    change: Callable[[DatasetRecord], DatasetRecord],
    part: str = "",
) -> WithdrawalReport:
    """Remove records, or redact the text `part` in them, by `change`."""
    config = workspace.existing_run().config
    noted = [made for made in exports_made(workspace) if not _is_of_other_run(workspace, made)]
    by_index: dict[int, list[str]] = {}
    for record in chosen:
        by_index.setdefault(record.index, []).append(record.id)
    told = tuple(
        Withdrawal(index=index, records=tuple(ids), redacted=bool(part), why=why) for index, ids in by_index.items()
    )
    ids = {record.id for record in chosen}
    with hold_workspace(workspace):
        known = withdrawals(workspace)
        lines = [*known, *(each for each in told if each not in known)]
        write_lines(workspace.withdrawn_file, lines)
        for number in sorted({index // config.shard_size for index in by_index}):
            path = workspace.shard(number)
            changed = [change(record) if record.id in ids else record for record in read_shard(path)]
            write_shard(path, changed, noted_for(lines, config.shard(number)))
        workspace.report_file.unlink(missing_ok=True)
        for kept in (workspace.store_file, workspace.viewer_file):
            for path in workspace.folder.glob(f"{kept.name}*"):
                path.unlink()  # derived files are deleted whole: a deleted row stays in a database file
        answers = erase(workspace.journal_file, _asked_for(chosen, config), texts, part)
    inputs = (workspace.starts_file, workspace.parents_file, workspace.branched_file)
    left = [str(path) for path in inputs if path.exists() and _tells(path, texts, part)]
    held = [made for made in noted if (Path(made.folder) / "README.md").exists()]
    own = [made for made in held if not is_anothers(workspace, made)]
    failed = _made_again(workspace, own)
    return WithdrawalReport(
        workspace=workspace.name,
        withdrawn=told,
        answers=answers,
        exports=tuple(made.folder for made in own if made.folder not in failed),
        left=tuple(left),
        elsewhere=tuple(made.folder for made in held if made not in own),
        failed=failed,
        gone=tuple(made.folder for made in noted if made not in held),
    )


def _asked_for(chosen: Sequence[DatasetRecord], config: RunConfig) -> Callable[[str, int], Whose]:
    """Return a function that tells by role and sample of an answer, see `cast`, whether it was given for one of the records.

    Questions of the composer about all tools, and those of calibration, have the sample of index 0 too, so they are shared.
    """
    indices = {record.index for record in chosen}
    if config.branched:  # branches are asked under the indices of their tasks
        indices = {record.blueprint.recipe.index % OTHER_INDEX for record in chosen if record.blueprint}

    def whose(role: str, sample: int) -> Whose:
        index = sample % CANDIDATE // (SEATS if role == "reviewer" else 1) % OTHER_INDEX
        if not index and role in ("composer", "reviewer"):
            return "shared"
        return "own" if index in indices else "others"

    return whose


def _is_of_other_run(workspace: Workspace, made: MadeExport) -> bool:
    """Tell whether another workspace was exported to the same place since."""
    from interplay.outputs.exporters.export_check import read_note  # noqa: PLC0415 - slow to import

    try:
        return read_note(Path(made.folder)).run != workspace.existing_run().run
    except StoreError:
        return False


def _made_again(workspace: Workspace, exports: Sequence[MadeExport]) -> dict[str, str]:
    """Make exports again; return those that failed, by folder, with the reason."""
    failed = {}
    for made in exports:
        labels = None if made.labels is None else Path(made.labels)
        try:
            export_run(workspace, made.format, Path(made.folder), made.shape, made.reasoning, labels, made.settings)
        except InterplayError as error:
            failed[made.folder] = str(error)
    return failed


def _tells(path: Path, texts: set[str], part: str) -> bool:
    told = [text.encode() for text in texts if len(text) >= TELLING or text == part]
    return any(text in line for line in path.read_bytes().splitlines() for text in told)


def _holds(record: DatasetRecord, text: str) -> bool:
    whole = record.model_dump(mode="json")
    return bool(_replaced(whole, text) != whole)


def _without(record: DatasetRecord, text: str) -> DatasetRecord:
    try:
        changed = DatasetRecord.model_validate(_replaced(record.model_dump(mode="json"), text))
    except ValidationError:
        raise ConfigError(f"{text!r} is part of what makes up a record. {MORE}") from None
    said = (each.trajectory.messages if each.trajectory else () for each in (record, changed))
    for before, after in zip(*said, strict=True):
        whole = before.role != "tool" or after.content in (before.content, REDACTED)
        if not whole and json_value(before.content) is not None and json_value(after.content) is None:
            raise ConfigError(f"{text!r} is part of the notation of a result. Give the value alone, without it.")
    return changed


def _names(toolset: Toolset, records: Sequence[DatasetRecord]) -> Iterator[str]:
    """Yield the names and ids by which things are looked up: tools, their parameters, runs, tasks and records."""
    for tool in toolset.tools:
        yield tool.name
        yield from tool.properties
    for record in records:
        yield from (record.id, record.run, *([record.blueprint.id] if record.blueprint else []))


def _replaced(value: Any, text: str) -> Any:
    if isinstance(value, str):
        return value.replace(text, REDACTED)
    if isinstance(value, dict):
        return {key: _replaced(each, text) for key, each in value.items()}
    return [_replaced(each, text) for each in value] if isinstance(value, list) else value
