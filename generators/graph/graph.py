"""Edges -> a networkx multigraph that can be asked who produces a value, and a report that can be read."""

from collections.abc import Iterable
from typing import TypeAlias

import networkx as nx

from interplay.generators.graph.execution import Verifier
from interplay.generators.graph.matching import candidate_edges
from interplay.generators.graph.sampling import World
from interplay.schemas.graph import Edge, GraphReport
from interplay.schemas.protocols import Environment

ToolGraph: TypeAlias = nx.MultiDiGraph


async def build_graph(environment: Environment, seed: int = 0, verify: bool = True) -> ToolGraph:
    """Match outputs to inputs, and run each edge in the environment (whose state is left as it was).

    Nodes are tool names; each edge carries its `Edge` record as attribute `edge`.
    """
    edges = candidate_edges(environment.toolset, environment.resources)
    if verify:
        verifier = Verifier(World(environment), seed)
        edges = [await verifier.verify(edge) for edge in edges]
    return graph_of([tool.name for tool in environment.toolset.tools], edges)


def graph_of(nodes: Iterable[str], edges: Iterable[Edge]) -> ToolGraph:
    """Return the multigraph over `nodes` with these edges."""
    graph: ToolGraph = nx.MultiDiGraph()
    graph.add_nodes_from(nodes)
    for edge in edges:
        graph.add_edge(edge.producer, edge.consumer, key=f"{edge.output}->{edge.input}", edge=edge)
    return graph


def edges_of(graph: ToolGraph) -> list[Edge]:
    """Return all edges, best first."""
    found = [data["edge"] for _, _, data in graph.edges(data=True)]
    return sorted(found, key=lambda edge: (-edge.score, edge.producer, edge.output, edge.consumer, edge.input))


def edges_into(graph: ToolGraph, consumer: str, pointer: str | None = None) -> list[Edge]:
    """Return the edges that feed a tool, or one of its inputs; those that failed when run are left out."""
    found = [data["edge"] for _, _, data in graph.in_edges(consumer, data=True)]
    chosen = [edge for edge in found if edge.verified is not False and (pointer is None or edge.input == pointer)]
    return sorted(chosen, key=lambda edge: (-edge.score, edge.producer, edge.output))


def graph_report(graph: ToolGraph) -> GraphReport:
    """Return nodes, edges best first, and the tools that no edge touches."""
    orphans = tuple(node for node in graph.nodes if graph.degree(node) == 0)
    return GraphReport(nodes=tuple(graph.nodes), edges=tuple(edges_of(graph)), orphans=orphans)
