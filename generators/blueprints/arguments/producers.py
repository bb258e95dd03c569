"""An argument that takes an identity -> the edges into it, from the tools that are the cheapest to call first."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from interplay.generators.blueprints.arguments.known_values import is_naming
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.world import World
from interplay.schemas.json.canonical import starred
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.nouns import PERSON_NOUNS

FINDING = ("list", "read")
"""Operations of tools that can look an identity up."""

FAILED, ELSEWHERE, UNFIT, APART, NARROWED = 5.0, 1.5, 20.0, 0.5, 0.75
"""Extra costs of edges, in required identities.

In order: an edge that failed when run; a producer of another resource; an unfit producer; one at another path, as
`/groups/invitations` for `/trips/invitations/{id}/accept`; and each required field other than a name: all events of a
type.
"""

_SOMEBODY = PERSON_NOUNS | {"account", "profile"}


@dataclass(frozen=True)
class Producers:
    """The edges into arguments, ranked and cached; edges are run only where this decides their order."""

    world: World
    graph: ToolGraph
    _into: dict[tuple[str, str], tuple[Edge, ...]] = field(default_factory=dict, init=False, repr=False)
    _recalling: dict[tuple[str, str, str], tuple[Edge, ...]] = field(default_factory=dict, init=False, repr=False)
    _costs: dict[tuple[str, str, str], tuple[tuple[float, Edge], ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def into(self, consumer: str, pointer: str) -> tuple[Edge, ...]:
        """Return the edges into an argument from tools of the same requestor, without running them."""
        if (consumer, pointer) not in self._into:
            tools, inputs = self.world.tools, (pointer, starred(pointer))
            own, found = tools[consumer].requestor, self.graph.found_for(consumer)
            self._into[consumer, pointer] = tuple(
                edge for edge in found if edge.input in inputs and tools[edge.producer].requestor == own
            )
        return self._into[consumer, pointer]

    def doing(self, consumer: str, pointer: str, operations: Collection[str]) -> list[Edge]:
        """Return the edges into an argument whose producers have one of `operations`, without running them."""
        return [
            edge for edge in self.into(consumer, pointer) if self.world.roles[edge.producer].operation in operations
        ]

    def _run(self, edges: Collection[Edge]) -> Iterator[Edge]:
        """Yield edges into one tool with the outcome of running them."""
        ends = {(edge.producer, edge.output, edge.input) for edge in edges}
        consumer = next((edge.consumer for edge in edges), "")
        return self.graph.feeding(consumer, lambda edge: (edge.producer, edge.output, edge.input) in ends)

    def recalling(self, consumer: str, pointer: str, resource: str) -> tuple[Edge, ...]:
        """Return edges from lists of other resources that show an identity of `resource` and do not need one themselves.

        Lists of people are left out: nobody says "my patient in November" for one born then.
        """
        about = (consumer, pointer, resource)
        if about not in self._recalling:
            found = [
                edge
                for edge in self.doing(consumer, pointer, ("list",))
                if str(self.world.roles[edge.producer].resource) != resource
                and edge.output.count("*") == 1
                and not self._takes(edge.producer, resource)
                and _SOMEBODY.isdisjoint(name_tokens(str(self.world.roles[edge.producer].resource))[-1:])
            ]
            self._recalling[about] = tuple(edge for edge in self._run(found) if edge.verified is not False)
        return self._recalling[about]

    def cheapest(self, consumer: str, pointer: str, resource: str, rng: Random) -> list[Edge]:
        """Return the edges that may give an identity, those first whose producers need the fewest identities.

        Edges that failed when run come last, rather than being left out, as they may succeed in the present state.
        """
        about = (consumer, pointer, resource)
        if about not in self._costs:
            found = [edge for edge in self.into(consumer, pointer) if self._finds(edge.producer, resource)]
            edges = self._apt(consumer, resource, found)
            if len(edges) > 1:  # else there is nothing to choose
                edges = sorted(self._run(edges), key=lambda edge: edge.verified is False)
            unique: dict[str, Edge] = {}
            for edge in edges:
                unique.setdefault(edge.producer, edge)
            self._costs[about] = tuple(
                (self._cost(edge, resource) + APART * self._stands_apart(edge), edge) for edge in unique.values()
            )
        costs = sorted((cost, rng.random(), place) for place, (cost, _) in enumerate(self._costs[about]))
        return [self._costs[about][place][1] for _, _, place in costs]

    def ways(self, edges: Iterable[Edge], resource: str, others: bool, near: bool) -> Iterator[tuple[Edge, bool, bool]]:
        """Yield ways to look up a row: an edge, whether that very row is wanted, and whether any other row will do.

        With `others`, a list that lacks the row gives another one before the next edge is tried. `near` leaves out tools
        about other resources, which show the row only because theirs refer to it.
        """
        later = []
        for edge in edges:
            role = self.world.roles[edge.producer]
            if near and role.resource != resource:
                continue
            shows_others = others and role.operation == "list" and role.resource == resource
            yield edge, True, shows_others
            if shows_others:
                yield edge, False, True
            elif others:
                later.append(edge)
        yield from ((edge, False, True) for edge in later)

    def _apt(self, consumer: str, resource: str, edges: list[Edge]) -> list[Edge]:
        """Leave out, if possible, tools about the resource that the consumer creates: others' bookings show no trip."""
        role, roles = self.world.roles[consumer], self.world.roles
        if role.operation != "create" or role.resource == resource:
            return edges
        return [edge for edge in edges if roles[edge.producer].resource != role.resource] or edges

    def _cost(self, edge: Edge, resource: str) -> float:
        role = self.world.roles[edge.producer]
        unfit = not self._finds(edge.producer, resource) or self._takes(edge.producer, resource)
        elsewhere = role.resource not in (resource, *([] if role.operation in FINDING else [None]))
        needed = len(self.world.needed_references(edge.producer)) + NARROWED * len(self._narrowing(edge.producer))
        return needed + ELSEWHERE * elsewhere + UNFIT * unfit + FAILED * (edge.verified is False)

    def _stands_apart(self, edge: Edge) -> bool:
        """Tell whether the producer's path lies outside of the collection whose row the consumer's path names."""
        producer, consumer = self.world.tools[edge.producer].http, self.world.tools[edge.consumer].http
        named = f"{{{edge.input[1:]}}}"
        if producer is None or consumer is None or named not in consumer.path:
            return False
        return not f"{producer.path.rstrip('/')}/".startswith(consumer.path.partition(named)[0])

    def _finds(self, name: str, resource: str) -> bool:
        """Tell whether a tool looks things up: a list, a read, or a computation whose answer is an identity of `resource`."""
        role = self.world.roles[name]
        return role.operation in FINDING or (role.operation == "compute" and resource in role.yields.values())

    def _takes(self, name: str, resource: str) -> bool:
        """Tell whether a tool needs an identity of a resource."""
        return resource in self.world.needed_references(name).values()

    def _narrowing(self, name: str) -> set[str]:
        """Return the required arguments of a tool that are fields of its rows, other than names."""
        tool, role = self.world.tools[name], self.world.roles[name]
        told = {one for one in tool.required if f"/{one}" not in role.references}
        return {one for one in told & set(self.world.fields(role.resource)) if not is_naming(one)}
