"""A task -> the tools that are offered at the start, and how the offer changes."""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.blueprints.offers.lookalike_tools import LookalikeTools
from interplay.generators.blueprints.offers.offer_needs import OfferPlan, ToolNeeds
from interplay.generators.blueprints.offers.tool_changes import ToolChanges
from interplay.generators.blueprints.offers.tool_searches import ToolSearches
from interplay.schemas.protocols import Environment
from interplay.schemas.records.recipe import Recipe

OFFERED_WHOLE = 24
"""Toolsets up to this size are offered entirely; of larger ones, the needed tools and some distractors."""

LOOKALIKES = 0.5
"""Share of distractors that are similar to needed tools, if there are enough of these."""


@dataclass(frozen=True)
class Offers:
    """Decides by the recipe what is offered: all tools, search results, or tools that come and go.

    `lookalikes` finds tools that could be mistaken for others.
    """

    environment: Environment
    lookalikes: LookalikeTools
    search_tool: str | None = None

    @cached_property
    def searches(self) -> ToolSearches | None:
        """Plans searches; None without a search tool."""
        return ToolSearches(self.environment, self.search_tool) if self.search_tool is not None else None

    @cached_property
    def changes(self) -> ToolChanges:
        """Plans changes between requests."""
        return ToolChanges(self.environment)

    @cached_property
    def _names(self) -> list[str]:
        """The assistant's tools, in order."""
        return [tool.name for tool in self.environment.toolset.tools if tool.requestor == "assistant"]

    async def offer(self, task: ToolNeeds, rng: Random) -> OfferPlan:
        """Return the offer of a task; tools that no search finds are offered from the start."""
        if task.recipe.registry and self.searches is not None:
            found = await self.searches.from_registry(task, _own(task.recipe))
            if found is not None:
                return found
        whole = self._whole(task, rng)
        if task.recipe.tool_search and self.searches is not None:
            return await self.searches.beside(task, whole)
        if not task.recipe.tool_changes or not task.used:
            return OfferPlan(tools=whole)
        return self.changes.plan(task, whole, _own(task.recipe))

    def _whole(self, task: ToolNeeds, rng: Random) -> tuple[str, ...]:
        """Return the tools offered in a dialogue without changes."""
        names, used = [name for name in self._names if name not in task.barred], task.used
        if len(names) > OFFERED_WHOLE:
            others = {name for name in names if name not in used and name != self.search_tool}
            count = 4 + task.recipe.distractors
            near = [name for name in self.lookalikes.of(used) if name in others]
            alike = rng.sample(near, min(len(near), int(count * LOOKALIKES)))
            far = [name for name in names if name in others and name not in alike]
            extra = rng.sample(far, min(len(far), count - len(alike)))
            kept = {self.search_tool, *used, *alike, *extra}
            names = [name for name in names if name in kept]
        if not task.recipe.tool_search:
            names = [name for name in names if name != self.search_tool]
        return tuple(names)


def _own(recipe: Recipe) -> Random:
    """Return a generator for the tools of a changing offer, which affects no other draws."""
    return Random(f"{recipe.seed}/offer/{recipe.index}")
