"""A blueprint -> an easier, harder or otherwise varied one, made by an operator and run again."""

from dataclasses import dataclass
from random import Random

from interplay.generators.blueprints.behaviours.behaviour_table import tell
from interplay.generators.blueprints.composition.blueprint_attempts import BlueprintAttempts
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.evolution.operators import OPERATORS, in_turn, structure
from interplay.generators.blueprints.evolution.reopened_draft import reopened
from interplay.generators.blueprints.finishing.difficulty import score_of
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.json.canonical import value_at
from interplay.schemas.records.blueprint import Blueprint, Lineage
from interplay.schemas.records.recipe import Direction, Recipe
from interplay.schemas.records.verdict import Issue

TRIED = 8
"""Draws in which a task of the same structure about other rows is searched for."""


@dataclass(frozen=True)
class BlueprintVariants:
    """Evolves and retells blueprints; the environment is left in its opening state."""

    context: CompositionContext
    attempts: BlueprintAttempts

    async def evolve(
        self, parent: Blueprint, direction: Direction, recipe: Recipe, operator: str = ""
    ) -> Blueprint | Issue:
        """Return a blueprint that an operator made of `parent` in a direction, or the issue why none did.

        `recipe` is the parent's own, or a similar one with the index and persona of the new blueprint.
        """
        start = self.context.environment.snapshot()
        rng = Random(f"{recipe.seed}/{recipe.index}/evolve/{parent.id}")
        reason = "there is no such operator"
        try:
            for name in [operator] if operator else in_turn(direction, rng):
                self.context.environment.restore(start)
                try:
                    return await self._evolved(parent, direction, name, recipe, rng)
                except DeadEnd as dead:
                    reason = str(dead)
        finally:
            self.context.environment.restore(start)
        return Issue(code="no_evolution", message=f"nothing makes it {direction}: {reason}"[:400], pointer="/lineage")

    async def retell(self, parent: Blueprint, recipe: Recipe) -> Blueprint | Issue:
        """Return the task of `parent` as the persona of `recipe` tells it."""
        start = self.context.environment.snapshot()
        lineage = Lineage(parent=parent.id, operator="retell", revision=parent.lineage.revision + 1)
        try:
            draft, rng = (
                await reopened(parent, self.context.environment),
                Random(f"{recipe.seed}/{recipe.index}/retell"),
            )
            tell(self.context.growth(draft, rng, None, recipe), recipe, fresh=False)
            self.context.environment.restore(start)
            return await self.context.finisher.finish(recipe, draft, rng, lineage)
        except DeadEnd as dead:
            return Issue(code="no_evolution", message=f"it cannot be told again: {dead}"[:400], pointer="/lineage")
        finally:
            self.context.environment.restore(start)

    async def _evolved(
        self, parent: Blueprint, direction: Direction, name: str, recipe: Recipe, rng: Random
    ) -> Blueprint:
        """Apply one operator, and check that the outcome goes in the direction."""
        lineage = Lineage(parent=parent.id, operator=name, revision=parent.lineage.revision + 1)
        if name == "elsewhere":
            return await self._elsewhere(parent, recipe, rng, lineage)
        start, finisher = self.context.environment.snapshot(), self.context.finisher
        draft = await reopened(parent, self.context.environment)
        growth = self.context.growth(draft, rng, self._who(parent, rng), recipe)
        draft, told = await OPERATORS[direction][name](growth, recipe)
        tell(self.context.growth(draft, rng, None, told), told, fresh=False)
        self.context.environment.restore(start)
        child = await finisher.finish(told, draft, rng, lineage)
        was, now = (score_of(task, finisher.rules, finisher.rows) for task in (parent, child))
        if (direction == "harder" and now <= was) or (direction == "easier" and now >= was):
            raise DeadEnd(f"{name} does not make it {direction}")
        if direction == "sideways" and child.signature() != parent.signature():
            raise DeadEnd(f"{name} changes the task")
        return child

    async def _elsewhere(self, parent: Blueprint, recipe: Recipe, rng: Random, lineage: Lineage) -> Blueprint:
        """Compose a similar blueprint about other rows: the same goals in the same order, with other arguments."""
        if recipe.pattern == "recombined":
            raise DeadEnd("two tasks that were joined are not found together elsewhere")
        start = self.context.environment.snapshot()
        wanted = structure(parent.scenario.requests, parent.goals, parent.actions)
        for _ in range(TRIED):
            self.context.environment.restore(start)
            try:
                draft = await self.attempts.draft(recipe, rng)
                if structure(draft.requests, draft.goals, draft.steps) != wanted:
                    continue
                self.context.environment.restore(start)
                found = await self.context.finisher.finish(recipe, draft, rng, lineage)
            except DeadEnd:
                continue
            if found.pattern == parent.pattern and found.signature() != parent.signature():
                return found
        raise DeadEnd("nothing of the same structure was found elsewhere")

    def _who(self, parent: Blueprint, rng: Random) -> Subject | None:
        """Return the user's row in a blueprint if its calls name it, else a random one."""
        world = self.context.world
        for action in parent.actions:
            for pointer, resource in world.roles[action.tool].references.items():
                if resource == self.context.whose and resource in world.resources:
                    known = world.subject(resource, value_at(action.arguments, pointer))
                    if known is not None:
                        return known
        return self.context.user_row(rng)
