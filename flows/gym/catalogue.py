"""The tasks that can be opened: those of a workspace's accepted records, or those composed for a configuration."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from interplay.flows.generation.generator import Generator
from interplay.flows.generation.tasks import ScenarioOrder
from interplay.flows.generation.workshop import Workshop
from interplay.flows.roles.cast import Cast, open_cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.run_store import loaded_store
from interplay.flows.workspaces.workspace import Workspace
from interplay.flows.worlds.assembly import open_graph, open_world
from interplay.outputs.store.splits import split_of
from interplay.schemas.errors import ConfigError
from interplay.schemas.json.record import Record
from interplay.schemas.records.blueprint import Blueprint
from interplay.validators.blueprints.duplicates import Duplicates

TRIES = 5
"""Indices tried for each task asked for, when they are composed."""


class TaskSummary(Record):
    """One entry in the list of tasks."""

    id: str
    index: int
    pattern: str
    split: str
    difficulty: float | None = None
    pass_rate: float | None = None
    attempts: int = 1
    calls: int
    turns: int
    tools: tuple[str, ...]
    language: str
    idle: bool = False


@dataclass(frozen=True)
class GymTask:
    """One task: its blueprint, and how many of its attempts passed, if it had several."""

    blueprint: Blueprint
    index: int
    attempts: int = 1
    passed: int | None = None

    @cached_property
    def summary(self) -> TaskSummary:
        """Its entry in the list; `idle` if the right answer is to call nothing."""
        made = self.blueprint
        return TaskSummary(
            id=made.id, index=self.index, pattern=made.pattern, split=split_of(made),
            difficulty=None if made.difficulty is None else made.difficulty.score,
            pass_rate=None if self.passed is None else self.passed / self.attempts, attempts=self.attempts,
            calls=sum(action.requestor == "assistant" for action in made.calls),
            turns=len(made.scenario.requests), tools=tuple(dict.fromkeys(action.tool for action in made.calls)),
            language=made.scenario.language,
            idle=not made.calls and not made.expected.outputs,
        )  # fmt: skip


@dataclass(frozen=True)
class Catalogue:
    """Tasks by id, in order, with the generator that opens their worlds; the `cast` holds models that play users."""

    config: RunConfig
    generator: Generator
    tasks: dict[str, GymTask] = field(default_factory=dict)
    cast: Cast | None = None

    async def place(self, task: GymTask) -> Workshop:
        """Return the workshop in which a task is played, in the state in which it begins."""
        place = self.generator.place_of(task.blueprint.world)
        if task.blueprint.start is not None:
            place, _ = await place.after(task.blueprint.start)
        return place

    def listed(
        self,
        split: str | None = None,
        pattern: str | None = None,
        difficulty: tuple[float, float] = (0.0, 1.0),
        pass_rate: tuple[float, float] = (0.0, 1.0),
        tried: Mapping[str, tuple[float, int]] | None = None,
    ) -> Iterator[TaskSummary]:
        """Yield the tasks of a split and a pattern whose difficulty and pass rate lie in the bands; unknown values always do.

        `tried` holds pass rates and numbers of attempts by task, which replace those of the workspace.
        """
        for task in self.tasks.values():
            told = task.summary
            if tried is not None and told.id in tried:
                rate, attempts = tried[told.id]
                told = told.model_copy(update={"pass_rate": rate, "attempts": attempts})
            if (split is None or told.split == split) and (pattern is None or told.pattern == pattern):
                within = told.difficulty is None or difficulty[0] <= told.difficulty <= difficulty[1]
                if within and (told.pass_rate is None or pass_rate[0] <= told.pass_rate <= pass_rate[1]):
                    yield told


@asynccontextmanager
async def with_users(catalogue: Catalogue, journal: Path) -> AsyncIterator[Catalogue]:
    """Open the models that play or interpret users, if the configuration has any; the journal keeps their answers for `verify`.

    Raises:
        ConfigError, StoreError: see `open_cast`.
    """
    roles = {role: settings for role, settings in catalogue.config.roles.items() if role in ("user", "interpreter")}
    cast = open_cast(catalogue.config.model_copy(update={"roles": roles}), journal)
    try:
        yield replace(catalogue, cast=cast)
    finally:
        if cast is not None:
            await cast.aclose()


async def workspace_tasks(workspace: Workspace) -> Catalogue:
    """Return the tasks of a workspace with at least one accepted attempt.

    Raises:
        ConfigError: the workspace holds no run yet.
        StoreError: its records cannot be read.
        ImportFailure: its tools cannot be read any more.
    """
    run = workspace.existing_run()
    generator = await _generator(run.config, graph=False)
    tasks: dict[str, GymTask] = {}
    with loaded_store(workspace) as store:
        counted = store.query(
            "SELECT index, count(*) AS attempts, count(*) FILTER (status = 'accepted') AS passed FROM records "
            "WHERE run = ? GROUP BY index",
            [run.run],
        )
        of = {int(row["index"]): (int(row["attempts"]), int(row["passed"])) for row in counted}
        for record in store.accepted(run.run):
            if record.blueprint is not None and record.blueprint.id not in tasks:
                attempts, passed = of[record.index]
                tasks[record.blueprint.id] = GymTask(
                    record.blueprint, record.index, attempts, passed if attempts > 1 else None
                )
    return Catalogue(run.config, generator, tasks)


async def composed_tasks(config: RunConfig, wanted: int) -> Catalogue:
    """Compose tasks for a configuration, as a run does, and return those whose dialogue by rules is accepted.

    Raises:
        ConfigError, ImportFailure: a source of tools is not understood, or cannot be read.
    """
    generator = await _generator(config, graph=True)
    tasks: dict[str, GymTask] = {}
    indices = range(wanted * TRIES if config.indices is None else config.indices)
    order = ScenarioOrder(indices, Duplicates(config.copies))
    for index in indices:
        made = (await generator.make_records(index, order, (), 1))[0]
        if made.status == "accepted" and made.blueprint is not None:
            tasks.setdefault(made.blueprint.id, GymTask(made.blueprint, index))
        if len(tasks) >= wanted:
            break
    if not tasks:
        raise ConfigError(f"{', '.join(config.toolset)}: no task could be composed. Look at it: interplay preview.")
    return Catalogue(config, generator, tasks)


async def _generator(config: RunConfig, graph: bool) -> Generator:
    world = open_world(config.toolset)
    world.check_sizes(config.worlds.rows)
    return Generator(config, world, await open_graph(world, config.seed) if graph else None, "gym")
