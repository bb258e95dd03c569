"""Edges -> a networkx multigraph that can be asked who produces a value, and a report that can be read."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import networkx as nx

from interplay.generators.graph.execution import Verifier
from interplay.generators.graph.matching import candidate_edges, in_order
from interplay.generators.graph.sampling import World
from interplay.schemas.graph import Edge, GraphNode, GraphReport, ValueFlow
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import ResourceModel, Toolset

ToolGraph: TypeAlias = nx.MultiDiGraph

SUMMARY = 120
"""Characters of a description that stand for a summary where there is none."""


VERIFIED = 8_000
"""Edges that are run at most unless told otherwise: all of a few hundred tools, a part of a registry of thousands."""


async def build_graph(
    environment: Environment, seed: int = 0, verify: int | bool = True, flows: Iterable[ValueFlow] = ()
) -> ToolGraph:
    """Match outputs to inputs, and run edges in the environment (whose state is left as it was).

    `verify` bounds how many are run: true stands for `VERIFIED`, false for none; the others stay as they are. `flows`
    are values that were seen to go from one tool to another. Nodes are tool names with their `GraphNode` as attribute
    `node`; each edge carries its `Edge` as attribute `edge`.
    """
    edges = candidate_edges(environment.toolset, environment.resources, flows)
    edges = await verified(edges, environment, seed, VERIFIED if verify is True else int(verify))
    return graph_of(graph_nodes(environment.toolset, environment.resources), edges)


async def verified(edges: Sequence[Edge], environment: Environment, seed: int = 0, bound: int = VERIFIED) -> list[Edge]:
    """Return all edges, best first, as many as `bound` of them run in the environment."""
    chosen = edges if bound >= len(edges) else worth_running(edges, bound)
    if not chosen:
        return list(edges)
    verifier = Verifier(World(environment), seed)
    # Edges of one producer in a row: what it answers is kept until the next one's turn.
    run = {id(edge): await verifier.verify(edge) for edge in sorted(chosen, key=lambda edge: edge.producer)}
    return [run.get(id(edge), edge) for edge in edges]


def worth_running(edges: Iterable[Edge], bound: int) -> list[Edge]:
    """Return as many edges as `bound`: round after round for each consumer its best, then its most doubtful one left."""
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
    """Return what a reader is told of each tool."""
    roles = {role.tool: role for role in model.roles}
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


def graph_of(nodes: Iterable[str | GraphNode], edges: Iterable[Edge]) -> ToolGraph:
    """Return the multigraph over `nodes`, tools or their names, with these edges."""
    graph: ToolGraph = nx.MultiDiGraph()
    for item in nodes:
        node = GraphNode(name=item) if isinstance(item, str) else item
        graph.add_node(node.name, node=node)
    for edge in edges:
        graph.add_edge(edge.producer, edge.consumer, key=f"{edge.output}->{edge.input}", edge=edge)
    return graph


def edges_of(graph: ToolGraph) -> list[Edge]:
    """Return all edges, best first."""
    return in_order(data["edge"] for _, _, data in graph.edges(data=True))


def edges_into(graph: ToolGraph, consumer: str, pointer: str | None = None) -> list[Edge]:
    """Return the edges that feed a tool, or one of its inputs; those that failed when run are left out."""
    found = [data["edge"] for _, _, data in graph.in_edges(consumer, data=True)]
    chosen = [edge for edge in found if edge.verified is not False and (pointer is None or edge.input == pointer)]
    return sorted(chosen, key=lambda edge: (-edge.score, edge.producer, edge.output))


def graph_report(graph: ToolGraph) -> GraphReport:
    """Return nodes, edges best first, and the tools that no edge touches."""
    orphans = tuple(node for node in graph.nodes if graph.degree(node) == 0)
    nodes = tuple(node for _, node in graph.nodes(data="node"))
    return GraphReport(nodes=nodes, edges=tuple(edges_of(graph)), orphans=orphans)
