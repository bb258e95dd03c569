"""A task -> the tools that are offered at the start, and how these change."""

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
"""Toolsets up to this size are offered whole; of larger ones the needed tools and some distractors."""

LOOKALIKES = 0.5
"""Share of the distractors that are like the needed tools, where there are so many."""


@dataclass(frozen=True)
class Offers:
    """Decides what is offered, by the recipe: all, what a search finds, or what comes and goes.

    `lookalikes` finds tools that could be taken for others.
    """

    environment: Environment
    lookalikes: LookalikeTools
    search_tool: str | None = None

    @cached_property
    def searches(self) -> ToolSearches | None:
        """What plans searches, where there is a tool for them."""
        return ToolSearches(self.environment, self.search_tool) if self.search_tool is not None else None

    @cached_property
    def changes(self) -> ToolChanges:
        """What plans the changes between requests."""
        return ToolChanges(self.environment)

    @cached_property
    def _names(self) -> list[str]:
        """The tools of the assistant, in order."""
        return [tool.name for tool in self.environment.toolset.tools if tool.requestor == "assistant"]

    async def offer(self, task: ToolNeeds, rng: Random) -> OfferPlan:
        """Return what is offered in a task; where no search finds what is needed, it is offered from the start."""
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
        """Return what is offered in a dialogue where nothing changes."""
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
    """Return what decides on the tools of a recipe where they change, by draws that move no others."""
    return Random(f"{recipe.seed}/offer/{recipe.index}")
