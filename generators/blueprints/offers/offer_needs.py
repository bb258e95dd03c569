"""What decides on the tools that are offered in a dialogue, and what was decided."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interplay.schemas.records.blueprint import Action, EarlyRequest, Goal, ToolChange
from interplay.schemas.records.recipe import Recipe


@dataclass(frozen=True)
class OfferPlan:
    """What is offered at the start, how it changes, and the request that the user brings up before its tools are there."""

    tools: tuple[str, ...]
    changes: tuple[ToolChange, ...] = ()
    early: EarlyRequest | None = None


@dataclass(frozen=True)
class ToolNeeds:
    """What decides on the tools: the recipe, the goals by request, the actions in the order of their calls, and what is `barred`."""

    recipe: Recipe
    goals: Sequence[Goal]
    requests: Sequence[tuple[int, ...]]
    actions: Sequence[Action]
    barred: frozenset[str] = frozenset()

    def needed(self, request: int) -> list[str]:
        """Return the tools of one request, each once."""
        goals = self.requests[request]
        return list(dict.fromkeys(action.tool for action in self.actions if action.goal in goals))

    @property
    def used(self) -> list[str]:
        """The tools of all requests."""
        return list(dict.fromkeys(action.tool for action in self.actions))

    def waves(self, request: int) -> Iterator[list[Action]]:
        """Yield the actions of one request that are called at once: all whose dependencies have been called."""
        left = [action for action in self.actions if action.goal in self.requests[request]]
        while left:
            waiting = {action.id for action in left}
            wave = [action for action in left if not waiting & set(action.depends_on)]
            if not wave:
                return
            yield wave
            made = {action.id for action in wave}
            left = [action for action in left if action.id not in made]
