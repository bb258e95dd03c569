"""An index of a run -> its task: composed, evolved, invented by a model or retold, with the verdicts of the gates."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from interplay.flows.generation.attempts import MESSAGE, OTHER_INDEX
from interplay.flows.generation.panel import CheckedTask, check_task
from interplay.flows.generation.workshop import Workshop
from interplay.flows.roles.cast import Cast
from interplay.flows.settings.config import RunConfig
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.blueprints.by_model.tool_pairs import pair_doubts, pairs_of
from interplay.generators.blueprints.composition.novelty import Avoided
from interplay.generators.blueprints.recipes.aims import Aim, with_aim
from interplay.generators.blueprints.recipes.draws import language_at
from interplay.generators.blueprints.recipes.index_recipe import make_recipe
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.blueprints.recipes.target_rounds import target_round
from interplay.generators.blueprints.sense.plausibility import with_doubts
from interplay.generators.graph.borderline_edges import check_borderline, doubtful_edges
from interplay.generators.graph.sampling.exploration import list_referenced_rows
from interplay.generators.graph.sampling.world import World as Sampled
from interplay.generators.phrases.escalation import hands_over
from interplay.generators.results.acknowledgement import is_thought
from interplay.schemas.protocols import ChatModel
from interplay.schemas.records.blueprint import Blueprint, Sense
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import Issue
from interplay.validators.blueprints.duplicates import Duplicates

INVENTIONS = 2
"""How often a model is asked for one task; the second time with the reasons against its first answer."""

OTHER_TARGETS = 4
"""Other target tools that are tried if a continued conversation's user has no use for the one aimed at."""


@dataclass
class ScenarioOrder:
    """The stories of a shard so far: its `indices` choose one after the other, so that the outcome does not depend on timing."""

    indices: Sequence[int]
    stories: Duplicates
    _chosen: dict[int, asyncio.Event] = field(default_factory=dict, init=False, repr=False)

    async def turn(self, index: int) -> None:
        """Wait until the previous index has chosen."""
        before = self._before.get(index)
        if before is not None:
            await self._event(before).wait()

    @cached_property
    def _before(self) -> dict[int, int]:
        return {later: earlier for earlier, later in pairwise(self.indices)}

    def chosen(self, index: int) -> None:
        """Let the next index choose."""
        self._event(index).set()

    def _event(self, index: int) -> asyncio.Event:
        return self._chosen.setdefault(index, asyncio.Event())


@dataclass(frozen=True)
class Tasks:
    """Draws the tasks of a run, each from its index alone; `parents` are the tasks that it evolves, if any."""

    config: RunConfig
    world: OpenedWorld
    cast: Cast | None = None
    parents: Sequence[Blueprint] = ()

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The tools that recipes aim at: those that the assistant can call and that have good phrases.

        The tool search, and tools that only note a thought, are left out.
        """
        tools = [
            tool for tool in self.world.toolset.tools if tool.name != SEARCH_TOOL and tool.requestor == "assistant"
        ]
        tools = [tool for tool in tools if not is_thought(tool)] or tools
        return tuple(tool.name for tool in [tool for tool in tools if tool.name not in self.unasked] or tools)

    @cached_property
    def _round(self) -> tuple[str, ...]:
        """The target tools, each as often as it is aimed at in one round."""
        by_name = self.world.toolset.by_name
        return target_round([by_name[name] for name in self.targets], self.world.environment.resources)

    @cached_property
    def unasked(self) -> Mapping[str, str]:
        """The tools that no task is about because no good phrases are known for them, each with the reason."""
        return {} if self.config.recipes.unphrased else self.world.unasked

    @cached_property
    def _two_sided(self) -> bool:
        return any(tool.requestor == "user" for tool in self.world.toolset.tools)

    @cached_property
    def _hands_over(self) -> bool:
        return any(hands_over(tool) for tool in self.world.toolset.tools if tool.requestor == "assistant")

    @cached_property
    def _recipes(self) -> RecipeSettings:
        """The settings of recipes; plainer ones if most target tools have no phrases."""
        aimed = [tool for tool in self.world.toolset.tools if tool.name in self.targets]
        worded = 2 * sum(bool(tool.phrases.wishes) for tool in aimed) >= len(aimed)
        return self.config.recipes if worded else self.config.recipes.plainly()

    def recipe(self, index: int) -> Recipe:
        """Return the recipe of an index."""
        toolset, settings = self.world.toolset, self.config
        made = make_recipe(
            self._round, self._recipes, settings.seed, index, toolset.rules, self._two_sided, self._hands_over,
            settings.world_begins(index) if self.world.varies else 0,
        )  # fmt: skip
        language = language_at(settings.language, settings.seed, settings.session(index))
        return made if language == made.language else made.model_copy(update={"language": language})

    def asked(self, index: int, aims: Sequence[Aim]) -> Recipe:
        """Return the recipe of an index, changed if the run evolves tasks or has `aims`."""
        if self.parents:
            return self._evolving(index)
        recipe = self.recipe(index)
        aims = [aim for aim in aims if aim.kind != "tool" or aim.name in self.targets]
        return with_aim(recipe, aims, self.config.recipes, self.world.toolset.rules) if aims else recipe

    def _evolving(self, index: int) -> Recipe:
        """Return the recipe for evolving a task at an index: the parent's recipe with this index."""
        evolution = self.config.evolution
        told = {"index": index, "evolve": evolution.direction if evolution else None}
        return self.parent(index).recipe.model_copy(update=told)

    def parent(self, index: int) -> Blueprint:
        """Return the task that an index evolves."""
        return self.parents[index % len(self.parents)]

    async def drafted(self, recipe: Recipe, place: Workshop, told: ScenarioOrder | None) -> CheckedTask | Issue:
        """Return the first draft with the verdicts of the gates, or why there is none."""
        writer = self.cast.player("composer", recipe.seed, recipe.index) if self.cast and recipe.written else None
        if writer is not None and not place.imagined:
            invented = await self._invented(recipe, place, writer)
            if told is not None:
                await told.turn(recipe.index)
            async with place.turn():
                draft = await check_task(invented, place, told.stories if told is not None else None)
            if told is not None:
                told.chosen(recipe.index)
            return draft
        if told is not None:
            await told.turn(recipe.index)
        draft = await self._agreed(recipe, place, told.stories if told is not None else None)
        if told is not None:
            told.chosen(recipe.index)
        return draft

    async def _agreed(self, recipe: Recipe, place: Workshop, stories: Duplicates | None) -> CheckedTask | Issue:
        """Compose a task, and another one if the composer's model rejects a doubtful edge or pair of tools that it uses.

        Others may use the world while the model thinks; it is asked about each edge or pair only once.
        """
        judge = self.cast.player("composer", recipe.seed, 0) if self.cast and place.graph else None
        avoided, refused = Avoided(told=stories.has) if stories is not None else None, list[Edge]()
        while True:
            here = place.without(refused)
            async with place.beginning() if self.cast else place.turn():
                if place.imagined:
                    await list_referenced_rows(
                        Sampled(place.world.environment), recipe.target, f"{recipe.seed}/{recipe.index}"
                    )
                made = await self._composed(recipe, here, avoided)
                doubtful = doubtful_edges(made, here.edges) if judge is not None and isinstance(made, Blueprint) else []
                pairs = pairs_of(made) if judge is not None and isinstance(made, Blueprint) else ()
                if judge is None or not (doubtful or pairs):
                    return await check_task(made, here, stories)
            doubts = await pair_doubts(pairs, self.world.toolset, judge)
            if doubts and isinstance(made, Blueprint):
                made = made.model_copy(update={"sense": with_doubts(made.sense or Sense(score=1.0), doubts.values())})
                if made.sense is not None and made.sense.score < self.config.recipes.sense:
                    refused += [edge for edge in here.edges if (edge.producer, edge.consumer) in doubts]
                    continue
            kept = {edge.ends for edge in await check_borderline(doubtful, self.world.toolset, judge)}
            wrong = [edge for edge in doubtful if edge.ends not in kept]
            if not wrong:
                async with place.turn():
                    return await check_task(made, here, stories)
            refused += wrong

    async def _composed(self, recipe: Recipe, place: Workshop, avoided: Avoided | None = None) -> Blueprint | Issue:
        """Compose a blueprint, evolve one, or retell one, as the recipe says."""
        if place.start is not None:
            made = await place.composer.compose(recipe, avoided)
            for number in range(1, OTHER_TARGETS + 1):
                if isinstance(made, Issue):
                    target = self.recipe(recipe.index + number * OTHER_INDEX).target
                    made = await place.composer.compose(recipe.model_copy(update={"target": target}), avoided)
            return made
        if self.parents and recipe.evolve is not None:
            return await place.composer.evolution.evolve(self.parent(recipe.index), recipe.evolve, recipe)
        if recipe.retells is not None and not place.imagined:  # if it is imagined, the other index has another world
            return await self._retold(recipe, recipe.retells, place)
        return await place.composer.compose(recipe, avoided)

    async def _retold(self, recipe: Recipe, earlier: int, place: Workshop) -> Blueprint | Issue:
        """Let the persona of a recipe retell the task of an earlier index."""
        other = self.recipe(earlier)
        told = await place.composer.compose(other)
        if isinstance(told, Issue):
            return told
        told = await place.composer.spoil(told)
        teller = {"index": recipe.index, "persona": recipe.persona, "language": recipe.language}
        again = other.model_copy(update={**teller, "retells": earlier, "evolve": None})
        return await place.composer.evolution.retell(told, again)

    async def _invented(self, recipe: Recipe, place: Workshop, writer: ChatModel) -> Blueprint | Issue:
        """Let a model invent the task of a recipe, and once more if its calls fail or are not complete.

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
