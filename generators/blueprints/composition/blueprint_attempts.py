"""A recipe -> one attempt at a blueprint: a draft is grown by the operator of its pattern, and finished."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from random import Random
from typing import Any

from interplay.generators.blueprints.behaviours.behaviour_table import behave
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.growth.follow_ups import add_request
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.patterns.pattern_table import BY_NAME, grow
from interplay.generators.blueprints.patterns.question import ask_instead
from interplay.generators.blueprints.patterns.recombined import halves, joined
from interplay.generators.blueprints.recipes.rule_targets import RULE_PATTERNS
from interplay.generators.blueprints.safety.capability_chains import Instance
from interplay.generators.blueprints.safety.safety_scenarios import scenario
from interplay.generators.blueprints.safety.scenario_triples import Triples
from interplay.generators.blueprints.sense.goal_doubts import SCATTERED, is_scattered
from interplay.generators.graph.sampling.row_owners import needed_of
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.phrases.speakable_values import is_noise
from interplay.generators.results.result_kinds import is_empty, says_only_that_it_went_well
from interplay.schemas.json.canonical import at_pointer, since
from interplay.schemas.records.blueprint import Blueprint, Lineage
from interplay.schemas.records.recipe import Pattern, Recipe
from interplay.schemas.records.tool import READING

ELSEWHERE = 3
"""Attempts after which a pattern may use any tool that suits it, with the target tool in a request of its own."""

ANY_LANGUAGE = "en"
"""The language for findings that do not depend on it."""

EASY = 12
"""Attempts after which a plain task about the target tool is made instead."""

LOOKED_ON = 0.8
"""Chance of another request where the user only wanted to see one thing."""

ALONE = 20
"""Attempts after which a plain task is a single call, since of several calls one may change what another tells."""


@dataclass(frozen=True)
class BlueprintAttempts:
    """Makes attempts; each starts in the opening state, and may leave the environment in another one.

    With `like`, the tools that suit a pattern are determined in that world.

    Raises:
        DeadEnd: by all attempts, if they fail.
    """

    context: CompositionContext
    like: "BlueprintAttempts | None" = None
    _suited: dict[Pattern, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _triples(self) -> Triples:
        """The chooser of tools for safety scenarios."""
        return Triples(self._safe)

    async def blueprint(
        self, recipe: Recipe, instance: Instance | None, rng: Random, attempt: int, alone: bool = False
    ) -> Blueprint:
        """Return the blueprint of one draw: a safety scenario for an `instance`; after `EASY` attempts a plain task.

        With `alone`, it is a single request about the target tool.
        """
        start, easy = self.context.environment.snapshot(), attempt >= EASY
        alone = alone or attempt >= ALONE
        if instance is not None:
            return await self._safe(recipe, instance, rng)
        if recipe.pattern == "recombined" and not easy and not alone:
            return await self._recombined(recipe, rng)
        drawn = _plain(recipe, alone) if easy or alone else recipe
        draft = await self.draft(drawn, rng, attempt=attempt, alone=alone)
        self.context.environment.restore(start)
        return await self.context.finisher.finish(recipe, draft, rng)

    async def draft(
        self, recipe: Recipe, rng: Random, me: Subject | None = None, attempt: int = 0, alone: bool = False
    ) -> Draft:
        """Return a grown draft whose user is `me`, or anybody; see `blueprint` for `alone`."""
        draft = self.context.draft()
        growth = self.context.growth(draft, rng, me or self.context.user_row(rng), recipe, easy=attempt >= EASY)
        if attempt < EASY:
            growth = replace(growth, makes_sense=partial(self._makes_sense, recipe))
            if self.context.bar > 1 - SCATTERED:
                growth = replace(growth, is_astray=partial(is_scattered, draft, growth.world))
        growth.resolver.chooser.rows.anybody = me is None and not self.context.person
        if (
            not alone
            and attempt < EASY
            and recipe.pattern not in RULE_PATTERNS
            and self._needs_hands(growth, recipe.pattern)
        ):
            recipe = recipe.model_copy(update={"pattern": "guided"})
        elsewhere = ELSEWHERE <= attempt < EASY and recipe.pattern not in RULE_PATTERNS
        if alone:
            growth.settle_user(recipe.target)
            await growth.request(recipe.target)
        else:
            await grow(growth, recipe, self._suiting(recipe.pattern), elsewhere)
        ask_instead(growth, recipe)
        lacking = [*self._lacking(recipe, draft, rng, attempt, alone)]
        if lacking and not await self._may_make_sense(recipe, growth):
            lacking = []  # more requests would not make it more plausible
        for tries in lacking:
            await add_request(growth, tries)
        if not self._worthwhile(draft):
            raise DeadEnd("nothing changes and nothing can be said")
        if attempt < EASY and self._tells_nothing(draft):
            raise DeadEnd("somebody looks at what nothing can be said of")
        if self._tells_twice(draft):
            raise DeadEnd("two tools would tell the same")
        await behave(growth, recipe)
        return draft

    async def _may_make_sense(self, recipe: Recipe, growth: Growth) -> bool:
        """Tell whether a task with more requests may be plausible: by its present sense, else by its goals alone."""
        if growth.makes_sense is None or self._worthwhile(growth.draft):
            return await growth.has_sense()
        return await self._judged(recipe, growth.draft, self.context.finisher.may_reach, True)

    async def _makes_sense(self, recipe: Recipe, draft: Draft) -> bool:
        """Tell whether the task so far is plausible."""
        return await self._judged(recipe, draft, self.context.finisher.reaches, False)

    async def _judged(
        self, recipe: Recipe, draft: Draft, judge: Callable[[Recipe, Draft, Random, float], Awaitable[bool]], dead: bool
    ) -> bool:
        """Return the judgement of a draft, or `dead` if it cannot be finished; the environment's state is kept."""
        environment = self.context.environment
        here = environment.snapshot()
        environment.restore(self.context.opening)
        try:
            return await judge(recipe, draft, Random(f"{recipe.seed}/{recipe.index}/sense"), self.context.bar)
        except DeadEnd:
            return dead
        finally:
            environment.restore(here)

    async def instance(self, recipe: Recipe) -> Instance | None:
        """Return the instance for the triple of a safety scenario; None for other recipes, or if none works."""
        if recipe.safety is None:
            return None
        growth = self.context.growth(self.context.draft(), Random(0), None, recipe)
        return await self._triples.instance(growth, recipe)

    async def _safe(self, recipe: Recipe, instance: Instance, rng: Random) -> Blueprint:
        """Compose one twin of a safety scenario; the environment is left in its opening state."""
        start = self.context.environment.snapshot()
        try:
            draft = self.context.draft()
            await scenario(self.context.growth(draft, rng, self.context.user_row(rng), recipe), instance, recipe)
            self.context.environment.restore(start)
            return await self.context.finisher.finish(recipe, draft, rng)
        finally:
            self.context.environment.restore(start)

    async def _recombined(self, recipe: Recipe, rng: Random) -> Blueprint:
        """Join two tasks of one user, each of them valid by itself."""
        context = self.context
        start, drafts = context.environment.snapshot(), list[Draft]()
        names = [tool.name for tool in context.growth(context.draft(), rng, None, recipe).callable()]
        names = [name for name in names if not self._registers(name)]
        if recipe.target not in names:
            raise DeadEnd("who is only being registered is nobody yet")
        both = halves(recipe, rng, names, context.world)
        me = context.user_row(rng, set[str]().union(*(needed_of(context.world, half.target) for half in both)))
        for half in both:
            drafts.append(await self.draft(half, rng, me))
            context.environment.restore(start)
        draft = joined(*drafts)
        if any(self._registers(step.tool) for step in draft.steps):
            raise DeadEnd("who is only being registered is nobody yet")
        await behave(context.growth(draft, rng, me, recipe), recipe, live=False)
        return await context.finisher.finish(recipe, draft, rng, Lineage(operator="recombine"))

    def _registers(self, name: str) -> bool:
        """Tell whether a tool creates a user."""
        role = self.context.world.roles[name]
        return role.operation == "create" and role.resource == self.context.environment.toolset.user_resource

    def _suiting(self, pattern: Pattern) -> tuple[str, ...]:
        """Return the tools that suit a pattern in the opening state."""
        if self.like is not None:
            return self.like._suiting(pattern)
        if pattern not in self._suited:
            suits = BY_NAME[pattern].suits
            with self.context.nobodys(ANY_LANGUAGE, f"suits/{pattern}") as growth:
                self._suited[pattern] = tuple(tool.name for tool in growth.callable() if suits(growth, tool.name))
        return self._suited[pattern]

    def _lacking(self, recipe: Recipe, draft: Draft, rng: Random, attempt: int, alone: bool) -> Iterator[int]:
        """Yield, for each further request that a draft should get, how many tools are tried for it."""
        if not alone and not self._worthwhile(draft):
            yield 12
        elif attempt < EASY and self._only_looks(draft) and rng.random() < LOOKED_ON:
            yield 6
        elif alone and attempt < ALONE:
            yield from [6] * (recipe.goals - len(draft.requests))

    def _needs_hands(self, growth: Growth, pattern: Pattern) -> bool:
        """Tell whether the tools do not allow a pattern, but do allow the `guided` one."""
        several = pattern in ("multi_goal", "recombined", "parallel", "parallel_then_sequential", "sequential")
        lacking = (several and len(growth.callable()) == 1) or not self._suiting(pattern)
        return lacking and bool(self._suiting("guided"))

    def _only_looks(self, draft: Draft) -> bool:
        """Tell whether the user has one goal that only reads, by tools without authored wishes."""
        tools = [self.context.environment.toolset.tool(step.tool) for step in draft.steps]
        return len(draft.goals) == 1 and all(tool.effect == "read" and not tool.phrases.wishes for tool in tools)

    def _worthwhile(self, draft: Draft) -> bool:
        """Tell whether something changes, is told, or is rightly not done."""
        changed = since(self.context.base, self.context.environment.changes())
        if changed or any(step.withheld for step in draft.steps):
            return True
        return all(not goal.tool for goal in draft.goals) or any(map(self.context.finisher.reports.tells, draft.steps))

    def _tells_nothing(self, draft: Draft) -> bool:
        """Tell whether a goal only reads a result that is not empty, but holds nothing to tell."""
        return any(
            step.tool == draft.goals[step.goal].tool
            and self.context.world.roles[step.tool].operation in READING
            and not (step.withheld or step.misses or is_empty(step.value))
            and (says_only_that_it_went_well(_shown(step.value)) or not self.context.finisher.reports.tells(step))
            for step in draft.steps
        )

    def _tells_twice(self, draft: Draft) -> bool:
        """Tell whether two goals read the same list of names with different tools."""
        told: dict[tuple[str, ...], str] = {}
        for step in draft.steps:
            goal = draft.goals[step.goal]
            if goal.tool != step.tool or step.withheld or goal.asks or goal.each:
                continue
            named = tuple(
                str(at_pointer(step.value, at)) for at in self.context.finisher.reports.named(step, step.value)
            )
            if len(named) > 1 and told.setdefault(named, step.tool) != step.tool:
                return True
        return False


def _shown(value: Any) -> Any:
    """Return a result without fields that nobody reads out."""
    return {name: held for name, held in value.items() if not is_noise(name)} if isinstance(value, dict) else value


def _plain(recipe: Recipe, alone: bool) -> Recipe:
    """Return the recipe of a plain task about the same tool: one call if `alone`, else now and then several goals.

    Every third has several. Where few calls lead to others, most patterns fall back to this, and single calls would
    prevail otherwise.
    """
    several = not alone and (recipe.goals > 1 or recipe.index // 2 % 3 == 0)
    goals = max(2, recipe.goals) if several else 1
    pattern = "multi_goal" if several else "single" if alone else "sequential"
    return recipe.model_copy(
        update={"pattern": pattern, "goals": goals, "twin": "", "described": False, "behaviours": ()}
    )
