"""A call that needs a value which the user can see on their own device -> the user looks first, and reads it out.

the serial number stands on the laptop     ->  the assistant asks the user to look, the user reads it out,
                                               the assistant calls with what it has heard
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from interplay.generators.blueprints.drafting.draft import DeadEnd, PlannedCall
from interplay.generators.blueprints.growth.growth import Growth
from interplay.generators.graph.multigraph import edges_into
from interplay.generators.graph.name_likeness import is_generic, words_of_name
from interplay.generators.graph.ports import result_leaves
from interplay.generators.graph.sampling.world import Subject
from interplay.schemas.calls.antecedent import referred
from interplay.schemas.json.canonical import at_pointer, set_leaf
from interplay.schemas.json.fields import schema_type
from interplay.schemas.json.validation import is_valid
from interplay.schemas.records.blueprint import Origin
from interplay.schemas.records.tool import Tool


class Way(NamedTuple):
    """A read by the user, the pointer of a value in its result, and the parameter that takes the value."""

    look: str
    output: str
    input: str


def readable(growth: Growth) -> list[str]:
    """Return the assistant's tools that need a value which the user can read off their own device."""
    return [tool.name for tool in growth.callable() if next(readings_for(growth, tool), None) is not None]


async def request_by_reading(growth: Growth, name: str) -> None:
    """Grow a request for a call, with values that the user reads off their device first.

    Raises:
        DeadEnd: the user's read shows no value that the call takes.
    """
    ways = list(readings_for(growth, growth.world.tools[name]))
    look = growth.rng.choice(list(dict.fromkeys(way.look for way in ways)))
    goal, request = growth.begin(name)
    growth.draft.guided.add(goal)
    seen = await growth.do(PlannedCall(look, {}, {}, goal, request))
    known: dict[str, Origin] = {}
    read: dict[str, Any] = {}
    for way in (way for way in ways if way.look == look):
        found = growth.resolver.picker.find(seen.value, way.output.split("/")[1:], None)
        if found is not None and way.input not in known:
            known[way.input] = Origin(kind="output", action=seen.id, pointer=found)
            read[way.input] = at_pointer(seen.value, found)
    if not known:
        raise DeadEnd(f"{look} shows nothing that {name} needs")
    arguments = growth.arguments(name, _about(growth, name, read))
    for pointer, value in read.items():
        arguments = set_leaf(arguments, pointer, value)
    if not is_valid(arguments, growth.world.tools[name].parameters):
        raise DeadEnd(f"what {look} shows is nothing that {name} takes")
    wanted = await growth.resolver.prepare(name, goal, request, arguments, known=known)
    growth.check_heard(await growth.do(wanted))


def _about(growth: Growth, name: str, read: Mapping[str, Any]) -> Subject | None:
    """Return the row that a value read off the device identifies, or None."""
    for pointer, value in read.items():
        resource = referred(growth.role(name), pointer)
        if resource in growth.world.resources:
            return growth.world.subject(str(resource), value)
    return None


def readings_for(growth: Growth, tool: Tool) -> Iterator[Way]:
    """Yield the ways in which a user's read without arguments shows what a tool requires: by an edge, or by equal names."""
    looks = [
        other
        for other in growth.world.environment.toolset.tools
        if other.requestor == "user" and other.effect == "read" and not other.required
    ]
    edges = {(edge.producer, edge.output, edge.input) for edge in edges_into(growth.graph, tool.name)} if looks else ()
    for name in tool.required:
        wanted = words_of_name(name)
        for look in looks:
            for pointer, field, schema in result_leaves(look.returns or {}):
                named = words_of_name(field) == wanted and not is_generic(wanted)
                plain = schema_type(schema) in ("string", "integer") and "enum" not in schema and "*" not in pointer
                if plain and (named or (look.name, pointer, f"/{name}") in edges):
                    yield Way(look.name, pointer, f"/{name}")
