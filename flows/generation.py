"""One index of a run -> its records: compose, check, play, check; once for each attempt from there."""

import asyncio
import json
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from interplay.flows.assemble import World, simulated_world
from interplay.flows.attempts import compared
from interplay.flows.branch_settings import BranchSettings
from interplay.flows.branching import Branch, branch_of, branches_at, mistaken
from interplay.flows.cast import Cast
from interplay.flows.config import RunConfig
from interplay.flows.drafting import Draft, Panel, judged, open_panel
from interplay.flows.playing import Hear, play
from interplay.flows.sessions import Beginning, Sessions, going_on, judged_start
from interplay.flows.telling import Told
from interplay.flows.workshop import Workshop
from interplay.generators.blueprints.avoiding import Avoided
from interplay.generators.blueprints.recipes import Aim, aimed, language_at, make_recipe
from interplay.generators.graph.exploring import look_around
from interplay.generators.graph.graph import ToolGraph
from interplay.generators.graph.sampling import World as Sampled
from interplay.generators.models.limits import EndpointDown
from interplay.generators.values.people import hands_over
from interplay.schemas.blueprint import Blueprint, Recipe
from interplay.schemas.canonical import digest
from interplay.schemas.dialogue import Trajectory
from interplay.schemas.errors import EnvironmentFailure, Misunderstood, ModelError
from interplay.schemas.protocols import ChatModel
from interplay.schemas.tools import SEARCH_TOOL
from interplay.schemas.verdict import DatasetRecord, Failure, Issue, Round, Verdict
from interplay.validators.chain import check_trajectory
from interplay.validators.labelling import diagnose

VERSION = version("interplay")
CRASHES = (
    ArithmeticError, AttributeError, EnvironmentFailure, LookupError, RecursionError, TypeError, ValueError
)  # fmt: skip
"""What may go wrong in one index without ending the run."""

AGAIN = 1 << 40
"""What sets one more attempt at a task apart from all indices."""

INVENTIONS = 2
"""Times that a model is asked for one task: the second time it is told why the first will not do."""

OTHERWISE = 1 << 41
"""What sets the recipe of a dialogue that goes on from another one apart from all indices and attempts."""

OTHER_TARGETS = 4
"""Other tools that a task is tried about where the user who has been talking has no use for the one aimed at."""

MESSAGE = 400
"""Characters of a reason that are kept."""


@dataclass(frozen=True)
class Generator:
    """Makes the records of a run, each from its index alone; `cast` holds the models that play, if any do.

    `parents` are the tasks that the run evolves, if it does: each index has one of them; `branched` the dialogues that
    branch, if it is about these; `beginnings` are where dialogues begin, where that is not blank. `hear` is told each
    message of a dialogue as it is said.
    """

    config: RunConfig
    world: World
    graph: ToolGraph
    run: str
    cast: Cast | None = None
    parents: Sequence[Blueprint] = ()
    branched: Sequence[DatasetRecord] = ()
    beginnings: Sequence[Beginning] = ()
    hear: Hear = field(default=lambda _: None, repr=False, compare=False)

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The tools that recipes aim at: all that an assistant can call but the search."""
        return tuple(
            tool.name for tool in self.world.toolset.tools if tool.name != SEARCH_TOOL and tool.requestor == "assistant"
        )

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
        """Held by each dialogue under way where models play; the rules never wait, so one after the other is as fast."""
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
            records = (self._lost(index, error).model_copy(update={"rounds": tuple(rounds)}),)
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
            return compared(await self._branched(index))
        recipe = self._evolving(index) if self.parents else self.recipe(index)
        if aims and not self.parents:
            recipe = aimed(recipe, aims, self.config.recipes, self.world.toolset.rules)
        place, about = self.workshop(index), Verdict(check="start")
        if began is not None:
            place, differences = await place.after(began.start)
            about = judged_start(began.start, differences)
            if not about.passed:
                return (self._record(index, "start", verdicts=(about,)),)
            if began.start.origin != "session":  # what it goes on from may have come of the same index
                recipe = self.recipe(index + OTHERWISE).model_copy(update={"index": index})
            recipe = going_on(recipe, began)
        draft = await self._drafted(recipe, place, told if place.world is self.world else None)
        if isinstance(draft, Draft) and began is not None:
            draft = Draft(draft.blueprint, (about, *draft.verdicts))
        if isinstance(draft, Issue):
            return (self._record(index, "compose", verdicts=(Verdict(check="compose", issues=(draft,)),)),)
        panel = self.panel(place, index)
        if panel is not None:
            draft = await panel.settle(draft, place, rounds)
        if not draft.passed:
            made = self._record(index, draft.verdicts[-1].check, draft.blueprint, verdicts=draft.verdicts)
            return (made.model_copy(update={"rounds": tuple(rounds)}),)
        first = (await self._played(index, draft, place, 0)).model_copy(update={"rounds": tuple(rounds)})
        played = [first, *[await self._played(index, draft, place, number) for number in range(1, attempts)]]
        if self.config.branches is not None:
            best = next((record for record in played if record.status == "accepted"), first)
            played += await self._branches(best, best.attempt, place, attempts)
        return compared(played)

    async def _branched(self, index: int) -> list[DatasetRecord]:
        """Return a dialogue of another run, judged again, with its branches."""
        parent, place = self.branched[index], self.workshop(index)
        assert parent.blueprint is not None
        assert parent.trajectory is not None
        if parent.blueprint.start is not None:
            place, _ = await place.after(parent.blueprint.start)
        first = await self._judged(index, parent.trajectory, Draft(parent.blueprint, ()), place, 0)
        return [first, *await self._branches(first, parent.attempt, place, 1)]

    async def _branches(self, record: DatasetRecord, worded: int, place: Workshop, first: int) -> list[DatasetRecord]:
        """Return the branches of a dialogue as attempts at its task, numbered from `first` on; `worded` is its own number."""
        settings = self.config.branches or BranchSettings()
        cut = branches_at(record, settings)
        if cut is None or record.blueprint is None:
            return []
        by_rules = self.cast is None or self.cast.player("assistant", self.config.seed, record.index) is None
        wanted = settings.with_mistakes(by_rules) if record.status == "accepted" else 0
        draft = Draft(record.blueprint, ())
        async with place.turn():
            wrong = await mistaken(record, cut, self.world, wanted)
        made = [
            await self._judged(record.index, trajectory, draft, place, first + n) for n, trajectory in enumerate(wrong)
        ]
        branch = branch_of(record, cut, _numbered(record.blueprint, worded))
        for number in range(first + len(made), first + settings.count):
            made.append(await self._played(record.index, draft, place, number, branch))
        return made

    async def _played(
        self, index: int, draft: Draft, place: Workshop, number: int, branch: Branch | None = None
    ) -> DatasetRecord:
        """Play a task, check the dialogue, and label it if it fails."""
        made = draft.blueprint
        try:
            again = _numbered(made, number)
            trajectory = await play(again, place, self.cast, VERSION, self.config.limits, self.hear, branch)
            return await self._judged(index, trajectory, draft, place, number)
        except EndpointDown:
            raise
        except (ModelError, Misunderstood, *CRASHES) as error:
            return self._lost(index, error, made, number)

    async def _judged(
        self, index: int, trajectory: Trajectory, draft: Draft, place: Workshop, number: int
    ) -> DatasetRecord:
        """Check a dialogue, and label it if it fails."""
        made = draft.blueprint
        async with place.turn():
            judgement = await check_trajectory(trajectory, made, place.trajectory_checks)
            failure = await diagnose(trajectory, made, judgement, place.trajectory_checks, self.world.toolset)
        verdicts = (*draft.verdicts, *judgement.verdicts)
        return self._record(index, judgement.stage, made, trajectory, verdicts, number, failure)

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
        language = language_at(settings.language, settings.seed, index)
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
            return await place.composer.evolve(self._parent(recipe.index), recipe.evolve, recipe)
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
        return await place.composer.retell(told, again)

    async def aclose(self) -> None:
        """Close what the models hold open."""
        if self.cast is not None:
            await self.cast.aclose()

    def _lost(
        self, index: int, error: Exception, blueprint: Blueprint | None = None, attempt: int = 0
    ) -> DatasetRecord:
        """Return the record of what a crash, or a model that gives no answer, put an end to."""
        if isinstance(error, ModelError):
            stage, code, message = "model", "model_failed", str(error)
        elif isinstance(error, Misunderstood):
            stage, code, message = "branch", "cannot_go_on", str(error)
        else:
            place = traceback.extract_tb(error.__traceback__)[-1]
            stage, code = "crash", "crashed"
            message = f"{type(error).__name__}: {str(error)[:200]} ({Path(place.filename).name}:{place.lineno})"
        verdict = Verdict(check=stage, issues=(Issue(code=code, message=message[:MESSAGE]),))
        return self._record(index, stage, blueprint, verdicts=(verdict,), attempt=attempt)

    def _record(
        self,
        index: int,
        stage: str | None,
        blueprint: Blueprint | None = None,
        trajectory: Trajectory | None = None,
        verdicts: tuple[Verdict, ...] = (),
        attempt: int = 0,
        failure: Failure | None = None,
    ) -> DatasetRecord:
        if stage is not None and failure is None:
            failure = Failure(fault="other", stage=stage)
        return DatasetRecord(
            id=digest([self.run, index, blueprint.id if blueprint else None, *([attempt] if attempt else [])]),
            run=self.run,
            index=index,
            attempt=attempt,
            status="accepted" if stage is None else "rejected",
            stage=stage,
            failure=failure,
            blueprint=blueprint,
            trajectory=trajectory,
            verdicts=verdicts,
        )


def _numbered(blueprint: Blueprint, number: int) -> Blueprint:
    """Return a blueprint as another index: rules word it otherwise, and a model would only be given its first answers back."""
    if not number:
        return blueprint
    recipe = blueprint.recipe.model_copy(update={"index": blueprint.recipe.index + number * AGAIN})
    return blueprint.model_copy(update={"recipe": recipe})
