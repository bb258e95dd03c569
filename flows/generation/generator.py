"""One index of a run -> its records: compose, check, play, check; the last two once for each attempt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from interplay.flows.generation.attempts import CRASHES, Attempts
from interplay.flows.generation.panel import CheckedTask, ComposedTask, ReviewPanel, open_panel
from interplay.flows.generation.pass_rate import compare_attempts
from interplay.flows.generation.play import OnMessage
from interplay.flows.generation.sessions import Sessions, continued_recipe
from interplay.flows.generation.task_process import TaskProcess
from interplay.flows.generation.tasks import ScenarioOrder, Tasks
from interplay.flows.generation.workshop import Workshop
from interplay.flows.reviewers.dialogue_reviews import reviews_of
from interplay.flows.roles.cast import Cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.workspaces.manifest import DialogueStart
from interplay.flows.worlds.assembly import OpenedWorld, simulated_world
from interplay.generators.blueprints.recipes.aims import Aim
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.models.limits.limiter import EndpointDown
from interplay.generators.participants.wording.languages import load_grammar
from interplay.generators.values.world_seed import WorldSeed
from interplay.schemas.errors import ModelError
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.calibration import Votes
from interplay.schemas.records.recipe import MadeWorld
from interplay.schemas.records.verdict import DatasetRecord, Issue, Round, Verdict
from interplay.validators.review.dialogue_committee import ALIKE, TASK_AT_FAULT

OTHERWISE = 1 << 41
"""The index offset of the recipe of a dialogue that continues another one; apart from all indices and attempts."""

WORLDS_KEPT = 8
"""Worlds that are kept open; the indices of one world follow each other."""


@dataclass(frozen=True)
class Generator:
    """Makes the records of a run, each from its index alone; `cast` holds the models that play, if any do.

    `parents` are the tasks that the run evolves, one for each index in turn; `branched` are the dialogues that branch, one per index;
    `beginnings` are the starts of dialogues that do not begin blank. `hear` is called with each message as it is said.
    `ahead` composes tasks in another process, and then `graph` is not needed. `votes` are the weights of reviewers found by
    calibration.
    """

    config: RunConfig
    world: OpenedWorld
    graph: ToolGraph | None
    run: str
    cast: Cast | None = None
    parents: Sequence[Blueprint] = ()
    branched: Sequence[DatasetRecord] = ()
    beginnings: Sequence[DialogueStart] = ()
    hear: OnMessage = field(default=lambda _: None, repr=False, compare=False)
    ahead: TaskProcess | None = None
    votes: Votes = ALIKE

    @cached_property
    def tasks(self) -> Tasks:
        """Draws the task of each index."""
        return Tasks(self.config, self.world, self.cast, self.parents)

    @cached_property
    def trials(self) -> Attempts:
        """Plays tasks and makes records of them."""
        return Attempts(self.config, self.run, self.cast, reviews_of(self.config, self.cast, self.votes), self.hear)

    @cached_property
    def sessions(self) -> Sessions:
        """The state of the sessions in this process."""
        return Sessions(self.config, self.beginnings)

    @cached_property
    def _base(self) -> Workshop:
        return Workshop(self.world, self.graph, settings=self._recipes, unasked=self.tasks.unasked)

    @property
    def _recipes(self) -> RecipeSettings:
        """The settings of recipes; doubtful links are allowed if a composer's model can be asked about each."""
        asked = "composer" in self.config.roles
        return self.config.recipes.model_copy(update={"doubtful_links": True}) if asked else self.config.recipes

    @cached_property
    def _places(self) -> dict[str, Workshop]:
        """The worlds used last, by name, the latest last."""
        return {}

    def place_of(self, made: MadeWorld | None) -> Workshop:
        """Return the workshop of a world; it is opened again if it was not used lately."""
        if made is None or not self.world.varies:
            return self._base
        found = self._places.pop(made.name, None)
        if found is None:
            world = self.world.renewed(WorldSeed.of(made, self.config.worlds.rows))
            # worlds that share an environment also share its locks
            found = Workshop(world, self.graph, base=self._base, settings=self._recipes, unasked=self._base.unasked)
            if world.lasts:
                found = replace(found, lock=self._base.lock, door=self._base.door)
        self._places[made.name] = found
        while len(self._places) > WORLDS_KEPT:
            del self._places[next(iter(self._places))]
        return found

    def _world_of(self, index: int) -> MadeWorld | None:
        """Return the world of an index: that of the dialogue it branches or the task it evolves, else the one of its number."""
        known = self.branched[index] if self.branched else None
        if known is not None:
            return known.blueprint.world if known.blueprint else None
        return self.tasks.parent(index).world if self.parents else self.config.world(index)

    @cached_property
    def open_dialogues(self) -> asyncio.Semaphore:
        """Limits the dialogues under way where models play; rules never wait."""
        return asyncio.Semaphore(self.config.open_dialogues())

    def workshop(self, index: int) -> Workshop:
        """Return the workshop of an index: that of its made-up world, or a new one if a model plays the tools."""
        model = self.cast.model("tool", self.config.seed, index) if self.cast else None
        if model is None:
            return self.place_of(self._world_of(index))
        return Workshop(
            simulated_world(self.world, model), self.graph, settings=self._recipes, unasked=self.tasks.unasked
        )

    def panel(self, place: Workshop, index: int) -> ReviewPanel | None:
        """Return the panel that reviews the blueprints of an index, if any."""
        settings, seed = self.config.panel(), self.config.seed
        if settings is None:
            return None
        models = self.cast.reviewers(seed, index, settings.reviewers) if self.cast else ()
        composer = self.cast.player("composer", seed, index) if self.cast else None
        return open_panel(settings, models, composer, place.world.toolset)

    async def make_record(
        self, index: int, told: ScenarioOrder | None = None, aims: Sequence[Aim] = ()
    ) -> DatasetRecord:
        """Return the record of the first attempt only; see `make_records`."""
        return (await self.make_records(index, told, aims, 1))[0]

    async def make_records(
        self, index: int, told: ScenarioOrder | None = None, aims: Sequence[Aim] = (), attempts: int | None = None
    ) -> tuple[DatasetRecord, ...]:
        """Return the records of one index: one for each attempt at its task, or one if there is no task.

        Without models, this is a pure function of the run's configuration and the index. With `told`, the scenarios of earlier
        indices of the shard are avoided. With `aims`, which the workspace stores, some indices aim at these. `attempts` defaults to
        the number in the configuration. A crash, or a model that does not answer, costs only this index or attempt, and its
        record holds the reason.

        Raises:
            EndpointDown, BudgetExceeded: the run cannot go on now; what models answered is kept.
        """
        rounds: list[Round] = []
        began: DialogueStart | None = None
        records: tuple[DatasetRecord, ...] = ()
        try:
            began = await self.sessions.beginning(index, self)
            records = await self._attempts(index, told, aims, rounds, attempts or self.config.attempts, began)
        except EndpointDown:
            raise
        except (ModelError, *CRASHES) as error:
            records = (self.trials.lost(index, error).model_copy(update={"rounds": tuple(rounds)}),)
        finally:
            if told is not None:
                told.chosen(index)
            self.sessions.ended(index, records, began)
        return records

    async def _attempts(
        self,
        index: int,
        told: ScenarioOrder | None,
        aims: Sequence[Aim],
        rounds: list[Round],
        attempts: int,
        began: DialogueStart | None,
    ) -> tuple[DatasetRecord, ...]:
        if self.branched:
            return compare_attempts(await self.trials.branched(index, self.branched[index], self.workshop(index)))
        if self.ahead is not None:
            place, draft = (
                self.workshop(index),
                ComposedTask.model_validate_json(await self.ahead.take(index)).outcome(),
            )
        elif began is not None:
            place, draft = await self._begun(index, began, told, aims)
        else:
            place = self.workshop(index)
            draft = await self.tasks.drafted(self.tasks.asked(index, aims), place, None if place.imagined else told)
        if isinstance(draft, DatasetRecord):
            return (draft,)
        if isinstance(draft, Issue):
            return (self.trials.record(index, "compose", verdicts=(Verdict(check="compose", issues=(draft,)),)),)
        panel = self.panel(place, index)
        if panel is not None:
            draft = await panel.settle(draft, place, rounds)
        if not draft.passed:
            made = self.trials.record(index, draft.verdicts[-1].check, draft.blueprint, verdicts=draft.verdicts)
            return (made.model_copy(update={"rounds": tuple(rounds)}),)
        await self.trials.step()
        first = await self.trials.played(index, draft, place, 0)
        while panel is not None and _task_at_fault(first):
            revised = await panel.sent_back(draft, first.verdicts[-1], place, rounds)
            if revised is None:
                break
            draft = revised
            first = await self.trials.played(index, draft, place, 0)
        first = first.model_copy(update={"rounds": tuple(rounds)})
        played = [first, *[await self.trials.played(index, draft, place, number) for number in range(1, attempts)]]
        if self.config.branches is not None:
            best = next((record for record in played if record.status == "accepted"), first)
            played += await self.trials.branches(best, best.attempt, place, attempts)
        return compare_attempts(played, self.config.solve_band)

    async def _begun(
        self, index: int, began: DialogueStart, told: ScenarioOrder | None, aims: Sequence[Aim]
    ) -> tuple[Workshop, CheckedTask | Issue | DatasetRecord]:
        """Return the workshop in which a dialogue continues, and its task; a record if its start cannot be rebuilt."""
        start = began.start
        place = self.workshop(index) if start.origin == "conversation" else self.place_of(start.world)
        place, differences = await place.after(start)
        about = Verdict(check="start", issues=tuple(differences))
        if not about.passed:
            return place, self.trials.record(index, "start", verdicts=(about,))
        recipe = self.tasks.asked(index, aims)
        if began.start.origin != "session":  # the record it continues may be of the same index
            recipe = self.tasks.recipe(index + OTHERWISE).model_copy(update={"index": index})
        draft = await self.tasks.drafted(continued_recipe(recipe, began), place, None if place.imagined else told)
        return place, CheckedTask(draft.blueprint, (about, *draft.verdicts)) if isinstance(
            draft, CheckedTask
        ) else draft

    async def composed(self, index: int, told: ScenarioOrder, aims: Sequence[Aim]) -> ComposedTask:
        """Return the composed task of an index, before anybody talks; earlier indices of its shard must have chosen."""
        try:
            made = await self.tasks.drafted(self.tasks.asked(index, aims), self.workshop(index), told)
        except CRASHES as error:
            return ComposedTask(lost=self.trials.lost(index, error))
        finally:
            told.chosen(index)
        if isinstance(made, Issue):
            return ComposedTask(issue=made)
        return ComposedTask(blueprint=made.blueprint, verdicts=made.verdicts)

    @cached_property
    def _getting_ready(self) -> asyncio.Event:
        return asyncio.Event()

    async def get_ready(self) -> None:
        """Do once what a first dialogue would wait for: connect to models, load grammars, and hash the world's state."""
        if self._getting_ready.is_set():
            return
        self._getting_ready.set()
        if self.cast is not None:
            self.cast.connect()
        ComposedTask.model_rebuild()
        for language in self.config.language:
            load_grammar(language)
        async with self.workshop(0).turn() as environment:
            environment.digest()

    async def aclose(self) -> None:
        """Close the connections of models and the process that composes ahead."""
        if self.ahead is not None:
            await self.ahead.aclose()
        if self.cast is not None:
            await self.cast.aclose()


def _task_at_fault(record: DatasetRecord) -> bool:
    """Tell whether reviewers of a dialogue find its task at fault."""
    return record.status == "rejected" and any(issue.code == TASK_AT_FAULT for issue in record.verdicts[-1].issues)
