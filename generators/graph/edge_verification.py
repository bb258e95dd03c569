"""One edge -> the same edge, verified or not: run the producer, feed its output to the consumer.

Only a wrong value makes an edge fail. An edge stays undecided where its producer cannot be run, or where its consumer
fails for another reason, so that it also fails with a value of its own choice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from interplay.generators.graph.ports import KEY
from interplay.generators.graph.sampling.argument_samples import EVERY, Begun, sample_arguments
from interplay.generators.graph.sampling.world import World
from interplay.generators.graph.trials.bounded_calls import finished, said
from interplay.generators.graph.trials.preconditions import enabling_calls, is_meant
from interplay.generators.values.schema_values import Unsatisfiable
from interplay.schemas.errors import EnvironmentFailure
from interplay.schemas.json.canonical import canonical_json, set_leaf, split_pointer
from interplay.schemas.json.validation import is_valid
from interplay.schemas.protocols import Environment
from interplay.schemas.records.dialogue import ToolCall, ToolResult
from interplay.schemas.records.tool_graph import Edge

NOTE = 120
"""Characters of a failure's text that are kept."""

KEPT = 2_000
"""The most results of producers that are cached for later edges."""

ATTEMPTS = 4
"""Attempts with different arguments of producer and consumer before an edge counts as failed."""


NO_VALUES = ("none-such-000000", 987654321)
"""Identities that no row has."""


class _Failure(NamedTuple):
    """Why an attempt at an edge failed; `is_wrong` tells that the passed value is the reason."""

    note: str
    is_wrong: bool


class Verifier:
    """Runs edges one after the other in the environment's initial state; results of producers are cached.

    The verdict on an edge does not depend on the edges that were run before.
    """

    def __init__(self, world: World, seed: int = 0) -> None:
        self._world = world
        self._seed = seed
        self._start = world.environment.snapshot()
        self._produced: dict[tuple[str, int], tuple[ToolResult | str, Any]] = {}
        self._begun = [Begun(f"{seed}/{attempt}") for attempt in range(ATTEMPTS)]
        self._taken: set[tuple[str, str, str, int]] = set()

    async def verify(self, edge: Edge) -> Edge:
        """Return `edge` with `verified` set; the state is restored afterwards."""
        note, wrong = "", False
        try:
            for attempt in range(ATTEMPTS):
                failure = await self._run(edge, attempt, wrong)
                if failure is None:
                    return edge.model_copy(update={"verified": True})
                note, wrong = failure.note, failure.is_wrong
        except EnvironmentFailure as broken:  # a server that hangs costs the edge
            note, wrong = str(broken)[:NOTE], True
        finally:
            self._world.environment.restore(self._start)
        return edge.model_copy(update={"verified": False if wrong else None, "note": note})

    async def _run(self, edge: Edge, attempt: int, wrong: bool) -> "_Failure | None":
        """Run an edge once; return the failure, or None. A value found `wrong` in an earlier attempt stays so."""
        produced, after = await self._produce(edge.producer, attempt)
        if isinstance(produced, str):
            return _Failure(produced, is_wrong=wrong)
        values = [value for value in values_at(produced.value, split_pointer(edge.output)) if value is not None]
        if not values:
            return _Failure("the producer's result holds no such field", is_wrong=True)
        value, note = values[attempt % len(values)], ""
        key = (edge.consumer, edge.input, canonical_json(value), attempt)
        reads = self._world.tools[edge.producer].effect == "read"
        if reads and key in self._taken:  # same value and state, whatever the producer
            return None
        rng = Random(f"{self._seed}/{edge.consumer}/{edge.input}/{attempt}")
        consumer = self._world.tools[edge.consumer]
        for optional in range(ATTEMPTS):
            self._world.environment.restore(after)
            try:
                arguments = sample_arguments(
                    self._world, consumer, rng, {edge.input: value}, optional, self._begun[attempt]
                )
            except Unsatisfiable as failure:
                return _Failure(str(failure)[:NOTE], is_wrong=True)
            consumed = await self._called(consumer.name, arguments, "consumer1")
            if consumed.error is None:
                if reads:
                    self._taken.add(key)
                return None
            note = f"the consumer failed: {consumed.error[:NOTE]}"
        refused = said(consumed.error or "", arguments)
        return _Failure(note, is_wrong=wrong or await self._is_wrong(edge, refused, arguments, after, rng))

    async def _is_wrong(self, edge: Edge, refused: str, arguments: Mapping[str, Any], after: Any, rng: Random) -> bool:
        """Tell whether a consumer rejects the value itself: just like unknown identities, but not like values it chooses."""
        consumer, environment = self._world.tools[edge.consumer], self._world.environment
        for stranger in NO_VALUES:
            strange = set_leaf(arguments, edge.input, stranger)
            if is_valid(strange, consumer.parameters):
                environment.restore(after)
                result = await self._called(consumer.name, strange, "stranger1")
                if result.error is not None and said(result.error, strange) != refused:
                    return False  # it fails otherwise than with an unknown identity: the state is wrong
                break
        for _ in range(ATTEMPTS):
            environment.restore(after)
            try:
                own = sample_arguments(self._world, consumer, rng)
            except Unsatisfiable:
                return True
            result = await self._called(consumer.name, own, "itself001")
            if result.error is None or said(result.error, own) != refused:
                return True
        return False

    async def _called(self, name: str, arguments: Mapping[str, Any], identifier: str) -> ToolResult:
        """Return the result of a call; where it fails in the present state, after its known enabling calls."""
        environment, tools = self._world.environment, self._world.tools
        call = ToolCall(id=identifier, name=name, arguments=dict(arguments), requestor=tools[name].requestor)
        needs, here = self._world.roles[name].needs, environment.snapshot()
        result = await environment.call(call)
        for before in (enabling_calls(need, arguments) for need in needs if is_meant(need, arguments)):
            if result.error is None:
                break
            environment.restore(here)
            for number, (other, given) in enumerate(before):
                enabling = ToolCall(
                    id=f"before{number:03}", name=other, arguments=given, requestor=tools[other].requestor
                )
                await environment.call(enabling)
            result = await environment.call(call)
        return result

    async def _produce(self, name: str, attempt: int) -> tuple[ToolResult | str, Any]:
        """Return the result of a producer, or why it failed, and a snapshot of the state after it."""
        if (name, attempt) not in self._produced:
            if len(self._produced) >= KEPT:
                self._produced.clear()
            environment = self._world.environment
            environment.restore(self._start)
            result: ToolResult | str
            try:
                rng = Random(f"{self._seed}/{name}/{attempt}")
                tool = self._world.tools[name]
                makes = self._world.roles[name].operation == "create"  # its result shows its arguments
                optional = EVERY if makes else 0
                arguments = sample_arguments(self._world, tool, rng, optional=optional)
                result = await self._called(name, arguments, "producer1")
                if result.error is not None:
                    result = f"the producer failed: {result.error[:NOTE]}"
            except Unsatisfiable as failure:
                result = str(failure)[:NOTE]
            self._produced[name, attempt] = result, environment.snapshot()
        return self._produced[name, attempt]


class LaterVerifier:
    """Runs edges on demand, in an environment whose calls never wait; the state is left as it was."""

    def __init__(self, edges: Iterable[Edge], environment: Environment, seed: int = 0) -> None:
        self._environment = environment
        self._verifier = Verifier(World(environment), seed)
        self._waiting = {edge.ends for edge in edges}
        self._told: dict[tuple[str, str, str, str], Edge] = {}

    def __call__(self, edge: Edge) -> Edge:
        """Return an edge after running it; unchanged if it is not among the edges to run."""
        if edge.ends in self._waiting:
            self._waiting.remove(edge.ends)
            now = self._environment.snapshot()
            verified = finished(self._verifier.verify(edge))
            if verified is None:
                raise RuntimeError("an environment that never waits has waited")
            self._told[edge.ends] = verified
            self._environment.restore(now)
        return self._told.get(edge.ends, edge)


def values_at(value: Any, path: Sequence[str]) -> Iterator[Any]:
    """Yield each value at a path, with `*` for any index or key of a map, and `{key}` for the keys themselves."""
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
