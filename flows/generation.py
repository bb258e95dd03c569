"""One index of a run -> its records: compose, check, play, check; once for each attempt from there."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from interplay.flows.ahead import Ahead
from interplay.flows.assemble import World, simulated_world
from interplay.flows.attempts import compared
from interplay.flows.cast import Cast
from interplay.flows.config import RunConfig
from interplay.flows.drafting import Composed, Draft, Panel, judged, open_panel
from interplay.flows.playing import Hear
from interplay.flows.sessions import Beginning, Sessions, going_on
from interplay.flows.telling import Told
from interplay.flows.trying import AGAIN, CRASHES, MESSAGE, Trials
from interplay.flows.workshop import Workshop
from interplay.generators.blueprints.aims import Aim, aimed
from interplay.generators.blueprints.avoiding import Avoided
from interplay.generators.blueprints.draws import language_at
from interplay.generators.blueprints.recipes import make_recipe
from interplay.generators.graph.exploring import look_around
from interplay.generators.graph.graph import ToolGraph
from interplay.generators.graph.world import World as Sampled
from interplay.generators.models.limits import EndpointDown
from interplay.generators.values.acknowledging import is_thought
from interplay.generators.values.people import hands_over
from interplay.schemas.blueprint import Blueprint
from interplay.schemas.errors import ModelError
from interplay.schemas.protocols import ChatModel
from interplay.schemas.recipe import Recipe
from interplay.schemas.tools import SEARCH_TOOL
from interplay.schemas.verdict import DatasetRecord, Issue, Round, Verdict

INVENTIONS = 2
"""Times that a model is asked for one task: the second time it is told why the first will not do."""

OTHERWISE = 1 << 41
"""What sets the recipe of a dialogue that goes on from another one apart from all indices and attempts."""

OTHER_TARGETS = 4
"""Other tools that a task is tried about where the user who has been talking has no use for the one aimed at."""


@dataclass(frozen=True)
class Generator:
    """Makes the records of a run, each from its index alone; `cast` holds the models that play, if any do.

    `parents` are the tasks that the run evolves, if it does: each index has one of them; `branched` the dialogues that
    branch, if it is about these; `beginnings` are where dialogues begin, where that is not blank. `hear` is told each
    message of a dialogue as it is said. Where tasks are composed `ahead`, no graph is needed here.
    """

    config: RunConfig
    world: World
    graph: ToolGraph | None
    run: str
    cast: Cast | None = None
    parents: Sequence[Blueprint] = ()
    branched: Sequence[DatasetRecord] = ()
    beginnings: Sequence[Beginning] = ()
    hear: Hear = field(default=lambda _: None, repr=False, compare=False)
    ahead: Ahead | None = None

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The tools that recipes aim at: all that an assistant can call but the search, and what only notes a thought."""
        tools = [
            tool for tool in self.world.toolset.tools if tool.name != SEARCH_TOOL and tool.requestor == "assistant"
        ]
        return tuple(tool.name for tool in [tool for tool in tools if not is_thought(tool)] or tools)

    @cached_property
    def trials(self) -> Trials:
        """What plays tasks and makes records of them."""
        return Trials(self.config, self.run, self.cast, self.hear)

    @cached_property
    def sessions(self) -> Sessions:
        """Where the sessions of this process stand."""
        return Sessions(self.config, self.beginnings)

    @cached_property
    def _two_sided(self) -> bool:
        return any(tool.requestor == "user" for tool in self.world.toolset.tools)

    @cached_property
    def _hands_over(self) -> bool:
        return any(hands_over(tool) for tool in self.world.toolset.tools if tool.requestor == "assistant")

    @cached_property
    def _shared(self) -> Workshop:
        return Workshop(self.world, self.graph)

    @cached_property
    def open_dialogues(self) -> asyncio.Semaphore:
        """Held by each dialogue under way where models play; the rules never wait."""
        return asyncio.Semaphore(self.config.open_dialogues())

    def workshop(self, index: int) -> Workshop:
        """Return where an index is worked on: the world of the run, or one of its own where a model plays the tools."""
        model = self.cast.model("tool", self.config.seed, index) if self.cast else None
        return self._shared if model is None else Workshop(simulated_world(self.world, model), self.graph)

    def panel(self, place: Workshop, index: int) -> Panel | None:
        """Return who reviews the blueprints of one index, if anybody does."""
        settings, seed = self.config.panel(), self.config.seed
        if settings is None:
            return None
        models = self.cast.reviewers(seed, index, settings.reviewers) if self.cast else ()
        composer = self.cast.player("composer", seed, index) if self.cast else None
        return open_panel(settings, models, composer, place.world.toolset)

    async def make_record(self, index: int, told: Told | None = None, aims: Sequence[Aim] = ()) -> DatasetRecord:
        """Return the first attempt at the task of an index alone; see `make_records`."""
        return (await self._all(index, told, aims, 1))[0]

    async def make_records(
        self, index: int, told: Told | None = None, aims: Sequence[Aim] = ()
    ) -> tuple[DatasetRecord, ...]:
        """Return what becomes of one index: a record for each attempt at its task, or one where there is no task.

        Without models, it is a pure function of the run's configuration and the index. With what was `told` by the indices
        before it in its shard, it looks for another scenario. With `aims`, some indices aim at these: they are part of the
        run then, and stand in its workspace. A crash costs this index or attempt alone, and leaves where it happened as the
        reason; so does a model that gives no answer.

        Raises:
            EndpointDown, BudgetExceeded: the run cannot go on now; what models answered is kept.
        """
        return await self._all(index, told, aims, self.config.attempts)

    async def _all(
        self, index: int, told: Told | None, aims: Sequence[Aim], attempts: int
    ) -> tuple[DatasetRecord, ...]:
        rounds: list[Round] = []
        began: Beginning | None = None
        records: tuple[DatasetRecord, ...] = ()
        try:
            began = await self.sessions.beginning(index, self)
            records = await self._attempts(index, told, aims, rounds, attempts, began)
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
        told: Told | None,
        aims: Sequence[Aim],
        rounds: list[Round],
        attempts: int,
        began: Beginning | None = None,
    ) -> tuple[DatasetRecord, ...]:
        if self.branched:
            return compared(await self.trials.branched(index, self.branched[index], self.workshop(index)))
        if self.ahead is not None:
            place, draft = self._shared, Composed.model_validate_json(await self.ahead.take(index)).outcome()
        elif began is not None:
            place, draft = await self._begun(index, began, told, aims)
        else:
            place = self.workshop(index)
            draft = await self._drafted(self._recipe(index, aims), place, told if place.world is self.world else None)
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
        first = (await self.trials.played(index, draft, place, 0)).model_copy(update={"rounds": tuple(rounds)})
        played = [first, *[await self.trials.played(index, draft, place, number) for number in range(1, attempts)]]
        if self.config.branches is not None:
            best = next((record for record in played if record.status == "accepted"), first)
            played += await self.trials.branches(best, best.attempt, place, attempts)
        return compared(played)

    def _recipe(self, index: int, aims: Sequence[Aim]) -> Recipe:
        """Return what an index asks for where some aim at holes, or tasks are evolved."""
        if self.parents:
            return self._evolving(index)
        recipe = self.recipe(index)
        aims = [aim for aim in aims if aim.kind != "tool" or aim.name in self.targets]
        return aimed(recipe, aims, self.config.recipes, self.world.toolset.rules) if aims else recipe

    async def _begun(
        self, index: int, began: Beginning, told: Told | None, aims: Sequence[Aim]
    ) -> tuple[Workshop, Draft | Issue | DatasetRecord]:
        """Return where a dialogue goes on, and its task; a record where its beginning does not run any more."""
        place, differences = await self.workshop(index).after(began.start)
        about = Verdict(check="start", issues=tuple(differences))
        if not about.passed:
            return place, self.trials.record(index, "start", verdicts=(about,))
        recipe = self._recipe(index, aims)
        if began.start.origin != "session":  # what it goes on from may have come of the same index
            recipe = self.recipe(index + OTHERWISE).model_copy(update={"index": index})
        draft = await self._drafted(going_on(recipe, began), place, told if place.world is self.world else None)
        return place, Draft(draft.blueprint, (about, *draft.verdicts)) if isinstance(draft, Draft) else draft

    async def composed(self, index: int, told: Told, aims: Sequence[Aim]) -> Composed:
        """Return what becomes of an index before anybody talks; the indices before it in its shard have chosen."""
        try:
            made = await self._drafted(self._recipe(index, aims), self._shared, told)
        except CRASHES as error:
            return Composed(lost=self.trials.lost(index, error))
        finally:
            told.chosen(index)
        if isinstance(made, Issue):
            return Composed(issue=made)
        return Composed(blueprint=made.blueprint, verdicts=made.verdicts)

    async def _drafted(self, recipe: Recipe, place: Workshop, told: Told | None) -> Draft | Issue:
        """Return the first draft with what the gates say of it, or why there is none."""
        writer = self.cast.player("composer", recipe.seed, recipe.index) if self.cast and recipe.written else None
        if writer is not None and place.world is self.world:
            invented = await self._invented(recipe, place, writer)
            if told is not None:
                await told.turn(recipe.index)
            async with place.turn():
                draft = await judged(invented, place, told.stories if told is not None else None)
            if told is not None:
                told.chosen(recipe.index)
            return draft
        if told is None:
            async with place.beginning() if self.cast else place.turn():
                if place.world is not self.world:
                    await look_around(Sampled(place.world.environment), recipe.target, f"{recipe.seed}/{recipe.index}")
                return await judged(await self._composed(recipe, place), place)
        await told.turn(recipe.index)
        async with place.beginning() if self.cast else place.turn():
            made = await self._composed(recipe, place, Avoided(told=told.stories.has))
            draft = await judged(made, place, told.stories)
        told.chosen(recipe.index)
        return draft

    async def _invented(self, recipe: Recipe, place: Workshop, writer: ChatModel) -> Blueprint | Issue:
        """Let a model invent the task of a recipe, and once more where it will not run or is not complete.

        Others may use the world while the model thinks.
        """
        failed: list[tuple[str, str]] = []
        for _ in range(INVENTIONS):
            async with place.turn():
                request = place.composer.ask_for_task(recipe, failed)
            reply = await writer.complete(request)
            async with place.turn():
                made = await place.composer.take_task(recipe, reply.value)
            told = json.dumps(reply.value, ensure_ascii=False)
            if isinstance(made, Issue):
                failed.append((told, made.message))
                continue
            blueprint, question = made
            answer = await writer.complete(question)
            if answer.value["completes"]:
                return blueprint
            failed.append((told, f"The calls do not do what is wanted: {answer.value['reason']}"))
        return Issue(code="no_blueprint", message=failed[-1][1][:MESSAGE], pointer=f"/recipe/{recipe.index}")

    def recipe(self, index: int) -> Recipe:
        """Return what an index asks for."""
        toolset, settings = self.world.toolset, self.config
        made = make_recipe(
            self.targets, settings.recipes, settings.seed, index, toolset.rules, self._two_sided, self._hands_over
        )
        language = language_at(settings.language, settings.seed, settings.session(index))
        return made if language == made.language else made.model_copy(update={"language": language})

    def _parent(self, index: int) -> Blueprint:
        return self.parents[index % len(self.parents)]

    def _evolving(self, index: int) -> Recipe:
        """Return the recipe of the task that an index evolves, as that of the index."""
        evolution = self.config.evolution
        told = {"index": index, "evolve": evolution.direction if evolution else None}
        return self._parent(index).recipe.model_copy(update=told)

    async def _composed(self, recipe: Recipe, place: Workshop, avoided: Avoided | None = None) -> Blueprint | Issue:
        """Compose a blueprint, evolve a given one, or let the recipe's persona tell the task of an earlier index again."""
        if place.start is not None:
            made = await place.composer.compose(recipe, avoided)
            for number in range(1, OTHER_TARGETS + 1):
                if isinstance(made, Issue):
                    target = self.recipe(recipe.index + number * AGAIN).target
                    made = await place.composer.compose(recipe.model_copy(update={"target": target}), avoided)
            return made
        if self.parents and recipe.evolve is not None:
            return await place.composer.evolution.evolve(self._parent(recipe.index), recipe.evolve, recipe)
        if recipe.retells is None or place is not self._shared:  # elsewhere, the other index has another world or state
            return await place.composer.compose(recipe, avoided)
        other = self.recipe(recipe.retells)
        told = await place.composer.compose(other)
        if isinstance(told, Issue):
            return told
        told = await place.composer.spoil(told)
        again = other.model_copy(
            update={
                "index": recipe.index,
                "retells": recipe.retells,
                "persona": recipe.persona,
                "language": recipe.language,
                "evolve": None,
            }
        )
        return await place.composer.evolution.retell(told, again)

    async def aclose(self) -> None:
        """Close what the models hold open."""
        if self.ahead is not None:
            await self.ahead.aclose()
        if self.cast is not None:
            await self.cast.aclose()
