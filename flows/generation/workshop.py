"""One opened world -> a place where blueprints are composed, judged and played, by one user at a time."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from interplay.flows.generation.continuation import rebuild
from interplay.flows.worlds.assembly import OpenedWorld
from interplay.generators.blueprints.composition.blueprint_composer import Composer
from interplay.generators.blueprints.composition.composition_context import CompositionContext
from interplay.generators.blueprints.recipes.recipe_settings import RecipeSettings
from interplay.generators.environments.live.simulated_tools import Simulated
from interplay.generators.environments.wrappers.call_cache import CachedEnvironment
from interplay.generators.environments.wrappers.faulty_calls import with_faults
from interplay.generators.graph.multigraph import ToolGraph, graph_of, trusted
from interplay.schemas.protocols import BlueprintCheck, Environment, TrajectoryCheck
from interplay.schemas.records.blueprint import Blueprint
from interplay.schemas.records.dialogue import Start
from interplay.schemas.records.tool import SEARCH_TOOL
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.records.verdict import Issue
from interplay.validators.blueprints.gates import blueprint_checks
from interplay.validators.chain import trajectory_checks

HEAD_START = 16
"""Passes of the event loop before a dialogue begins: enough for others to connect and send a request."""


@dataclass(frozen=True)
class Workshop:
    """A world with its composer and checks; `lock` is held by whoever uses its environment.

    Without a graph, nothing can be composed. Dialogues that begin queue at the `door`, so that only one of them waits for the
    lock. With a `start`, all work begins in `arrived`, the state that its calls lead to. The `base` is the workshop in which
    facts about the tools that hold in all worlds are learnt. `settings` say how much sense tasks must make; no task is about
    the `unasked` tools.
    """

    world: OpenedWorld
    graph: ToolGraph | None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    door: asyncio.Lock = field(default_factory=asyncio.Lock)
    start: Start | None = None
    arrived: Any = None
    base: "Workshop | None" = None
    settings: RecipeSettings = field(default_factory=RecipeSettings)
    unasked: Collection[str] = ()

    @cached_property
    def imagined(self) -> bool:
        """Whether a model plays its tools, so that their results cannot be predicted."""
        return any(isinstance(part.environment, Simulated) for part in self.world.parts)

    @cached_property
    def remembering(self) -> Environment:
        """The environment with a cache of calls, for everything but checks; live ones are not cached, as answers may change."""
        live = any(part.spec.kind == "mcp+live" for part in self.world.parts)
        return self.world.environment if live else CachedEnvironment(self.world.environment)

    @cached_property
    def composer(self) -> Composer:
        """The composer of blueprints."""
        return Composer(self.context, self.base.composer if self.base is not None else None)

    @cached_property
    def context(self) -> CompositionContext:
        """What blueprints are composed from; doubtful links are removed unless the settings allow them."""
        assert self.graph is not None
        known = self.base.context if self.base is not None else None
        real = all(part.plan is None for part in self.world.parts)
        graph = known.graph if known is not None else self.graph
        return CompositionContext(
            self.remembering,
            graph if known is not None or self.settings.doubtful_links else trusted(graph, real),
            self.world.policy,
            SEARCH_TOOL,
            self.start,
            self.world.made,
            known,
            self.settings.sense,
            self.unasked,
        )

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The tools that tasks avoid, with the reason: unknown values, or arguments to which only doubtful links lead."""
        if self.graph is None:
            return {}
        needed = {tool.name: tool.required for tool in self.world.toolset.tools}
        doubtful: dict[str, str] = {}
        for name, role in self.world.environment.resources.by_tool.items():
            fed = {edge.input for edge in self.context.graph.found_for(name)}
            for at in sorted({edge.input for edge in self.graph.found_for(name)} - fed):
                if at.split("/")[1] in needed.get(name, ()) and at in role.references:
                    doubtful[name] = f"only doubtful links lead to {at.strip('/')}"
        return {**doubtful, **self.context.unknowable}

    @property
    def edges(self) -> list[Edge]:
        """The edges of the graph."""
        return [] if self.graph is None else self.graph.edges

    def without(self, edges: Collection[Edge]) -> "Workshop":
        """Return a workshop whose graph lacks some edges."""
        if not edges or self.graph is None:
            return self
        kept = (edge for edge in self.graph.edges if edge not in edges)
        return replace(self, graph=graph_of(self.graph.nodes.values(), kept), base=None)

    @cached_property
    def blueprint_checks(self) -> tuple[BlueprintCheck, ...]:
        """The gates of a blueprint."""
        known = self.world.environment.resources
        return blueprint_checks(self.world.toolset, self._open, self.world.policy, known)

    @cached_property
    def trajectory_checks(self) -> tuple[TrajectoryCheck, ...]:
        """The checks of a trajectory."""
        return trajectory_checks(self.world.toolset, self._open, self.world.policy)

    async def after(self, start: Start) -> tuple["Workshop", list[Issue]]:
        """Return a workshop in which tasks begin after a start, and the issues where its calls now return other results."""
        async with self.turn() as environment:
            differences = await rebuild(environment, start, self.world.learn)
            return replace(self, start=start, arrived=environment.snapshot()), differences

    def _open(self, blueprint: Blueprint) -> Environment:
        return with_faults(self.world.environment, blueprint.faults)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Environment]:
        """Give exclusive use of the environment, in the state that tasks begin in; its state is restored afterwards."""
        async with self.lock:
            environment = self.world.environment
            home = environment.snapshot()
            if self.arrived is not None:
                environment.restore(self.arrived)
            try:
                yield environment
            finally:
                environment.restore(home)

    @asynccontextmanager
    async def beginning(self) -> AsyncIterator[Environment]:
        """Give a turn to a dialogue that begins, after requests and calls of the dialogues under way."""
        async with self.door:
            for _ in range(HEAD_START):
                await asyncio.sleep(0)
            async with self.turn() as environment:
                yield environment
