"""The first stages of a run as plain functions: import, describe a graph, prepare a workspace; `shards` makes records.

Each one takes a workspace and leaves files in it, so that it may run in this process, another one, or a Prefect task.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from interplay.flows.generation.attempts import VERSION
from interplay.flows.generation.generator import Generator
from interplay.flows.generation.task_process import TaskProcess
from interplay.flows.roles.cast import Cast, open_cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import DialogueStart, GraphFile, PhrasesFile, RunFile, identify
from interplay.flows.workspaces.run_files import read_record, write_lines, write_record
from interplay.flows.workspaces.shared_workspace import push_small
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import OpenedWorld, open_graph, open_world
from interplay.flows.worlds.explained_sources import note_accounts
from interplay.flows.worlds.fitness_warnings import fitness_of
from interplay.flows.worlds.proposed_phrases import propose_phrases
from interplay.flows.worlds.proposed_rows import propose_rows
from interplay.flows.worlds.tool_sources import import_source
from interplay.generators.graph.multigraph import ToolGraph, graph_of, graph_report, settled, verified_later
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.canonical import digest
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.tool_graph import GraphReport
from interplay.validators.review.dialogue_committee import ALIKE


def list_tools(specs: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Import the tools of all specifications; return them as lists `imported`, `repaired` and `rejected`.

    The list `sources` holds the overrides of each specification and how many tools were left out on purpose; `fitness` holds
    what the answers of its tools rest on.

    Raises:
        ConfigError, ImportFailure: a specification is not understood, or its source cannot be read.
    """
    listed: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("imported", "repaired", "rejected", "sources", "fitness")
    }
    for spec in specs:
        source = import_source(spec)
        report = source.report
        listed["sources"].append(
            {"toolset": spec, "overrides": source.authored.name or None, "left_out": source.left_out}
        )
        effects = {tool.name: tool.effect for tool in report.toolset.tools}
        for tool in report.reports:
            entry = {
                "name": tool.name,
                "file": tool.source.file,
                "pointer": tool.source.pointer,
                "reasons": list(tool.reasons),
                "effect": effects.get(tool.name) if tool.outcome != "rejected" else None,
            }
            listed[tool.outcome].append(entry)
        listed["fitness"].append(fitness_of(source).model_dump(mode="json"))
    return listed


async def describe_graph(
    specs: Sequence[str], seed: int = 0, *, verify: bool = True, config: RunConfig | None = None
) -> GraphReport:
    """Return the tool graph of all specifications without the built-in search; its edges are run if `verify`.

    `config` names models that help to find and judge edges, if any; their answers are not kept.

    Raises:
        ConfigError, ImportFailure: a specification is not understood, or its source cannot be read.
    """
    world = open_world(specs)
    if config is None:
        graph = await open_graph(world, seed, verify)
    else:
        with scratch_folder() as folder:
            journal = folder / "journal.sqlite"
            cast = open_cast(config, journal)
            try:
                judge = cast.player("composer", seed, 0) if cast is not None else None
                graph = await _helped(world, config, cast, journal, seed, verify, judge)
            finally:
                if cast is not None:
                    await cast.aclose()
    report = graph_report(graph)
    return GraphReport(
        nodes=tuple(node for node in report.nodes if node.name != SEARCH_TOOL),
        edges=tuple(edge for edge in report.edges if SEARCH_TOOL not in (edge.producer, edge.consumer)),
        orphans=tuple(node for node in report.orphans if node != SEARCH_TOOL),
    )


async def _helped(
    world: OpenedWorld,
    config: RunConfig,
    cast: Cast | None,
    journal: Path,
    seed: int,
    verify: bool = True,
    judge: ChatModel | None = None,
) -> ToolGraph:
    """Build a graph with the embedding model of the configuration, if any; a `judge` is asked about doubtful edges."""
    if config.embeddings is None:
        return await open_graph(world, seed, verify, None, judge)
    helpers = cast or Cast({}, {}, journal, config.budget, config.prices)
    try:
        async with helpers.embeddings(config.embeddings) as near:
            return await open_graph(world, seed, verify, near, judge)
    finally:
        if cast is None:
            await helpers.aclose()


async def prepare(
    workspace: Workspace,
    config: RunConfig,
    source: Path | None = None,
    ahead: TaskProcess | None = None,
    composes: bool = True,
) -> Generator:
    """Set a workspace up for a configuration, or check that it already is; return the generator of its records.

    With `ahead`, tasks are composed by that process; without `composes`, other processes build the graph and make the records.

    Raises:
        ConfigError: the workspace belongs to another configuration, or a toolset is not understood.
        ImportFailure, StoreError: a source cannot be read, or a file of the workspace cannot be written.
    """
    world, known = open_world(config.toolset), workspace.run()
    world.check_sizes(config.worlds.rows)
    given = known is None or "shard_size" in config.model_fields_set
    size = config.indices_per_shard() if given or known is None else known.config.shard_size
    config, starts = _with_starts(config.model_copy(update={"shard_size": size}), world, workspace)
    asked = identify(config, world.toolset.digest(), VERSION, source).model_copy(update={"code": world.code})
    run = workspace.begin(asked, world.toolset)
    if starts and not workspace.starts_file.exists():
        write_lines(workspace.starts_file, starts)
    if not workspace.toolset_file.exists():
        write_record(workspace.toolset_file, world.toolset)
    note_accounts(workspace, run.run, world)
    generator = await _generator(workspace, run, config, world, ahead=ahead, composes=composes)
    push_small(workspace)
    return generator


def _with_starts(
    config: RunConfig, world: OpenedWorld, workspace: Workspace
) -> tuple[RunConfig, tuple[DialogueStart, ...]]:
    """Return the configuration with the digest of the starts of dialogues, and these starts."""
    asked = {"start": config.start, "tasks_per_session": config.tasks_per_session > 1, "branches": config.branches}
    again = next((name for name, wanted in asked.items() if wanted), None)
    if again is not None and "tool" in config.roles:
        raise ConfigError(f"{again}: a model plays the tools, so calls do not run again. Leave `tool` out of roles.")
    if config.start is None:
        return config, ()
    from interplay.flows.generation.starts import gather_starts  # noqa: PLC0415 - DuckDB; few runs need it

    starts = workspace.starts() if workspace.starts_file.exists() else gather_starts(config.start, world)
    found = digest([beginning.model_dump(mode="json") for beginning in starts])
    return config.model_copy(update={"start": config.start.model_copy(update={"found": found})}), starts


async def _generator(
    workspace: Workspace,
    run: RunFile,
    config: RunConfig,
    world: OpenedWorld,
    workers: int = 1,
    talks: bool = True,
    ahead: TaskProcess | None = None,
    composes: bool = True,
) -> Generator:
    """Return the generator of a run; `config` limits its costs and speed, `run` decides everything else."""
    evolution = run.config.evolution
    parents = workspace.parents(evolution) if evolution else ()
    starts = workspace.starts() if run.config.start else ()
    branched = workspace.branched(run.config.branched) if run.config.branched else ()
    cast = open_cast(config, workspace.journal_file, workers) if talks else None
    try:
        world = await _with_phrases(workspace, run, world, cast)
        if ahead is not None:
            await ahead.open(workspace)
        graph = await _graph(workspace, run, world, cast) if ahead is None and composes else None
    except BaseException:
        if cast is not None:
            await cast.aclose()
        raise
    calibration = workspace.calibration()
    votes = ALIKE if calibration is None else calibration.votes
    return Generator(run.config, world, graph, run.run, cast, parents, branched, starts, ahead=ahead, votes=votes)


async def _with_phrases(workspace: Workspace, run: RunFile, world: OpenedWorld, cast: Cast | None) -> OpenedWorld:
    """Return the world with phrases from the composer's model; it is asked once, and the workspace stores its answers."""
    if "composer" not in run.config.roles:
        return world
    held = read_record(workspace.phrases_file, PhrasesFile, workspace.repair)
    if held is None or held.run != run.run:
        model = cast.player("composer", run.config.seed, 0) if cast is not None else None
        if model is None:
            return world
        made, rows = await propose_phrases(world, model), await propose_rows(world, model)
        left_out = {**made.left_out, **rows.left_out}
        held = PhrasesFile(run=run.run, phrases=dict(made.phrases), rows=dict(rows.rows), left_out=left_out)
        write_record(workspace.phrases_file, held)
    return world.exemplified(held.rows).phrased(held.phrases)


async def _graph(workspace: Workspace, run: RunFile, world: OpenedWorld, cast: Cast | None) -> ToolGraph:
    """Return the tool graph that the workspace holds, or build and write it.

    The composer is asked about a doubtful edge only by the first task that uses it. In a sandbox, edges are run when they are
    needed, and `settle_graph` writes the results.
    """
    held = workspace.graph()
    if held is None or held.run != run.run:
        graph = await _helped(world, run.config, cast, workspace.journal_file, run.config.seed)
        held = GraphFile(run=run.run, edges=tuple(graph.found))
        write_record(workspace.graph_file, held)
    # Built from the edges in their written order, so that this run and a continued one walk the same graph.
    names = [tool.name for tool in world.toolset.tools]
    if world.never_waits:
        return verified_later(names, held.edges, world.environment, run.config.seed)
    return graph_of(names, held.edges)


@asynccontextmanager
async def edges_run_meanwhile(generator: Generator) -> AsyncIterator[None]:
    """Run the edges that are reported inside the context, in which other processes make records."""

    async def run_edges() -> None:
        if generator.graph is not None:
            for _ in settled(generator.graph):
                await asyncio.sleep(0)

    running = asyncio.ensure_future(run_edges())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)  # what fails fails again when all are settled


def settle_graph(workspace: Workspace, generator: Generator) -> None:
    """Run the edges that are reported and were not run yet, and write them; records may be made before that."""
    held, graph = workspace.graph(), generator.graph
    if graph is not None and held is not None and graph.found_into is not None:
        found = held.model_copy(update={"edges": tuple(settled(graph))})
        if found != held:
            write_record(workspace.graph_file, found)


async def open_generator(workspace: Workspace, composes_in: OpenedWorld | None = None) -> Generator:
    """Return the generator of a prepared workspace, for other processes.

    With an opened world `composes_in`, it only composes tasks and opens no models.

    Raises:
        ConfigError: the sources of the tools are gone, or have changed since.
    """
    run = workspace.existing_run()
    world = composes_in or open_world(run.config.toolset)
    if world.toolset.digest() != run.toolset:
        told = workspace.toolset_changes(world.toolset)
        raise ConfigError(
            f"{workspace.name}: the tools have changed since the run began{told}. Use another --workspace."
        )
    workspace.require_code(run, world.code)
    return await _generator(workspace, run, run.config, world, run.config.workers, talks=composes_in is None)
