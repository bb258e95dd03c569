"""An argument that takes an identity -> the tools that may give it: the edges into it, the cheapest to call first."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from interplay.generators.blueprints.arguments.known_values import is_naming
from interplay.generators.graph.multigraph import ToolGraph
from interplay.generators.graph.sampling.world import World
from interplay.schemas.json.canonical import starred
from interplay.schemas.records.tool_graph import Edge
from interplay.schemas.words.identifiers import name_tokens
from interplay.schemas.words.lists import word_set

FINDING = ("list", "read")
"""Operations of the tools that look an identity up."""

FAILED, ELSEWHERE, UNFIT, APART, NARROWED = 5.0, 1.5, 20.0, 0.5, 0.75
"""What is added to the cost of an edge that failed when run, of a tool about something else, of a tool that will not do, of
one at another place: `/groups/invitations` for `/trips/invitations/{id}/accept`, and for each field that a tool has to be told besides
what a thing is called: all events of a type."""

_SOMEBODY = word_set("people", "served", "actors", "staff", "traders") | {"account", "profile"}


@dataclass(frozen=True)
class Producers:
    """Knows the edges of a graph by the arguments that they go into, each looked for once, and run only where that counts."""

    world: World
    graph: ToolGraph
    _into: dict[tuple[str, str], tuple[Edge, ...]] = field(default_factory=dict, init=False, repr=False)
    _recalling: dict[tuple[str, str, str], tuple[Edge, ...]] = field(default_factory=dict, init=False, repr=False)
    _costs: dict[tuple[str, str, str], tuple[tuple[float, Edge], ...]] = field(
        default_factory=dict, init=False, repr=False
    )

    def into(self, consumer: str, pointer: str) -> tuple[Edge, ...]:
        """Return the edges into an argument from tools that the same side calls, as they are before they are run."""
        if (consumer, pointer) not in self._into:
            tools, inputs = self.world.tools, (pointer, starred(pointer))
            own, found = tools[consumer].requestor, self.graph.found_for(consumer)
            self._into[consumer, pointer] = tuple(
                edge for edge in found if edge.input in inputs and tools[edge.producer].requestor == own
            )
        return self._into[consumer, pointer]

    def doing(self, consumer: str, pointer: str, operations: Collection[str]) -> list[Edge]:
        """Return the edges into an argument whose producers do one of some operations, as they are before they are run."""
        return [
            edge for edge in self.into(consumer, pointer) if self.world.roles[edge.producer].operation in operations
        ]

    def _run(self, edges: Collection[Edge]) -> Iterator[Edge]:
        """Yield edges into one tool, each as running it shows it."""
        ends = {(edge.producer, edge.output, edge.input) for edge in edges}
        consumer = next((edge.consumer for edge in edges), "")
        return self.graph.feeding(consumer, lambda edge: (edge.producer, edge.output, edge.input) in ends)

    def recalling(self, consumer: str, pointer: str, resource: str) -> tuple[Edge, ...]:
        """Return the edges from lists of other things that show an identity of a resource, and are not told one themselves.

        Nobody speaks of people so: "the appointment of my patient in November", who was born then.
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
        """Return edges that may give the identity, cheapest first: fewest identities needed to call the producer.

        Edges that failed when run come last: what they failed for may not hold here.
        """
        about = (consumer, pointer, resource)
        if about not in self._costs:
            edges = self._apt(consumer, resource, self.doing(consumer, pointer, FINDING))
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
        """Yield ways of looking a row up: the edge, whether that very row is wanted, and whether any other row will do.

        Where `others` will do at all and a list of such rows lacks the row, another row is taken from that list before any
        other look-up is tried. `near` leaves out the tools that show the row only because something else refers to it.
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
        """Leave out the likes of what is to be made, if there is another way: nobody finds a trip by others' bookings."""
        role, roles = self.world.roles[consumer], self.world.roles
        if role.operation != "create" or role.resource == resource:
            return edges
        return [edge for edge in edges if roles[edge.producer].resource != role.resource] or edges

    def _cost(self, edge: Edge, resource: str) -> float:
        role = self.world.roles[edge.producer]
        unfit = role.operation not in FINDING or self._takes(edge.producer, resource)
        elsewhere = role.resource != resource
        needed = len(self.world.needed_references(edge.producer)) + NARROWED * len(self._narrowing(edge.producer))
        return needed + ELSEWHERE * elsewhere + UNFIT * unfit + FAILED * (edge.verified is False)

    def _stands_apart(self, edge: Edge) -> bool:
        """Tell whether a producer's path does not begin with the place of the rows of which the consumer's names one."""
        producer, consumer = self.world.tools[edge.producer].http, self.world.tools[edge.consumer].http
        named = f"{{{edge.input[1:]}}}"
        if producer is None or consumer is None or named not in consumer.path:
            return False
        return not f"{producer.path.rstrip('/')}/".startswith(consumer.path.partition(named)[0])

    def _takes(self, name: str, resource: str) -> bool:
        """Tell whether a tool has to be told which row of a resource is meant."""
        return resource in self.world.needed_references(name).values()

    def _narrowing(self, name: str) -> set[str]:
        """Return the fields of rows, but for what they are called by, that a tool has to be told a value of."""
        tool, role = self.world.tools[name], self.world.roles[name]
        told = {one for one in tool.required if f"/{one}" not in role.references}
        return {one for one in told & set(self.world.fields(role.resource)) if not is_naming(one)}
