"""One edge -> the same edge, verified or not: run the producer, feed its output to the consumer."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from interplay.generators.graph.sampling import World, sample_arguments
from interplay.generators.values.making import Unsatisfiable
from interplay.schemas.dialogue import ToolCall
from interplay.schemas.graph import Edge

ATTEMPTS = 4
"""Producer and consumer are tried with this many different arguments before an edge counts as failed."""


async def verify_edge(world: World, edge: Edge, rng: Random) -> Edge:
    """Return `edge` with `verified` set; the state is restored afterwards."""
    start = world.environment.snapshot()
    note = ""
    try:
        for attempt in range(ATTEMPTS):
            world.environment.restore(start)
            note = await _run(world, edge, rng, attempt)
            if not note:
                return edge.model_copy(update={"verified": True})
    finally:
        world.environment.restore(start)
    return edge.model_copy(update={"verified": False, "note": note})


async def _run(world: World, edge: Edge, rng: Random, attempt: int) -> str:
    """Run the edge once; return what went wrong, or nothing."""
    producer, consumer = world.tools[edge.producer], world.tools[edge.consumer]
    try:
        arguments = sample_arguments(world, producer, rng)
        produced = await world.environment.call(ToolCall(id="producer1", name=producer.name, arguments=arguments))
        if produced.error is not None:
            return f"the producer failed: {produced.error[:120]}"
        values = [value for value in values_at(produced.value, edge.output.split("/")[1:]) if value is not None]
        if not values:
            return "the producer's result holds no such field"
        value = values[attempt % len(values)]
        for others in range(ATTEMPTS):
            arguments = sample_arguments(world, consumer, rng, {edge.input: value}, optional=others)
            consumed = await world.environment.call(ToolCall(id="consumer1", name=consumer.name, arguments=arguments))
            if consumed.error is None:
                return ""
    except Unsatisfiable as failure:
        return str(failure)[:120]
    return f"the consumer failed: {str(consumed.error)[:120]}"


def values_at(value: Any, path: list[str]) -> Iterator[Any]:
    """Yield each value that a path with `*` for list indices leads to."""
    if not path:
        yield value
    elif path[0] == "*" and isinstance(value, list):
        for item in value:
            yield from values_at(item, path[1:])
    elif isinstance(value, Mapping) and path[0] in value:
        yield from values_at(value[path[0]], path[1:])
