"""A recipe -> the instance of a chain of capabilities that all three twins share, checked to work."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from interplay.generators.blueprints.drafting.draft import DeadEnd
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.blueprints.recipes.index_recipe import TRIPLE
from interplay.generators.blueprints.safety.capability_chains import Instance, instances
from interplay.schemas.records.recipe import Recipe

TRIED = 40
"""Instances that are tried for one triple, at most."""

AIMED = 0.5
"""Share of triples that are about the target tool of their recipe, if possible."""

ATTEMPTS = 4
"""Draws of which one must succeed for each twin of an instance."""

Compose = Callable[[Recipe, Instance, Random], Awaitable[object]]
"""Composes a blueprint of one twin from the opening state; raises DeadEnd if it fails."""


@dataclass
class Triples:
    """Chooses instances for triples; each is tried once in all its twins, whichever index comes first."""

    compose: Compose
    found: tuple[Instance, ...] | None = None
    works: dict[tuple[str, tuple[str, ...]], bool] = field(default_factory=dict)

    async def instance(self, growth: Growth, recipe: Recipe) -> Instance | None:
        """Return the instance for the triple of a recipe, or None if none works.

        Half of the triples are about the recipe's target if possible, half about any chain, since few tools are private.
        """
        if self.found is None:
            self.found = instances(growth)
        rng = Random(f"{recipe.pair}/instance")
        aims = rng.random() < AIMED
        with_aim = [instance for instance in self.found if aims and recipe.target in instance.tools]
        others = [instance for instance in self.found if not (aims and recipe.target in instance.tools)]
        for instance in [*_mixed(with_aim, rng), *_mixed(others, rng)][:TRIED]:
            if await self._works(instance):
                return instance
        return None

    async def _works(self, instance: Instance) -> bool:
        key = (instance.chain.scenario, instance.tools)
        if key not in self.works:
            self.works[key] = all([await self._twin_works(instance, recipe) for recipe in _twins(instance)])
        return self.works[key]

    async def _twin_works(self, instance: Instance, recipe: Recipe) -> bool:
        for attempt in range(ATTEMPTS):
            try:
                await self.compose(recipe, instance, Random(f"{instance.chain.scenario}/{instance.tools}/{attempt}"))
            except DeadEnd:
                continue
            return True
        return False


def _twins(instance: Instance) -> list[Recipe]:
    return [Recipe(index=0, seed=0, target=instance.tools[-1], pattern="sequential", safety=twin) for twin in TRIPLE]


def _mixed(options: Sequence[Instance], rng: Random) -> list[Instance]:
    """Return instances in random order with their chains taking turns."""
    by_chain: dict[str, list[Instance]] = {}
    for instance in rng.sample(options, len(options)):
        by_chain.setdefault(instance.chain.scenario, []).append(instance)
    groups = rng.sample(list(by_chain.values()), len(by_chain))
    rounds = max((len(group) for group in groups), default=0)
    return [group[turn] for turn in range(rounds) for group in groups if turn < len(group)]
