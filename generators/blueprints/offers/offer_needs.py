"""What the offer of tools in a dialogue is decided by, and the resulting plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interplay.schemas.records.blueprint import Action, EarlyRequest, Goal, ToolChange
from interplay.schemas.records.recipe import Recipe


@dataclass(frozen=True)
class OfferPlan:
    """The tools offered at the start, changes of the offer, and a request brought up before its tools are offered."""

    tools: tuple[str, ...]
    changes: tuple[ToolChange, ...] = ()
    early: EarlyRequest | None = None


@dataclass(frozen=True)
class ToolNeeds:
    """A task's recipe, goals by request, actions in the order of their calls, and tools that are `barred` from the offer."""

    recipe: Recipe
    goals: Sequence[Goal]
    requests: Sequence[tuple[int, ...]]
    actions: Sequence[Action]
    barred: frozenset[str] = frozenset()

    def needed(self, request: int) -> list[str]:
        """Return the tools that one request calls, each once."""
        goals = self.requests[request]
        return list(dict.fromkeys(action.tool for action in self.actions if action.goal in goals))

    @property
    def used(self) -> list[str]:
        """The tools that all requests call, each once."""
        return list(dict.fromkeys(action.tool for action in self.actions))

    def waves(self, request: int) -> Iterator[list[Action]]:
        """Yield the actions of one request in waves: each holds all whose dependencies were in earlier waves."""
        left = [action for action in self.actions if action.goal in self.requests[request]]
        while left:
            waiting = {action.id for action in left}
            wave = [action for action in left if not waiting & set(action.depends_on)]
            if not wave:
                return
            yield wave
            made = {action.id for action in wave}
            left = [action for action in left if action.id not in made]
