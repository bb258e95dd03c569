"""A task -> the tools that appear with a request, and tools that disappear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from interplay.generators.blueprints.offers.offer_needs import OfferPlan, ToolNeeds
from interplay.schemas.protocols import Environment
from interplay.schemas.records.blueprint import EarlyRequest, ToolChange
from interplay.schemas.records.tool import ToolRole

LATE, DONE, EARLY = 0.65, 0.5, 0.12
"""Chances that new tools of a request appear only with it, that those of earlier ones disappear, and of an early request."""

SWAPPED = 3
"""The most unneeded tools that appear, and that disappear."""


@dataclass(frozen=True)
class ToolChanges:
    """Plans which tools come and go between requests, and a request that comes before its tools."""

    environment: Environment

    @cached_property
    def _roles(self) -> Mapping[str, ToolRole]:
        return self.environment.resources.by_tool

    def plan(self, task: ToolNeeds, whole: tuple[str, ...], rng: Random) -> OfferPlan:
        """Let tools appear with the request that first needs them, and disappear after the last that does."""
        count = len(task.requests)
        first = {name: request for request in reversed(range(count)) for name in task.needed(request)}
        last = {name: request for request in range(count) for name in task.needed(request)}
        early = self._early(task, first, rng)
        comes: dict[str, int] = {}
        goes: dict[str, int] = {}
        for request in range(1, count):
            if rng.random() < LATE or (early is not None and early.request == request) or (not comes and count == 2):
                comes |= {name: request for name in first if first[name] == request}
            if rng.random() < DONE:
                goes |= {name: request for name in last if last[name] < request and name not in goes}
        if early is not None:
            comes |= {name: 0 for name in first if early.request == first[name] == 0}
            comes |= dict.fromkeys(self._alike(task, early.request, whole), early.request)
        spare = [
            name
            for name in whole
            if name not in first and name not in comes and self.environment.toolset.tool(name).requestor == "assistant"
        ]
        comes |= self._companions(spare, comes, rng)
        if count > 1:
            left = [name for name in spare if name not in comes]
            goes |= {
                name: rng.randrange(1, count) for name in rng.sample(left, min(len(left), rng.randint(1, SWAPPED)))
            }
        tools = tuple(name for name in whole if name not in comes)
        changes = (_at(request, whole, comes, goes) for request in range(count))
        return OfferPlan(tools=tools, changes=tuple(change for change in changes if change is not None), early=early)

    def _early(self, task: ToolNeeds, first: dict[str, int], rng: Random) -> EarlyRequest | None:
        """Choose a request that the user brings up before its tools are offered; a single request is always that one."""
        served = [request for request, goals in enumerate(task.requests) if task.goals[goals[0]].tool]
        if len(task.requests) == 1:
            return EarlyRequest(request=0, before=0) if served else None
        names = list(self.environment.toolset.by_name)
        new = [
            request
            for request in served
            if request > 0 and all(first.get(name, request) >= request for name in self._alike(task, request, names))
        ]
        if not new or rng.random() > EARLY:
            return None
        chosen = rng.choice(new)
        return EarlyRequest(request=chosen, before=rng.randint(int(task.recipe.vague), chosen))

    def _alike(self, task: ToolNeeds, request: int, names: Sequence[str]) -> list[str]:
        """Return the tools that might serve the first goal of a request: its own, and similar ones for the same resource."""
        own = task.goals[task.requests[request][0]].tool
        role = self._roles[own]
        reading = ("read", "list", "compute")
        return [
            name
            for name in names
            if name == own
            or (
                role.resource is not None
                and name in self._roles
                and self._roles[name].resource == role.resource
                and (
                    self._roles[name].operation == role.operation
                    or {role.operation, self._roles[name].operation} <= set(reading)
                )
            )
        ]

    def _companions(self, spare: Sequence[str], comes: dict[str, int], rng: Random) -> dict[str, int]:
        """Choose unneeded tools that appear with needed ones, mostly tools for the same resource."""
        if not comes:
            return {}
        requests = list(comes.values())
        resources = {self._roles[name].resource: request for name, request in comes.items() if name in self._roles}
        resources.pop(None, None)
        near = {name: resources.get(self._roles[name].resource) for name in spare if name in self._roles}
        alike = {name: request for name, request in near.items() if request is not None}
        chosen = rng.sample(list(alike), min(len(alike), rng.randint(0, SWAPPED)))
        found = {name: alike[name] for name in chosen}
        far = [name for name in spare if name not in alike]
        if len(chosen) < SWAPPED and far and rng.random() < 0.5:
            found[rng.choice(far)] = rng.choice(requests)
        return found


def _at(request: int, whole: Sequence[str], comes: dict[str, int], goes: dict[str, int]) -> ToolChange | None:
    added = tuple(name for name in whole if comes.get(name) == request)
    removed = tuple(name for name in whole if goes.get(name) == request)
    return ToolChange(request=request, added=added, removed=removed) if added or removed else None
