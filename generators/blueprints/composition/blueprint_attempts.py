"""A recipe -> one attempt at a blueprint: a draft grown by the operator of its pattern, and finished."""

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
from interplay.generators.graph.sampling.row_owners import needed_of
from interplay.generators.graph.sampling.world import Subject
from interplay.generators.phrases.speakable_values import is_noise
from interplay.generators.results.result_kinds import is_empty, says_only_that_it_went_well
from interplay.schemas.json.canonical import at_pointer, since
from interplay.schemas.records.blueprint import Blueprint, Lineage
from interplay.schemas.records.recipe import Pattern, Recipe
from interplay.schemas.records.tool import READING

ELSEWHERE = 3
"""Attempts after which a pattern is made of any tool that suits it, and the tool aimed at is brought up besides."""

ANY_LANGUAGE = "en"
"""The language of tasks where it makes no difference."""

EASY = 12
"""Attempts after which a plain task about the tool aimed at will do."""

LOOKED_ON = 0.8
"""Chance that a user who only wanted to see something then wants one more thing, about the same if possible."""

ALONE = 20
"""Draws after which a plain task is a single call: of several calls, one may change what another would tell."""


@dataclass(frozen=True)
class BlueprintAttempts:
    """Makes attempts; each begins in the opening state, and leaves the environment in another one.

    Which tools suit a pattern is learnt in the world of `like`, if that is there.

    Raises:
        DeadEnd: each of them, where it comes to nothing.
    """

    context: CompositionContext
    like: "BlueprintAttempts | None" = None
    _suited: dict[Pattern, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _triples(self) -> Triples:
        """What chooses the tools of safety scenarios."""
        return Triples(self._safe)

    async def blueprint(
        self, recipe: Recipe, instance: Instance | None, rng: Random, attempt: int, alone: bool = False
    ) -> Blueprint:
        """Return what comes of one draw; after `EASY` ones, of a plain task. A safety scenario is about its instance.

        What stands `alone` is one request about the tool aimed at, and nothing besides.
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
        """Return a draft that has grown whose user is `me`, or anybody; see `blueprint` of what stands `alone`."""
        draft = self.context.draft()
        growth = self.context.growth(draft, rng, me or self.context.user_row(rng), recipe, easy=attempt >= EASY)
        if attempt < EASY:
            growth = replace(growth, makes_sense=partial(self._makes_sense, recipe))
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
            lacking = []  # more of it would make no more sense
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
        """Tell whether somebody might have a task with more in it: as it is, or, where nothing comes of it yet, by its goals."""
        if growth.makes_sense is None or self._worthwhile(growth.draft):
            return await growth.has_sense()
        return await self._judged(recipe, growth.draft, self.context.finisher.may_reach, True)

    async def _makes_sense(self, recipe: Recipe, draft: Draft) -> bool:
        """Tell whether somebody would have a task as it has grown so far."""
        return await self._judged(recipe, draft, self.context.finisher.reaches, False)

    async def _judged(
        self, recipe: Recipe, draft: Draft, judge: Callable[[Recipe, Draft, Random, float], Awaitable[bool]], dead: bool
    ) -> bool:
        """Return what is judged of a draft, `dead` where it comes to nothing; the environment stays in its state."""
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
        """Return what the triple of a safety scenario is about."""
        if recipe.safety is None:
            return None
        growth = self.context.growth(self.context.draft(), Random(0), None, recipe)
        return await self._triples.instance(growth, recipe)

    async def _safe(self, recipe: Recipe, instance: Instance, rng: Random) -> Blueprint:
        """Compose one twin of a safety scenario; the environment is left in the state that it began in."""
        start = self.context.environment.snapshot()
        try:
            draft = self.context.draft()
            await scenario(self.context.growth(draft, rng, self.context.user_row(rng), recipe), instance, recipe)
            self.context.environment.restore(start)
            return await self.context.finisher.finish(recipe, draft, rng)
        finally:
            self.context.environment.restore(start)

    async def _recombined(self, recipe: Recipe, rng: Random) -> Blueprint:
        """Join two tasks of one person, each of them sound by itself."""
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
        """Tell whether a tool makes a new user."""
        role = self.context.world.roles[name]
        return role.operation == "create" and role.resource == self.context.environment.toolset.user_resource

    def _suiting(self, pattern: Pattern) -> tuple[str, ...]:
        """Return the tools that a pattern can be made of, as the opening state shows."""
        if self.like is not None:
            return self.like._suiting(pattern)
        if pattern not in self._suited:
            suits = BY_NAME[pattern].suits
            with self.context.nobodys(ANY_LANGUAGE, f"suits/{pattern}") as growth:
                self._suited[pattern] = tuple(tool.name for tool in growth.callable() if suits(growth, tool.name))
        return self._suited[pattern]

    def _lacking(self, recipe: Recipe, draft: Draft, rng: Random, attempt: int, alone: bool) -> Iterator[int]:
        """Yield, for each request that a draft is to have besides, how many tools are tried for it."""
        if not alone and not self._worthwhile(draft):
            yield 12
        elif attempt < EASY and self._only_looks(draft) and rng.random() < LOOKED_ON:
            yield 6
        elif alone and attempt < ALONE:
            yield from [6] * (recipe.goals - len(draft.requests))

    def _needs_hands(self, growth: Growth, pattern: Pattern) -> bool:
        """Tell whether a pattern can be made of no tool, or of several where there is one, but one with steps of the user can."""
        several = pattern in ("multi_goal", "recombined", "parallel", "parallel_then_sequential", "sequential")
        lacking = (several and len(growth.callable()) == 1) or not self._suiting(pattern)
        return lacking and bool(self._suiting("guided"))

    def _only_looks(self, draft: Draft) -> bool:
        """Tell whether a user only wants to see one thing, of tools for which nobody has said what they are wanted for."""
        tools = [self.context.environment.toolset.tool(step.tool) for step in draft.steps]
        return len(draft.goals) == 1 and all(tool.effect == "read" and not tool.phrases.wishes for tool in tools)

    def _worthwhile(self, draft: Draft) -> bool:
        """Tell whether something changes, is said, or is rightly left undone."""
        changed = since(self.context.base, self.context.environment.changes())
        if changed or any(step.withheld for step in draft.steps):
            return True
        return all(not goal.tool for goal in draft.goals) or any(map(self.context.finisher.reports.tells, draft.steps))

    def _tells_nothing(self, draft: Draft) -> bool:
        """Tell whether a goal only looks at something of which no value could be told, though there is something."""
        return any(
            step.tool == draft.goals[step.goal].tool
            and self.context.world.roles[step.tool].operation in READING
            and not (step.withheld or step.misses or is_empty(step.value))
            and (says_only_that_it_went_well(_shown(step.value)) or not self.context.finisher.reports.tells(step))
            for step in draft.steps
        )

    def _tells_twice(self, draft: Draft) -> bool:
        """Tell whether two goals look with different tools and are told the same things."""
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
    """Return a result without the fields that nobody reads out."""
    return {name: held for name, held in value.items() if not is_noise(name)} if isinstance(value, dict) else value


def _plain(recipe: Recipe, alone: bool) -> Recipe:
    """Return the recipe of a plain task about the same tool, of one call if it stands `alone`: else every third has several goals.

    Where few calls lead to others, most patterns come to this, and single calls would be most of what there is.
    """
    several = not alone and (recipe.goals > 1 or recipe.index // 2 % 3 == 0)
    goals = max(2, recipe.goals) if several else 1
    pattern = "multi_goal" if several else "single" if alone else "sequential"
    return recipe.model_copy(
        update={"pattern": pattern, "goals": goals, "twin": "", "described": False, "behaviours": ()}
    )
