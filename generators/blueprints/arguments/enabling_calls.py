"""A call that fails in the present state -> the calls that let it succeed, found by trials of its tool, then the call.

start_engine(mode="START")   ->   lock_doors(...), press_brake_pedal(position=1), start_engine(mode="START")
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from interplay.generators.blueprints.drafting.draft import DeadEnd, Draft, PlannedCall, Step
from interplay.generators.graph.sampling.world import Subject, World
from interplay.generators.graph.trials.preconditions import is_meant
from interplay.schemas.json.canonical import leaves
from interplay.schemas.json.fields import schema_at
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.tool import EnablingCall

NEEDED = Origin(kind="needed")


class Preparing(Protocol):
    """The part of a resolver that prepares a call."""

    @property
    def world(self) -> World:
        """The world in which calls are made."""
        ...

    @property
    def draft(self) -> Draft:
        """The draft that the calls are added to."""
        ...

    def choose(self, name: str, subject: Subject | None, lookup: bool = False) -> dict[str, Any]:
        """Return arguments for a tool."""
        ...

    async def prepare(
        self, name: str, goal: int, request: int, arguments: dict[str, Any], depth: int = 0,
        known: Mapping[str, Origin] = {},
    ) -> PlannedCall:  # fmt: skip
        """Return a call with the origins of its arguments."""
        ...


async def run_enabled(resolver: Preparing, wanted: PlannedCall, after: Sequence[str]) -> Step:
    """Run a call after as few of its enabling calls as it needs.

    Raises:
        DeadEnd: the call fails even so.
    """
    draft, failure = resolver.draft, DeadEnd(f"{wanted.tool} fails as things are")
    for need in resolver.world.roles[wanted.tool].needs:
        if not is_meant(need, wanted.arguments):
            continue
        for first in reversed(range(len(need.calls))):
            mark = draft.mark()
            try:
                steps = [step for call in need.calls[first:] for step in await _made(resolver, call, wanted)]
                return await draft.run(wanted, (*after, *(step.id for step in steps)))
            except DeadEnd as dead:
                failure = dead
                draft.rewind(mark)
    raise failure


async def _made(resolver: Preparing, call: EnablingCall, wanted: PlannedCall) -> list[Step]:
    """Make one enabling call; return no step if it fails or changes nothing, since its effect may hold already."""
    draft = resolver.draft
    state = draft.environment.digest()
    with draft.trial():
        given = {
            **call.arguments,
            **{name: wanted.arguments[other] for name, other in call.same.items() if other in wanted.arguments},
        }
        known = {
            f"/{name}": wanted.origins[f"/{other}"]
            for name, other in call.same.items()
            if f"/{other}" in wanted.origins
        }
        known |= {pointer: NEEDED for pointer, _ in leaves(given) if _is_technical(resolver.world, call.tool, pointer)}
        step = await draft.run(await resolver.prepare(call.tool, wanted.goal, wanted.request, given, 1, known))
        if draft.environment.digest() == state:
            raise DeadEnd(f"{call.tool} changes nothing")
        return [step]
    return []


def _is_technical(world: World, tool: str, pointer: str) -> bool:
    """Tell whether a value follows from the intended action, so that the user need not tell it: a flag, a number, a choice."""
    schema = schema_at(world.tools[tool].parameters, pointer)
    items = schema.get("items")
    several = len(schema.get("enum", ())) > 1 or (isinstance(items, Mapping) and len(items.get("enum", ())) > 1)
    return several or schema.get("type") in ("boolean", "integer", "number")
