"""The accepted tasks of a workspace -> a run of what evolves from them, in a workspace of its own.

A run of its own keeps what a run promises: its shards hold the same indices for ever, and its records follow from its
configuration, of which the direction and the digest of the parents are part.
"""

from interplay.flows.settings.config import Evolution, RunConfig
from interplay.flows.workspaces.run_files import make_folder, write_text
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest
from interplay.schemas.records.recipe import Direction


def begin_evolution(source: Workspace, target: Workspace, direction: Direction, records: int | None) -> RunConfig:
    """Write the accepted tasks of `source` to `target` as parents; return the configuration that evolves them.

    Raises:
        ConfigError: there are no accepted tasks, a model plays their tools, or both workspaces are one.
        StoreError: the store cannot be read, or the file cannot be written.
    """
    if source.folder.resolve() == target.folder.resolve():
        raise ConfigError(f"{target.folder}: a run cannot evolve into itself. Name another folder with --to.")
    run = source.existing_run()
    if "tool" in run.config.roles:
        raise ConfigError(f"{source.folder}: a model plays the tools, so its tasks do not run again. Use a sandbox.")
    with loaded_store(source) as store:
        accepted = [record.blueprint for record in store.accepted(run.run) if record.blueprint is not None]
    parents = [blueprint for blueprint in accepted if blueprint.start is None]
    if not parents:
        raise ConfigError(f"{source.folder}: nothing was accepted yet. Begin with: interplay run")
    evolution = Evolution(direction=direction, parents=digest([parent.id for parent in parents]))
    known = target.run()
    if known is None:
        make_folder(target.folder)
        write_text(target.parents_file, "".join(f"{parent.model_dump_json()}\n" for parent in parents))
    told = {"evolution": evolution, "records": records or len(parents)}
    return run.config.model_copy(update={**told, "tasks_per_session": 1, "start": None, "branches": None})
