"""A graph report -> GraphML, which Gephi, yEd, Cytoscape and `networkx.read_graphml` open.

<edge source="listPets" target="getPet" id="e0">
  <data key="d6">/*/id</data> <data key="d7">/petId</data> <data key="d8">0.97</data> <data key="d9">true</data> ...

A tool is a node, a pair of fields an edge, so two tools may have several. What is not known is left out: an edge that
was not run has no `verified`.
"""

import io
from typing import Any

import networkx as nx

from interplay.outputs.graphs.edge_labels import evidence_text, legal
from interplay.schemas.records.tool_graph import Edge, GraphNode, GraphReport


def graphml(report: GraphReport) -> str:
    """Return a GraphML document; the same report gives the same text."""
    written = io.BytesIO()
    nx.write_graphml_xml(_labelled(report), written)
    return written.getvalue().decode("utf-8") + "\n"


def _labelled(report: GraphReport) -> nx.MultiDiGraph:
    """Return the graph with plain attributes; edges are numbered, since GraphML wants one identity for each."""
    graph: nx.MultiDiGraph = nx.MultiDiGraph()
    for node in report.nodes:
        graph.add_node(legal(node.name), **_node_attributes(node))
    for number, edge in enumerate(report.edges):
        graph.add_edge(legal(edge.producer), legal(edge.consumer), key=f"e{number}", **_edge_attributes(edge))
    return graph


def _node_attributes(node: GraphNode) -> dict[str, Any]:
    values = {
        "label": node.name,
        "summary": node.summary,
        "effect": node.effect,
        "resource": node.resource,
        "operation": node.operation,
        "source": node.source,
    }
    return {name: legal(value) for name, value in values.items() if value}


def _edge_attributes(edge: Edge) -> dict[str, Any]:
    texts = {"output": edge.output, "input": edge.input, "evidence": evidence_text(edge), "note": edge.note}
    found: dict[str, Any] = {name: legal(value) for name, value in texts.items() if value}
    found["score"] = edge.score
    if edge.verified is not None:
        found["verified"] = edge.verified
    return found
