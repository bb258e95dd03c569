"""One edge -> the same edge, verified or not: run the producer, feed its output to the consumer."""

from collections import defaultdict
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from interplay.generators.graph.ports import KEY
from interplay.generators.graph.sampling.argument_samples import EVERY, Begun, sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import canonical_json, split_pointer
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool_graph import Edge

NOTE = 120
"""Characters of a failure's text that are kept."""

KEPT = 2_000
"""Answers of producers that are kept for the edges that come."""

ATTEMPTS = 4
"""Producer and consumer are tried with this many different arguments before an edge counts as failed."""


class Verifier:
    """Runs edges one after the other, in the state that the environment had in the beginning; a producer's answers are kept.

    What it says of an edge depends on those into the same argument that were run before, and on no others.
    """

    def __init__(self, world: World, seed: int = 0) -> None:
        self._world = world
        self._seed = seed
        self._start = world.environment.snapshot()
        self._produced: dict[tuple[str, int], tuple[ToolResult | str, Any]] = {}
        self._begun: dict[int, Begun] = {}
        self._taken: set[tuple[str, str, str]] = set()

    async def verify(self, edge: Edge) -> Edge:
        """Return `edge` with `verified` set; the state is restored afterwards."""
        note = ""
        try:
            for attempt in range(ATTEMPTS):
                note = await self._run(edge, attempt)
                if not note:
                    return edge.model_copy(update={"verified": True})
        except EnvironmentFailure as failure:  # a server that hangs costs the edge
            note = str(failure)[:NOTE]
        finally:
            self._world.environment.restore(self._start)
        return edge.model_copy(update={"verified": False, "note": note})

    async def _run(self, edge: Edge, attempt: int) -> str:
        """Run the edge once; return what went wrong, or nothing."""
        produced, after = await self._produce(edge.producer, attempt)
        if isinstance(produced, str):
            return produced
        values = [value for value in values_at(produced.value, split_pointer(edge.output)) if value is not None]
        if not values:
            return "the producer's result holds no such field"
        value, note = values[attempt % len(values)], ""
        key = (edge.consumer, edge.input, canonical_json(value))
        reads = self._world.tools[edge.producer].effect == "read"
        if reads and key in self._taken:  # whoever showed it, the value is the same, and so is the state
            return ""
        rng = Random(f"{self._seed}/{edge.producer}/{edge.consumer}/{edge.input}/{attempt}")
        consumer = self._world.tools[edge.consumer]
        for optional in range(ATTEMPTS):
            self._world.environment.restore(after)
            begun = self._begun.setdefault(attempt, {})
            try:
                arguments = sample_arguments(self._world, consumer, rng, {edge.input: value}, optional, begun)
            except Unsatisfiable as failure:
                return str(failure)[:NOTE]
            call = ToolCall(id="consumer1", name=consumer.name, arguments=arguments, requestor=consumer.requestor)
            consumed = await self._world.environment.call(call)
            if consumed.error is None:
                if reads:
                    self._taken.add(key)
                return ""
            note = f"the consumer failed: {consumed.error[:NOTE]}"
        return note

    async def _produce(self, name: str, attempt: int) -> tuple[ToolResult | str, Any]:
        """Return what a producer answers, or why it did not, and the state after it."""
        if (name, attempt) not in self._produced:
            if len(self._produced) >= KEPT:
                self._produced.clear()
            environment = self._world.environment
            environment.restore(self._start)
            result: ToolResult | str
            try:
                rng = Random(f"{self._seed}/{name}/{attempt}")
                tool = self._world.tools[name]
                makes = self._world.roles[name].operation == "create"  # and shows what it is told
                optional = EVERY if makes else 0
                arguments = sample_arguments(self._world, tool, rng, optional=optional)
                call = ToolCall(id="producer1", name=name, arguments=arguments, requestor=tool.requestor)
                result = await environment.call(call)
                if result.error is not None:
                    result = f"the producer failed: {result.error[:NOTE]}"
            except Unsatisfiable as failure:
                result = str(failure)[:NOTE]
            self._produced[name, attempt] = result, environment.snapshot()
        return self._produced[name, attempt]


class LaterVerifier:
    """Edges that are run when somebody asks for them, in an environment that never waits: its state is left as it was.

    Those into one argument are run together, in the order of their producers, so that all are told the same in any order.
    """

    def __init__(self, edges: Iterable[Edge], environment: Environment, seed: int = 0) -> None:
        self._environment = environment
        self._verifier = Verifier(World(environment), seed)
        self._waiting: dict[tuple[str, str], list[Edge]] = defaultdict(list)
        self._told: dict[tuple[str, str, str, str], Edge] = {}
        for edge in sorted(edges, key=lambda edge: edge.producer):
            self._waiting[_argument(edge)].append(edge)

    def __call__(self, edge: Edge) -> Edge:
        """Return an edge, verified or not; one that is not to be run is returned as it is."""
        waiting = self._waiting.pop(_argument(edge), ())
        if waiting:
            now = self._environment.snapshot()
            for other in waiting:
                self._told[_ends(other)] = _at_once(self._verifier.verify(other))
            self._environment.restore(now)
        return self._told.get(_ends(edge), edge)


def _argument(edge: Edge) -> tuple[str, str]:
    return edge.consumer, edge.input.split("/")[1]


def _ends(edge: Edge) -> tuple[str, str, str, str]:
    return edge.producer, edge.output, edge.consumer, edge.input


def _at_once(verifying: Coroutine[Any, Any, Edge]) -> Edge:
    try:
        verifying.send(None)
    except StopIteration as done:
        edge: Edge = done.value
        return edge
    verifying.close()
    raise RuntimeError("an environment that never waits has waited")


def values_at(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield each value that a path leads to: `*` for any index or key of a map, `{key}` for the keys themselves."""
    if not path:
        yield value
    elif isinstance(value, list):
        for item in value if path[0] == "*" else ():
            yield from values_at(item, path[1:])
    elif isinstance(value, Mapping) and path[0] in value:
        yield from values_at(value[path[0]], path[1:])
    elif isinstance(value, Mapping) and path[0] in ("*", KEY):
        for key in value:
            yield from values_at(key if path[0] == KEY else value[key], path[1:])
