"""The records of a workspace -> a new run that evolves their tasks, or lets their dialogues branch.

It has a workspace of its own, so that its shards always hold the same indices, and its records follow from its
configuration, which includes the digest of the tasks or dialogues.
"""

from collections.abc import Sequence
from pathlib import Path

from interplay.flows.branches.branch_point import branches_at
from interplay.flows.settings.config import Evolution, RunConfig
from interplay.flows.settings.config_file import load_config
from interplay.flows.settings.dialogue_settings import BranchSettings
from interplay.flows.workspaces.manifest import RunFile
from interplay.flows.workspaces.record_lookup import find_record
from interplay.flows.workspaces.run_files import write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace, rows_digest
from interplay.schemas.errors import ConfigError
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.recipe import Direction
from interplay.schemas.records.verdict import DatasetRecord


def begin_evolution(source: Workspace, target: Workspace, direction: Direction, records: int | None) -> RunConfig:
    """Write the accepted tasks of `source` to `target` as parents; return the configuration that evolves them.

    Raises:
        ConfigError: there are no accepted tasks, a model plays their tools, or both workspaces are the same.
        StoreError: the store cannot be read, or the file cannot be written.
    """
    run = _source_run(source, target)
    with loaded_store(source) as store:
        accepted = [record.blueprint for record in store.accepted(run.run) if record.blueprint is not None]
    parents = [blueprint for blueprint in accepted if blueprint.start is None]
    if not parents:
        raise ConfigError(f"{source.folder}: nothing was accepted yet. Begin with: interplay run")
    _write(target, target.parents_file, parents)
    evolution = Evolution(direction=direction, parents=rows_digest(parents))
    told = {"evolution": evolution, "records": records or len(parents)}
    return run.config.model_copy(update={**told, "tasks_per_session": 1, "start": None, "branches": None})


def begin_branches(
    source: Workspace,
    target: Workspace,
    settings: BranchSettings,
    records: Sequence[str] = (),
    failed: bool = False,
    players: Path | None = None,
) -> RunConfig:
    """Write the dialogues of `source` that branch to `target`; return the configuration that makes their branches.

    These are the `records` named by index or id, or all accepted ones, and with `failed` also those that the assistant
    failed, which branch before its fault. `players` is a configuration of the models that continue; by default those that
    played before. Each index of the new run is a dialogue: attempt 0 is the dialogue itself, judged again, the others are its
    branches.

    Raises:
        ConfigError: nothing branches, a model plays the tools, or both workspaces are the same.
        StoreError: the store cannot be read, or the file cannot be written.
    """
    run = _source_run(source, target)
    if records:
        chosen = [find_record(source, name) for name in records]
    else:
        with loaded_store(source) as store:
            found = [*store.accepted(run.run), *(store.failed(run.run) if failed else ())]
        chosen = sorted(found, key=lambda record: (record.index, record.attempt))
    branching = [record for record in chosen if branches_at(record, settings) is not None]
    if not chosen:
        raise ConfigError(
            f"{source.name}: holds no dialogue to branch. Make some: interplay run --workspace {source.argument}"
        )
    if not branching and settings.turn is not None:
        raise ConfigError(
            f"No dialogue has an answer to turn {settings.turn} of the user. Name an earlier one with --turn."
        )
    if not branching:
        raise ConfigError(
            f"{source.folder}: none of these dialogues calls anything after its first turn. Name a turn with --turn."
        )
    _write(target, target.branched_file, branching)
    told = {
        "branches": settings, "branched": rows_digest(branching), "indices": len(branching),
        "records": len(branching) * (settings.count + 1), "copies": len(branching), "evolution": None, "start": None,
        "tasks_per_session": 1, "attempts": 1,
    }  # fmt: skip
    if players is not None:
        other = load_config(players)
        told |= {name: getattr(other, name) for name in ("models", "roles", "budget", "prices", "dialogues", "limits")}
    return run.config.model_copy(update=told)


def _source_run(source: Workspace, target: Workspace) -> RunFile:
    """Return the run of `source`, after checking that another one can be derived from it in `target`."""
    if source.folder.resolve() == target.folder.resolve():
        raise ConfigError(f"{target.folder}: a run derived from another needs a workspace of its own: --to FOLDER.")
    run = source.existing_run()
    if "tool" in run.config.roles:
        raise ConfigError(f"{source.folder}: a model plays the tools, so its calls do not run again. Use a sandbox.")
    return run


def _write(target: Workspace, path: Path, rows: Sequence[Blueprint | DatasetRecord]) -> None:
    """Write the rows that a run begins with, unless it has begun."""
    if target.run() is None:
        write_text(path, "".join(f"{row.model_dump_json()}\n" for row in rows))
