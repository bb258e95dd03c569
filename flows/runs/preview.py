"""A configuration -> a few dialogues, played and not stored."""

from collections.abc import AsyncIterator, Callable

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.starts import gather_starts
from interplay.flows.roles.cast import open_cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.outputs.store.scratch import scratch_folder
from interplay.schemas.records.dialogue import Message
from interplay.schemas.records.verdict import DatasetRecord


async def preview(config: RunConfig, indices: range, hear: Callable[[Message], None]) -> AsyncIterator[DatasetRecord]:
    """Play some indices of a run, one after the other, and yield each record after its last message.

    Raises:
        ConfigError, ImportFailure: a toolset is not understood, or cannot be read.
        ModelUnavailable, BudgetExceeded: as for a run.
    """
    world = open_world(config.toolset)
    world.check_sizes(config.worlds.rows)
    with scratch_folder() as folder:
        cast = open_cast(config, folder / "journal.sqlite")
        graph = await open_graph(world, config.seed)
        starts = () if config.start is None else gather_starts(config.start, world)
        generator = Generator(config, world, graph, "preview", cast, beginnings=starts, hear=hear)
        try:
            for index in indices:
                yield await generator.make_record(index)
        finally:
            await generator.aclose()
