"""Tool graph, environment and recipe -> a blueprint whose every action was executed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from interplay.generators.blueprints.by_model.written_task import (
    composition_request,
    grow_written,
    task_of,
    task_request,
)
from interplay.generators.blueprints.composition.blueprint_attempts import EASY, BlueprintAttempts
from interplay.generators.blueprints.composition.blueprint_variants import BlueprintVariants
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.composition.novelty import Avoided, avoiding
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.finishing.fault_plan import FaultPlanner
from interplay.generators.blueprints.finishing.prior_dialogue import check_new_calls, check_same_person
from interplay.schemas.records.blueprint import Blueprint, Lineage, Sense, with_identity
from interplay.schemas.records.chat import ChatRequest
from interplay.schemas.records.recipe import Recipe
from interplay.schemas.records.verdict import Feedback, Issue

ATTEMPTS = 2 * EASY
"""Draws that are tried before an index is given up."""

DRAWS, OTHER_TARGETS = 6, 8
"""Draws about one tool that may lack sense before other tools are tried, and the most other tools that are tried."""

SURE, HESITATIONS = 0.9, 2
"""Sense from which on a task is taken at once, and draws below it of which the best is taken. With a bar of 0, any is."""

OTHERWISE, KEPT = 1, 3
"""Other tools that are tried for a task of middling sense; and every how many indices one is kept, so that all tools occur."""

LITTLE_SENSE = "little_sense"
"""The code of the issue for a recipe that led only to implausible tasks."""

SCATTERED = 2
"""Implausible draws after which the task is a single request about the target tool."""

REPETITIONS = 8
"""Draws that repeat what is to be avoided before the search ends."""


@dataclass(frozen=True)
class Composer:
    """Composes blueprints for one environment; the environment is left in its opening state.

    `like` is a composer for the same tools in another world; whatever holds in all worlds is taken from it. Tasks below
    the bar of sense are drawn again, except safety scenarios, which are about harm. For tasks about a policy rule, the
    most plausible draw is taken if none reaches the bar.
    """

    context: CompositionContext
    like: "Composer | None" = None

    @cached_property
    def attempts(self) -> BlueprintAttempts:
        """Makes single attempts."""
        return BlueprintAttempts(self.context, self.like.attempts if self.like is not None else None)

    @cached_property
    def evolution(self) -> BlueprintVariants:
        """Makes variants of blueprints."""
        return BlueprintVariants(self.context, self.attempts)

    async def compose(self, recipe: Recipe, avoided: Avoided | None = None) -> Blueprint | Issue:
        """Return a blueprint for `recipe` that repeats nothing `avoided`, or the issue why none was found.

        Where the recipe asks for an evolution and no operator fits, the blueprint stays as composed.
        """
        avoided, recipe = avoided or Avoided(), self._aimed(recipe)
        made = await self._composed(recipe, avoided)
        for number in range(OTHER_TARGETS if len(self._targets(recipe)) else 0):
            if isinstance(made, Issue) and made.code == LITTLE_SENSE:
                made = await self._composed(self._elsewhere(recipe, number), avoided)
            elif recipe.rule and self._is_senseless(made):
                other = await self._composed(self._elsewhere(recipe, number), avoided)
                made = made if isinstance(other, Issue) else other
            elif number < OTHERWISE and recipe.index % KEPT and recipe.safety is None and self._is_unsure(made):
                other = await self._composed(self._elsewhere(recipe, number), avoided)
                made = made if isinstance(other, Issue) or _score(other) < SURE else other
        if recipe.evolve is None or isinstance(made, Issue):
            return made
        evolved = await self.evolution.evolve(made, recipe.evolve, recipe)
        kept = isinstance(evolved, Issue) or avoided.repeats(evolved) or self._is_senseless(evolved)
        return made if kept or isinstance(evolved, Issue) else evolved

    async def revise(self, drafts: Sequence[tuple[Blueprint, Feedback]]) -> Blueprint | Issue:
        """Return another draw in place of the last of `drafts`, which repeats nothing that was criticised in them."""
        last, _ = drafts[-1]
        made: Blueprint | Issue = Issue(code="no_blueprint", message="There is no other draw.")
        for avoided in avoiding(drafts):
            made = await self.compose(last.recipe, avoided)
            if isinstance(made, Blueprint):
                lineage = Lineage(parent=last.id, operator="revise", revision=last.lineage.revision + 1)
                return with_identity(made.model_copy(update={"lineage": lineage}))
        return made

    async def spoil(self, made: Blueprint) -> Blueprint:
        """Return a blueprint with the faults that its recipe asks for; see `FaultPlanner.plan`."""
        return await FaultPlanner(
            self.context.environment, self.context.policy, self.context.finisher.rules, self.context.finisher.rows
        ).plan(made)

    def ask_for_task(self, recipe: Recipe, failed: Sequence[tuple[str, str]] = ()) -> ChatRequest:
        """Return the request for a model to invent a task for a recipe; see `task_request`."""
        rng = Random(f"{recipe.pair or f'{recipe.seed}/{recipe.index}'}/written")
        return task_request(
            self.context.growth(self.context.draft(), rng, self.context.user_row(rng), recipe), recipe, failed
        )

    async def take_task(self, recipe: Recipe, answer: Mapping[str, Any]) -> tuple[Blueprint, ChatRequest] | Issue:
        """Return the blueprint of an invented task with the request to check its completeness, or the issue why it is none."""
        start = self.context.environment.snapshot()
        rng = Random(f"{recipe.pair or f'{recipe.seed}/{recipe.index}'}/written")
        draft = self.context.draft()
        growth = self.context.growth(draft, rng, self.context.user_row(rng), recipe)
        try:
            task = task_of(answer, self.context.world.tools)
            await grow_written(growth, task, recipe)
            asked = composition_request(task, growth)
            self.context.environment.restore(start)
            return await self.context.finisher.finish(recipe, draft, rng, Lineage(operator="write")), asked
        except DeadEnd as dead:
            return Issue(code="no_blueprint", message=str(dead)[:400], pointer=f"/recipe/{recipe.index}")
        finally:
            self.context.environment.restore(start)

    async def _composed(self, recipe: Recipe, avoided: Avoided) -> Blueprint | Issue:
        """Try draws for a recipe until one is fit.

        The second half of the attempts makes plain tasks about the target tool. Safety recipes get plain tasks where no
        chain of capabilities works.
        """
        start, again = self.context.environment.snapshot(), f"/{avoided.draw}" if avoided.draw else ""
        again += f"/after {len(self.context.start.messages)}" if self.context.start else ""
        reason, spare, repeated, redrawn = "", None, 0, 0
        fair = list[Blueprint]()
        try:
            instance = await self.attempts.instance(recipe)
            shared = recipe.pair if instance is not None or recipe.safety is None else ""
            for attempt in range(ATTEMPTS):
                self.context.environment.restore(start)
                rng = Random(f"{shared or f'{recipe.seed}/{recipe.index}'}/{attempt}{again}")
                try:
                    alone = redrawn >= SCATTERED and not recipe.rule and recipe.pattern != "guided"
                    made = await self.attempts.blueprint(recipe, instance, rng, attempt, alone)
                    check_same_person(made, self.context.person, self.context.world)
                    check_new_calls(made, self.context.start)
                except DeadEnd as dead:
                    reason = str(dead)
                    continue
                if instance is None and self._is_senseless(made):
                    reason, redrawn = _told(made, self.context.bar), redrawn + 1
                    if recipe.rule and (spare is None or _score(made) > _score(spare)):
                        spare = made
                    if redrawn == DRAWS:
                        break
                    continue
                made = _after(made, redrawn)
                repetition = avoided.repeats(made)
                if not repetition:
                    fair.append(made)
                    sure = instance is not None or not self._is_unsure(made)
                    if sure or len(fair) == HESITATIONS:
                        return made if sure else max(fair, key=_score)
                    continue
                reason, repeated = f"each draw repeats {repetition}", repeated + 1
                spare = made if spare is None or self._is_senseless(spare) else spare
                if repeated == REPETITIONS:
                    break
        finally:
            self.context.environment.restore(start)
        if fair:
            return max(fair, key=_score)
        if spare is not None and not avoided.draw:
            return spare
        code = LITTLE_SENSE if redrawn else "no_blueprint"
        return Issue(code=code, message=f"{recipe.target}: {reason}"[:400], pointer=f"/recipe/{recipe.index}")

    def _aimed(self, recipe: Recipe) -> Recipe:
        """Return a recipe about another tool if nobody can know what its target needs."""
        known = recipe.target not in self.context.unknowable
        return recipe if known or (recipe.rule and not self._targets(recipe)) else self._elsewhere(recipe)

    def _elsewhere(self, recipe: Recipe, number: int = 0) -> Recipe:
        """Return a recipe about a random other tool, one that its rule governs if it has a rule."""
        known = self._targets(recipe)
        drawn = Random(f"{recipe.pair or f'{recipe.seed}/{recipe.index}'}/target/{number}")
        return recipe.model_copy(update={"target": drawn.choice(known or [recipe.target])})

    def _targets(self, recipe: Recipe) -> list[str]:
        """Return the other tools that a recipe may aim at: all, or those that its rule governs."""
        rules = (rule.tools for rule in self.context.environment.toolset.rules if rule.id == recipe.rule)
        named = next(rules, ()) if recipe.rule else ()
        others = (tool.name for tool in self.context.offered if tool.name != recipe.target)
        return [name for name in others if not recipe.rule or name in named]

    def _is_unsure(self, made: Blueprint | Issue) -> bool:
        """Tell whether a task is less plausible than one about another tool may be."""
        if isinstance(made, Issue) or not self.context.bar or _is_special(made.recipe):
            return False
        return _score(made) < SURE

    def _is_senseless(self, made: Blueprint | Issue) -> bool:
        """Tell whether the sense of a task is below the bar."""
        return isinstance(made, Blueprint) and _score(made) < self.context.bar


def _is_special(recipe: Recipe) -> bool:
    """Tell whether a task is about a rule or about calls of the user: such tasks are few, and taken as they are."""
    return bool(recipe.rule) or recipe.pattern == "guided"


def _score(made: Blueprint) -> float:
    """Return the sense of a task."""
    return 1.0 if made.sense is None else made.sense.score


def _told(made: Blueprint, bar: float) -> str:
    """Return why a task was dropped: its sense, the bar, and the doubts."""
    sense = made.sense or Sense(score=1.0)
    doubts = "; ".join(f"{doubt.code} ({doubt.detail})" for doubt in sense.doubts)
    return f"its sense, {sense.score:.2f}, is below recipes: {{sense: {bar:g}}}: {doubts}"


def _after(made: Blueprint, redrawn: int) -> Blueprint:
    """Return a task that records how many draws were dropped before it."""
    if made.sense is None or not redrawn:
        return made
    return made.model_copy(update={"sense": made.sense.model_copy(update={"redrawn": redrawn})})
