"""A draft -> the blueprint: rerun actions, what is expected of them, and the user's scenario."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.blueprints.drafting.barred_tools import barred_wish
from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft
from interplay.generators.blueprints.drafting.reported_values import ReportedValues
from interplay.generators.blueprints.finishing.device_views import device_views
from interplay.generators.blueprints.finishing.difficulty import measured
from interplay.generators.blueprints.finishing.expected_outputs import with_questions
from interplay.generators.blueprints.finishing.given_scope import given_to, of_the_scope
from interplay.generators.blueprints.finishing.goal_questions import GoalQuestions
from interplay.generators.blueprints.finishing.late_fact import late_fact
from interplay.generators.blueprints.finishing.prior_dialogue import known_facts
from interplay.generators.blueprints.finishing.rerun import Rerun, run_again
from interplay.generators.blueprints.finishing.scenario_goals import facts_of, goals_of, said_before
from interplay.generators.blueprints.growth.dialogue_moments import opening_facts
from interplay.generators.blueprints.offers.initial_offer import Offers
from interplay.generators.blueprints.offers.lookalike_tools import LookalikeTools
from interplay.generators.blueprints.offers.offer_needs import OfferPlan, ToolNeeds
from interplay.generators.blueprints.patterns.pattern_table import pattern_of
from interplay.generators.blueprints.patterns.task_pattern import Grown
from interplay.generators.blueprints.sense.plausibility import LASTING, reaches, sense_of
from interplay.generators.blueprints.sense.weighed_task import WeighedTask
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.world import World
from interplay.generators.phrases.unserved_wishes import nearby_wishes, unserved_wishes
from interplay.schemas.protocols import Environment, Policy
from interplay.schemas.records.behaviour import PlannedBehaviour
from interplay.schemas.records.blueprint import (
    Action,
    Blueprint,
    Expected,
    ExpectedOutput,
    Fact,
    Goal,
    Lineage,
    Scenario,
    with_identity,
)
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.recipe import MadeWorld, Recipe
from interplay.schemas.records.tool import PolicyRule


@dataclass(frozen=True)
class Finisher:
    """Turns drafts into blueprints; runs their actions once more, in the order in which they will be called.

    `rows` is the number of rows in the opening state, `start` what was said before, if anything, and `world` which of
    many worlds this is. `known` holds the rows and roles. With `scope`, every conversation takes place in one row of that
    resource. `like` is a finisher for another world with the same tools, whose findings about them are shared.
    """

    environment: Environment
    toolset_digest: str
    policy: Policy | None
    search_tool: str | None
    rows: int
    start: Start | None
    world: MadeWorld | None
    graph: ToolGraph
    known: World
    like: "Finisher | None"
    scope: str | None

    @cached_property
    def rules(self) -> dict[str, PolicyRule]:
        """The policy rules by their ids."""
        return {rule.id: rule for rule in self.environment.toolset.rules}

    @cached_property
    def _own_tools(self) -> tuple[str, ...]:
        """The tools of the user."""
        return tuple(tool.name for tool in self.environment.toolset.tools if tool.requestor == "user")

    @cached_property
    def offers(self) -> Offers:
        """Decides which tools are offered."""
        alike = self.like.offers.lookalikes if self.like is not None else LookalikeTools(self.environment)
        return Offers(self.environment, alike, self.search_tool)

    @cached_property
    def reports(self) -> ReportedValues:
        """Finds the values that can be reported."""
        return ReportedValues(self.environment)

    @cached_property
    def questions(self) -> GoalQuestions:
        """Decides what the user wants to know."""
        return GoalQuestions(self.reports, self.environment.toolset)

    def _unserved(self, recipe: Recipe, used: Sequence[str], rng: Random) -> tuple[str, frozenset[str]]:
        """Return a wish that no offered tool serves, and the tools left out of the offer for that."""
        barred = barred_wish(self.environment, recipe, used, rng)
        if barred is not None:
            return barred.intent, barred.tools
        near = self._near_wishes if recipe.language == "en" else ()
        return rng.choice(near or unserved_wishes(self.environment.toolset)), frozenset()

    @cached_property
    def _near_wishes(self) -> tuple[str, ...]:
        """Wishes in English that are close to what the tools do, but that none of them serves."""
        return nearby_wishes(self.environment.toolset, self.environment.resources, "en")

    async def finish(self, recipe: Recipe, draft: Draft, rng: Random, lineage: Lineage | None = None) -> Blueprint:
        """Run the actions again in the order of their calls, and return the blueprint with what is expected.

        Raises:
            DeadEnd: in this order an action has another result, or the policy forbids it.
        """
        lineage, toolset = lineage or Lineage(), self.environment.toolset
        made = await run_again(draft, self.environment, self.policy)
        goals, facts, outputs = self._told(recipe, draft, made, rng)
        _check_worthwhile(made, goals, outputs)
        served = any(goal.tool for goal in goals)
        called = [action for action in made.actions if action.requestor == "assistant"]
        used = tuple(dict.fromkeys(action.tool for action in made.actions))
        out_of_scope, barred = (
            self._unserved(recipe, used, rng) if recipe.out_of_scope and served else ("", draft.barred)
        )
        if not barred.isdisjoint(used):
            raise DeadEnd("a tool is needed that is not on offer, for the sake of another wish")
        offered = await self.offers.offer(ToolNeeds(recipe, goals, draft.requests, called, barred), rng)
        coming = (name for change in offered.changes for name in change.added)
        blueprint = Blueprint(
            id="",
            recipe=recipe,
            toolset=self.toolset_digest,
            pattern=pattern_of(Grown(draft, lineage, offered.early is not None), recipe),
            goals=goals,
            actions=made.actions,
            expected=Expected(digest=self.environment.digest(), difference=made.changed, outputs=outputs),
            scenario=self._scenario(recipe, draft, made, facts, offered, out_of_scope),
            rules=tuple(rule.id for rule in toolset.rules if not rule.tools or not set(used).isdisjoint(rule.tools)),
            tools=tuple(dict.fromkeys([*(self.start.tools if self.start else ()), *offered.tools])),
            changes=offered.changes,
            lookalikes=self.offers.lookalikes.among([*offered.tools, *coming], used),
            lineage=lineage,
            safety=draft.safety,
            start=self.start,
            world=self.world,
            given=given_to(made.actions, self.scope, self.known) if self.scope is not None else None,
        )
        sense = sense_of(WeighedTask(blueprint, made.values, self.known, self.graph))
        judged = {"difficulty": measured(blueprint, self.rules, self.rows), "sense": sense}
        return with_identity(blueprint.model_copy(update=judged))

    async def reaches(self, recipe: Recipe, draft: Draft, rng: Random, bar: float) -> bool:
        """Tell whether the sense of the task so far reaches a bar.

        Raises:
            DeadEnd: see `finish`.
        """
        made = await run_again(draft, self.environment, self.policy)
        goals, facts, outputs = self._told(recipe, draft, made, rng)
        _check_worthwhile(made, goals, outputs)
        return reaches(self._weighed(recipe, draft, made, goals, facts, outputs), bar)

    async def may_reach(self, recipe: Recipe, draft: Draft, rng: Random, bar: float) -> bool:
        """Tell whether the sense of the task, with more goals added, could still reach a bar: lasting doubts stay.

        Raises:
            DeadEnd: see `finish`.
        """
        made = await run_again(draft, self.environment, self.policy)
        told = self._told(recipe, draft, made, rng)
        return reaches(self._weighed(recipe, draft, made, *told), bar, LASTING)

    def _weighed(
        self,
        recipe: Recipe,
        draft: Draft,
        made: Rerun,
        goals: tuple[Goal, ...],
        facts: tuple[Fact, ...],
        outputs: tuple[ExpectedOutput, ...],
    ) -> WeighedTask:
        """Return the task so far in the form in which its sense is judged."""
        blueprint = Blueprint(
            id="",
            recipe=recipe,
            toolset=self.toolset_digest,
            pattern=recipe.pattern,
            goals=goals,
            actions=made.actions,
            expected=Expected(digest="", difference=(), outputs=outputs),
            scenario=self._scenario(recipe, draft, made, facts, OfferPlan(()), ""),
            tools=(),
        )
        return WeighedTask(blueprint, made.values, self.known, self.graph)

    def _told(
        self, recipe: Recipe, draft: Draft, made: Rerun, rng: Random
    ) -> tuple[tuple[Goal, ...], tuple[Fact, ...], tuple[ExpectedOutput, ...]]:
        """Return goals and facts as the user brings them up, and the values that have to be told."""
        goals, facts = self._brought_up(recipe, draft, made)
        goals, outputs = with_questions(draft, made, goals, facts, self.questions, rng)
        return goals, facts, outputs

    def _brought_up(self, recipe: Recipe, draft: Draft, made: Rerun) -> tuple[tuple[Goal, ...], tuple[Fact, ...]]:
        """Return goals and facts as the user brings them up."""
        early = opening_facts(draft)
        late = late_fact(draft, early, self.environment.toolset) if recipe.late else ""
        facts = facts_of(draft, made.renamed, early, late, self.environment.resources.by_tool)
        known = known_facts(facts, made.actions, self.start, self.environment, draft.behaviours)
        goals = goals_of(draft, made, self.environment)
        if self.scope is not None:
            goals = of_the_scope(goals, self.scope, self.environment.toolset.spoken_nouns)
        return said_before(goals, facts, known)

    def _scenario(
        self, recipe: Recipe, draft: Draft, made: Rerun, facts: tuple[Fact, ...], offered: OfferPlan, out_of_scope: str
    ) -> Scenario:
        """Return the user's side of the task."""
        last = len(draft.requests) - 1
        beside = [PlannedBehaviour(kind="asks_impossible", request=last)] if out_of_scope else []
        held_back = any(action.withheld for action in made.actions)
        return Scenario(
            persona=recipe.persona,
            language=recipe.language,
            requests=tuple(draft.requests),
            facts=facts,
            unknown=tuple(draft.unknown),
            out_of_scope=out_of_scope,
            early=offered.early,
            pressure=recipe.pressure if draft.pressed or held_back else None,
            motive=draft.motive,
            tools=self._own_tools,
            sights=device_views(made.actions, made.values, self.reports),
            behaviours=(*draft.behaviours, *beside),
        )


def _check_worthwhile(made: Rerun, goals: Sequence[Goal], outputs: Sequence[ExpectedOutput]) -> None:
    """Check that something changes, is told, or is rightly not done.

    Raises:
        DeadEnd: none of these.
    """
    if not outputs and not made.changed and not _rightly_idle(made.actions, goals):
        raise DeadEnd("nothing changes and nothing can be said")


def _rightly_idle(actions: Sequence[Action], goals: Sequence[Goal]) -> bool:
    """Tell whether doing nothing is right: no tool serves the wishes, or a call is withheld."""
    return any(action.withheld for action in actions) or not any(goal.tool for goal in goals)
