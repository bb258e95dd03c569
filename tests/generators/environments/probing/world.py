"""A small API of pets with owners and toys, opened as a sandbox that may be made to misbehave."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any

from tests.generators.environments.inline import TEXT, operation, row

from interplay.generators.environments.inference.resources.plan_inference import infer_plan
from interplay.generators.environments.probing.probe import probe
from interplay.generators.environments.probing.trial import MOST_CALLS, Consistency
from interplay.generators.environments.sandbox.sandbox import Sandbox
from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool import Toolset

COUNT = {"type": "integer", "minimum": 0}
KIND = {"enum": ["person", "company"]}
OWNER = row(name=TEXT, kind=KIND)
SHOWN_OWNER = row(kind=KIND)
COLOUR = {"type": "string", "enum": ["black", "brown", "white"]}
PET = row(name=TEXT, colour=COLOUR, archived={"type": "boolean"}, owner=SHOWN_OWNER)
TOY = row(label=TEXT)


def many(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": schema}


TOOLS = Toolset(
    name="pets",
    tools=(
        operation("listOwners", "GET", "/owners", many(OWNER)),
        operation("getOwner", "GET", "/owners/{ownerId}", OWNER),
        operation("listPets", "GET", "/pets", many(PET), query_colour=COLOUR, query_limit=COUNT, query_offset=COUNT),
        operation("getPet", "GET", "/pets/{petId}", PET),
        operation("createPet", "POST", "/pets", PET, name=TEXT, colour=COLOUR),
        operation("updatePet", "PUT", "/pets/{petId}", PET, name=TEXT, colour=COLOUR),
        operation("deletePet", "DELETE", "/pets/{petId}", None),
        operation("archivePet", "POST", "/pets/{petId}/archive", PET),
        operation("listToys", "GET", "/pets/{petId}/toys", many(TOY)),
        operation("getToy", "GET", "/pets/{petId}/toys/{toyId}", TOY),
    ),
)

Answer = Callable[[ToolCall], Awaitable[ToolResult]]
Fault = Callable[[Answer, Sandbox, ToolCall], Awaitable[ToolResult]]


class Misbehaving(Sandbox):
    """A sandbox whose answers go through a fault."""

    def __init__(self, toolset: Toolset, fault: Fault | None) -> None:
        super().__init__(toolset, 7)
        self._fault = fault

    async def call(self, call: ToolCall) -> ToolResult:
        """Answer through the fault, if there is one."""
        if self._fault is None:
            return await super().call(call)
        return await self._fault(super().call, self, call)


def probed(fault: Fault | None = None, most_calls: int = MOST_CALLS, toolset: Toolset = TOOLS) -> Consistency:
    """Probe the pets."""
    environment = Misbehaving(toolset, fault)
    world = World(environment)

    def arguments(name: str, rng: Random, fixed: Mapping[str, Any], optional: int) -> dict[str, Any]:
        return sample_arguments(world, world.tools[name], rng, fixed, optional)

    return asyncio.run(probe(environment, infer_plan(toolset), arguments, most_calls))


__all__ = ["TOOLS", "Answer", "Fault", "Misbehaving", "many", "probed"]
