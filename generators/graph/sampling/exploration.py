"""A world that knows only rows it was asked for -> the same after calling its lists, so that rows can be referred to."""

from random import Random

from interplay.generators.graph.sampling.argument_samples import sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.records.dialogue import ToolCall

FEW = 8
"""Up to this number of lists, all are called; else only those of resources that a tool refers to."""

CLIMB = 3
"""Levels of resources that are listed for one tool: its own, the parent, and so on."""


async def list_referenced_rows(world: World, tool: str, seed: str) -> None:
    """List the resources that `tool` refers to, parents first; resources with known rows are skipped."""
    listing = {role.tool: role.resource for role in world.roles.values() if role.operation == "list" and role.resource}
    wanted = list(dict.fromkeys(listing.values())) if len(listing) <= FEW else _referred(world, tool)
    for resource in sorted(wanted, key=lambda name: (world.depth(name), str(name))):
        for name in (name for name, listed in listing.items() if listed == resource):
            if not world.subjects(str(resource)):
                await _list(world, name, Random(f"{seed}/{name}"))


def _referred(world: World, tool: str) -> list[str | None]:
    """Return the resources that a tool refers to or acts on, with their ancestors."""
    role = world.roles[tool]
    found: dict[str | None, None] = {}
    for name in [*role.references.values(), role.resource]:
        above: str | None = name
        for _ in range(CLIMB):
            if above in world.resources:
                found[above] = None
                above = world.resources[str(above)].parent
    return list(found)


async def _list(world: World, name: str, rng: Random) -> None:
    try:
        tool = world.tools[name]
        arguments = sample_arguments(world, tool, rng)
    except Unsatisfiable:
        return
    await world.environment.call(ToolCall(id="lookaroun", name=name, arguments=arguments, requestor=tool.requestor))
