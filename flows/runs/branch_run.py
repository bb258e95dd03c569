"""The dialogues of a workspace -> a run in which each of them branches, in a workspace of its own.

Its indices are the dialogues: attempt 0 is the dialogue as it was, judged again, the others are its branches.
"""

from collections.abc import Sequence
from pathlib import Path

from interplay.flows.branches.branch_point import branches_at
from interplay.flows.settings.branch_settings import BranchSettings
from interplay.flows.settings.config import RunConfig, load_config
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_files import make_folder, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.verdict import DatasetRecord


def begin_branches(
    source: Workspace,
    target: Workspace,
    settings: BranchSettings,
    records: Sequence[str] = (),
    failed: bool = False,
    players: Path | None = None,
) -> RunConfig:
    """Write the dialogues of `source` that branch to `target`; return the configuration that makes their branches.

    These are the `records` named by index or id, or all accepted ones, and with `failed` those that the assistant failed,
    which branch before its fault. `players` is a configuration that says who plays on; else it is who played before.

    Raises:
        ConfigError: nothing branches, a model plays the tools, or both workspaces are one.
        StoreError: the store cannot be read, or the file cannot be written.
    """
    if source.folder.resolve() == target.folder.resolve():
        raise ConfigError(f"{target.folder}: branches need a workspace of their own. Name another folder with --to.")
    run = source.existing_run()
    if "tool" in run.config.roles:
        raise ConfigError(f"{source.folder}: a model plays the tools, so its calls do not run again. Use a sandbox.")
    chosen = [find_record(source, name) for name in records] or _all(source, failed)
    branching = [record for record in chosen if branches_at(record, settings) is not None]
    if not branching:
        raise ConfigError(_why_none(source, chosen, settings))
    if target.run() is None:
        make_folder(target.folder)
        write_text(target.branched_file, "".join(f"{record.model_dump_json()}\n" for record in branching))
    told = {
        "branches": settings, "branched": digest([record.id for record in branching]), "indices": len(branching),
        "records": len(branching) * (settings.count + 1), "copies": len(branching), "evolution": None, "start": None,
        "tasks_per_session": 1, "attempts": 1,
    }  # fmt: skip
    if players is not None:
        other = load_config(players)
        told |= {name: getattr(other, name) for name in ("models", "roles", "budget", "prices", "dialogues", "limits")}
    return run.config.model_copy(update=told)


def _all(source: Workspace, failed: bool) -> list[DatasetRecord]:
    run = source.existing_run().run
    with loaded_store(source) as store:
        found = list(store.accepted(run))
        if failed:
            found += store.failed(run)
    return sorted(found, key=lambda record: (record.index, record.attempt))


def _why_none(source: Workspace, chosen: Sequence[DatasetRecord], settings: BranchSettings) -> str:
    if not chosen:
        return f"{source.folder}: holds no dialogue to branch. Make some: interplay run --workspace {source.folder}"
    if settings.turn is not None:
        return f"No dialogue has an answer to turn {settings.turn} of the user. Name an earlier one with --turn."
    return f"{source.folder}: none of these dialogues calls anything after its first turn. Name a turn with --turn."
