"""Edges -> a networkx multigraph that can be asked who produces a value, and a report that can be read."""

from collections.abc import Iterable
from typing import TypeAlias

import networkx as nx

from interplay.generators.graph.execution import Verifier
from interplay.generators.graph.matching import candidate_edges
from interplay.generators.graph.sampling import World
from interplay.schemas.graph import Edge, GraphNode, GraphReport
from interplay.schemas.protocols import Environment
from interplay.schemas.tools import ResourceModel, Toolset

ToolGraph: TypeAlias = nx.MultiDiGraph

SUMMARY = 120
"""Characters of a description that stand for a summary where there is none."""


async def build_graph(environment: Environment, seed: int = 0, verify: bool = True) -> ToolGraph:
    """Match outputs to inputs, and run each edge in the environment (whose state is left as it was).

    Nodes are tool names with their `GraphNode` as attribute `node`; each edge carries its `Edge` as attribute `edge`.
    """
    edges = candidate_edges(environment.toolset, environment.resources)
    if verify:
        verifier = Verifier(World(environment), seed)
        edges = [await verifier.verify(edge) for edge in edges]
    return graph_of(graph_nodes(environment.toolset, environment.resources), edges)


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
    nodes = tuple(node for _, node in graph.nodes(data="node"))
    return GraphReport(nodes=nodes, edges=tuple(edges_of(graph)), orphans=orphans)
