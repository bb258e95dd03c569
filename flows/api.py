"""The Python API: what `interplay run`, `preview`, `import`, `graph`, `export` and `stats` do, for scripts and notebooks.

Functions that may call a model are `async`: `await` them in a notebook, or pass them to `asyncio.run` in a script. All
others are plain functions. All accept what the command line accepts, and raise an `InterplayError` whose message says
what is wrong, where, and how to fix it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interplay.flows.settings.config import RunConfig
from interplay.flows.settings.config_file import load_config, parse_config, with_absolute_paths
from interplay.flows.settings.specs import absolute_spec
from interplay.flows.workspaces.chosen_config import choose_config
from interplay.flows.workspaces.shared_workspace import workspace_folder
from interplay.flows.workspaces.workspace import Workspace
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.tool import ImportReport
from interplay.schemas.records.tool_graph import GraphReport
from interplay.schemas.records.verdict import DatasetRecord

if TYPE_CHECKING:  # generation, Arrow and DuckDB are slow to import
    from interplay.flows.runs.committer import OnProgress, RunSummary
    from interplay.outputs.exporters.export import ExportReport
    from interplay.outputs.exporters.export_formats import FormatName, Shape
    from interplay.outputs.exporters.export_settings import ExportSettings
    from interplay.outputs.store.dataset_store import DatasetStore

Config = RunConfig | Mapping[str, Any] | Path | str
"""A configuration: the path of its file, or its settings. Relative paths in settings start at the working directory."""


async def run(
    workspace: Path | str,
    config: Config | None = None,
    *,
    records: int | None = None,
    tell: "OnProgress" = lambda _: None,
) -> "RunSummary":
    """Make records in a workspace until `records` of them are accepted; a second call continues where the first stopped.

    Without `config`: `interplay.yaml` of the workspace or of the working directory, else the configuration that the workspace
    was made with. Without `records`: the number in the configuration. `tell` is called with the progress after each shard.
    Returns the counts of accepted and rejected records, rejections by issue code, and the cost of models.

    Raises:
        ConfigError: a setting is not understood, or the workspace belongs to another configuration.
        ImportFailure: a source of tools cannot be read.
        BudgetExceeded: too many indices were tried, nearly nothing passes, or the money is spent; what was made is kept.
        StoreError: the workspace is in use, or a file of it cannot be read or written.
        ModelUnavailable: a model does not answer; the run can be continued.
    """
    from interplay.flows.generation.task_process import TaskProcess, can_compose_ahead  # noqa: PLC0415 - see above
    from interplay.flows.runs.run import run as make_records  # noqa: PLC0415
    from interplay.flows.runs.task_server import compose  # noqa: PLC0415

    place = Workspace(workspace_folder(workspace))
    chosen, source = _chosen(config, place)
    with TaskProcess(chosen, compose) if can_compose_ahead(chosen) else nullcontext() as ahead:
        return await make_records(place, chosen, tell, source, records, ahead=ahead)


async def preview(
    config: Config | None = None,
    count: int = 3,
    *,
    start: int = 0,
    hear: Callable[[Message], None] = lambda _: None,
) -> tuple[DatasetRecord, ...]:
    """Play the dialogues of `count` indices from `start` on, and return their records; nothing is stored.

    `hear` is called with each message as it is said. An index with several attempts has several records.

    Raises:
        ConfigError, ImportFailure: a setting or a source of tools is not understood, or cannot be read.
        ModelUnavailable, BudgetExceeded: see `run`.
    """
    from interplay.flows.runs.preview import preview as play  # noqa: PLC0415 - Arrow and DuckDB

    chosen, _ = _chosen(config, Workspace(Path("no-workspace")))
    return tuple([record async for record in play(chosen, range(start, start + count), hear)])


def import_tools(toolset: str) -> ImportReport:
    """Import the tools of one source, named as for `--toolset`: `domain:clinic`, `openapi:PATH`, `json:PATH`, ...

    Returns the toolset (`.toolset.tools`), and for each operation of the source whether it was imported, repaired or
    rejected, why, and its place in the source (`.reports`). A bad tool is left out; only an unreadable source raises.

    Raises:
        ConfigError: the name of the source, or a file of overrides beside it, is not understood.
        ImportFailure: the source cannot be read.
    """
    from interplay.flows.worlds.tool_sources import import_spec  # noqa: PLC0415 - see above

    return import_spec(absolute_spec(toolset, Path.cwd()))


async def build_graph(
    toolset: str | Sequence[str], *, seed: int = 0, verify: bool = True, config: Config | None = None
) -> GraphReport:
    """Return which tool's output can feed which tool's input: `nodes`, `edges` (best first), tools without edges (`orphans`).

    With `verify`, each edge is tried out in the sandbox, with values drawn from `seed`. `config` may name models that help to
    find and judge edges; its other settings are ignored.

    Raises:
        ConfigError, ImportFailure: a source is not understood, or cannot be read.
    """
    from interplay.flows.runs.stages import describe_graph  # noqa: PLC0415 - see above

    named = [toolset] if isinstance(toolset, str) else toolset
    helpers = None if config is None else _config(config)
    return await describe_graph(
        [absolute_spec(spec, Path.cwd()) for spec in named], seed, verify=verify, config=helpers
    )


def export(
    workspace: Path | str,
    to: Path | str,
    *,
    format: "FormatName" = "openai",
    shape: "Shape" = "jsonl",
    reasoning: bool = True,
    labels: Path | str | None = None,
    settings: "ExportSettings | None" = None,
) -> "ExportReport":
    """Export the accepted records of a workspace with a dataset card to the folder `to`, load them again, and compare each.

    An earlier export there is replaced. `shape` selects the files: `jsonl`, `parquet`, or `dataset` (for `load_from_disk`);
    `reasoning` keeps the assistant's reasoning; `labels` is a file of human labels, which overrule reviewers; `settings` holds
    columns, splits, lengths and file sizes. Returns the rows of each split, how many were loaded unchanged, and what the
    format cannot hold.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: the store cannot be read, or the folder cannot be written.
    """
    from interplay.flows.workspaces.run_store import export_run  # noqa: PLC0415 - Arrow and DuckDB
    from interplay.outputs.exporters.export_settings import ExportSettings  # noqa: PLC0415

    said, place = None if labels is None else Path(labels), Workspace(workspace_folder(workspace))
    return export_run(place, format, Path(to), shape, reasoning, said, settings or ExportSettings())


@contextmanager
def open_store(workspace: Path | str) -> "Iterator[DatasetStore]":
    """Open the database of a workspace with all finished shards loaded, as a context manager; one process at a time.

    `store.query(sql)` returns rows as dicts; `store.accepted(summary.run)` yields records in the order of their indices;
    `store.record(id)` returns one.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: the store is in use or broken, or a shard file is broken.
    """
    from interplay.flows.workspaces.run_store import loaded_store  # noqa: PLC0415 - Arrow and DuckDB

    with loaded_store(Workspace(workspace_folder(workspace))) as store:
        yield store


def _chosen(config: Config | None, workspace: Workspace) -> tuple[RunConfig, Path | None]:
    """Return the configuration to run, and the file that it was read from, if any."""
    if config is None or isinstance(config, (Path, str)):
        return choose_config(None if config is None else Path(config), (), workspace, Path.cwd())
    return _config(config), None


def _config(config: Config) -> RunConfig:
    if isinstance(config, RunConfig):
        return config
    if isinstance(config, Mapping):
        return with_absolute_paths(parse_config(dict(config), "config"), Path.cwd())
    return load_config(Path(config))
