"""Edges -> a multigraph that answers which tools produce a value, and its report."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interplay.generators.graph.candidate_edges import in_order
from interplay.generators.graph.edge_verification import LaterVerifier, Verifier
from interplay.generators.graph.sampling.world import World
from interplay.schemas.protocols import Environment
from interplay.schemas.records.tool import ResourceModel, Toolset
from interplay.schemas.records.tool_graph import Edge, GraphNode, GraphReport

SUMMARY = 120
"""Characters of a description that serve as a summary where there is none."""

VERIFIED = 8_000
"""The default for the most edges that are run: all of a few hundred tools, part of a registry of thousands."""

SETTLED = 500
"""The most edges that are run only to report them, where tasks run the edges that they need."""


@dataclass(frozen=True)
class ToolGraph:
    """A directed multigraph: nodes by tool name; edges by consumer and by producer.

    Edges between the same two tools are adjacent. It is kept minimal, as composing queries it thousands of times a
    second; `interplay.outputs.graphs` turns its report into a networkx graph. Where edges are run on demand, `found_into`
    holds them before they are run; else it is None.
    """

    nodes: Mapping[str, GraphNode]
    into: Mapping[str, Sequence[Edge]]
    out_of: Mapping[str, Sequence[Edge]]
    found_into: Mapping[str, Sequence[Edge]] | None = None

    def found_for(self, consumer: str) -> Sequence[Edge]:
        """Return the edges into a tool, without running those that are run on demand."""
        return (self.into if self.found_into is None else self.found_into).get(consumer, ())

    def feeding(self, consumer: str, is_asked: Callable[[Edge], bool]) -> Iterator[Edge]:
        """Yield the edges into a tool that `is_asked` selects by their ends; if run on demand, each is run when yielded."""
        if isinstance(self.into, _Later):
            return self.into.some(consumer, is_asked)
        return filter(is_asked, self.into.get(consumer, ()))

    @property
    def edges(self) -> list[Edge]:
        """All edges, best first, after running those that are run on demand."""
        return in_order(edge for edges in self.into.values() for edge in edges)

    @property
    def found(self) -> list[Edge]:
        """All edges, best first, without running those that are run on demand."""
        return in_order(edge for edges in (self.found_into or self.into).values() for edge in edges)


async def verified(
    edges: Sequence[Edge],
    environment: Environment,
    seed: int = 0,
    bound: int = VERIFIED,
    tell: Callable[[str], None] = lambda _: None,
) -> list[Edge]:
    """Return all edges, best first, with at most `bound` of them run; `tell` is called with the consumer of each."""
    chosen = edges if bound >= len(edges) else worth_running(edges, bound)
    if not chosen:
        return list(edges)
    verifier = Verifier(World(environment), seed)
    # Sorted by producer, so that cached results are used while they are kept.
    run = dict[int, Edge]()
    for edge in sorted(chosen, key=lambda edge: edge.producer):
        tell(edge.consumer)
        run[id(edge)] = await verifier.verify(edge)
    return [run.get(id(edge), edge) for edge in edges]


def worth_running(edges: Iterable[Edge], bound: int) -> list[Edge]:
    """Return the `bound` edges that are run: by turns the best and the most doubtful remaining edge of each consumer."""
    waiting: dict[str, deque[Edge]] = defaultdict(deque)
    for edge in in_order(edges):
        waiting[edge.consumer].append(edge)
    chosen: list[Edge] = []
    doubtful = False
    while waiting and len(chosen) < bound:
        for consumer in sorted(waiting):
            left = waiting[consumer]
            chosen.append(left.pop() if doubtful else left.popleft())
            if not left:
                del waiting[consumer]
        doubtful = not doubtful
    return chosen[:bound]


def graph_nodes(toolset: Toolset, model: ResourceModel) -> list[GraphNode]:
    """Return a node for each tool, as reports show it."""
    roles = model.by_tool
    return [
        GraphNode(
            name=tool.name,
            summary=tool.summary or tool.description.split("\n")[0][:SUMMARY],
            effect=tool.effect,
            resource=roles[tool.name].resource,
            operation=roles[tool.name].operation,
            source=tool.source.file,
        )
        for tool in toolset.tools
    ]


class _Later(Mapping[str, Sequence[Edge]]):
    """Edges by one of their ends; the edges of a tool are run when they are first asked for."""

    def __init__(self, found: Mapping[str, Sequence[Edge]], verify: Callable[[Edge], Edge]) -> None:
        self._found, self.run = found, verify
        self._told: dict[str, Sequence[Edge]] = {}

    def only(self, is_kept: Callable[[Edge], bool]) -> "_Later":
        """Return a copy with the edges that `is_kept` selects, without running them."""
        found = {name: [edge for edge in edges if is_kept(edge)] for name, edges in self._found.items()}
        return _Later({name: edges for name, edges in found.items() if edges}, self.run)

    def some(self, name: str, is_asked: Callable[[Edge], bool]) -> Iterator[Edge]:
        """Yield the edges of a tool that `is_asked` selects by their ends, and run only these."""
        return map(self.run, filter(is_asked, self._found.get(name, ())))

    def __getitem__(self, name: str) -> Sequence[Edge]:
        if name not in self._told:
            self._told[name] = [self.run(edge) for edge in self._found[name]]
        return self._told[name]

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def verified_later(
    nodes: Iterable[str | GraphNode],
    edges: Sequence[Edge],
    environment: Environment,
    seed: int = 0,
) -> ToolGraph:
    """Return the graph that `verified` leads to, with edges run on demand; calls of `environment` must never wait."""
    untold = [edge for edge in edges if edge.verified is None]
    chosen = untold if len(edges) <= VERIFIED else worth_running(edges, VERIFIED)
    verify = LaterVerifier((edge for edge in chosen if edge.verified is None), environment, seed)
    graph = graph_of(nodes, edges)
    return replace(graph, into=_Later(graph.into, verify), out_of=_Later(graph.out_of, verify), found_into=graph.into)


def graph_of(nodes: Iterable[str | GraphNode], edges: Iterable[Edge]) -> ToolGraph:
    """Return the multigraph over `nodes`, given as nodes or tool names, with one edge for each pair of fields."""
    made = (GraphNode(name=item) if isinstance(item, str) else item for item in nodes)
    between: dict[tuple[str, str], dict[tuple[str, str], Edge]] = defaultdict(dict)
    for edge in edges:
        between[edge.producer, edge.consumer][edge.output, edge.input] = edge
    into: dict[str, list[Edge]] = defaultdict(list)
    out_of: dict[str, list[Edge]] = defaultdict(list)
    for (producer, consumer), found in between.items():
        into[consumer] += found.values()
        out_of[producer] += found.values()
    return ToolGraph({node.name: node for node in made}, dict(into), dict(out_of))


def settled(graph: ToolGraph, bound: int = SETTLED) -> Iterator[Edge]:
    """Yield the edges, best first; where a graph runs them on demand, at most `bound` are run, whatever was asked for before."""
    later, found = graph.into, graph.found
    chosen = {edge.ends for edge in worth_running(found, bound)}
    for edge in found:
        yield later.run(edge) if isinstance(later, _Later) and edge.ends in chosen else edge


def trusted(graph: ToolGraph, answers_for_real: bool) -> ToolGraph:
    """Return a graph without doubtful edges, except those verified by real code."""

    def is_kept(edge: Edge) -> bool:
        return not edge.doubtful or (answers_for_real and edge.verified is True)

    found = None if graph.found_into is None else _kept(graph.found_into, is_kept)
    return replace(graph, into=_kept(graph.into, is_kept), out_of=_kept(graph.out_of, is_kept), found_into=found)


def _kept(sides: Mapping[str, Sequence[Edge]], is_kept: Callable[[Edge], bool]) -> Mapping[str, Sequence[Edge]]:
    """Return the selected edges; those to be run on demand stay so."""
    if isinstance(sides, _Later):
        return sides.only(is_kept)
    found = {name: [edge for edge in edges if is_kept(edge)] for name, edges in sides.items()}
    return {name: edges for name, edges in found.items() if edges}


def edges_into(graph: ToolGraph, consumer: str, pointer: str | None = None) -> list[Edge]:
    """Return the edges into a tool, or into one of its arguments, without those that failed when run."""
    return good_edges(graph.feeding(consumer, lambda edge: pointer is None or edge.input == pointer))


def good_edges(edges: Iterable[Edge]) -> list[Edge]:
    """Return edges into one tool, best first, without those that failed when run."""
    good = (edge for edge in edges if edge.verified is not False)
    return sorted(good, key=lambda edge: (-edge.score, edge.producer, edge.output))


def graph_report(graph: ToolGraph) -> GraphReport:
    """Return nodes, edges best first, and the tools without any edge."""
    orphans = tuple(name for name in graph.nodes if name not in graph.into and name not in graph.out_of)
    return GraphReport(nodes=tuple(graph.nodes.values()), edges=tuple(graph.edges), orphans=orphans)
